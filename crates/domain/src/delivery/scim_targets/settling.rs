//! The outcome of a look is written down with its end: what the application has now, or why it could not be pushed.

use svc_core::{Cx, Result, ScimTargetId, Seconds, TenantId, Timestamp};
use svc_db::{System, Tx, args, quiet_system_sql, system_sql};

use super::deactivation::deactivate;
use super::links::LinkKind;
use super::look::{Look, ScimLook};
use super::pushed::Fingerprint;
use super::{health, outcomes};
use crate::delivery::{Delivery, Held, Outcome};
use crate::document;

/// The outcome of a look, and what it had found.
pub struct Looked {
    pub(super) wanted: i64,
    pub(super) version: i64,
    pub(super) person_at: Timestamp,
    push: PushOutcome,
}

/// The outcome of a look.
#[derive(Clone, Debug, PartialEq)]
pub enum PushOutcome {
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
        /// The cause, for the link.
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
    /// The outcome of a look.
    pub fn new(look: &Look, push: PushOutcome) -> Self {
        Self { wanted: look.wanted, version: look.target.version, person_at: look.person_at, push }
    }

    /// How the delivery ended.
    pub fn outcome(&self) -> Outcome {
        match &self.push {
            PushOutcome::Refused(_) | PushOutcome::Stopped(_) => Outcome::Over,
            PushOutcome::Later { retry_after, .. } => Outcome::Busy(*retry_after),
            _ => Outcome::Taken,
        }
    }
}

/// The link of a delivery.
pub(super) struct Place {
    pub(super) tenant: TenantId,
    pub(super) target: ScimTargetId,
    pub(super) kind: LinkKind,
    pub(super) local_id: String,
}

/// Takes hold of the target, whose links stay then. Whatever changes both takes them in this order.
pub async fn hold(tx: &mut Tx<System>, due: &Delivery<ScimLook>) -> Result<Held> {
    let update = quiet_system_sql!(
        "holds a row",
        "UPDATE scim_targets SET position = position WHERE tenant_id = $1 AND id = $2"
    );
    let is_there = tx.execute(update, args![due.tenant, &due.receiver]).await? > 0;
    Ok(if is_there { Held::Well } else { Held::Gone })
}

/// Writes down the outcome of a look whose delivery was settled; a target that refuses the credential, or has failed for longer than
/// `patience`, is deactivated. Returns why, if that happened.
pub async fn note(
    tx: &mut Tx<System>,
    cx: &Cx,
    due: &Delivery<ScimLook>,
    (outcome, looked): (Outcome, Option<&Looked>),
    patience: Seconds,
) -> Result<Option<&'static str>> {
    let ScimLook { target, kind, local_id } = due.payload()?;
    let place = Place { tenant: due.tenant, target, kind, local_id };
    let has_ended = release(tx, due, &place).await?;
    let Some(looked) = looked else {
        // What is over without a look is of a tenant that pushes nothing at present: its reasons stay until it does.
        if has_ended && outcome != Outcome::Over {
            outcomes::given_up(tx, cx, &place, "the service could not push it; its log says why").await?;
        }
        return Ok(None);
    };
    if !is_of_version(tx, &place, looked.version).await? {
        return Ok(None);
    }
    match &looked.push {
        PushOutcome::Later { why, retry_after, is_down } => {
            outcomes::failed_for_now(tx, cx, (&place, has_ended), (looked, why)).await?;
            let pause = is_down.then_some(retry_after.unwrap_or(Seconds(0)));
            return health::failing(tx, cx, &place, (why, pause), patience).await;
        }
        PushOutcome::Stopped(reason) => {
            health::target_says(tx, cx, &place, reason).await?;
            deactivate(tx, cx, (place.tenant, place.target), reason).await?;
            return Ok(Some(reason));
        }
        PushOutcome::Unchanged => outcomes::unchanged(tx, cx, &place, looked).await?,
        PushOutcome::Refused(why) => outcomes::refused(tx, cx, &place, (looked, why)).await?,
        PushOutcome::Linked { remote_id, pushed } => {
            let remote = (Some(remote_id.as_str()), Some(document::store(pushed)?));
            outcomes::came_to(tx, cx, &place, (looked, "linked"), remote).await?;
        }
        PushOutcome::Deactivated { remote_id } => {
            outcomes::came_to(tx, cx, &place, (looked, "deactivated"), (Some(remote_id), None)).await?;
        }
        PushOutcome::Gone => outcomes::came_to(tx, cx, &place, (looked, "gone"), (None, None)).await?,
        PushOutcome::Vanished => outcomes::vanished(tx, cx, &place).await?,
    }
    if !matches!(looked.push, PushOutcome::Unchanged | PushOutcome::Refused(_)) {
        health::took(tx, cx, &place).await?;
    }
    Ok(None)
}

/// The link waits for its next reason, where its delivery has ended; returns whether it has.
async fn release(tx: &mut Tx<System>, due: &Delivery<ScimLook>, place: &Place) -> Result<bool> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE scim_links SET delivery_id = NULL WHERE tenant_id = $1 AND target_id = $2 AND kind = $3 AND local_id = $4 \
         AND delivery_id = $5 AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.tenant_id = $1 AND d.id = $5 \
         AND d.state = 'due')"
    );
    let Place { tenant, target, kind, local_id } = place;
    Ok(tx.execute(update, args![*tenant, *target, kind.name(), local_id, due.id]).await? > 0)
}

/// Whether the target is what it was at the look: its outcome may be about another application.
async fn is_of_version(tx: &mut Tx<System>, place: &Place, version: i64) -> Result<bool> {
    let select =
        system_sql!("SELECT version FROM scim_targets WHERE tenant_id = $1 AND id = $2 AND version = $3");
    Ok(tx.optional(select, args![place.tenant, place.target, version]).await?.is_some())
}
