//! A passkey that is being added to an account, in the middle of a sign-in, behind a mailed link or in the account centre (WebAuthn §7.1).

use svc_core::Result;
use svc_domain::people::credentials::passkeys::{Created, Creation, Fault, RelyingParty};
use svc_http::HostCx;

use crate::pages::MessageKey;

/// Why there is no passkey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unmade {
    /// The challenge is over, or was answered before.
    Late,
    /// Its holder has not unlocked it.
    Locked,
    /// The answer is none.
    Failed,
}

impl Unmade {
    /// What a page says.
    pub fn message(self) -> MessageKey {
        match self {
            Self::Late => MessageKey::PasskeyLate,
            Self::Locked => MessageKey::PasskeyLocked,
            Self::Failed => MessageKey::PasskeyFailed,
        }
    }
}

/// The passkey that is the answer to a challenge, which counts once; or why there is none.
pub async fn made(
    host: &HostCx,
    party: &RelyingParty,
    (creation, answer): (&Creation, &str),
) -> Result<std::result::Result<Created, Unmade>> {
    let now = host.cx.now;
    if creation.is_over(now) || !host.app.coordination.note(&creation.once(), now).await? {
        return Ok(Err(Unmade::Late));
    }
    Ok(party.created(creation, answer).map_err(|fault| {
        let (request_id, reason) = (&host.cx.request_id, fault.label());
        tracing::info!(request_id, reason, "a new passkey was refused");
        if fault == Fault::Locked { Unmade::Locked } else { Unmade::Failed }
    }))
}
