//! The password of a person in the other system, as a line says it.

use serde::Deserialize;
use svc_core::{Error, Result, Secret};
use svc_keys::password::foreign::{self, Firebase, ForeignHash};
use utoipa::ToSchema;

/// How the other system kept the password.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PasswordHashFormat)]
pub enum Format {
    /// `value` is a text that says itself what it was made by: bcrypt, PHC strings of Argon2, scrypt and PBKDF2, SHA-crypt and
    /// MD5-crypt, LDAP's `{SSHA}` and its kin, and what Django writes.
    #[default]
    Encoded,
    /// `credential_data` and `secret_data` of Keycloak.
    Keycloak,
    /// Firebase's scrypt: `value`, `salt`, `salt_separator`, `signer_key`, `rounds` and `mem_cost`.
    FirebaseScrypt,
}

/// The hash of a person's old password.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ImportedPasswordHash)]
pub struct OldPassword {
    /// The format of the hash.
    #[serde(default)]
    pub format: Format,
    /// The hash.
    #[schema(value_type = Option<String>, max_length = 1024, write_only)]
    #[serde(default)]
    pub value: Option<Secret>,
    /// Firebase: `salt` of the person.
    #[schema(value_type = Option<String>, max_length = 256, write_only)]
    #[serde(default)]
    pub salt: Option<Secret>,
    /// Firebase: `base64_salt_separator` of the project.
    #[schema(max_length = 64)]
    #[serde(default)]
    pub salt_separator: Option<String>,
    /// Firebase: `base64_signer_key` of the project.
    #[schema(value_type = Option<String>, max_length = 256, write_only)]
    #[serde(default)]
    pub signer_key: Option<Secret>,
    /// Firebase: `rounds` of the project.
    #[serde(default)]
    pub rounds: Option<u32>,
    /// Firebase: `mem_cost` of the project.
    #[serde(default)]
    pub mem_cost: Option<u32>,
    /// Keycloak: `credentialData` of the credential, a JSON text.
    #[schema(max_length = 2048)]
    #[serde(default)]
    pub credential_data: Option<String>,
    /// Keycloak: `secretData` of the credential, a JSON text.
    #[schema(value_type = Option<String>, max_length = 2048, write_only)]
    #[serde(default)]
    pub secret_data: Option<Secret>,
}

impl OldPassword {
    /// A text that says itself what it was made by.
    pub fn encoded(value: impl Into<String>) -> Self {
        Self { value: Some(Secret::new(value)), ..Self::default() }
    }

    /// The hash as it is stored until the first sign-in.
    pub(super) fn read(&self) -> Result<ForeignHash> {
        match self.format {
            Format::Encoded => ForeignHash::parse(given("value", self.value.as_ref())?),
            Format::Keycloak => foreign::keycloak(
                self.credential_data.as_deref().ok_or_else(|| missing("credential_data"))?,
                given("secret_data", self.secret_data.as_ref())?,
            ),
            Format::FirebaseScrypt => Firebase {
                signer_key: given("signer_key", self.signer_key.as_ref())?,
                salt_separator: self.salt_separator.as_deref().unwrap_or_default(),
                rounds: self.rounds.ok_or_else(|| missing("rounds"))?,
                mem_cost: self.mem_cost.ok_or_else(|| missing("mem_cost"))?,
                salt: given("salt", self.salt.as_ref())?,
                hash: given("value", self.value.as_ref())?,
            }
            .convert(),
        }
    }
}

fn given<'a>(name: &str, secret: Option<&'a Secret>) -> Result<&'a str> {
    secret.map(Secret::expose).ok_or_else(|| missing(name))
}

fn missing(name: &str) -> Error {
    Error::bad_request(format!("password_hash: `{name}` is missing; this format needs it"))
}
