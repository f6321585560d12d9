//! A passkey instead of a password, for a person who has just proven an address and gets an account (WebAuthn §7.1).

use serde_json::json;
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::people::credentials::passkeys::{Created, Creation, Holder, RelyingParty, Use};
use svc_http::{HostCx, IntoResponse, Json, Params, Response};

use super::claim::{Claim, is_name};
use super::denied::Denied;
use super::purpose::{FirstPasskey, Purpose};
use crate::hosted::Visit;
use crate::signin::Beginnings;
use crate::signin::methods::new_passkey;
use crate::signin::methods::passkey::{relying_party, relying_party_with_apps};

/// The challenge for the script of the page that a mailed link has opened, and the state that its form sends on for this purpose. An
/// account of its owner keeps what it has; without a name that can be read, authenticators show the address.
pub(super) fn ask(
    visit: &Visit,
    (purpose, secret): (fn(FirstPasskey) -> Purpose, String),
    opened: Option<(&Claim, Beginnings, &str)>,
    form: &Params,
) -> Result<Response> {
    let taken = opened.and_then(|(claim, by, email)| {
        let account = claim.takes_passkey(by, visit.cx().id())?;
        Some((account, email))
    });
    let Some((account, email)) = taken else {
        return Err(Error::forbidden("this link opens no account that could be entered by a new passkey"));
    };
    let name = form.one("name").map(str::trim).filter(|name| is_name(name)).unwrap_or(email);
    let holder = Holder { account, name: email, display_name: name };
    let (shown, creation) = party(&visit.host)?.create(&holder, Use::Passkey, (&[], visit.cx().now))?;
    let creation = serde_json::to_string(&creation).or_internal()?;
    let flow = visit.seal(&purpose(FirstPasskey { secret, account, creation }))?;
    Ok((visit.browser.introduce()?, Json(json!({ "flow": flow, "shown": shown }))).into_response())
}

/// The passkey that is the answer to a challenge, which counts once; or why there is none.
pub async fn made(
    host: &HostCx,
    creation: &str,
    answer: &str,
) -> Result<std::result::Result<Created, Denied>> {
    made_for(host, &party(host)?, (creation, answer)).await
}

/// The same for this relying party.
pub async fn made_for(
    host: &HostCx,
    party: &RelyingParty,
    (creation, answer): (&str, &str),
) -> Result<std::result::Result<Created, Denied>> {
    let creation: Creation = serde_json::from_str(creation).or_internal()?;
    Ok(new_passkey::made(host, party, (&creation, answer)).await?.map_err(Denied::from))
}

/// The relying party; an error where passkeys are not offered.
pub fn party(host: &HostCx) -> Result<RelyingParty> {
    relying_party(host).ok_or_else(not_offered)
}

/// The same for the API: the apps that share the passkeys answer there, too.
pub fn party_with_apps(host: &HostCx) -> Result<RelyingParty> {
    relying_party_with_apps(host).ok_or_else(not_offered)
}

fn not_offered() -> Error {
    Error::not_found("passkeys are not offered here")
}
