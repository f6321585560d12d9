//! Sets up an app for one-time codes in the middle of a sign-in that needs a second factor, for a person who has none.

use serde_json::json;
use svc_core::{Result, Secret};
use svc_domain::people::changes;
use svc_domain::people::credentials::totp::{self, Parameters};
use svc_http::{HostCx, StatusCode};

use super::method::{Beginning, Begun, Effect, Judging, Method, Needs, Proof, Turn, Verdict};
use super::new_totp::New;
use crate::pages::MessageKey;
use crate::signin::called::account_of_candidate;
use crate::signin::progress::Factor;

/// Scanning a code with an app, and typing what the app then shows.
pub const METHOD: Method = Method {
    id: "set_up_totp",
    factor: Factor::Possession,
    amr: &["otp"],
    is_offered: |host| host.app.config.two_factor.enabled,
    is_first: false,
    recovers: false,
    needs: Needs::NoSecondFactor,
    begin: Some(|turn| -> Beginning<'_> { Box::pin(begin(turn)) }),
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_set_up_totp.html",
    lists: None,
};

/// What an app is called until the person says otherwise.
pub const FIRST_NAME: &str = "Authenticator app";

async fn begin(turn: Turn<'_>) -> Result<Begun> {
    let Some(account) = turn.progress.account() else {
        return Ok(Begun::Refused(StatusCode::OK, MessageKey::SignInAgain));
    };
    let mut tx = turn.visit.host.read().await?;
    let candidate = changes::candidate(&mut tx, account).await?;
    let name = candidate.as_ref().map(account_of_candidate).unwrap_or_default();
    let secret = totp::new_secret(&*turn.visit.cx().entropy);
    let url = address(&turn.visit.host, &secret, name)?;
    let shown = json!({ "secret": secret.expose(), "url": url });
    Ok(Begun::Ask { shown, memory: json!(secret.expose()) })
}

/// What the QR code says, for a person of this name.
pub fn address(host: &HostCx, secret: &Secret, name: &str) -> Result<String> {
    let issuer = host.app.config.two_factor.issuer_name.as_deref().unwrap_or(&host.tenant.name);
    totp::url(secret, (issuer, if name.is_empty() { "account" } else { name }))
}

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let refused = |message| Ok(Verdict::Refused(StatusCode::OK, message));
    let (Some(account), Some(secret)) = (turn.progress.account(), turn.memory.as_str()) else {
        return refused(MessageKey::SignInAgain);
    };
    let (secret, visit) = (Secret::new(secret), turn.visit);
    let skew = visit.config().two_factor.totp_skew_steps;
    let typed = (turn.params.one("code").unwrap_or_default(), skew, visit.cx().now);
    // The person guesses at a secret that the page has just shown them: there is nothing to count.
    let Some(step) = totp::step(&secret, &Parameters::default(), typed)? else {
        return refused(MessageKey::CodeWrong);
    };
    let mut tx = visit.host.read().await?;
    let Some(candidate) = changes::candidate(&mut tx, account).await? else {
        return refused(MessageKey::SignInAgain);
    };
    let effect = Effect::AddsTotp(Box::new(New { secret, step, name: FIRST_NAME.to_owned() }));
    Ok(Verdict::Proven(Box::new(Proof { effect, ..Proof::of(candidate.account) })))
}
