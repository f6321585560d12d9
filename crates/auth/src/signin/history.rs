//! What a person's own history says of an attempt to sign in.

use svc_core::Result;
use svc_db::{Tenant, Tx};
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
    let new =
        NewLogin { session: Some(session.id), ..of(visit, Some(&session.person), (Outcome::Success, &amr)) };
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
    let new = NewLogin { rating: Some(rating), ..of(visit, Some(person), (Outcome::Refused, &amr)) };
    login_history::note(tx, visit.cx(), new)
}

/// Notes that a guess was wrong. A guess at an account that is not there costs the same, and leaves nothing.
pub fn failed(tx: &mut Tx<Tenant>, visit: &Visit, person: Option<&Person>, amr: &[&str]) -> Result<()> {
    login_history::note(tx, visit.cx(), of(visit, person, (Outcome::Failure, amr)))
}

fn of<'a>(
    visit: &'a Visit,
    person: Option<&Person>,
    (outcome, amr): (Outcome, &'a [&'a str]),
) -> NewLogin<'a> {
    NewLogin {
        member: person.map(|person| person.id),
        outcome,
        amr,
        session: None,
        user_agent: &visit.user_agent,
        is_known_device: person.is_some_and(|person| is_known(visit, person)),
        rating: None,
    }
}

/// Whether the person has signed in in this browser with their present credentials.
pub fn is_known(visit: &Visit, person: &Person) -> bool {
    Device::known(visit, person.account_id, person.credentials_changed_at).is_some()
}
