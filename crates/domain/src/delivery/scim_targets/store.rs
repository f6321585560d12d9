//! Targets as an administrator makes, reads, changes and deletes them.

use serde::Serialize;
use serde_json::json;
use svc_core::events::{ScimTargetCreated, ScimTargetDeleted, ScimTargetUpdated};
use svc_core::{Cx, Error, Result, ScimTargetId, Secret, TenantRef, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::keyring::{Sealed, Sealer};
use utoipa::ToSchema;

use super::configuration::Configuration;
use super::look::ScimLook;
use super::{MOST_TARGETS, TEST_INTERVAL, deactivation, marks, people};
use crate::delivery::{self, owners};
use crate::log::{Action, Meaning, change, check_version, positions};
use crate::sealed_secret::Place;
use crate::tenancy::quotas::{self, Quota};
use crate::{document, lists};

/// Longest credential of an application.
const LONGEST_SECRET: usize = 4096;

/// A target.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ScimTarget {
    /// Its id.
    #[schema(value_type = String)]
    pub id: ScimTargetId,
    /// What the tenant decides of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// Whether people are pushed.
    pub active: bool,
    /// Why the service deactivated it: `unauthorized` or `forbidden` where the application answered 401 or 403, `failing` where it took
    /// nothing for days.
    pub deactivated_because: Option<String>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    #[serde(skip)]
    secret: Sealed<String>,
    #[serde(skip)]
    pub(super) succeeded_at: Option<Timestamp>,
    #[serde(skip)]
    pub(super) failed_at: Option<Timestamp>,
    #[serde(skip)]
    pub(super) last_error: Option<String>,
    #[serde(skip)]
    pub(super) held_until: Timestamp,
    #[serde(skip)]
    pub(super) is_searching: bool,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// A target to make.
pub struct NewTarget<'a> {
    /// What the tenant decides.
    pub configuration: &'a Configuration,
    /// Whether people are pushed.
    pub active: bool,
    /// The bearer token of the application, or the secret of the client that gets one.
    pub secret: &'a Secret,
}

/// What is to become of a target.
pub struct Update<'a> {
    /// What the tenant decides.
    pub configuration: &'a Configuration,
    /// Whether people are pushed.
    pub active: bool,
    /// Another secret.
    pub secret: Option<&'a Secret>,
}

/// How an application is reached.
pub struct Access {
    /// The target, and its version.
    pub target: (ScimTargetId, i64),
    /// Where it is, and how it is spoken to.
    pub configuration: Configuration,
    /// The bearer token, or the secret of the client that gets one.
    pub secret: Secret,
}

/// Reads targets; the argument says which.
macro_rules! targets_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, active, sealed_secret, backfill_after, held_until, succeeded_at, last_failed_at, last_error, \
             deactivated_because, created_at, updated_at, version FROM scim_targets WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Makes a target: everyone whom it gets is pushed.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer, new: NewTarget<'_>) -> Result<ScimTarget> {
    check(new.configuration, Some(new.secret))?;
    new.configuration.people.check_known(tx).await?;
    quotas::check(tx, Quota::ScimTargets).await?;
    tx.hold("SCIM targets");
    let count = sql!("SELECT COUNT(*) AS count FROM scim_targets WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= MOST_TARGETS {
        return Err(Error::conflict(format!(
            "a tenant has at most {MOST_TARGETS} SCIM targets; delete another first"
        )));
    }
    let id = cx.id();
    let secret = place((tx.tenant().reference(), id)).seal(new.secret.expose(), sealer, cx)?;
    let position = positions::last(tx).await?;
    let insert = change_sql!(
        "INSERT INTO scim_targets (tenant_id, id, configuration, active, sealed_secret, position, backfill_after, held_until, \
         failures, owner, owner_to_be_told, tested_at, synced_at, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, '', 0, 0, $7, $8, 0, 0, $9, $9, 1)"
    );
    let (stored, column) = (document::store(new.configuration)?, secret.into_column());
    let arguments = args![id, stored, new.active, column, position, owners::owner(cx), false, cx.now];
    let meaning =
        Meaning::done(Action::ScimTargetCreated, id).telling(ScimTargetCreated { scim_target_id: id });
    change(tx, cx, insert, arguments, meaning).await?;
    people::store(tx, id, &new.configuration.people);
    find(tx, id).await?.ok_or_else(|| Error::internal("a SCIM target that was just made is not there"))
}

