//! Second factor by a one-time code of an app (RFC 6238): each step counts once.

use svc_core::{Result, Timestamp};
use svc_domain::Services;
use svc_domain::people::credentials::totp::{self, Parameters};
use svc_domain::people::credentials::{self, Credential, Kind};
use svc_keys::Purpose;

use super::method::{Effect, Judging, Method, Needs, Proof, Turn, Verdict};
use crate::pages::MessageKey;
use crate::signin::progress::Factor;
use crate::signin::second_factor::SecondGuess;

/// A code of an app that the person has set up.
pub const METHOD: Method = Method {
    id: "totp",
    factor: Factor::Possession,
    amr: &["otp"],
    is_offered: |host| host.app.config.two_factor.enabled,
    is_first: false,
    recovers: false,
    needs: Needs::Credential(Kind::Totp),
    begin: None,
    finish: |turn| -> Judging<'_> { Box::pin(judge(turn)) },
    partial: "_totp.html",
    lists: None,
};

async fn judge(turn: Turn<'_>) -> Result<Verdict> {
    let Some(guess) = SecondGuess::count(turn, (METHOD.id, METHOD.amr)).await? else {
        return Ok(Verdict::Refused(svc_http::StatusCode::OK, MessageKey::SignInAgain));
    };
    if !guess.may_be_judged() {
        return guess.refuse().await;
    }
    let visit = turn.visit;
    let mut tx = visit.host.read().await?;
    let apps = credentials::of_account(&mut tx, guess.candidate.account.id).await?;
    drop(tx);
    let (services, skew) = (&visit.host.app.services, visit.config().two_factor.totp_skew_steps);
    let code = turn.params.one("code").unwrap_or_default();
    let mut found = None;
    for app in apps.iter().filter(|app| app.kind == Some(Kind::Totp)) {
        let Some(step) = step_of(services, app, (code, skew, visit.cx().now))? else { continue };
        // A step that was used before is a wrong code, also where an import has brought the key twice.
        if step <= app.mark {
            return guess.refuse().await;
        }
        found = found.or(Some(Effect::Uses(app.id, step)));
    }
    let Some(effect) = found else { return guess.refuse().await };
    Ok(guess.right(Proof { effect, ..Proof::of(guess.candidate.account.clone()) }))
}

/// The step of which a code is, by an app that is set up.
pub fn step_of(services: &Services, app: &Credential, typed: (&str, u32, Timestamp)) -> Result<Option<i64>> {
    let Some(sealed) = app.sealed.clone() else { return Ok(None) };
    let secret = totp::open(sealed, app.id, &services.keyring.sealer(Purpose::Credentials))?;
    totp::step(&secret, &app.document::<Parameters>()?, typed)
}
