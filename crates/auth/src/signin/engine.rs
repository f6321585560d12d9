//! The next step of a flow, as a pure function of request, session and consent (OpenID Connect Core §3.1.2.3, §3.1.2.4).

use svc_core::{Class, Error, Scope, Seconds, Timestamp};
use svc_domain::claims::assurance::Level;
use svc_domain::claims::claims_request::covers;
use svc_domain::organizations::sign_in::Fit;
use svc_domain::people::intake::Owed;
use svc_domain::people::sessions::Session;

use super::flow::{Flow, Offer};
use crate::authorize::organization::Whereabouts;
use crate::authorize::{AuthorizationRequest, PromptValue};

/// The next step of a flow.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// The person proves who they are.
    SignIn,
    /// The person, who is signed in, proves more than they have.
    ProveMore,
    /// The person adds the second factor that the organization demands.
    SecondFactor,
    /// The person chooses the account.
    SelectAccount,
    /// The person chooses the organization in which the tokens count.
    SelectOrganization,
    /// The person does not belong to an organization in which they could count.
    NoOrganization,
    /// The person accepts documents and fills in fields.
    Complete,
    /// The person allows these scopes, which they have not allowed before, and what is asked for in detail.
    Consent(Scope),
    /// Nothing: the application gets its code.
    Done,
    /// Nothing: support staff who act for a person cannot do what the application asks for.
    Refused(Class),
    /// Another person than the application expects has signed in.
    WrongPerson,
    /// No person can prove themselves here as strongly as the application must have it.
    TooWeak,
}

/// What bears on the next step besides the flow and the session.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Terms<'a> {
    /// The strongest sign-in that is offered here, or that the person can reach where the application can do without.
    pub best: Option<Level>,
    /// The strongest sign-in that is offered here, with what the person may set up: what is demanded is set up on the way, whatever an
    /// application would like.
    pub strongest: Option<Level>,
    /// The strength that the session must have, whatever the application asks for.
    pub floor: Option<Level>,
    /// Whether guests may come to the application.
    pub takes_guests: bool,
    /// Whether the person is one of those whom the request names by the claim `sub`.
    pub is_named: bool,
    /// Whether the person has an address to prove, which another sign-in asks for.
    pub owes_address: bool,
    /// Where the tokens would count.
    pub whereabouts: &'a Whereabouts,
    /// Whether the application accepts the way in which the person signed in: if not, nothing that they add helps.
    pub is_taken: bool,
    /// Whether the sign-in is as application and organization want it.
    pub fit: Fit,
    /// Whether a sign-in within this flow was held to the same from its beginning.
    pub was_held: bool,
    /// What the person has not accepted or answered yet.
    pub owed: Owed,
    /// What the person can give of what is asked for: scopes, and in addition claims.
    pub scope: &'a Scope,
    /// Whether they have allowed the application nothing here yet.
    pub is_stranger: bool,
    /// What they allowed before.
    pub remembered: &'a Scope,
    /// What is asked for in detail, as a digest of what the page would tell.
    pub details: Option<&'a str>,
    /// Whether they allowed exactly that before.
    pub has_details: bool,
    /// What they have just allowed, on the page that asked.
    pub allowed: Option<&'a Offer>,
    /// First-party applications do not ask.
    pub is_first_party: bool,
}

