//! What a flow comes to while support staff act for a person: a code for an application of the tenant's own, or a refusal. They
//! prove nothing in the person's place, and allow nothing.

use svc_core::{Class, Result};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::grants::grant::Acting;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::people::sessions::Session;

use super::accounts::Accounts;
use super::engine::{Step, Terms};
use super::floors::strict_floor;
use super::flow::Flow;
use super::journey::Journey;
use crate::authorize::PromptValue;
use crate::authorize::organization::Whereabouts;

/// The next step. What only the person can prove is `login_required`, what only the person can allow `access_denied`.
pub async fn next(
    journey: &Journey<'_>,
    tx: &mut Tx<Tenant>,
    (session, acting): (&Session, &Acting),
    terms: &Terms<'_>,
) -> Result<Step> {
    let step = step(&journey.flow, (session, acting), terms);
    if step == Step::Done && !is_strong(journey, tx, acting).await? {
        return Ok(Step::Refused(Class::LoginRequired));
    }
    Ok(step)
}

/// Whether the staff member has signed in here as strongly as the application demands of everyone.
async fn is_strong(journey: &Journey<'_>, tx: &mut Tx<Tenant>, acting: &Acting) -> Result<bool> {
    let Some(floor) = strict_floor(&journey.visit.host, Some(&journey.app)) else { return Ok(true) };
    let accounts = Accounts::of(journey.visit, tx).await?;
    let own = accounts.sessions().find(|session| session.person.subject == acting.by);
    Ok(own.is_some_and(|session| Level::of(&session.authentication.acr) >= Some(floor)))
}

fn step(flow: &Flow, (session, acting): (&Session, &Acting), terms: &Terms<'_>) -> Step {
    let request = &flow.request;
    let is_elsewhere = acting.app.is_some_and(|app| app != request.client);
    let asks = |prompt| request.prompt.has(prompt);
    if is_elsewhere || !terms.is_first_party || terms.details.is_some() || asks(PromptValue::Consent) {
        return Step::Refused(Class::AccessDenied);
    }
    if request.assurance.is_essential() && !request.assurance.is_met_by(None) {
        return Step::TooWeak;
    }
    let is_hinted = request.hinted_subject.as_ref().is_none_or(|hinted| *hinted == session.person.subject);
    let must_prove =
        [PromptValue::Login, PromptValue::Create, PromptValue::SelectAccount].into_iter().any(asks);
    if must_prove || request.max_age.is_some() || !is_hinted || !terms.is_named {
        return Step::Refused(Class::LoginRequired);
    }
    match (terms.whereabouts, terms.fit) {
        (Whereabouts::Open(_), _) => Step::SelectOrganization,
        (Whereabouts::Nowhere, _) => Step::NoOrganization,
        (_, Fit::Fits) => Step::Done,
        // Application or organization want another sign-in of the person than this is.
        _ => Step::Refused(Class::LoginRequired),
    }
}
