//! The answer to the consent page (OpenID Connect Core §3.1.2.4): it allows what was shown to that person, and no more.

use serde_json::json;
use svc_core::{Actor, Error, Result};
use svc_domain::grants::consents;
use svc_domain::log::{Action, Meaning, record};
use svc_http::{Params, Response, Route, Routes};

use super::accounts::Accounts;
use super::journey::Journey;
use super::session::not_while_acting;
use crate::authorize::details;
use crate::hosted::Visit;
use crate::hosted::paths::CONSENT;

/// The consent form.
pub fn routes() -> Routes {
    Routes::new([Route::post(CONSENT).form("the consent form", decide)])
}

async fn decide(visit: &mut Visit, form: Params) -> Result<Response> {
    let journey = Journey::open(visit, form.one("flow")).await?;
    match form.one("decision") {
        Some("allow") => allowed(journey).await,
        Some("deny") => denied(&journey).await,
        _ => Err(Error::invalid_request("decision: give allow or deny")),
    }
}

async fn allowed(mut journey: Journey<'_>) -> Result<Response> {
    let visit = journey.visit;
    // The application may have changed what it says of itself since the page was shown: then it is shown once more.
    let said = journey.digest_of_application()?;
    let offer = journey.flow.offer.take().filter(|offer| offer.application == said);
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::or_acting(visit, &mut tx).await?;
    if accounts.is_acting() {
        // The page is one that the person has left open in this browser.
        return Err(not_while_acting());
    }
    let who = journey.who(&mut tx, &accounts).await?;
    // The person may have signed out since the page was shown.
    let offer = offer.filter(|offer| who.session().is_some_and(|session| session.person.id == offer.person));
    if let (Some(session), Some(offer)) = (who.session(), &offer) {
        let cx = visit.cx().acting_as(session.person.actor());
        let given = (journey.stored_audience(), &offer.scope);
        consents::rely_on(&mut tx, offer.person, journey.app.id);
        consents::grant(&mut tx, &cx, offer.person, journey.app.id, given).await?;
        if let Some(details) = &offer.details {
            let whose = (offer.person, journey.app.id);
            consents::remember_details(&mut tx, &cx, whose, (given.0, details)).await?;
        }
    }
    let (next, session) = journey.onward(&mut tx, (&accounts, who), offer.as_ref()).await?;
    tx.commit().await?;
    journey.show(next, session.as_ref()).await
}

async fn denied(journey: &Journey<'_>) -> Result<Response> {
    let visit = journey.visit;
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::or_acting(visit, &mut tx).await?;
    if accounts.is_acting() {
        // A refusal would stand in the audit log as that of the person.
        return Err(not_while_acting());
    }
    let who = journey.who(&mut tx, &accounts).await?;
    let subject = who.session().map(|session| session.person.subject.clone());
    let actor = subject.map_or(Actor::Anonymous, Actor::User);
    let request = &journey.flow.request;
    let mut facts = json!({ "audience": request.audience, "scope": request.scope });
    details::add_to(&mut facts, &request.authorization_details);
    let meaning = Meaning::denied(Action::ConsentGranted, journey.app.id).with(facts);
    record(&mut tx, &visit.cx().acting_as(actor), meaning);
    let refusal = journey.deny(&mut tx, "the person did not allow it").await?;
    tx.commit().await?;
    refusal.send(visit, &journey.app).await
}
