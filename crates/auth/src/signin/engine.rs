//! What a flow needs next, as a pure function of request, session and consent (OpenID Connect Core §3.1.2.3, §3.1.2.4).

use svc_core::{Class, Error, Scope, Timestamp};
use svc_domain::sessions::Session;

use crate::authorize::{AuthorizationRequest, Wish};
use crate::flow::{Flow, Offer};

/// The next step of a flow.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The person proves who they are.
    SignIn,
    /// The person chooses the account.
    SelectAccount,
    /// The person allows these scopes, which they have not allowed before, and what is asked for in detail.
    Consent(Scope),
    /// Nothing: the application gets its code.
    Done,
    /// Somebody else than the application expects has signed in.
    WrongPerson,
}

/// What bears on consent.
pub struct Terms<'a> {
    /// What the person can give of what is asked for.
    pub scope: &'a Scope,
    /// What they allowed before.
    pub remembered: &'a Scope,
    /// What is asked for in detail, as the page would tell it; asked each time, and never remembered.
    pub details: Option<&'a str>,
    /// What they have just allowed, on the page that asked.
    pub allowed: Option<&'a Offer>,
    /// First-party applications do not ask.
    pub is_first_party: bool,
}

/// The first step that is not yet done.
pub fn next_step(flow: &Flow, session: Option<&Session>, terms: &Terms<'_>, now: Timestamp) -> Step {
    let Some(session) = session else { return Step::SignIn };
    let is_fresh = flow.signed_in == Some(session.id);
    let request = &flow.request;
    let is_expected =
        request.hinted_subject.as_ref().is_none_or(|subject| *subject == session.person.subject);
    match (is_fresh, is_expected) {
        (true, false) => return Step::WrongPerson,
        (false, _) if !is_expected || needs_fresh_sign_in(request, session, now) => return Step::SignIn,
        _ => {}
    }
    if request.prompt.has(Wish::SelectAccount) && !flow.selected && !is_fresh {
        return Step::SelectAccount;
    }
    missing_consent(request, terms).map_or(Step::Done, Step::Consent)
}

/// What the application is told instead, when no page may be shown (`prompt=none`) or none would help.
pub fn refusal(step: &Step, request: &AuthorizationRequest) -> Option<Error> {
    let class = match step {
        Step::Done => return None,
        Step::WrongPerson => Class::LoginRequired,
        _ if !request.prompt.has(Wish::None) => return None,
        Step::SignIn => Class::LoginRequired,
        Step::SelectAccount => Class::AccountSelectionRequired,
        Step::Consent(_) => Class::ConsentRequired,
    };
    Some(Error::new(class, class.title()))
}

fn needs_fresh_sign_in(request: &AuthorizationRequest, session: &Session, now: Timestamp) -> bool {
    // An age of 0 asks for a sign-in even if the last was this very second.
    let is_too_old = |most| most == 0 || (now - session.authentication.auth_time).0 > most;
    request.prompt.has(Wish::Login)
        || request.prompt.has(Wish::Create)
        || request.max_age.is_some_and(is_too_old)
}

fn missing_consent(request: &AuthorizationRequest, terms: &Terms<'_>) -> Option<Scope> {
    let has_details = terms.details.is_none()
        || terms.allowed.is_some_and(|offer| offer.details.as_deref() == terms.details);
    if request.prompt.has(Wish::Consent) {
        let covers = |offer: &Offer| terms.scope.is_subset(&offer.scope) && has_details;
        let has_answered = terms.allowed.is_some_and(covers);
        return (!has_answered).then(|| terms.scope.clone());
    }
    let was_allowed = |token: &&str| {
        terms.remembered.has(token) || terms.allowed.is_some_and(|offer| offer.scope.has(token))
    };
    let missing: Scope = terms.scope.iter().filter(|token| !was_allowed(token)).collect();
    let is_known = missing.is_empty() && has_details;
    (!terms.is_first_party && !is_known).then_some(missing)
}

#[cfg(test)]
mod tests;
