//! A challenge against automated registration, recovery and guessing: work that the browser does by itself, or the check of
//! a provider (`[captcha]`).
//!
//! A browser in which people have signed in before is not asked; one that has just passed is not asked again for a while.

mod finding;
mod proof_of_work;
mod providers;
pub mod widgets;

use svc_config::FailMode;
use svc_core::{Result, Seconds};
use svc_http::Params;
use svc_keys::hex;

pub use self::finding::Finding;
use self::widgets::Provider;
use super::devices::Device;
use super::visit::Visit;
use crate::pages::Captcha;

/// How long at most a browser that has passed is not asked again, at the address from which it did.
const PASS: Seconds = Seconds(600);

/// What a page shows to a browser that has to pass; none where it does not.
pub fn widget(visit: &Visit) -> Option<Captcha> {
    let captcha = &visit.config().captcha;
    if !is_asked(visit) {
        return None;
    }
    let nothing = Captcha { provider: captcha.provider.as_str(), ..Captcha::default() };
    Some(match Provider::of(captcha.provider) {
        None => Captcha { challenge: proof_of_work::challenge(visit).map(Into::into), ..nothing },
        Some(provider) => Captcha {
            script: Some(provider.script),
            class: Some(provider.class),
            site_key: captcha.site_key.as_ref().map(Into::into),
            ..nothing
        },
    })
}

/// Judges the answer that a form brought. A right one counts once.
pub async fn judge(visit: &Visit, form: &Params) -> Result<Finding> {
    if !is_asked(visit) {
        return Ok(Finding::Passed);
    }
    let captcha = &visit.config().captcha;
    let finding = match Provider::of(captcha.provider) {
        None => proof_of_work::judge(visit, form).await?,
        Some(provider) => match provider.judge(visit, form).await {
            Err(error) => {
                tracing::warn!(
                    request_id = visit.cx().request_id,
                    ?error,
                    "the CAPTCHA provider cannot be asked"
                );
                match captcha.fail_mode {
                    FailMode::FailOpen => Finding::Passed,
                    FailMode::FailClosed => Finding::Unknown,
                }
            }
            Ok(finding) => finding,
        },
    };
    tracing::debug!(request_id = visit.cx().request_id, ?finding, "CAPTCHA");
    Ok(finding)
}

/// The same, where a browser that has just passed need not pass again.
pub async fn judge_again(visit: &Visit, form: &Params) -> Result<Finding> {
    let (coordination, now) = (&visit.host.app.coordination, visit.cx().now);
    let key = format!("captcha {} {}", hex(visit.browser.digest().0), visit.host.arrival.throttle_key());
    let finding = judge(visit, form).await?;
    if finding == Finding::Passed {
        if is_asked(visit) {
            coordination.incr(&key, PASS, now).await;
        }
        return Ok(finding);
    }
    let passes = coordination.count(&key, PASS, now).await;
    Ok(if passes.count > 0 { Finding::Passed } else { finding })
}

fn is_asked(visit: &Visit) -> bool {
    visit.config().captcha.enabled && Device::accounts(visit).is_empty()
}
