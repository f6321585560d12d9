//! The mail relay, and where new passwords are looked up.

use svc_async::Mailer;
use svc_config::EmailProvider;
use svc_core::Secret;
use svc_http::{Breached, Outbound};

use super::Patient;
use super::finding::Finding;
use crate::failure::Failure;

const MAIL: &str = "mail";
const BREACHED: &str = "passwords";

/// Greets the relay as before a mail, and looks a password up.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let mut findings = vec![relay(patient).await];
    findings.extend(breached(patient).await);
    findings
}

async fn relay(patient: &Patient) -> Finding {
    let email = &patient.config.email;
    if email.provider == EmailProvider::Log {
        return Finding::ok(MAIL, "mails are printed to standard output");
    }
    let place = format!("{}:{}", email.smtp.host.as_deref().unwrap_or_default(), email.smtp.port);
    let answer = match Mailer::from_config(&patient.config) {
        Ok(mailer) => mailer.try_out().await,
        Err(error) => Err(error),
    };
    match answer {
        Ok(()) => Finding::ok(MAIL, format!("the relay {place} answers")),
        Err(error) => {
            let what = format!("the relay {place} does not take mails: {}", Failure::from(error));
            Finding::fault(
                MAIL,
                what,
                "look at [email.smtp]: host, port, TLS, username, and the password in svc-kms",
            )
        }
    }
}

async fn breached(patient: &Patient) -> Option<Finding> {
    if !patient.config.hibp.enabled {
        return None;
    }
    let client = Outbound::to_chosen_by_operators(&patient.config).ok()?;
    let known = Breached::from_config(&patient.config, &client).ok()?.has(&Secret::new("password")).await;
    Some(match known {
        Ok(true) => Finding::ok(BREACHED, "new passwords are held against those of known breaches"),
        // It is in every list; with `fail-open` a look-up that failed finds nothing too.
        Ok(false) => Finding::warning(
            BREACHED,
            "a password that every list of breaches has is not found: others may not be found either",
            "import the whole public list for hibp.list_path, or let the service reach hibp.api_url",
        ),
        Err(_) => Finding::warning(
            BREACHED,
            "breached passwords cannot be looked up, so that no new password is taken",
            "let the service reach hibp.api_url, or name a list with hibp.list_path (`svc-runtime hibp import`)",
        ),
    })
}
