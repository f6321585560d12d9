//! Impersonations as they are looked up: by staff, and by the people whom they concern.

use svc_core::{Cx, ImpersonationId, Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, before, sql};

use super::{Impersonation, LONGEST, State, read};

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

/// Reads a page of impersonations that are in a state now, or of all; the argument says where these are looked for.
macro_rules! page_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, tenant_user_id, staff_id, app_id, reason, minutes, state, session_id, created_at, decided_at, \
             started_at, ended_at, expires_at FROM impersonations WHERE tenant_id = $1 AND id < $2",
            $which,
            " AND ($4 = '' OR $4 = CASE WHEN expires_at > $5 THEN state WHEN state IN ('waiting', 'ready') THEN 'expired' \
             WHEN state = 'active' THEN 'ended' ELSE state END) ORDER BY id DESC LIMIT $3"
        )
    };
}

/// A page of all, newest first.
pub async fn list(
    tx: &mut Tx<Tenant>,
    now: Timestamp,
    filter: &Filter,
    page: &Page,
) -> Result<Vec<Impersonation>> {
    let state = filter.state.map_or("", State::name);
    let mut arguments = args![before(page.cursor), page.limit, state, now].to_vec();
    let select = match filter {
        Filter { person: Some(person), staff, .. } => {
            let staff = staff.map(|id| id.to_string()).unwrap_or_default();
            arguments.extend_from_slice(args![*person, staff]);
            page_sql!(" AND tenant_user_id = $6 AND ($7 = '' OR staff_id = $7)")
        }
        Filter { staff: Some(staff), .. } => {
            arguments.extend_from_slice(args![*staff]);
            page_sql!(" AND staff_id = $6")
        }
        // What is under way was asked for lately: of those that ever were, most have run out.
        Filter { state: Some(State::Waiting | State::Ready | State::Active), .. } => {
            arguments.extend_from_slice(args![ImpersonationId::beginning(now - LONGEST)]);
            page_sql!(" AND id > $6")
        }
        Filter { state: Some(State::Refused), .. } => page_sql!(" AND state = 'refused'"),
        Filter { state: Some(State::Expired), .. } => page_sql!(" AND state IN ('waiting', 'ready')"),
        Filter { state: Some(State::Ended), .. } => page_sql!(" AND state IN ('active', 'ended')"),
        Filter { state: None, .. } => page_sql!(""),
    };
    tx.all(select, &arguments).await?.iter().map(|row| read(row, now)).collect()
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
