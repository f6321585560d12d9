//! What came of a look is written down with its end: what the application has now, or why it could not be pushed.

use svc_core::{Cx, Result, ScimTargetId, Seconds, TenantId, Timestamp};
use svc_db::{Row, System, Tx, args, quiet_system_sql, system_sql};

use super::deactivation::deactivate;
use super::links::LinkKind;
use super::look::{Look, ScimLook};
use super::pushed::Fingerprint;
use crate::delivery::{Delivery, Outcome, Queue as _, Schedule};
use crate::document;

/// Longer than the longest wait between two attempts: a failure after such a silence counts from the beginning.
const SILENCE: Seconds = Seconds(30 * 3_600);

/// What came of a look, and what it had found.
pub struct Looked {
    wanted: i64,
    version: i64,
    person_at: Timestamp,
    came: Came,
}

/// What came of a look.
#[derive(Clone, Debug, PartialEq)]
pub enum Came {
    /// There was nothing to do.
    Unchanged,
    /// The application has it.
    Linked {
        /// By which id.
        remote_id: String,
        /// What it was given.
        pushed: Fingerprint,
    },
    /// The application has deactivated it.
    Deactivated {
        /// Its id there.
        remote_id: String,
    },
    /// The application has nothing of it, which is right.
    Gone,
    /// The application no longer knows its id, although it should have it: it is looked for, and created again.
    Vanished,
    /// The application refuses it, or it cannot be pushed as it is.
    Refused(String),
    /// The application could not take it now.
    Later {
        /// Why.
        why: String,
        /// For how long the application asks to be left alone.
        retry_after: Option<Seconds>,
        /// Whether nothing else could be taken either: the application is left alone for a while.
        is_down: bool,
    },
    /// The application refuses the credential: `unauthorized` or `forbidden`.
    Stopped(&'static str),
}

impl Looked {
    /// What came of a look.
    pub fn new(look: &Look, came: Came) -> Self {
        Self { wanted: look.wanted, version: look.target.version, person_at: look.person_at, came }
    }

    /// How the delivery ended.
    pub fn outcome(&self) -> Outcome {
        match &self.came {
            Came::Refused(_) | Came::Stopped(_) => Outcome::Over,
            Came::Later { retry_after, .. } => Outcome::Busy(*retry_after),
            _ => Outcome::Taken,
        }
    }
}

/// The link of a delivery.
struct Place {
    tenant: TenantId,
    target: ScimTargetId,
    kind: LinkKind,
    local_id: String,
}

/// Takes hold of the target, whose links stay then; `false` where it was deleted. Whatever changes both takes them in this order.
pub async fn hold(tx: &mut Tx<System>, due: &Delivery<ScimLook>) -> Result<bool> {
    let update = quiet_system_sql!(
        "holds a row",
        "UPDATE scim_targets SET position = position WHERE tenant_id = $1 AND id = $2"
    );
    Ok(tx.execute(update, args![due.tenant, &due.receiver]).await? > 0)
}

/// Writes down what came of a look whose delivery was settled; a target that refuses the credential, or has failed for longer than
/// `patience`, is deactivated. Returns why, if that happened.
pub async fn note(
    tx: &mut Tx<System>,
    cx: &Cx,
    due: &Delivery<ScimLook>,
    (looked, patience): (Option<&Looked>, Seconds),
) -> Result<Option<&'static str>> {
    let ScimLook { target, kind, local_id } = due.payload()?;
    let place = Place { tenant: due.tenant, target, kind, local_id };
    let has_ended = release(tx, due).await?;
    let Some(looked) = looked else {
        if has_ended {
            given_up(tx, cx, &place, "the service could not push it; its log says why").await?;
        }
        return Ok(None);
    };
    if !is_of_version(tx, &place, looked.version).await? {
        return Ok(None);
    }
    match &looked.came {
        Came::Later { why, retry_after, is_down } => {
            failed_for_now(tx, cx, (&place, has_ended), (looked, why)).await?;
            let pause = is_down.then_some(retry_after.unwrap_or(Seconds(0)));
            return failing(tx, cx, &place, (why, pause), patience).await;
        }
        Came::Stopped(reason) => {
            target_says(tx, cx, &place, reason).await?;
            deactivate(tx, cx, (place.tenant, place.target), reason).await?;
            return Ok(Some(reason));
        }
        Came::Unchanged => unchanged(tx, cx, &place, looked).await?,
        Came::Refused(why) => refused(tx, cx, &place, (looked, why)).await?,
        Came::Linked { remote_id, pushed } => {
            let remote = (Some(remote_id.as_str()), Some(document::store(pushed)?));
            came_to(tx, cx, &place, (looked, "linked"), remote).await?;
        }
        Came::Deactivated { remote_id } => {
            came_to(tx, cx, &place, (looked, "deactivated"), (Some(remote_id), None)).await?;
        }
        Came::Gone => came_to(tx, cx, &place, (looked, "gone"), (None, None)).await?,
        Came::Vanished => vanished(tx, cx, &place).await?,
    }
    if !matches!(looked.came, Came::Unchanged | Came::Refused(_)) {
        took(tx, cx, &place).await?;
    }
    Ok(None)
}