/// Makes configuration, activity and token so. A target that is activated pushes everyone again.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    present: &ScimTarget,
    new: Update<'_>,
) -> Result<()> {
    check(new.configuration, new.secret)?;
    let former = &present.configuration;
    if new.secret.is_none() && !new.configuration.is_same_place(former) {
        return Err(Error::bad_request(
            "secret: give it with another `base_url` or other `client_credentials`; the present one is not sent elsewhere",
        ));
    }
    if new.secret.is_none() && *new.configuration == *former && new.active == present.active {
        return Ok(());
    }
    if new.configuration.people != former.people {
        new.configuration.people.check_known(tx).await?;
    }
    let place = place((tx.tenant().reference(), present.id));
    let secret = match new.secret {
        Some(secret) => place.seal(secret.expose(), sealer, cx)?,
        None => present.secret.clone(),
    };
    let update = change_sql!(
        "UPDATE scim_targets SET configuration = $3, active = $4, sealed_secret = $5, updated_at = $6, held_until = 0, \
         failures = 0, failing_since = NULL, last_failed_at = NULL, deactivated_because = CASE WHEN $4 THEN NULL \
         ELSE deactivated_because END, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $7"
    );
    let stored = document::store(new.configuration)?;
    let arguments = args![present.id, stored, new.active, secret.into_column(), cx.now, present.version];
    let meaning = Meaning::done(Action::ScimTargetUpdated, present.id)
        .with(json!({ "active": new.active, "secret_replaced": new.secret.is_some() }))
        .telling(ScimTargetUpdated { scim_target_id: present.id, active: new.active });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the target")?;
    people::store(tx, present.id, &new.configuration.people);
    follow(tx, present, &new);
    if new.active && !present.active {
        begin_again(tx, present.id).await?;
    }
    Ok(())
}

/// What else becomes of links when their target changes.
fn follow(tx: &mut Tx<Tenant>, present: &ScimTarget, new: &Update<'_>) {
    let (id, former) = (present.id, &present.configuration);
    // What waits has begun with what was.
    deactivation::drop_waiting(tx, id);
    if new.configuration.base_url != former.base_url {
        marks::forget_ids(tx, id);
    }
    if new.configuration.push_groups && !former.push_groups {
        marks::regroup_all(tx, id);
    }
    let renamed = Configuration { name: former.name.clone(), ..new.configuration.clone() };
    if renamed != *former || new.active != present.active {
        marks::everything(tx, id, !new.configuration.pushes_as(former));
    }
}

