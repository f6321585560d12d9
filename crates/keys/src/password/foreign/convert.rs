//! Hashes that other systems keep as documents, written as the texts that are stored.

use serde::Deserialize;
use svc_core::{Error, Result};

use super::{ForeignHash, base64, scrypt, unpadded, unsupported};

/// What `firebase auth:export` and the console say of a project and a person, all in base64.
#[derive(Clone, Copy, Debug)]
pub struct Firebase<'a> {
    /// `base64_signer_key` of the project.
    pub signer_key: &'a str,
    /// `base64_salt_separator` of the project.
    pub salt_separator: &'a str,
    /// `rounds` of the project.
    pub rounds: u32,
    /// `mem_cost` of the project.
    pub mem_cost: u32,
    /// `salt` of the person.
    pub salt: &'a str,
    /// `passwordHash` of the person.
    pub hash: &'a str,
}

impl Firebase<'_> {
    /// The hash as it is stored.
    pub fn convert(&self) -> Result<ForeignHash> {
        let part = |name: &str, text: &str| {
            base64(text)
                .map(|bytes| unpadded(&bytes))
                .ok_or_else(|| unsupported(&format!("`{name}` must be base64")))
        };
        ForeignHash::parse(&format!(
            "${}$ln={},r={}${}${}${}${}",
            scrypt::FIREBASE,
            self.mem_cost,
            self.rounds,
            part("salt", self.salt)?,
            part("salt_separator", self.salt_separator)?,
            part("signer_key", self.signer_key)?,
            part("hash", self.hash)?
        ))
    }
}

/// `credentialData` of a Keycloak credential. Numbers stand in lists of texts.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CredentialData {
    hash_iterations: u32,
    algorithm: String,
    #[serde(default)]
    additional_parameters: Additional,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Additional {
    memory: Vec<String>,
    #[serde(rename = "type")]
    variant: Vec<String>,
    version: Vec<String>,
    parallelism: Vec<String>,
}

/// `secretData` of a Keycloak credential.
#[derive(Deserialize)]
struct SecretData {
    value: String,
    salt: String,
}

/// The hash of a Keycloak credential of type `password`, from its two embedded documents.
pub fn keycloak(credential_data: &str, secret_data: &str) -> Result<ForeignHash> {
    let data: CredentialData = document("credentialData", credential_data)?;
    let secret: SecretData = document("secretData", secret_data)?;
    let part = |text: &str| {
        base64(text).map(|bytes| unpadded(&bytes)).ok_or_else(|| unsupported("it is not base64"))
    };
    let (salt, tag) = (part(&secret.salt)?, part(&secret.value)?);
    let iterations = data.hash_iterations;
    let first = |list: &[String], otherwise: &str| list.first().map_or(otherwise, String::as_str).to_owned();
    match data.algorithm.as_str() {
        "pbkdf2" | "pbkdf2-sha1" => ForeignHash::parse(&format!("$pbkdf2-sha1$i={iterations}${salt}${tag}")),
        name @ ("pbkdf2-sha256" | "pbkdf2-sha512") => {
            ForeignHash::parse(&format!("${name}$i={iterations}${salt}${tag}"))
        }
        "argon2" => {
            let more = &data.additional_parameters;
            let version = if first(&more.version, "1.3") == "1.0" { 16 } else { 19 };
            let (variant, memory) = (first(&more.variant, "id"), first(&more.memory, "7168"));
            let lanes = first(&more.parallelism, "1");
            ForeignHash::parse(&format!(
                "$argon2{variant}$v={version}$m={memory},t={iterations},p={lanes}${salt}${tag}"
            ))
        }
        other => Err(unsupported(&format!("Keycloak's algorithm `{}` is not known", other.escape_debug()))),
    }
}

/// The cause could quote a secret.
fn document<'a, T: Deserialize<'a>>(name: &str, text: &'a str) -> Result<T> {
    serde_json::from_str(text)
        .map_err(|_| Error::bad_request(format!("password_hash: `{name}` is not as Keycloak writes it")))
}
