//! Impersonations as they are looked up: by staff, and by the people whom they concern.

use svc_core::{Cx, ImpersonationId, Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, before, sql};

use super::{Impersonation, State, read};

/// Which impersonations a list asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// For one person.
    pub person: Option<TenantUserId>,
    /// Of one staff member.
    pub staff: Option<TenantUserId>,
    /// In one state.
    pub state: Option<State>,
}

/// Which page of it.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Before which.
    pub cursor: Option<ImpersonationId>,
    /// How many.
    pub limit: u32,
}

/// One impersonation.
pub async fn find(tx: &mut Tx<Tenant>, id: ImpersonationId, now: Timestamp) -> Result<Option<Impersonation>> {
    let select = sql!(
        "SELECT id, tenant_user_id, staff_id, app_id, reason, minutes, state, session_id, created_at, decided_at, \
         started_at, ended_at, expires_at FROM impersonations WHERE tenant_id = $1 AND id = $2"
    );
    let row = tx.optional(select, args![id]).await?;
    row.map(|row| read(&row, now)).transpose()
}

/// A page of all, newest first.
pub async fn list(
    tx: &mut Tx<Tenant>,
    now: Timestamp,
    filter: &Filter,
    page: &Page,
) -> Result<Vec<Impersonation>> {
    let select = sql!(
        "SELECT id, tenant_user_id, staff_id, app_id, reason, minutes, state, session_id, created_at, decided_at, \
         started_at, ended_at, expires_at FROM impersonations WHERE tenant_id = $1 \
         AND (CAST($2 AS TEXT) IS NULL OR tenant_user_id = $2) AND (CAST($3 AS TEXT) IS NULL OR staff_id = $3) \
         AND (CAST($4 AS TEXT) IS NULL OR $4 = CASE WHEN expires_at > $5 THEN state \
         WHEN state IN ('waiting', 'ready') THEN 'expired' WHEN state = 'active' THEN 'ended' ELSE state END) \
         AND id < $6 ORDER BY id DESC LIMIT $7"
    );
    let state = filter.state.map(State::name);
    let arguments = args![filter.person, filter.staff, state, now, before(page.cursor), page.limit];
    tx.all(select, arguments).await?.iter().map(|row| read(row, now)).collect()
}

/// A page of those for a person, newest first.
pub async fn of_person(
    tx: &mut Tx<Tenant>,
    now: Timestamp,
    person: TenantUserId,
    page: &Page,
) -> Result<Vec<Impersonation>> {
    list(tx, now, &Filter { person: Some(person), ..Filter::default() }, page).await
}

/// What waits for the approval of a person, newest first.
pub async fn waiting_for(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
    most: u32,
) -> Result<Vec<Impersonation>> {
    let filter = Filter { person: Some(person), state: Some(State::Waiting), ..Filter::default() };
    list(tx, cx.now, &filter, &Page { cursor: None, limit: most }).await
}
