//! Support staff who act, acted or want to act for the person.

use svc_core::{ImpersonationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::people::impersonations::{self, Impersonation, Page};
use svc_domain::people::tenant_users;

use super::owner::Own;
use crate::signin::{called, must_not_be_locked};

/// An impersonation, with what the staff member is called.
pub struct Visited {
    /// The impersonation.
    pub impersonation: Impersonation,
    /// What the staff member is called.
    pub staff: String,
}

/// A page of them, newest first.
pub async fn page(own: &Own, page: &Page) -> Result<Vec<Visited>> {
    let mut tx = own.host.read().await?;
    let found = impersonations::of_person(&mut tx, own.cx().now, own.person.id, page).await?;
    let mut all = Vec::with_capacity(found.len());
    for impersonation in found {
        all.push(named(&mut tx, impersonation).await?);
    }
    Ok(all)
}

async fn named(tx: &mut Tx<Tenant>, impersonation: Impersonation) -> Result<Visited> {
    let staff = tenant_users::find(tx, impersonation.staff).await?;
    let staff = staff.as_ref().map(called).unwrap_or_default().to_owned();
    Ok(Visited { impersonation, staff })
}

/// Approves or refuses.
pub async fn decide(own: &Own, id: ImpersonationId, is_allowed: bool) -> Result<()> {
    let mut tx = own.host.begin().await?;
    must_not_be_locked(&mut tx, own.cx(), &own.person).await?;
    impersonations::decide(&mut tx, own.cx(), (id, own.person.id), is_allowed).await?;
    tx.commit().await
}

/// Ends one that is under way, or takes back what was approved; false where there is none.
pub async fn end(own: &Own, id: ImpersonationId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let found = impersonations::find(&mut tx, id, own.cx().now).await?;
    let Some(found) = found.filter(|found| found.person == own.person.id) else { return Ok(false) };
    let is_ended = impersonations::end(&mut tx, own.cx(), &found).await?;
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(is_ended)
}
