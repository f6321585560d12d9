//! Tenants as operators see them: listed, found and changed by the control plane.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::{Cx, PlanId, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Row, System, Tx, after, args, change_system_sql, system_sql};
use utoipa::ToSchema;

use super::{TenantSettings, proven};
use crate::document;
use crate::log::{Action, Log, Meaning, change_across};

/// A tenant with what operators decide of it.
#[derive(Clone, Debug)]
pub struct TenantRecord {
    /// The boundary that its rows carry.
    pub id: TenantId,
    /// The host label.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own, if any.
    pub custom_domain: Option<String>,
    /// Whether it answers.
    pub standing: Standing,
    /// Its plan, if it has one.
    pub plan_id: Option<PlanId>,
    /// Choices of its administrators.
    pub settings: TenantSettings,
    /// When everything in it will be removed, if it is deleted.
    pub delete_at: Option<Timestamp>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
}

/// Whether a tenant answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TenantStatus)]
pub enum Standing {
    /// It answers.
    Active,
    /// It answers nothing until it is reactivated.
    Suspended,
    /// It answers nothing, and everything in it will be removed.
    Deleting,
}

/// Which tenants a list shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// What the slug begins with.
    pub slug: Option<&'a str>,
    /// The plan.
    pub plan_id: Option<PlanId>,
}

/// After which tenant a page starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Position {
    /// Its id.
    pub id: TenantRef,
    /// Its slug.
    pub slug: String,
}

/// Reads tenants whose data are there; the argument says which.
macro_rules! records_sql {
    ($which:literal) => {
        system_sql!(
            "SELECT id, slug, name, custom_domain, status, settings, plan_id, delete_at, created_at, updated_at, version \
             FROM tenants WHERE deleted_at IS NULL AND ",
            $which
        )
    };
}

/// A tenant whose data are there.
pub async fn find(tx: &mut Tx<System>, id: TenantRef) -> Result<Option<TenantRecord>> {
    tx.optional(records_sql!("id = $1"), args![id]).await?.as_ref().map(record).transpose()
}

/// A page of tenants: by id after the cursor, or by slug where one is searched.
pub async fn list(
    tx: &mut Tx<System>,
    filter: Filter<'_>,
    (cursor, limit): (Option<&Position>, u32),
) -> Result<Vec<TenantRecord>> {
    let plan = filter.plan_id.map(|id| id.to_string()).unwrap_or_default();
    let rows = if let Some(beginning) = filter.slug {
        let by_slug = records_sql!(
            "slug >= $1 AND slug < $2 AND slug > $3 AND ($4 = '' OR plan_id = $4) ORDER BY slug LIMIT $5"
        );
        let last = cursor.map(|position| position.slug.as_str()).unwrap_or_default();
        tx.all(by_slug, args![beginning, format!("{beginning}{}", char::MAX), last, plan, limit]).await?
    } else {
        let by_id = records_sql!("id > $1 AND ($2 = '' OR plan_id = $2) ORDER BY id LIMIT $3");
        tx.all(by_id, args![after(cursor.map(|position| position.id)), plan, limit]).await?
    };
    rows.iter().map(record).collect()
}

/// Gives a tenant another plan or none; returns whether anything changed.
pub async fn set_plan(
    tx: &mut Tx<System>,
    cx: &Cx,
    present: &TenantRecord,
    plan: Option<PlanId>,
) -> Result<bool> {
    if plan == present.plan_id {
        return Ok(false);
    }
    let update = change_system_sql!(
        "UPDATE tenants SET plan_id = $2, updated_at = $3, version = version + 1 WHERE id = $1 AND deleted_at IS NULL \
         RETURNING id"
    );
    let changed = change_across(tx, cx, update, args![present.id, plan, cx.now], |_| {
        let facts = json!({ "plan_id": plan });
        Ok((Log::Of(present.id.reference()), Meaning::done(Action::TenantPlanSet, present.id).with(facts)))
    })
    .await?;
    Ok(!changed.is_empty())
}

fn record(row: &Row) -> Result<TenantRecord> {
    let delete_at = row.maybe_time("delete_at")?;
    Ok(TenantRecord {
        id: proven(row.parse("id")?),
        slug: row.text("slug")?,
        name: row.text("name")?,
        custom_domain: row.maybe_text("custom_domain")?,
        standing: match (row.text("status")?.as_str(), delete_at) {
            (_, Some(_)) => Standing::Deleting,
            ("active", None) => Standing::Active,
            _ => Standing::Suspended,
        },
        plan_id: row.maybe_parse("plan_id")?,
        settings: document::load(row, "settings")?,
        delete_at,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}