/// A target that is activated has missed what happened meanwhile, and looks at everyone instead.
async fn begin_again(tx: &mut Tx<Tenant>, id: ScimTargetId) -> Result<()> {
    let position = positions::last(tx).await?;
    let update = quiet_sql!(
        "goes with the target, whose change is recorded",
        "UPDATE scim_targets SET position = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![id, position]);
    Ok(())
}

/// Deletes a target with its links; the accounts at the application stay as they are.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: ScimTargetId) -> Result<()> {
    let delete = change_sql!("DELETE FROM scim_targets WHERE tenant_id = $1 AND id = $2");
    let meaning =
        Meaning::done(Action::ScimTargetDeleted, id).telling(ScimTargetDeleted { scim_target_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    delivery::forget::<ScimLook>(tx, &id.to_string());
    Ok(())
}

/// Notes that a target is asked what it can do; a test is no means to send requests to strangers.
pub async fn note_test(tx: &mut Tx<Tenant>, cx: &Cx, target: &ScimTarget) -> Result<()> {
    let update = change_sql!(
        "UPDATE scim_targets SET tested_at = $3 WHERE tenant_id = $1 AND id = $2 AND tested_at <= $4"
    );
    let arguments = args![target.id, cx.now, cx.now - TEST_INTERVAL];
    let meaning = Meaning::done(Action::ScimTargetTested, target.id);
    in_time(change(tx, cx, update, arguments, meaning).await?, "tested")
}

/// Everyone and every group is pushed again to an active target, also where nothing has changed since the last time.
pub async fn sync(tx: &mut Tx<Tenant>, cx: &Cx, target: &ScimTarget) -> Result<()> {
    if !target.active {
        return Err(Error::conflict("the target is deactivated; activate it first"));
    }
    let update = change_sql!(
        "UPDATE scim_targets SET synced_at = $3 WHERE tenant_id = $1 AND id = $2 AND synced_at <= $4"
    );
    let arguments = args![target.id, cx.now, cx.now - TEST_INTERVAL];
    let meaning = Meaning::done(Action::ScimTargetSynced, target.id);
    in_time(change(tx, cx, update, arguments, meaning).await?, "synchronised")?;
    if target.configuration.push_groups {
        marks::regroup_all(tx, target.id);
    }
    marks::everything(tx, target.id, true);
    Ok(())
}

fn in_time(changed: u64, what: &str) -> Result<()> {
    if changed > 0 {
        return Ok(());
    }
    Err(Error::rate_limited(format!("this target was {what} just now")).retry_in(TEST_INTERVAL))
}

/// How the application of a target is reached.
pub fn access(tx: &Tx<Tenant>, target: &ScimTarget, sealer: &Sealer) -> Result<Access> {
    let place = place((tx.tenant().reference(), target.id));
    let secret = place.open(&target.secret, sealer).map(Secret::new)?;
    Ok(Access { target: (target.id, target.version), configuration: target.configuration.clone(), secret })
}

/// One target; nothing where a newer version has made it with a choice that this one does not know.
pub async fn find(tx: &mut Tx<Tenant>, id: ScimTargetId) -> Result<Option<ScimTarget>> {
    let row = tx.optional(targets_sql!("id = $2"), args![id]).await?;
    row.map_or(Ok(None), |row| target(&row))
}

/// A page of targets by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<ScimTargetId>, u32),
) -> Result<Vec<ScimTarget>> {
    let select = targets_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), target).await
}

fn target(row: &Row) -> Result<Option<ScimTarget>> {
    let Some(configuration) = document::known_whole(row, "configuration")? else { return Ok(None) };
    Ok(Some(ScimTarget {
        id: row.parse("id")?,
        configuration,
        active: row.flag("active")?,
        deactivated_because: row.maybe_text("deactivated_because")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        secret: Sealed::from_column(row.bytes("sealed_secret")?),
        succeeded_at: row.maybe_time("succeeded_at")?,
        failed_at: row.maybe_time("last_failed_at")?,
        last_error: row.maybe_text("last_error")?,
        held_until: row.time("held_until")?,
        is_searching: row.maybe_text("backfill_after")?.is_some(),
        version: row.int("version")?,
    }))
}

fn place(target: (TenantRef, ScimTargetId)) -> Place {
    Place::of("scim_targets", target)
}

/// Refuses what cannot be, whatever the tenant has.
pub fn check(configuration: &Configuration, secret: Option<&Secret>) -> Result<()> {
    configuration.check()?;
    let is_fit = |secret: &Secret| {
        let text = secret.expose();
        (1..=LONGEST_SECRET).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if secret.is_none_or(is_fit) {
        return Ok(());
    }
    Err(Error::bad_request(format!(
        "secret: give the bearer token of the application, or the secret of `client_credentials`: 1 to {LONGEST_SECRET} \
         visible ASCII characters"
    )))
}
