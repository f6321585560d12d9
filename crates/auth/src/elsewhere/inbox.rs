//! The inbox of a signed-in person: what devices and applications elsewhere wait for (RFC 8628 §3.3, OpenID CIBA §10).

use svc_core::{Class, Error, Result};
use svc_domain::claims::assurance::Level;
use svc_domain::organizations::Place;
use svc_domain::people::sessions::{self, Session};
use svc_http::{Params, Response, Route, Routes, StatusCode, see_other};

use super::choice::Answer;
use super::decide::{Ask, Decided, Decider, Desk, Insufficient, Polled, Remedy};
use super::shown::page_with;
use super::support;
use crate::hosted::Visit;
use crate::hosted::paths::{APPROVALS, START};
use crate::pages::{Done, Form, MessageKey, Organization, Outcome, SelectOrganization};
use crate::signin::complete::{may_owe, owed_on_errand};
use crate::signin::{Attempt, Demanded, Errand, SignIn, Way, account_of, current, demand};

/// The inbox and its forms.
pub fn routes() -> Routes {
    Routes::new([
        Route::get(APPROVALS).page("leads to sign-in where there is no session", show),
        Route::post(APPROVALS).form("the forms are bound to browser, session and person", decide),
    ])
}

async fn show(visit: &mut Visit, _query: Params) -> Result<Response> {
    if !visit.has_session() {
        return Errand::Approvals.sign_in_page(visit, &Attempt::default());
    }
    let may_owe = may_owe(&visit.host).await?;
    let mut tx = visit.host.begin().await?;
    let Some(session) = current(visit, &mut tx).await? else {
        tx.rollback().await?;
        return Errand::Approvals.sign_in_page(visit, &Attempt::default());
    };
    visit.speak_as(&session.person)?;
    if may_owe {
        // Released first: what the person owes is read outside of it.
        tx.rollback().await?;
        if let Some(page) = owed_on_errand(visit, &Errand::Approvals, &session).await? {
            return Ok(page);
        }
        tx = visit.host.begin().await?;
    }
    sessions::touch(&mut tx, visit.cx(), &session);
    let waiting = Desk::of(visit).waiting(&mut tx, &session.person).await?;
    let support = support::waiting(visit, &mut tx, &session.person).await?;
    tx.commit().await?;
    page_with(visit, &session, (&waiting, support), &Errand::Approvals)
}

async fn decide(visit: &mut Visit, form: Params) -> Result<Response> {
    let ask: Ask = visit.open(form.one("flow"))?;
    let answer = answered(&form)?;
    // Into memory first: nothing else is awaited while a transaction is open.
    may_owe(&visit.host).await?;
    let mut tx = visit.host.begin().await?;
    let session = current(visit, &mut tx).await?;
    // Another person may have signed in since the page was shown, and decides for themselves.
    let Some(session) = session.filter(|session: &Session| session.person.id == ask.person) else {
        tx.rollback().await?;
        return Errand::Approvals.sign_in_page(visit, &Attempt::default());
    };
    visit.speak_as(&session.person)?;
    if answer.is_allowed() && is_weak(visit, &session) {
        tx.rollback().await?;
        return prove_more(visit, &session, Errand::Approvals).await;
    }
    let by = Decider { person: &session.person, authentication: &session.authentication };
    let desk = Desk::of(visit);
    match desk.decide(&mut tx, ask.polled, &by, answer).await {
        // The form was sent twice, from another window or too late.
        Err(error) if error.class() == Class::Conflict => {
            tx.rollback().await?;
            let page = Done { outcome: Outcome::AlreadyDecided, continue_url: APPROVALS.into() };
            return visit.page_as(StatusCode::CONFLICT, &page, None);
        }
        decided => match decided? {
            Decided::Settled => {}
            Decided::Unchosen(places) => {
                tx.rollback().await?;
                return choose(visit, &session, &ask, &places);
            }
            Decided::Insufficient(insufficient) => {
                tx.rollback().await?;
                return Box::pin(improve(visit, &session, *insufficient)).await;
            }
        },
    }
    let is_last = desk.waiting(&mut tx, &session.person).await?.is_empty()
        && support::waiting(visit, &mut tx, &session.person).await?.is_empty();
    tx.commit().await?;
    let outcome = match ask.polled {
        _ if !answer.is_allowed() => Outcome::Refused,
        Polled::Impersonation(_) => Outcome::SupportAllowed,
        Polled::DeviceCode(_) | Polled::CibaRequest(_) => Outcome::Approved,
    };
    let continue_url = if is_last { START } else { APPROVALS }.into();
    visit.page(&Done { outcome, continue_url })
}

/// What a form answers; the page of the choice alone says that the person goes on.
fn answered(form: &Params) -> Result<Answer> {
    match form.one("decision") {
        Some("allow" | "continue") => {
            Ok(Answer::Allow(form.one("organization").and_then(|choice| choice.parse().ok())))
        }
        Some("deny") => Ok(Answer::Deny),
        _ => Err(Error::invalid_request("decision: give allow or deny")),
    }
}

/// The page of the choice alone, after a form without one that can count: where it was shown before the person came to belong to several
/// organizations or left the chosen one, and where the page of a deployment's own has no inputs for it.
fn choose(visit: &Visit, session: &Session, ask: &Ask, places: &[Place]) -> Result<Response> {
    if places.is_empty() {
        // There is nothing left to choose, and the page of what waits says so.
        return Ok(see_other(APPROVALS));
    }
    visit.page(&SelectOrganization {
        form: Form::new(APPROVALS, visit.seal(ask)?),
        app_name: None,
        account: account_of(&session.person).into(),
        switch_url: Some(Errand::Approvals.switch_url(visit)?.into()),
        organizations: Organization::choices(places, session.organization),
        is_named: false,
    })
}

/// Whether the session has proven less than every sign-in must here.
fn is_weak(visit: &Visit, session: &Session) -> bool {
    let Session { person, authentication, .. } = session;
    let floor = demand::floor_of_all(&visit.host, (person, authentication));
    !person.is_guest() && Level::of(&authentication.acr) < floor
}

/// What follows where the sign-in is not enough: a second factor that the application or the organization demands can be added, and
/// from the refusal of a sign-in that does not count there a link leads to one that does.
async fn improve(
    visit: &Visit,
    session: &Session,
    Insufficient { error, remedy }: Insufficient,
) -> Result<Response> {
    match remedy {
        Remedy::SecondFactor => prove_more(visit, session, Errand::SecondFactor).await,
        Remedy::SignIn { app, organization, .. } => {
            let demanded = Demanded::of(&visit.host, &app, organization).await?;
            visit.note_sign_in(Errand::Demanded(demanded).switch_url(visit)?);
            Err(error)
        }
    }
}

/// The page on which the person proves what is missing, and comes back to decide.
async fn prove_more(visit: &Visit, session: &Session, errand: Errand) -> Result<Response> {
    let signin = SignIn::step_up(Way::Errand(visit, errand.clone()), session).await?;
    let missing = signin.missing();
    if !missing.is_empty() {
        return signin.ask_more_of(&session.person, &missing).await;
    }
    let attempt = if signin.progress.is_recent(visit.cx().now) {
        Attempt { error: signin.falls_short(), ..Attempt::default() }
    } else {
        // Who is to set something up signs in first, where that is long ago.
        Attempt { notice: Some(MessageKey::SignInAgain), ..Attempt::default() }
    };
    errand.sign_in_page(visit, &attempt)
}
