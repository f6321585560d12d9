//! Passkeys and security keys (WebAuthn Level 3), in our form or in Keycloak's.

use serde_json::Value;
use svc_core::{Error, Result};

use super::members::{bytes, document, needed, number, text};
use super::named;
use crate::people::credentials::passkeys::{Elsewhere, Passkey, Use};

/// The passkey that a document is about, with its name and its counter; `None` where it is not understood, or where Keycloak's
/// does not say for which relying party it was made.
pub(super) fn read(said: &Value) -> Result<Option<(String, u32, Passkey)>> {
    if said.get("credentialData").is_some() {
        return if text(said, "rp_id").is_some() { of_keycloak(said).map(Some) } else { Ok(None) };
    }
    if said.get("credential_id").is_none() && said.get("public_key").is_none() {
        return Ok(None);
    }
    let purpose = match text(said, "use") {
        None | Some("passkey") => Use::Passkey,
        Some("security_key") => Use::SecurityKey,
        Some(_) => return Err(Error::bad_request("use: must be passkey or security_key")),
    };
    let transports = texts(said, "transports");
    let has_handle = said.get("user_handle").is_some_and(|handle| !handle.is_null());
    let elsewhere = Elsewhere {
        rp_id: needed(said, "rp_id")?,
        purpose,
        id: bytes(said, "credential_id")?,
        public_key: &bytes(said, "public_key")?,
        user_handle: has_handle.then(|| bytes(said, "user_handle")).transpose()?,
        aaguid: text(said, "aaguid").map(str::to_ascii_lowercase),
        transports: &transports,
        is_backup_eligible: said.get("backup_eligible").and_then(Value::as_bool),
    };
    let name = named(text(said, "name"), purpose.first_name());
    Ok(Some((name, number(said, "sign_count", 0)?, elsewhere.passkey()?)))
}

/// `rp_id` and `user_handle` are added to Keycloak's credential by the import, since they stand elsewhere in its realm.
fn of_keycloak(credential: &Value) -> Result<(String, u32, Passkey)> {
    let said = document(credential, "credentialData")?;
    let is_second = text(credential, "type") == Some("webauthn");
    let purpose = if is_second { Use::SecurityKey } else { Use::Passkey };
    let transports = texts(&said, "transports");
    let elsewhere = Elsewhere {
        rp_id: needed(credential, "rp_id")?,
        purpose,
        id: bytes(&said, "credentialId")?,
        public_key: &bytes(&said, "credentialPublicKey")?,
        user_handle: Some(bytes(credential, "user_handle")?),
        aaguid: text(&said, "aaguid").map(str::to_ascii_lowercase),
        transports: &transports,
        is_backup_eligible: None,
    };
    let name = named(text(credential, "userLabel"), purpose.first_name());
    Ok((name, number(&said, "counter", 0)?, elsewhere.passkey()?))
}

fn texts(document: &Value, name: &str) -> Vec<String> {
    let list = document.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).map(str::to_owned).collect()
}
