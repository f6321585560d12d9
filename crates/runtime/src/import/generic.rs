//! Files of no system in particular: JSON Lines as the API takes them, and CSV whose columns have the same names.

use std::mem;

use serde_json::Value;
use svc_core::{Error, Result, Secret};
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{InitialStatus, OldPassword, PersonLine};

use super::record::{flag, text, time};

/// The person of a line.
pub(super) fn of_line(line: Value) -> Result<PersonLine> {
    serde_json::from_value(line).map_err(|error| {
        let text = error.to_string();
        // Only what is said of names: a wrong value could be a secret.
        let said = text.split_once(", expected").map_or(text.as_str(), |(said, _)| said);
        let is_of_names = said.starts_with("unknown field") || said.starts_with("missing field");
        Error::bad_request(if is_of_names {
            said.to_owned()
        } else {
            "a member has the wrong type".to_owned()
        })
    })
}

/// The columns of a file.
const COLUMNS: &[&str] = &[
    "external_id",
    "email",
    "email_verified",
    "username",
    "name",
    "given_name",
    "family_name",
    "nickname",
    "locale",
    "zoneinfo",
    "phone_number",
    "phone_number_verified",
    "totp_secret",
    "roles",
    "status",
    "created_at",
    "password_hash",
];

/// The person of a row. Who is imported without the password, because its column has another name, is not given it by a later import.
pub(super) fn of_columns(row: &Value) -> Result<PersonLine> {
    let mut columns = row.as_object().into_iter().flatten().map(|(name, _)| name);
    if let Some(unknown) = columns.find(|name| !COLUMNS.contains(&name.as_str())) {
        return Err(Error::bad_request(format!(
            "{}: unknown; name the column as one of {}, or leave it out",
            unknown.escape_debug(),
            COLUMNS.join(", ")
        )));
    }
    let status = match text(row, "status").as_deref() {
        None | Some("active") => InitialStatus::Active,
        Some("suspended") => InitialStatus::Suspended,
        Some(_) => return Err(Error::bad_request("status: must be active or suspended")),
    };
    Ok(PersonLine {
        external_id: text(row, "external_id"),
        email: text(row, "email"),
        email_verified: flag(row, "email_verified"),
        username: text(row, "username"),
        profile: Profile {
            name: text(row, "name"),
            given_name: text(row, "given_name"),
            family_name: text(row, "family_name"),
            nickname: text(row, "nickname"),
            locale: text(row, "locale"),
            zoneinfo: text(row, "zoneinfo"),
            phone_number: text(row, "phone_number"),
            phone_number_verified: flag(row, "phone_number_verified"),
            ..Profile::default()
        },
        roles: roles(&text(row, "roles").unwrap_or_default()),
        status,
        created_at: time(row, "created_at"),
        password_hash: text(row, "password_hash").map(OldPassword::encoded),
        totp_secret: text(row, "totp_secret").map(Secret::new),
        ..PersonLine::default()
    })
}

/// The roles of a column. A semicolon or a backslash after a backslash is a part of a name; any other backslash is one too.
fn roles(column: &str) -> Vec<String> {
    let (mut roles, mut role) = (Vec::new(), String::new());
    let mut rest = column.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            ';' => roles.push(mem::take(&mut role)),
            '\\' => role.push(rest.next_if(|next| matches!(next, ';' | '\\')).unwrap_or('\\')),
            _ => role.push(next),
        }
    }
    roles.push(role);
    roles.iter().map(|role| role.trim()).filter(|role| !role.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_column_of_another_name_is_refused_and_what_is_in_it_is_not_repeated() {
        let row = json!({ "email": "ada@csv.example", "passwordHash": "$2b$06$secret" });
        let refused = of_columns(&row).unwrap_err();
        assert!(
            refused.detail().starts_with("passwordHash: unknown; name the column as one of external_id, ")
        );
        assert!(!refused.detail().contains("$2b$"), "{refused}");
        assert!(of_columns(&json!({ "email": "ada@csv.example" })).is_ok());
    }

    #[test]
    fn a_backslash_keeps_a_semicolon_in_the_name_of_a_role() {
        for (column, expected) in [
            ("editor; writer;;", &["editor", "writer"][..]),
            ("read\\;write;x", &["read;write", "x"]),
            ("a\\\\;b", &["a\\", "b"]),
            ("corp\\staff;b\\", &["corp\\staff", "b\\"]),
            ("", &[]),
        ] {
            assert_eq!(roles(column), expected, "{column}");
        }
    }
}
