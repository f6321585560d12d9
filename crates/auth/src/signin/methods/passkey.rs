//! Sign-in with a passkey, and with a security key as the second factor (WebAuthn §7.2). Nothing is typed: the authenticator says
//! whose it is, and it signs for this origin only.

use serde::Deserialize as _;
use serde_json::json;
use svc_core::Result;
use svc_core::capability::Capability;
use svc_domain::people::changes;
use svc_domain::people::credentials::passkeys::{
    self, AllowedPasskeys, Answer, Fault, Passkey, RelyingParty, Request, Use,
};
use svc_domain::people::credentials::{Credential, Kind};
use svc_domain::people::tenant_users::Person;
use svc_http::{HostCx, StatusCode};
use svc_keys::constant_time_eq;

use super::method::{Beginning, Begun, Effect, Judging, Method, Needs, Proof, Shown, Turn, Verdict};
use crate::pages::MessageKey;
use crate::signin::progress::Factor;
use crate::signin::turned_away::TurnedAway;
use crate::signin::used_passkey::Used;

const ID: &str = "passkey";
const FACTOR: Factor = Factor::UnlockedKey;
const AMR: &[&str] = &["hwk", "user"];

/// A passkey, or a security key after a password.
pub const METHOD: Method = Method {
    id: ID,
    factor: FACTOR,
    amr: AMR,
    is_offered: |host| relying_party(host).is_some(),
    is_first: true,
    recovers: true,
    needs: Needs::Credential(Kind::Passkey),
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_passkey.html",
    lists: None,
};

/// The relying party at the tenant's host, where passkeys are offered.
pub fn relying_party(host: &HostCx) -> Option<RelyingParty> {
    is_offered(host).then(|| RelyingParty::at(&host.app.config, host.origin()))?
}

/// The same for the API: the apps that share the passkeys answer there, too.
pub fn relying_party_with_apps(host: &HostCx) -> Option<RelyingParty> {
    is_offered(host).then(|| RelyingParty::with_apps(&host.app.config, host.origin()))?
}

fn is_offered(host: &HostCx) -> bool {
    host.app.config.passkey.enabled && host.offers(&Capability::PASSKEYS)
}

async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let (visit, now) = (turn.visit, turn.visit.cx().now);
    let Some(party) = relying_party(&visit.host) else {
        return Ok(Begun::Refused(StatusCode::OK, MessageKey::PasskeyFailed));
    };
    let present: Option<Vec<Passkey>> = match turn.progress.account() {
        Some(account) => {
            let all = passkeys::list(&mut visit.host.read().await?, account).await?;
            let all = all.into_iter().map(|(_, passkey)| passkey);
            Some(all.filter(|passkey| party.knows(passkey)).collect())
        }
        None => None,
    };
    let has_password = turn.progress.factors().any(|factor| factor == Factor::Knowledge);
    let asked = match present.as_deref() {
        None => AllowedPasskeys::Any,
        Some(present) if has_password => AllowedPasskeys::Touched(present),
        // What was made as a second factor may have nothing to be unlocked with.
        Some(present) if present.iter().all(|key| key.purpose == Use::SecurityKey) => {
            AllowedPasskeys::Held(present)
        }
        Some(present) => AllowedPasskeys::Unlocked(present),
    };
    let (shown, request) = party.request(asked, now)?;
    Ok(Begun::Ask { shown, memory: json!(request) })
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let (visit, now) = (turn.visit, turn.visit.cx().now);
    let (Some(party), Ok(request)) = (relying_party(&visit.host), Request::deserialize(turn.memory)) else {
        return refused(turn, None, MessageKey::PasskeyFailed, "challenge").await;
    };
    // Any answer uses up the challenge, right or wrong.
    if request.is_over(now) || !visit.host.app.coordination.note(&request.once(), now).await? {
        return refused(turn, None, MessageKey::PasskeyLate, "challenge").await;
    }
    let Some(answer) = turn.params.one("answer").and_then(Answer::read) else {
        return refused(turn, None, MessageKey::PasskeyFailed, "invalid").await;
    };
    let mut tx = visit.host.read().await?;
    let Some((credential, passkey)) = passkeys::find(&mut tx, &answer).await? else {
        return refused(turn, None, MessageKey::PasskeyUnknown, "unknown").await;
    };
    let candidate = changes::candidate(&mut tx, credential.account).await?;
    drop(tx);
    let Some(candidate) = candidate.filter(|_| is_owner(turn, &answer, (&credential, &passkey))) else {
        return refused(turn, None, MessageKey::PasskeyUnknown, "owner").await;
    };
    let person = candidate.member.as_ref();
    let member = person.map(|person| person.id);
    match party.verify(&request, &answer, (&passkey, credential.mark)) {
        Ok(verified) => {
            let shown = shown(verified.is_unlocked, &verified.passkey);
            let effect = Effect::UsesPasskey(Box::new(Used { credential, verified, member }));
            Ok(Verdict::Proven(Box::new(Proof {
                effect,
                shown: Some(shown),
                ..Proof::of(candidate.account)
            })))
        }
        Err(Fault::Locked) => refused(turn, person, MessageKey::PasskeyLocked, Fault::Locked.label()).await,
        Err(fault) => refused(turn, person, MessageKey::PasskeyFailed, fault.label()).await,
    }
}

/// Whether the passkey is of the person who has proven something before, or of the one that it names.
fn is_owner(turn: Turn<'_>, answer: &Answer, (credential, passkey): (&Credential, &Passkey)) -> bool {
    let expected = passkey.user_handle(credential.account);
    let is_named = answer.user_handle().map(|handle| constant_time_eq(handle, &expected));
    match turn.progress.account() {
        Some(account) => account == credential.account && is_named.unwrap_or(true),
        None => is_named.unwrap_or(false),
    }
}

/// What the signature shows (RFC 8176 §2): a key in hardware, or one that may be copied to other devices, and that its holder
/// touched it. Unlocked, it is two factors in itself.
pub fn shown(is_unlocked: bool, passkey: &Passkey) -> Shown {
    let factor = if is_unlocked { Factor::UnlockedKey } else { Factor::Possession };
    let amr = if passkey.is_backup_eligible { &["swk", "user"] } else { &["hwk", "user"] };
    Shown { factor, amr }
}

/// Records a refusal. What is said on the page tells nothing of accounts: to know a passkey's id is to have the passkey.
async fn refused(
    turn: Turn<'_>,
    person: Option<&Person>,
    message: MessageKey,
    fault: &'static str,
) -> Result<Verdict> {
    let visit = turn.visit;
    tracing::info!(target: "svc::sign_in", request_id = visit.cx().request_id, method = ID, fault, "passkey refused");
    let refused = TurnedAway {
        method: ID,
        factor: FACTOR,
        amr: AMR,
        is_second: turn.progress.account().is_some(),
        reason: "credentials",
    };
    let mut tx = visit.host.begin().await?;
    refused.record(&mut tx, visit, person)?;
    tx.commit().await?;
    Ok(Verdict::Refused(StatusCode::OK, message))
}
