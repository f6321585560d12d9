//! The link by which the owner of an account cancels a recovery. Opening it changes nothing.

use svc_core::{Actor, Result};
use svc_db::{Tenant, Tx};
use svc_domain::people::guardians::{self, Case};
use svc_domain::people::links::{self, LinkKind};
use svc_domain::people::tenant_users;
use svc_http::{Params, Response};
use svc_keys::digest;

use super::super::mailed;
use super::super::purpose::{Purpose, wrong_form};
use super::super::recovery_letters::Cancelled;
use crate::hosted::Visit;
use crate::hosted::paths::{ACCOUNT, CANCEL_RECOVERY, START};
use crate::pages::{Form, Outcome, RecoveryCancel};

/// Shows the form that cancels.
pub async fn show(visit: &mut Visit, query: Params) -> Result<Response> {
    let secret = query.one("token").unwrap_or_default();
    let link = mailed::peek::<Cancelled>(visit, secret, LinkKind::CancelRecovery).await?;
    let is_open = match link {
        Some(link) => open(visit, &mut visit.host.read().await?, link.payload).await?.is_some(),
        None => false,
    };
    if !is_open {
        return mailed::dead_link(visit, START);
    }
    let form = Form::new(CANCEL_RECOVERY, visit.seal(&Purpose::CancelRecovery(secret.to_owned()))?);
    visit.page(&RecoveryCancel { form })
}

/// Cancels.
pub async fn submit(visit: &mut Visit, form: Params) -> Result<Response> {
    let Purpose::CancelRecovery(secret) = visit.open(form.one("flow"))? else { return Err(wrong_form()) };
    let mut tx = visit.host.begin().await?;
    if cancelled(visit, &mut tx, &secret).await? {
        tx.commit().await?;
        return mailed::done_at(visit, Outcome::RecoveryCancelled, ACCOUNT);
    }
    tx.rollback().await?;
    mailed::dead_link(visit, START)
}

/// Spends the link and cancels the case that it was mailed for, or nothing at all.
async fn cancelled(visit: &Visit, tx: &mut Tx<Tenant>, secret: &str) -> Result<bool> {
    let link = links::spend::<Cancelled>(tx, visit.cx(), digest(secret), LinkKind::CancelRecovery).await?;
    let Some(link) = link else { return Ok(false) };
    let Some(case) = open(visit, tx, link.payload).await? else { return Ok(false) };
    let person = tenant_users::find(tx, case.person).await?;
    let actor = person.map_or(Actor::Anonymous, |person| Actor::User(person.subject));
    guardians::cancel(tx, &visit.cx().acting_as(actor), &case).await
}

/// The case that a link is about, while it is open.
async fn open(visit: &Visit, tx: &mut Tx<Tenant>, about: Cancelled) -> Result<Option<Case>> {
    let case = guardians::open_case(tx, visit.cx(), about.person).await?;
    Ok(case.filter(|case| case.id == about.case))
}
