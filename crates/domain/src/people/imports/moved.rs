//! Credentials that come with their tenant from another deployment: as with every import, it is the tenant that vouches for them.

use serde_json::json;
use svc_core::{Error, Result, TenantRef};

use crate::document;
use crate::people::credentials::identities::Identity;
use crate::people::credentials::passkeys::Passkey;
use crate::people::credentials::{Kind, imported_by};
use crate::people::phones::{Imported, PhoneNumber};

/// By what a credential is found in this tenant, and its document. A passkey, a number and an identity are found in this tenant alone,
/// by what their document says, whatever the archive says they were found by; secrets and codes are found by their account.
pub fn moved(
    tenant: TenantRef,
    (kind, lookup): (&str, Option<&[u8]>),
    document: &str,
) -> Result<(Option<Vec<u8>>, String)> {
    let unknown =
        || Error::bad_request(format!("kind: this version knows no credential of the kind {kind:?}"));
    let kind = Kind::ALL.iter().copied().find(|known| known.name() == kind).ok_or_else(unknown)?;
    let unreadable = || Error::bad_request("document: it cannot be read by this version");
    let proper = match kind {
        Kind::Totp | Kind::BackupCode => return Ok((lookup.map(<[u8]>::to_vec), document.to_owned())),
        Kind::TrustedBrowser => {
            return Err(Error::bad_request("kind: browsers that are not asked again do not travel"));
        }
        Kind::Passkey => document::read::<Passkey>(document).map_err(|_| unreadable())?.lookup().to_vec(),
        Kind::Identity => document::read::<Identity>(document).map_err(|_| unreadable())?.lookup(),
        Kind::Phone => {
            let number = number(lookup, document)?;
            let document = json!(Imported { number: number.as_str().to_owned() }).to_string();
            return Ok((Some(imported_by(tenant, &number.lookup())), document));
        }
    };
    Ok((Some(imported_by(tenant, &proper)), document.to_owned()))
}

/// The number, of its document or by what it was found.
fn number(lookup: Option<&[u8]>, document: &str) -> Result<PhoneNumber> {
    let said = document::read::<Imported>(document).ok().map(|imported| imported.number);
    let found = || lookup.and_then(|lookup| String::from_utf8(lookup.to_vec()).ok());
    let number = said.or_else(found).ok_or_else(|| Error::bad_request("document: it names no number"))?;
    PhoneNumber::parse(&number)
}
