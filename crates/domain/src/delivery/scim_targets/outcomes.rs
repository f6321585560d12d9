//! What a link becomes: the application has it, refuses it, has lost it, or is asked again.

use svc_core::{Cx, Result};
use svc_db::{System, Tx, args, quiet_system_sql, system_sql};

use super::settling::{Looked, Place};

pub(super) async fn unchanged(tx: &mut Tx<System>, cx: &Cx, place: &Place, looked: &Looked) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET state = CASE WHEN state = 'deactivated' THEN state ELSE 'linked' END, seen = $5, \
         person_at = $6, last_error = NULL, updated_at = $7 WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let Place { tenant, target, kind, local_id } = place;
    let arguments = args![*tenant, *target, kind.name(), local_id, looked.wanted, looked.person_at, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

/// The application has it in this state. Where an account has come or gone, the groups of its person are others.
pub(super) async fn came_to(
    tx: &mut Tx<System>,
    cx: &Cx,
    place: &Place,
    (looked, state): (&Looked, &str),
    (remote_id, pushed): (Option<&str>, Option<String>),
) -> Result<()> {
    let Place { tenant, target, kind, local_id } = place;
    if let Some(remote_id) = remote_id
        && is_anothers(tx, place, remote_id).await?
    {
        let why = "the application gave an id that is another's".to_owned();
        return refused(tx, cx, place, (looked, &why)).await;
    }
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET regroup = (regroup OR state <> $7 OR COALESCE(remote_id, '') <> COALESCE($5, '')), remote_id = $5, \
         pushed = $6, state = $7, may_exist = $11, seen = $8, person_at = $9, pushed_at = $10, updated_at = $10, last_error = NULL \
         WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let arguments = args![
        *tenant,
        *target,
        kind.name(),
        local_id,
        remote_id,
        pushed,
        state,
        looked.wanted,
        looked.person_at,
        cx.now,
        false
    ];
    tx.execute(update, arguments).await.map(|_| ())
}

/// Whether an id at the application is that of another person or group here.
async fn is_anothers(tx: &mut Tx<System>, place: &Place, remote_id: &str) -> Result<bool> {
    let select = system_sql!(
        "SELECT local_id FROM scim_links WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND remote_id = $5 \
         AND local_id <> $4"
    );
    let arguments = args![place.tenant, place.target, place.kind.name(), &place.local_id, remote_id];
    Ok(tx.optional(select, arguments).await?.is_some())
}

/// It has its reasons still, and is looked for as if it had never been linked.
pub(super) async fn vanished(tx: &mut Tx<System>, cx: &Cx, place: &Place) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET remote_id = NULL, pushed = NULL, state = 'waiting', may_exist = $5, updated_at = $6 \
         WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let arguments = args![place.tenant, place.target, place.kind.name(), &place.local_id, true, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

pub(super) async fn refused(
    tx: &mut Tx<System>,
    cx: &Cx,
    place: &Place,
    (looked, why): (&Looked, &String),
) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET state = 'failed', last_error = $5, seen = $6, person_at = $7, updated_at = $8 \
         WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let Place { tenant, target, kind, local_id } = place;
    let arguments =
        args![*tenant, *target, kind.name(), local_id, why, looked.wanted, looked.person_at, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

/// It is tried again, unless that has been done for long enough.
pub(super) async fn failed_for_now(
    tx: &mut Tx<System>,
    cx: &Cx,
    (place, has_ended): (&Place, bool),
    (looked, why): (&Looked, &String),
) -> Result<()> {
    if has_ended {
        return refused(tx, cx, place, (looked, why)).await;
    }
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET last_error = $5, updated_at = $6 WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 \
         AND local_id = $4"
    );
    let arguments = args![place.tenant, place.target, place.kind.name(), &place.local_id, why, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

/// A look that was never done to the end: it waits for its next reason.
pub(super) async fn given_up(tx: &mut Tx<System>, cx: &Cx, place: &Place, why: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET state = 'failed', last_error = $5, seen = wanted, updated_at = $6 \
         WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let arguments = args![place.tenant, place.target, place.kind.name(), &place.local_id, why, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}
