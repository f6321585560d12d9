//! A line of an import: one person, as the other system knew them.

use serde::Deserialize;
use serde_json::{Map, Value, json};
use svc_core::{Error, Result, Secret, Timestamp};
use utoipa::ToSchema;

use super::brought::ImportedIdentity;
use super::passwords::OldPassword;
use crate::checks::{is_line, require};
use crate::claims::profile::Profile;
use crate::people::accounts::Email;
use crate::people::tenant_users::{self, Metadata, check_metadata};

const LONGEST_EXTERNAL_ID: usize = 255;
/// Most bytes of the metadata, and of the factors, of one person.
const LARGEST: usize = 16 * 1024;

/// What an export says in `kept` that a guest is (`subject_type`).
pub(crate) const GUEST: &str = "anonymous";

/// What a new person may do at first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InitialStatus {
    /// Sign in.
    #[default]
    Active,
    /// Nothing, until the membership is reactivated.
    Suspended,
}

/// A person as a line of the file has them.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ImportedPerson, examples(json!({ "external_id": "auth0|507f1f77bcf86cd799439020", "email": "grace@example.com",
    "email_verified": true, "profile": { "given_name": "Grace", "family_name": "Hopper" }, "roles": ["editor"],
    "password_hash": { "value": "$2b$10$J6mxsiYhNPPZSSDKiSpD5ebI8fEWcO2ZxSyKsSuhfeDhsLMw6sLZq" } })))]
pub struct PersonLine {
    /// The id of the person in the other system. A line with an id that was imported before is about the same person.
    #[schema(max_length = 255)]
    #[serde(default)]
    pub external_id: Option<String>,
    /// The address, with which the person signs in.
    #[schema(format = "email")]
    #[serde(default)]
    pub email: Option<String>,
    /// Whether the other system took the address as proven. It is kept, and proves nothing here.
    #[serde(default)]
    pub email_verified: bool,
    /// The sign-in name within the tenant.
    #[schema(min_length = 1, max_length = 64)]
    #[serde(default)]
    pub username: Option<String>,
    /// Standard claims, `phone_number` among them. With `phone_number_verified` the number is taken over as proven in this tenant,
    /// where the account is new.
    #[serde(default)]
    pub profile: Profile,
    /// Names of roles of the tenant, which the caller must hold.
    #[serde(default)]
    pub roles: Vec<String>,
    /// Whether a new person may sign in.
    #[serde(default)]
    pub status: InitialStatus,
    /// When the other system got to know the person.
    #[schema(value_type = Option<String>, format = "date-time")]
    #[serde(default)]
    pub created_at: Option<Timestamp>,
    /// What applications may read of the person in the other system.
    #[schema(value_type = Object)]
    #[serde(default)]
    pub public_metadata: Map<String, Value>,
    /// What applications may not.
    #[schema(value_type = Object)]
    #[serde(default)]
    pub private_metadata: Map<String, Value>,
    /// The old password, which works in this tenant until the first sign-in replaces its hash by one of ours.
    #[serde(default)]
    pub password_hash: Option<OldPassword>,
    /// The secret in base32 of an app for one-time codes with six digits each 30 seconds.
    #[schema(value_type = Option<String>, max_length = 256, write_only)]
    #[serde(default)]
    pub totp_secret: Option<Secret>,
    /// Second factors: `{"type": "totp", "secret": …}` with `algorithm`, `digits`, `period` and `name` where they are not the usual
    /// ones, or credentials of Keycloak. A new account takes them over; what is not understood is sealed and kept, and no sign-in
    /// asks for it.
    #[schema(value_type = Vec<Object>, max_items = 20, write_only)]
    #[serde(default)]
    pub factors: Vec<Value>,
    /// Passkeys in the same way: `rp_id`, `credential_id`, `public_key` (COSE in CBOR), `sign_count` and `user_handle`, the bytes in
    /// base64url; `use` is `passkey` or `security_key`; `name`, `transports`, `aaguid` and `backup_eligible` where they are known.
    #[schema(value_type = Vec<Object>, max_items = 20, write_only)]
    #[serde(default)]
    pub passkeys: Vec<Value>,
    /// SHA-256 or SHA-512 of each code that stands in for a second factor, in hexadecimal or base64.
    #[schema(value_type = Vec<String>, max_items = 20, write_only)]
    #[serde(default)]
    pub backup_code_hashes: Vec<Secret>,
    /// What other providers call the person. In this tenant it opens the new account.
    #[schema(max_items = 20)]
    #[serde(default)]
    pub identities: Vec<ImportedIdentity>,
    /// Further data of an export, which an import ignores; it passes over a guest.
    #[schema(value_type = Option<Object>)]
    #[serde(default)]
    pub kept: Option<Value>,
}

impl PersonLine {
    /// A line that is passed over like a guest, for a record of a file that is no person.
    #[must_use]
    pub fn passed_over() -> Self {
        Self { kept: Some(json!({ "subject_type": GUEST })), ..Self::default() }
    }

    /// The address, where it can be one.
    pub fn address(&self) -> Option<Email> {
        self.email.as_deref().and_then(|email| Email::parse(email).ok())
    }

    /// Refuses what no person can be. Returns the address.
    pub(super) fn check(&self) -> Result<Option<Email>> {
        let email = self.email.as_deref().map(Email::parse);
        let is_id = |id: &String| is_line(id, LONGEST_EXTERNAL_ID);
        let size_of_factors = format!("{:?}{:?}", self.factors, self.passkeys).len();
        Error::every([
            require(self.email.is_some() || self.username.is_some(), "email: give an address or a username"),
            email.as_ref().map_or(Ok(()), |email| email.as_ref().map(|_| ()).map_err(again)),
            require(
                self.external_id.as_ref().is_none_or(is_id),
                "external_id: use 1 to 255 characters without control characters",
            ),
            tenant_users::check(self.username.as_deref(), &self.roles),
            self.claims().check("profile"),
            check_metadata(&self.metadata()),
            require(
                size_of_factors <= LARGEST,
                &format!("factors: use at most {LARGEST} bytes for one person"),
            ),
        ])?;
        email.transpose()
    }

    /// Whether an export says that it is a guest: only a session opened the account, and nothing would open another.
    pub(super) fn is_of_guest(&self) -> bool {
        let kept = self.kept.as_ref().filter(|_| self.email.is_none() && self.username.is_none());
        kept.and_then(|kept| kept.get("subject_type")?.as_str()) == Some(GUEST)
    }

    /// What the tenant notes of the person.
    pub(super) fn metadata(&self) -> Metadata {
        Metadata { public: self.public_metadata.clone(), private: self.private_metadata.clone() }
    }

    /// The claims that a new account begins with: what is proven there is not proven here, and an empty text says nothing.
    pub(super) fn claims(&self) -> Profile {
        let said: Profile = serde_json::from_value(Value::Object(self.profile.claims())).unwrap_or_default();
        Profile { phone_number_verified: false, ..said }
    }
}

fn again(error: &Error) -> Error {
    Error::bad_request(error.detail())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_text_says_nothing() {
        let line = json!({
            "email": "ada@old.example", "profile": { "name": "Ada", "website": "", "picture": "", "birthdate": "" }
        });
        let line: PersonLine = serde_json::from_value(line).unwrap();
        line.check().unwrap();
        assert_eq!(line.claims(), Profile { name: Some("Ada".to_owned()), ..Profile::default() });
        let only = json!({ "email": "ada@old.example", "profile": { "website": " " } });
        let only: PersonLine = serde_json::from_value(only).unwrap();
        assert!(only.check().is_err(), "a space is no address");
    }
}
