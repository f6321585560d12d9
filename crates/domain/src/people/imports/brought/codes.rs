//! Codes on paper whose hashes another system made: SHA-256 or SHA-512 of each.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_core::{Cx, Error, Result, Secret};
use svc_db::{Tenant, Tx};
use svc_keys::from_hex;

use super::members::{decoded, document, needed, text};
use crate::people::credentials::{self, Owner, backup_codes};

/// What the codes are called.
const NAME: &str = "Backup code";

/// The hashes of a line, each in hexadecimal or base64.
pub(super) fn read(hashes: &[Secret]) -> Result<Vec<Vec<u8>>> {
    hashes
        .iter()
        .enumerate()
        .map(|(at, hash)| of_text(hash.expose()).ok_or_else(|| unfit(&format!("backup_code_hashes[{at}]"))))
        .collect()
}

/// The codes of a credential of Keycloak; `None` for another factor. Codes that were used are not in it.
pub(super) fn of_keycloak(credential: &Value) -> Result<Option<Vec<Vec<u8>>>> {
    if text(credential, "type") != Some("recovery-authn-codes") {
        return Ok(None);
    }
    let kept = document(credential, "secretData")?;
    let codes = kept.get("codes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let hash = |code| of_text(needed(code, "encodedHashedValue")?).ok_or_else(|| unfit("secretData"));
    codes.iter().map(hash).collect::<Result<_>>().map(Some)
}

/// Gives the codes to the account, in one record.
pub(super) async fn give(tx: &mut Tx<Tenant>, cx: &Cx, owner: Owner, hashes: &[Vec<u8>]) -> Result<()> {
    let lookups: BTreeSet<_> =
        hashes.iter().map(|hash| backup_codes::imported_lookup(owner.account, hash)).collect();
    credentials::replace_codes(tx, cx, owner, (NAME, lookups.into_iter().collect())).await
}

fn of_text(text: &str) -> Option<Vec<u8>> {
    let is_hash = |bytes: &Vec<u8>| [32, 64].contains(&bytes.len());
    from_hex(text).filter(is_hash).or_else(|| decoded(text).filter(is_hash))
}

fn unfit(member: &str) -> Error {
    Error::bad_request(format!("{member}: give SHA-256 or SHA-512 of the code in hexadecimal or base64"))
}
