//! Clerk: the CSV of its dashboard with `password_digest` and `password_hasher`, or users as its API writes them.

use serde_json::Value;
use svc_core::{Error, Result, Secret};
use svc_domain::claims::profile::Profile;
use svc_domain::people::imports::{InitialStatus, OldPassword, PersonLine};

use super::record::{first, flag, list, members, millis, text, username};

/// The hashers whose digests say themselves what they were made by.
const HASHERS: &[&str] = &[
    "bcrypt",
    "bcrypt_sha256_django",
    "argon2",
    "argon2i",
    "argon2id",
    "pbkdf2_sha1",
    "pbkdf2_sha256",
    "pbkdf2_sha256_django",
    "pbkdf2_sha512",
    "scrypt_django",
    "ldap_ssha",
    "sha512crypt",
    "md5crypt",
];

/// The person of a row or of a member of the list.
pub(super) fn person(user: &Value) -> Result<PersonLine> {
    let email = email(user);
    let verified = text(user, "verified_email_addresses").unwrap_or_default();
    let (number, proven) =
        (text(user, "primary_phone_number"), text(user, "verified_phone_numbers").unwrap_or_default());
    let name = [text(user, "first_name"), text(user, "last_name")].into_iter().flatten();
    Ok(PersonLine {
        external_id: text(user, "id"),
        email_verified: email.as_ref().is_some_and(|email| verified.contains(email.as_str()))
            || is_proven(user),
        email,
        username: username(user, "username"),
        profile: Profile {
            name: name.reduce(|first, last| format!("{first} {last}")),
            given_name: text(user, "first_name"),
            family_name: text(user, "last_name"),
            picture: text(user, "image_url"),
            phone_number_verified: number.as_ref().is_some_and(|number| proven.contains(number.as_str())),
            phone_number: number,
            ..Profile::default()
        },
        status: if flag(user, "banned") { InitialStatus::Suspended } else { InitialStatus::Active },
        created_at: millis(user, "created_at"),
        public_metadata: members(user, "public_metadata"),
        private_metadata: members(user, "private_metadata"),
        password_hash: password(user)?,
        totp_secret: text(user, "totp_secret").map(Secret::new),
        ..PersonLine::default()
    })
}

fn password(user: &Value) -> Result<Option<OldPassword>> {
    let Some(digest) = text(user, "password_digest") else { return Ok(None) };
    match text(user, "password_hasher") {
        Some(hasher) if !HASHERS.contains(&hasher.as_str()) => {
            Err(Error::bad_request("password_hash: unsupported; the hasher is not known"))
        }
        _ => Ok(Some(OldPassword::encoded(digest))),
    }
}

fn email(user: &Value) -> Option<String> {
    first(user, &["primary_email_address", "email_address"]).or_else(|| text(primary(user)?, "email_address"))
}

/// The API lists addresses, and names the first among them by its id.
fn primary(user: &Value) -> Option<&Value> {
    let id = user.get("primary_email_address_id")?;
    list(user, "email_addresses").iter().find(|address| address.get("id") == Some(id))
}

fn is_proven(user: &Value) -> bool {
    let status = primary(user).and_then(|address| address.pointer("/verification/status"));
    status.and_then(Value::as_str) == Some("verified")
}