/// The first step that is not yet done.
pub fn next_step(flow: &Flow, session: Option<&Session>, terms: &Terms<'_>, now: Timestamp) -> Step {
    let request = &flow.request;
    let Some(session) = session else { return first_step(request, terms.best) };
    let is_fresh = flow.signed_in == Some(session.id);
    let is_hinted = request.hinted_subject.as_ref().is_none_or(|subject| *subject == session.person.subject);
    let is_expected = is_hinted && terms.is_named;
    let reached = Level::of(&session.authentication.acr);
    // A guest proves nothing more: the person makes an account.
    let is_guest = session.person.is_guest();
    let is_unwelcome = is_guest && !terms.takes_guests;
    match (is_fresh, is_expected) {
        (true, false) => return Step::WrongPerson,
        (true, true) if !request.assurance.is_met_by(reached) => return Step::TooWeak,
        (false, _) if !request.assurance.is_met_by(terms.best.max(reached)) => return Step::TooWeak,
        (false, _)
            if is_unwelcome
                || terms.owes_address
                || !is_expected
                || needs_fresh_sign_in(request, session, now) =>
        {
            return Step::SignIn;
        }
        (false, _) if is_guest && (reached < terms.floor || is_too_weak(request, reached, terms.best)) => {
            return Step::SignIn;
        }
        (false, _) if reached < terms.floor || is_too_weak(request, reached, terms.best) => {
            return if terms.is_taken { Step::ProveMore } else { Step::SignIn };
        }
        (true, true) if is_unwelcome => return Step::SignIn,
        _ => {}
    }
    if request.prompt.has(PromptValue::SelectAccount) && !flow.selected && !is_fresh {
        return Step::SelectAccount;
    }
    match terms.whereabouts {
        Whereabouts::Open(_) => return Step::SelectOrganization,
        Whereabouts::Nowhere => return Step::NoOrganization,
        Whereabouts::Everywhere | Whereabouts::In(_) => {}
    }
    match terms.fit {
        Fit::Fits => {}
        Fit::LacksSecondFactor if terms.strongest >= Some(Level::Aal2) => return Step::SecondFactor,
        Fit::Other if !is_fresh || !terms.was_held => return Step::SignIn,
        // Another sign-in of the same kind would not be accepted either.
        Fit::LacksSecondFactor | Fit::Other => return Step::TooWeak,
    }
    match terms.owed {
        Owed::Required => return Step::Complete,
        Owed::Optional if !request.prompt.has(PromptValue::None) => return Step::Complete,
        Owed::Optional | Owed::Nothing => {}
    }
    missing_consent(request, terms).map_or(Step::Done, Step::Consent)
}

/// The first step of a person who is not signed in, where `best` is the strongest sign-in that is offered.
pub fn first_step(request: &AuthorizationRequest, best: Option<Level>) -> Step {
    if request.assurance.is_met_by(best) { Step::SignIn } else { Step::TooWeak }
}

/// What the application gets instead, when no page may be shown (`prompt=none`) or none would help.
pub fn refusal(step: &Step, request: &AuthorizationRequest) -> Option<Error> {
    let class = match step {
        Step::Done => return None,
        Step::Refused(class) => *class,
        Step::WrongPerson => Class::LoginRequired,
        Step::TooWeak => Class::UnmetAuthenticationRequirements,
        _ if !request.prompt.has(PromptValue::None) => return None,
        Step::SignIn | Step::ProveMore | Step::SecondFactor => Class::LoginRequired,
        Step::SelectAccount => Class::AccountSelectionRequired,
        Step::SelectOrganization | Step::Complete => Class::InteractionRequired,
        Step::NoOrganization => Class::AccessDenied,
        Step::Consent(_) => Class::ConsentRequired,
    };
    Some(Error::new(class, class.title()))
}

fn needs_fresh_sign_in(request: &AuthorizationRequest, session: &Session, now: Timestamp) -> bool {
    // An age of 0 asks for a sign-in even if the last was this very second. Parts of a second count: applications compare whole ones,
    // and would find that a second too many has passed.
    let is_too_old = |most| most == 0 || session.authentication.auth_time + Seconds(most) < now;
    request.prompt.has(PromptValue::Login)
        || request.prompt.has(PromptValue::Create)
        || request.max_age.is_some_and(is_too_old)
}

/// Whether another sign-in is worth asking for; silently, only where the application could not go on without.
fn is_too_weak(request: &AuthorizationRequest, reached: Option<Level>, best: Option<Level>) -> bool {
    let assurance = &request.assurance;
    let is_below_aim = assurance.aim(best).is_some_and(|level| reached < Some(level));
    !assurance.is_met_by(reached) || (is_below_aim && !request.prompt.has(PromptValue::None))
}

fn missing_consent(request: &AuthorizationRequest, terms: &Terms<'_>) -> Option<Scope> {
    let was_shown = terms.details.is_none()
        || terms.allowed.is_some_and(|offer| offer.details.as_deref() == terms.details);
    if request.prompt.has(PromptValue::Consent) {
        let covers = |offer: &Offer| terms.scope.is_subset(&offer.scope) && was_shown;
        let has_answered = terms.allowed.is_some_and(covers);
        return (!has_answered).then(|| terms.scope.clone());
    }
    let was_allowed = |token: &&str| {
        covers(terms.remembered, token) || terms.allowed.is_some_and(|offer| covers(&offer.scope, token))
    };
    let missing: Scope = terms.scope.iter().filter(|token| !was_allowed(token)).collect();
    // Who asks for nothing in particular learns who the person is all the same.
    let is_met = !terms.is_stranger || terms.allowed.is_some();
    let is_known = is_met && missing.is_empty() && (terms.has_details || was_shown);
    (!terms.is_first_party && !is_known).then_some(missing)
}

#[cfg(test)]
mod tests;
