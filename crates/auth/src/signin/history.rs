//! What a person's own history says of an attempt to sign in.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::changes::Candidate;
use svc_domain::people::login_history::{self, NewLogin, Outcome};
use svc_domain::people::risk::Rating;
use svc_domain::people::sessions::Session;
use svc_domain::people::tenant_users::Person;

use super::progress::Progress;
use crate::hosted::{Device, Visit};

/// Notes that a session began.
pub fn entered(tx: &mut Tx<Tenant>, visit: &Visit, (session, progress): (&Session, &Progress)) -> Result<()> {
    let amr: Vec<&str> = session.authentication.amr.iter().map(String::as_str).collect();
    let rating = progress.rated().map(|rated| &rated.rating);
    let new = NewLogin { session: Some(session.id), ..of(visit, &session.person, (Outcome::Success, &amr)) };
    login_history::note(tx, visit.cx(), NewLogin { rating, ..new })
}

/// Notes that a sign-in was refused because it was too unusual.
pub fn refused(
    tx: &mut Tx<Tenant>,
    visit: &Visit,
    (person, amr): (&Person, &[String]),
    rating: &Rating,
) -> Result<()> {
    let amr: Vec<&str> = amr.iter().map(String::as_str).collect();
    let new = NewLogin { rating: Some(rating), ..of(visit, person, (Outcome::Refused, &amr)) };
    login_history::note(tx, visit.cx(), new)
}

/// Notes that a guess was wrong. What belongs to nobody here costs the same, and leaves nothing.
pub fn failed(tx: &mut Tx<Tenant>, visit: &Visit, candidate: Option<&Candidate>, amr: &[&str]) -> Result<()> {
    let new = match candidate.and_then(|candidate| candidate.member.as_ref()) {
        Some(person) => of(visit, person, (Outcome::Failure, amr)),
        None => NewLogin {
            member: None,
            outcome: Outcome::Failure,
            amr,
            session: None,
            user_agent: &visit.user_agent,
            is_known_device: false,
            rating: None,
        },
    };
    login_history::note(tx, visit.cx(), new)
}

fn of<'a>(visit: &'a Visit, person: &Person, (outcome, amr): (Outcome, &'a [&'a str])) -> NewLogin<'a> {
    NewLogin {
        member: Some(person.id),
        outcome,
        amr,
        session: None,
        user_agent: &visit.user_agent,
        is_known_device: is_known(visit, person),
        rating: None,
    }
}

/// Whether the person has signed in in this browser with their present credentials.
pub fn is_known(visit: &Visit, person: &Person) -> bool {
    Device::known(visit, person.account_id, person.credentials_changed_at).is_some()
}
