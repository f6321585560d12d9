//! A passkey that was used, noted in the transaction that decides (WebAuthn §7.2, steps 22 to 24).

use svc_core::events::SuspiciousActivity;
use svc_core::{Cx, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::log::{Action, Meaning, record, target_of};
use svc_domain::people::credentials::Credential;
use svc_domain::people::credentials::passkeys::{self, Verified};

/// A use of a passkey that is to be noted.
pub struct Used {
    /// The credential as it was.
    pub credential: Credential,
    /// What the signature proved.
    pub verified: Verified,
    /// The membership of its owner, if there is one.
    pub member: Option<TenantUserId>,
}

impl Used {
    /// Takes note of the use; whether the passkey is still there. A counter that went back is reported, and refuses nothing.
    pub async fn note(&self, tx: &mut Tx<Tenant>, cx: &Cx) -> Result<bool> {
        if self.verified.is_behind {
            let reason = "passkey_counter".to_owned();
            let event = SuspiciousActivity { client_id: None, tenant_user_id: self.member, reason };
            let meaning =
                Meaning::done(Action::CredentialSuspected, target_of(self.member)).with_event(event);
            record(tx, cx, meaning);
        }
        passkeys::used(tx, cx, &self.credential, &self.verified).await
    }
}
