//! Amazon Cognito: the users of a pool as CSV. It gives no password hashes away: people choose a new password by mail.

use serde_json::Value;
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::PersonLine;

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
            picture: text(row, "picture"),
            website: text(row, "website"),
            gender: text(row, "gender"),
            birthdate: text(row, "birthdate"),
            zoneinfo: text(row, "zoneinfo"),
            locale: text(row, "locale"),
            phone_number: text(row, "phone_number"),
            phone_number_verified: flag(row, "phone_number_verified"),
            ..Profile::default()
        },
        ..PersonLine::default()
    }
}
