//! Sign-ins that a provider calls over before a session has begun (OpenID Connect Back-Channel Logout 1.0 §2.6): that is noted, and no
//! earlier word of it begins one.

use svc_core::{Cx, Result, SsoConnectionId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_keys::{base64url, digest};

use super::Identity;
use crate::tokens::revocations::{self, Revoked};

/// Whose sign-ins are over: those of a subject, those of a `sid`, or those that have both.
type Whose<'a> = (Option<&'a str>, Option<&'a str>);

/// Notes that sign-ins are over. Which sessions there are is to be looked at afterwards: what begins one meanwhile waits, and finds
/// the note.
pub fn note_end(tx: &mut Tx<Tenant>, cx: &Cx, at: (SsoConnectionId, &str), whose: Whose<'_>) {
    let name = name(at, whose);
    tx.hold(&name);
    revocations::revoke(tx, cx, &Revoked::Jti(name));
}

/// Whether a sign-in is over for which the provider has vouched at `vouched_at`. Who calls it over from now on waits until this
/// transaction is, and finds its session.
pub async fn is_over(
    tx: &mut Tx<Tenant>,
    (identity, sid): (&Identity, Option<&str>),
    vouched_at: Timestamp,
) -> Result<bool> {
    let at = (identity.connection, identity.issuer.as_str());
    let subject = Some(identity.subject.as_str());
    let names = [name(at, (subject, None)), name(at, (None, sid)), name(at, (subject, sid))];
    for name in &names {
        tx.share(name);
    }
    // A logout at this very instant was of the sign-in before.
    let since = Timestamp::from_micros(vouched_at.as_micros() + 1);
    let [of_subject, of_session, of_both] = names.map(Revoked::Jti);
    Ok(revocations::has_ended(tx, since, &[of_subject, of_session.clone()]).await?
        || revocations::has_ended(tx, since, &[of_session, of_both]).await?)
}

/// No access token has such an id.
fn name((connection, issuer): (SsoConnectionId, &str), (subject, sid): Whose<'_>) -> String {
    format!("sso {}", base64url(digest(&format!("{connection} {issuer} {subject:?} {sid:?}")).0))
}
