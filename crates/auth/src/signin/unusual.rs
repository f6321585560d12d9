//! What follows from an unusual sign-in: the person proves more, gets a mail, or does not get in.
//!
//! It is rated with the first proof, by the person's own history. A person who has proven two factors with it is never refused: a
//! passkey gets in wherever it is used.

use svc_core::events::{SignInUnusual, SuspiciousActivity};
use svc_core::{Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::login_history;
use svc_domain::people::risk::{Rating, Seen, Visited, rate};
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Consequence;

use super::history;
use super::notice::{self, Subject};
use super::progress::Progress;
use super::rated::Rated;
use crate::hosted::Visit;
use crate::pages::Topic;

/// Rates a sign-in with its first proof; nothing where sign-ins are not rated.
pub async fn judged(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (person, progress): (&Person, &Progress),
) -> Result<Option<(Rated, Consequence)>> {
    if !visit.config().adaptive_mfa.enabled {
        return Ok(None);
    }
    let now = visit.cx().now;
    let habits = login_history::habits(tx, person.id, now).await?;
    let network = login_history::network_of(visit.cx());
    let rating = rate(&Seen {
        at: now,
        network: &network,
        is_known_device: history::is_known(visit, person),
        email: person.email.as_deref(),
        before: &habits.before,
        visited: visited(visit, &habits.before, &network),
        failures: habits.failures,
    });
    let settings = &visit.host.tenant.settings.adaptive_mfa;
    let consequence = match settings.consequence(visit.config(), rating.score) {
        Consequence::Ask | Consequence::Refuse if progress.level() > Some(Level::Aal1) => Consequence::Tell,
        consequence => consequence,
    };
    let tells = rating.is_of_new_device() || consequence != Consequence::Nothing;
    Ok(Some((Rated { rating, asks: consequence == Consequence::Ask, tells }, consequence)))
}

/// Where the person signed in last and signs in now. Only networks are kept: where they are is looked up each time.
fn visited(visit: &Visit, before: &[(Timestamp, String)], network: &str) -> Option<Visited> {
    let places = &visit.host.app.places;
    let (at, last) = before.first()?;
    let here = places.of(network)?;
    let seconds = u32::try_from((visit.cx().now - *at).0).unwrap_or_default();
    Some(Visited { last: places.of(last)?, here, hours: f64::from(seconds) / 3600.0 })
}

/// Refuses a sign-in: the person learns of it by mail, and the page says why.
pub fn refuse(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (person, progress): (&Person, &Progress),
    rating: &Rating,
) -> Result<Option<notice::Notice>> {
    let cx = visit.cx();
    let what = "a sign-in was refused because it is too unusual";
    tracing::warn!(target: "svc::sign_in", request_id = cx.request_id, tenant_user = %person.id, score = rating.score, "{what}");
    let suspicious =
        SuspiciousActivity { client_id: None, tenant_user_id: Some(person.id), reason: what.to_owned() };
    let meaning = Meaning::denied(Action::SignInUnusual, person.id);
    record(tx, cx, meaning.with_event(event(person, rating, "refused")).telling(suspicious));
    let factor = progress.first().map_or("none", super::progress::Factor::label);
    let labels = [("factor", factor), ("outcome", "unusual")];
    visit.host.app.metrics.count_one("sign_ins_total", &labels);
    history::refused(tx, visit, (person, &progress.amr()), rating)?;
    notice::written(visit, person, (Topic::SignInRefused, &Subject::of(visit, None)))
}

/// Records what else followed from it.
pub fn noted(visit: &Visit, tx: &mut Tx<Tenant>, (person, rating): (&Person, &Rating), is_asked: bool) {
    let event = event(person, rating, if is_asked { "asked" } else { "told" });
    record(tx, visit.cx(), Meaning::done(Action::SignInUnusual, person.id).with_event(event));
}

fn event(person: &Person, rating: &Rating, outcome: &'static str) -> SignInUnusual {
    let reasons = rating.reasons.iter().map(|reason| reason.signal.clone()).collect();
    SignInUnusual { tenant_user_id: person.id, score: rating.score, reasons, outcome }
}
