//! Apps for one-time codes (RFC 6238): the secret that they hold.

use serde_json::Value;
use svc_core::{CredentialId, Cx, Error, Result, Secret};
use svc_db::{Tenant, Tx};
use svc_keys::Sealer;

use super::members::{document, needed, number, text};
use super::named;
use crate::people::credentials::totp::{self, Parameters};
use crate::people::credentials::{self, Kind, NewCredential, Owner};

/// What the app is called where the other system says nothing.
const NAME: &str = "Authenticator app";

/// An app, and how it computes codes.
pub(super) struct App {
    name: String,
    secret: Secret,
    parameters: Parameters,
}

impl App {
    /// Seals the secret, and gives the app to the account.
    pub async fn give(&self, tx: &mut Tx<Tenant>, cx: &Cx, (owner, sealer): (Owner, &Sealer)) -> Result<()> {
        let id: CredentialId = cx.id();
        let new = NewCredential {
            id,
            kind: Kind::Totp,
            lookup: None,
            name: &self.name,
            document: &self.parameters,
            sealed: Some(totp::seal(&self.secret, id, sealer, cx)?),
            mark: 0,
            expires_at: None,
        };
        credentials::add(tx, cx, owner, new).await
    }
}

/// The app with a secret in base32 and what apps take for granted.
pub(super) fn of_secret(secret: &Secret) -> Result<App> {
    made(None, secret.expose(), Parameters::default()).map_err(|error| super::within("totp_secret", &error))
}

/// The app that a document is about, in our form or in Keycloak's; `None` for another factor.
pub(super) fn read(factor: &Value) -> Result<Option<App>> {
    match text(factor, "type") {
        Some("totp") => {
            let parameters = parameters(factor, "algorithm")?;
            made(text(factor, "name"), needed(factor, "secret")?, parameters).map(Some)
        }
        Some("otp") => of_keycloak(factor),
        _ => Ok(None),
    }
}

/// Keycloak keeps the secret as a text, whose bytes are the key unless it says that they are base32. Codes by a counter are not
/// ours to ask for.
fn of_keycloak(credential: &Value) -> Result<Option<App>> {
    let said = document(credential, "credentialData")?;
    if text(&said, "subType").is_some_and(|kind| kind != "totp") {
        return Ok(None);
    }
    let kept = document(credential, "secretData")?;
    let value = needed(&kept, "value")?;
    let is_base32 = text(&said, "secretEncoding").is_some_and(|form| form.eq_ignore_ascii_case("base32"));
    let secret = if is_base32 { value.to_owned() } else { totp::base32(value.as_bytes()) };
    made(text(credential, "userLabel"), &secret, parameters(&said, "algorithm")?).map(Some)
}

fn parameters(document: &Value, algorithm: &str) -> Result<Parameters> {
    let usual = Parameters::default();
    let said = text(document, algorithm).unwrap_or(&usual.algorithm).to_ascii_uppercase().replace('-', "");
    Ok(Parameters {
        algorithm: said.strip_prefix("HMAC").unwrap_or(&said).to_owned(),
        digits: number(document, "digits", usual.digits)?,
        period: number(document, "period", usual.period)?,
    })
}

fn made(name: Option<&str>, secret: &str, parameters: Parameters) -> Result<App> {
    let plain: String = secret.chars().filter(|letter| !matches!(letter, ' ' | '-' | '=')).collect();
    let secret = Secret::new(plain.to_ascii_uppercase());
    totp::check(&secret, &parameters)?;
    if !totp::is_long_enough(&secret) {
        return Err(Error::bad_request("totp: give a secret of 10 to 128 bytes"));
    }
    Ok(App { name: named(name, NAME), secret, parameters })
}
