//! Amazon Cognito: the users of a pool as CSV. It gives no password hashes away: people choose a new password by mail.

use serde_json::{Map, Value};
use svc_domain::claims::profile::{Address, Profile};
use svc_domain::people::imports::{InitialStatus, PersonLine};

use super::record::{first, flag, text, username};

/// The person of a row.
pub(super) fn person(row: &Value) -> PersonLine {
    PersonLine {
        external_id: first(row, &["sub", "cognito:username"]),
        email: text(row, "email"),
        email_verified: flag(row, "email_verified"),
        username: username(row, "cognito:username"),
        profile: Profile {
            name: text(row, "name"),
            given_name: text(row, "given_name"),
            family_name: text(row, "family_name"),
            middle_name: text(row, "middle_name"),
            nickname: text(row, "nickname"),
            preferred_username: text(row, "preferred_username"),
            profile: text(row, "profile"),
            picture: text(row, "picture"),
            website: text(row, "website"),
            gender: text(row, "gender"),
            birthdate: text(row, "birthdate"),
            zoneinfo: text(row, "zoneinfo"),
            locale: text(row, "locale"),
            phone_number: text(row, "phone_number"),
            phone_number_verified: flag(row, "phone_number_verified"),
            address: text(row, "address")
                .map(|address| Address { formatted: Some(address), ..Address::default() }),
        },
        status: if text(row, "enabled").is_some() && !flag(row, "enabled") {
            InitialStatus::Suspended
        } else {
            InitialStatus::Active
        },
        private_metadata: custom(row),
        ..PersonLine::default()
    }
}

/// The attributes that a pool has of its own.
fn custom(row: &Value) -> Map<String, Value> {
    let columns = row.as_object().into_iter().flatten();
    columns
        .filter_map(|(name, value)| Some((name.strip_prefix("custom:")?.to_owned(), value.clone())))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn attributes_of_the_pool_become_metadata_and_those_who_are_disabled_are_suspended() {
        let row = json!({ "cognito:username": "ada", "email": "ada@cognito.example", "custom:tenant": "7",
            "preferred_username": "countess", "profile": "https://ada.example", "address": "12 St James's Square",
            "enabled": "false" });
        let ada = person(&row);
        assert_eq!(Value::Object(ada.private_metadata), json!({ "tenant": "7" }));
        assert_eq!(
            Value::Object(ada.profile.claims()),
            json!({ "preferred_username": "countess", "profile": "https://ada.example",
                "address": { "formatted": "12 St James's Square" } })
        );
        assert_eq!(ada.status, InitialStatus::Suspended);
        assert_eq!(person(&json!({ "cognito:username": "ada" })).status, InitialStatus::Active);
    }
}
