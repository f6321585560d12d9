//! What a flow comes to while support staff act for a person: a code for an application of the tenant's own, or a refusal. They
//! prove nothing in the person's place, and allow nothing.

use svc_core::Class;
use svc_domain::grants::grant::Acting;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::people::sessions::Session;

use super::engine::{Step, Terms};
use super::flow::Flow;
use crate::authorize::PromptValue;
use crate::authorize::organization::Whereabouts;

/// The next step. What only the person can prove is `login_required`, what only the person can allow `access_denied`.
pub fn step(flow: &Flow, (session, acting): (&Session, &Acting), terms: &Terms<'_>) -> Step {
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
