//! Sets up a passkey or a security key in the middle of a sign-in that needs a second factor, for a person who has none (WebAuthn §7.1).

use serde::Deserialize as _;
use serde_json::json;
use svc_core::Result;
use svc_domain::people::changes;
use svc_domain::people::credentials::passkeys::{self, Creation, Holder, Passkey, Use};
use svc_http::StatusCode;

use super::method::{Beginning, Begun, Effect, Judging, Method, Needs, Proof, Turn, Verdict};
use super::new_passkey::made;
use super::passkey::{self, relying_party, shown};
use crate::pages::MessageKey;
use crate::signin::called::account_of_candidate;

/// A passkey that the browser makes.
pub const METHOD: Method = Method {
    id: "set_up_passkey",
    factor: passkey::METHOD.factor,
    amr: passkey::METHOD.amr,
    is_offered: |host| host.app.config.two_factor.enabled && relying_party(host).is_some(),
    is_first: false,
    recovers: false,
    needs: Needs::NoSecondFactor,
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_set_up_passkey.html",
    lists: None,
};

async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let refused = |message| Ok(Begun::Refused(StatusCode::OK, message));
    let (visit, now) = (turn.visit, turn.visit.cx().now);
    let Some(party) = relying_party(&visit.host) else { return refused(MessageKey::PasskeyFailed) };
    let Some(account) = turn.progress.account() else { return refused(MessageKey::SignInAgain) };
    let mut tx = visit.host.read().await?;
    let Some(candidate) = changes::candidate(&mut tx, account).await? else {
        return refused(MessageKey::SignInAgain);
    };
    let present = passkeys::list(&mut tx, account).await?;
    let present: Vec<Passkey> = present.into_iter().map(|(_, passkey)| passkey).collect();
    let name = account_of_candidate(&candidate);
    let display_name = candidate.account.profile.name.as_deref().unwrap_or_default();
    let holder = Holder { account, name, display_name };
    let (shown, creation) = party.create(&holder, Use::Passkey, (&present, now))?;
    Ok(Begun::Ask { shown, memory: json!(creation) })
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let refused = |message| Ok(Verdict::Refused(StatusCode::OK, message));
    let (Some(account), Ok(creation)) = (turn.progress.account(), Creation::deserialize(turn.memory)) else {
        return refused(MessageKey::SignInAgain);
    };
    let host = &turn.visit.host;
    let Some(party) = relying_party(host) else { return refused(MessageKey::PasskeyFailed) };
    let answer = turn.params.one("answer").unwrap_or_default();
    let created = match made(host, &party, (&creation, answer)).await? {
        Ok(created) => created,
        Err(unmade) => return refused(unmade.message()),
    };
    let Some(candidate) = changes::candidate(&mut host.read().await?, account).await? else {
        return refused(MessageKey::SignInAgain);
    };
    let shown = Some(shown(created.is_unlocked(), created.passkey()));
    let effect = Effect::AddsPasskey(Box::new(created));
    Ok(Verdict::Proven(Box::new(Proof { effect, shown, ..Proof::of(candidate.account) })))
}