/// The link waits for its next reason, where its delivery has ended; returns whether it has.
async fn release(tx: &mut Tx<System>, due: &Delivery<ScimLook>) -> Result<bool> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET delivery_id = NULL WHERE tenant_id = $1 AND target_id = $2 AND delivery_id = $3 \
         AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.tenant_id = $1 AND d.id = $3 AND d.state = 'due')"
    );
    Ok(tx.execute(update, args![due.tenant, &due.receiver, due.id]).await? > 0)
}

/// Whether the target is what it was at the look: what came of it may be about another application.
async fn is_of_version(tx: &mut Tx<System>, place: &Place, version: i64) -> Result<bool> {
    let select =
        system_sql!("SELECT version FROM scim_targets WHERE tenant_id = $1 AND id = $2 AND version = $3");
    Ok(tx.optional(select, args![place.tenant, place.target, version]).await?.is_some())
}

async fn unchanged(tx: &mut Tx<System>, cx: &Cx, place: &Place, looked: &Looked) -> Result<()> {
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
async fn came_to(
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

/// It has its reasons still, and begins anew.
async fn vanished(tx: &mut Tx<System>, cx: &Cx, place: &Place) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET remote_id = NULL, pushed = NULL, state = 'waiting', may_exist = $5, updated_at = $6 \
         WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let arguments = args![place.tenant, place.target, place.kind.name(), &place.local_id, true, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

async fn refused(
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
async fn failed_for_now(
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
async fn given_up(tx: &mut Tx<System>, cx: &Cx, place: &Place, why: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET state = 'failed', last_error = $5, seen = wanted, updated_at = $6 \
         WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4"
    );
    let arguments = args![place.tenant, place.target, place.kind.name(), &place.local_id, why, cx.now];
    tx.execute(update, arguments).await.map(|_| ())
}

/// A target that took something is well.
async fn took(tx: &mut Tx<System>, cx: &Cx, place: &Place) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET succeeded_at = $3, failing_since = NULL, failures = 0, held_until = 0 \
         WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![place.tenant, place.target, cx.now]).await.map(|_| ())
}

async fn target_says(tx: &mut Tx<System>, cx: &Cx, place: &Place, why: &str) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET last_failed_at = $3, last_error = $4 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![place.tenant, place.target, cx.now, why]).await.map(|_| ())
}

/// Notes that a target could not take something, and leaves it alone for a while where nothing else would be taken either. What ends
/// while it is left alone began before, and says nothing new.
async fn failing(
    tx: &mut Tx<System>,
    cx: &Cx,
    place: &Place,
    (why, pause): (&str, Option<Seconds>),
    patience: Seconds,
) -> Result<Option<&'static str>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET failing_since = CASE WHEN last_failed_at > $5 THEN COALESCE(failing_since, $3) ELSE $3 END, \
         last_failed_at = $3, last_error = $4, failures = CASE WHEN held_until > $3 THEN failures ELSE failures + 1 END \
         WHERE tenant_id = $1 AND id = $2 AND active RETURNING failures, failing_since, held_until"
    );
    let arguments = args![place.tenant, place.target, cx.now, why, cx.now - SILENCE];
    let Some(row) = tx.optional(update, arguments).await? else { return Ok(None) };
    if let Some(asked) = pause
        && row.time("held_until")? <= cx.now
    {
        leave_alone(tx, cx, place, &row, asked).await?;
    }
    if row.maybe_time("failing_since")?.is_some_and(|since| since <= cx.now - patience) {
        deactivate(tx, cx, (place.tenant, place.target), "failing").await?;
        return Ok(Some("failing"));
    }
    Ok(None)
}

async fn leave_alone(tx: &mut Tx<System>, cx: &Cx, place: &Place, row: &Row, asked: Seconds) -> Result<()> {
    let until = cx.now + Schedule::FOR_EVER.wait_again(row.int("failures")?, Some(asked), &*cx.entropy);
    let hold = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_targets SET held_until = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(hold, args![place.tenant, place.target, until]).await?;
    let postpone = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE deliveries SET due_at = $4 WHERE tenant_id = $1 AND queue = $2 AND receiver = $3 AND state = 'due' \
         AND due_at < $4"
    );
    let arguments = args![place.tenant, ScimLook::QUEUE, place.target, until];
    tx.execute(postpone, arguments).await.map(|_| ())
}
