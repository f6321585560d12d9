//! The end of a recovery: a new password, and everything else that opened the account before is gone.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::log::Action;
use svc_domain::people::changes::{self, Candidate};
use svc_domain::people::credentials::{self, Kind, Owner as Holder};
use svc_domain::people::guardians::{self, Stage};
use svc_domain::people::guesses;
use svc_domain::people::phones;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{IntoResponse as _, Params, Response, see_other};

use super::super::ends::take_in_ends;
use super::super::mailed;
use super::super::purpose::{Purpose, wrong_form};
use super::super::recovery_letters::Owner;
use super::request::RecoveryRequest;
use super::status;
use crate::hosted::Visit;
use crate::hosted::paths::{ACCOUNT, ASK_GUARDIANS, GUARDIANS};
use crate::pages::Outcome;
use crate::signin::methods::password;
use crate::signin::offers;

/// Sets the new password, where it is time for it, or lets the browser ask again.
pub async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    offers::must_have_guardians(&visit.host)?;
    if visit.open::<Purpose>(form.one("flow"))? != Purpose::FinishRecovery {
        return Err(wrong_form());
    }
    if form.one("action") == Some("forget") {
        return Ok((visit.browser.forget_recovery()?, see_other(ASK_GUARDIANS)).into_response());
    }
    let Some(request) = RecoveryRequest::here(visit) else {
        return Ok(see_other(ASK_GUARDIANS).into_response());
    };
    let Some(person) = owner(visit, &request).await? else { return Ok(see_other(GUARDIANS).into_response()) };
    let password = password::typed(&form);
    let names: Vec<&str> =
        [&person.email, &person.profile.name].into_iter().flatten().map(String::as_str).collect();
    if let Some(error) = password::fault(visit, &password, &names).await {
        return status::page(visit, &request, Some(error)).await;
    }
    let hash = visit.host.app.hash_password(visit.host.tenant.id, &password).await?;
    let letters = Owner::told(&visit.host, &person).await?;
    let mut tx = visit.host.begin().await?;
    if !finished(visit, &mut tx, (&request, &hash)).await? {
        tx.rollback().await?;
        return Ok(see_other(GUARDIANS).into_response());
    }
    letters.tell_of_end(&mut tx)?;
    tx.commit().await?;
    take_in_ends(&visit.host).await?;
    let done = mailed::done_at(visit, Outcome::Recovered, ACCOUNT)?;
    Ok((visit.browser.forget_recovery()?, done).into_response())
}

/// Whose account it is, if a new password may be chosen now.
async fn owner(visit: &Visit, request: &RecoveryRequest) -> Result<Option<Person>> {
    if status::stage(visit, request).await? != Some(Stage::Ready) {
        return Ok(None);
    }
    let mut tx = visit.host.read().await?;
    let Some(case) = guardians::of_browser(&mut tx, visit.cx(), request.digest()).await? else {
        return Ok(None);
    };
    Ok(tenant_users::find(&mut tx, case.person).await?.filter(Person::may_sign_in))
}

/// Spends the case, sets the password and removes what opened the account before. Sessions, refresh families and tokens of
/// every tenant end with the old password.
async fn finished(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    (request, hash): (&RecoveryRequest, &str),
) -> Result<bool> {
    let Some(case) = guardians::of_browser(tx, visit.cx(), request.digest()).await? else { return Ok(false) };
    let person = tenant_users::find(tx, case.person).await?.filter(Person::may_sign_in);
    let Some(person) = person else { return Ok(false) };
    // Held, so that who is adding one has done so by now, or finds the account recovered; and before the guardians, as where its owner
    // takes it back.
    let all = credentials::held_of_account(tx, person.account_id).await?;
    if guardians::finish(tx, visit.cx(), request.digest()).await?.is_none() {
        return Ok(false);
    }
    let cx = visit.later().acting_as(person.actor());
    let holder = Holder::from(&person);
    for kind in Kind::ALL {
        credentials::remove_all(tx, &cx, holder, *kind).await?;
    }
    // A person who was in the account while it was asked for may have chosen guardians of their own.
    guardians::remove_since(tx, &cx, &person, case.opened_at).await?;
    for phone in all.iter().filter(|one| one.kind == Some(Kind::Phone)) {
        phones::removed(tx, &cx, &person, phone).await?;
    }
    let candidate = Candidate::from(person);
    changes::set_account_password(tx, &cx, &candidate.account, (hash, Action::PasswordReset)).await?;
    guesses::clear(tx, &candidate);
    Ok(true)
}
