//! Second factor by a one-time code of an app (RFC 6238): each step counts once.

use svc_core::{Result, Secret};
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
    let (mut found, mut is_lost) = (None, false);
    for app in apps.iter().filter(|app| app.kind == Some(Kind::Totp)) {
        let Some(secret) = secret_of(services, app) else {
            is_lost = true;
            continue;
        };
        let typed = (code, skew, visit.cx().now);
        let Some(step) = totp::step(&secret, &app.document::<Parameters>()?, typed)? else { continue };
        // A step that was used before is a wrong code, also where an import has brought the key twice.
        if step <= app.mark {
            return guess.refuse().await;
        }
        found = found.or(Some(Effect::Uses(app.id, step)));
    }
    match found {
        Some(effect) => Ok(guess.right(Proof { effect, ..Proof::of(guess.candidate.account.clone()) })),
        None if is_lost => refused_as_lost(&guess).await,
        None => guess.refuse().await,
    }
}

/// The secret of an app; nothing where it does not open any more, because its key was destroyed. Other apps still count then.
fn secret_of(services: &Services, app: &Credential) -> Option<Secret> {
    let sealed = app.sealed.clone()?;
    match totp::open(sealed, app.id, &services.keyring.sealer(Purpose::Credentials)) {
        Ok(secret) => Some(secret),
        Err(error) => {
            tracing::warn!(credential = %app.id, error = ?error, "the secret of an app does not open");
            None
        }
    }
}

/// A code that may be right: the next one is judged no better, so that the person is shown what else there is.
async fn refused_as_lost(guess: &SecondGuess<'_>) -> Result<Verdict> {
    Ok(match guess.refuse().await? {
        Verdict::Refused(status, MessageKey::CodeWrong) => Verdict::Refused(status, MessageKey::AppLost),
        refused => refused,
    })
}
