//! A passkey instead of a password, for a person who has just proven an address and gets an account (WebAuthn §7.1).

use serde_json::json;
use svc_core::{AccountId, Error, OrInternal as _, Result};
use svc_domain::people::credentials::passkeys::{Created, Creation, Fault, Holder, RelyingParty, Use};
use svc_http::{HostCx, IntoResponse, Json, Response};

use super::denied::Denied;
use super::purpose::{FirstPasskey, Purpose};
use crate::hosted::Visit;
use crate::signin::methods::passkey::relying_party;

/// What such a passkey is called where its maker is not known.
pub const FIRST_NAME: &str = "Passkey";

/// The challenge for the script of the page, and the state that its form sends on.
pub fn ask(
    visit: &Visit,
    secret: String,
    (account, email, name): (AccountId, &str, &str),
) -> Result<Response> {
    let holder = Holder { account, name: email, display_name: name };
    let (shown, creation) = party(&visit.host)?.create(&holder, Use::Passkey, (&[], visit.cx().now))?;
    let creation = serde_json::to_string(&creation).or_internal()?;
    let flow = visit.seal(&Purpose::VerifyWithPasskey(FirstPasskey { secret, account, creation }))?;
    Ok((visit.browser.introduce()?, Json(json!({ "flow": flow, "shown": shown }))).into_response())
}

/// The passkey that is the answer to a challenge, which counts once; or why there is none.
pub async fn made(
    host: &HostCx,
    creation: &str,
    answer: &str,
) -> Result<std::result::Result<Created, Denied>> {
    let (party, now) = (party(host)?, host.cx.now);
    let creation: Creation = serde_json::from_str(creation).or_internal()?;
    if creation.is_over(now) || !host.app.coordination.note(&creation.once(), now).await? {
        return Ok(Err(Denied::PasskeyLate));
    }
    Ok(party.created(&creation, answer).map_err(|fault| {
        let (request_id, reason) = (&host.cx.request_id, fault.label());
        tracing::info!(request_id, reason, "a new passkey was refused");
        if fault == Fault::Locked { Denied::PasskeyLocked } else { Denied::PasskeyFailed }
    }))
}

/// The relying party; an error where passkeys are not offered.
pub fn party(host: &HostCx) -> Result<RelyingParty> {
    relying_party(host).ok_or_else(|| Error::not_found("passkeys are not offered here"))
}
