//! Suspending a tenant user, and letting the person sign in again.

use svc_core::{Error, Result, TenantUserId};
use svc_domain::people::tenant_users::{self, Person, Status};
use svc_domain::scim::users;
use svc_http::{IfMatch, Path, Problem, TenantCx, Versioned};

use super::documents::TenantUser;
use super::{find, version};
use crate::{privileges, record};

pub(super) async fn suspend(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<Versioned<TenantUser>, Problem> {
    Ok(moved(&caller, id, &if_match, Status::Suspended).await?)
}

pub(super) async fn reactivate(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    if_match: IfMatch,
) -> Result<Versioned<TenantUser>, Problem> {
    Ok(moved(&caller, id, &if_match, Status::Active).await?)
}

async fn moved(
    caller: &TenantCx,
    id: TenantUserId,
    if_match: &IfMatch,
    to: Status,
) -> Result<Versioned<TenantUser>> {
    let (mut tx, held) = record::begin(caller, &id).await?;
    let person = find(&mut tx, id).await?;
    if_match.check(held, version(&person))?;
    if to == Status::Active {
        check_agreed(&person)?;
        privileges::for_person(caller, &mut tx, &person).await?;
    }
    // Whom the directory has suspended it would let in again, unless the tenant wants the person out, too.
    let is_out = [person.status, to] == [Status::Suspended; 2]
        && users::take_over_suspension(&mut tx, caller, &person).await?;
    if !is_out {
        tenant_users::set_status(&mut tx, caller, &person, to).await?;
    }
    if to == Status::Active {
        users::let_in(&mut tx, id);
    }
    let person = find(&mut tx, id).await?;
    tx.commit().await?;
    Ok(Versioned { version: version(&person), record: person.into() })
}

/// Whom the tenant has invited or imported becomes active by agreeing to it: until then it sees nothing of the account.
fn check_agreed(person: &Person) -> Result<()> {
    if person.has_agreed() {
        return Ok(());
    }
    Err(Error::conflict("the person has not agreed to the membership yet, and was not suspended"))
}
