//! The answer to the page on which people choose the organization that they act in.

use svc_core::{Error, OrganizationId, Result};
use svc_domain::organizations::place;
use svc_domain::people::sessions;
use svc_http::{Params, Response, Route, Routes};

use super::accounts::Accounts;
use super::journey::Journey;
use crate::hosted::Visit;
use crate::hosted::paths::SELECT_ORGANIZATION;

/// The form.
pub fn routes() -> Routes {
    Routes::new([Route::post(SELECT_ORGANIZATION).form("the choice of an organization", select_organization)])
}

async fn select_organization(visit: &mut Visit, form: Params) -> Result<Response> {
    let journey = Journey::open(visit, form.one("flow")).await?;
    match form.one("decision") {
        Some("continue") => chosen(journey, form.one("organization")).await,
        Some("deny") => {
            let mut tx = journey.visit.host.begin().await?;
            let refusal = journey.deny(&mut tx, "the person chose no organization").await?;
            tx.commit().await?;
            refusal.send(journey.visit, &journey.app).await
        }
        _ => Err(Error::invalid_request("decision: give continue or deny")),
    }
}

/// Keeps a choice of the person's own, to whom the page was shown; another one leads to the same page again.
async fn chosen(mut journey: Journey<'_>, choice: Option<&str>) -> Result<Response> {
    let visit = journey.visit;
    let choice: Option<OrganizationId> = choice.and_then(|choice| choice.parse().ok());
    let mut tx = visit.host.begin().await?;
    let accounts = Accounts::or_acting(visit, &mut tx).await?;
    let who = journey.who(&mut tx, &accounts).await?;
    if let (Some(session), Some(choice)) = (who.session(), choice)
        && place(&mut tx, session.person.id, choice).await?.is_some()
    {
        sessions::choose(&mut tx, session, choice);
        journey.flow.organization = Some(choice);
    }
    let (next, session) = journey.onward(&mut tx, (&accounts, who), None).await?;
    tx.commit().await?;
    journey.show(next, session.as_ref()).await
}
