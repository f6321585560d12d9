//! Firebase: `firebase auth:export users.json --format=json`, and the hash parameters that its console shows.

use serde::Deserialize;
use serde_json::{Map, Value};
use svc_core::{Error, Result, Secret};
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{Format, InitialStatus, OldPassword, PersonLine};

use super::identities::{self, Members};
use super::record::{flag, list, millis, text};

const IDENTITIES: Members<'_> =
    Members { list: "providerUserInfo", provider: "providerId", subject: "rawId", label: "email" };

/// The hash parameters of a project.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Parameters {
    base64_signer_key: Secret,
    base64_salt_separator: String,
    rounds: u32,
    mem_cost: u32,
}

/// The person of a member of `users`.
pub(super) fn person(user: &Value, parameters: Option<&Parameters>) -> Result<PersonLine> {
    let second = list(user, "mfaInfo").iter().find_map(|factor| text(factor, "phoneInfo"));
    // Firebase has a number only once a code that was sent to it came back.
    let number = text(user, "phoneNumber").or(second);
    let hash = text(user, "passwordHash").map(|hash| password(user, hash, parameters)).transpose()?;
    Ok(PersonLine {
        external_id: text(user, "localId"),
        email: text(user, "email"),
        email_verified: flag(user, "emailVerified"),
        profile: Profile {
            name: text(user, "displayName"),
            picture: text(user, "photoUrl"),
            phone_number_verified: number.is_some(),
            phone_number: number,
            ..Profile::default()
        },
        status: if flag(user, "disabled") { InitialStatus::Suspended } else { InitialStatus::Active },
        created_at: millis(user, "createdAt"),
        public_metadata: claims(user)?,
        password_hash: hash,
        factors: list(user, "mfaInfo")
            .iter()
            .filter(|factor| factor.get("phoneInfo").is_none())
            .cloned()
            .collect(),
        identities: identities::of(user, &IDENTITIES),
        ..PersonLine::default()
    })
}

/// The custom claims, which stand in ID tokens there: the text of a document.
fn claims(user: &Value) -> Result<Map<String, Value>> {
    let Some(said) = text(user, "customAttributes") else { return Ok(Map::new()) };
    serde_json::from_str(&said)
        .map_err(|_| Error::bad_request("customAttributes: must be the text of a JSON object"))
}

fn password(user: &Value, hash: String, parameters: Option<&Parameters>) -> Result<OldPassword> {
    let needed =
        || Error::bad_request("password_hash: give the hash parameters of the project by --hash-parameters");
    let parameters = parameters.ok_or_else(needed)?;
    Ok(OldPassword {
        format: Format::FirebaseScrypt,
        value: Some(Secret::new(hash)),
        salt: Some(Secret::new(text(user, "salt").unwrap_or_default())),
        salt_separator: Some(parameters.base64_salt_separator.clone()),
        signer_key: Some(parameters.base64_signer_key.clone()),
        rounds: Some(parameters.rounds),
        mem_cost: Some(parameters.mem_cost),
        ..OldPassword::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn custom_claims_become_public_metadata() {
        let user = |claims: Value| json!({ "email": "ada@firebase.example", "customAttributes": claims });
        let ada = person(&user(json!(r#"{"admin":true,"plan":"gold"}"#)), None).unwrap();
        assert_eq!(Value::Object(ada.public_metadata), json!({ "admin": true, "plan": "gold" }));
        assert!(person(&user(Value::Null), None).unwrap().public_metadata.is_empty());
        let refused = person(&user(json!("[1]")), None).unwrap_err();
        assert!(refused.detail().starts_with("customAttributes: "), "{refused}");
    }
}
