//! Tenants as operators see them: found and changed by the control plane.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::{Cx, PlanId, Result, TenantId, TenantRef, Timestamp};
use svc_db::{Held, Row, System, Tx, args, change_system_sql, system_sql};
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

/// The status of a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

impl Standing {
    /// The name in documents, and in the column that the engine makes of the status and the deletion.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Deleting => "deleting",
        }
    }
}

/// A tenant whose data are there.
pub async fn find(tx: &mut Tx<System>, id: TenantRef) -> Result<Option<TenantRecord>> {
    let select = system_sql!(
        "SELECT id, slug, name, custom_domain, status, settings, plan_id, delete_at, created_at, updated_at, version \
         FROM tenants WHERE deleted_at IS NULL AND id = $1"
    );
    tx.optional(select, args![id]).await?.as_ref().map(record).transpose()
}

/// Lets no other transaction write a tenant back as it has read it until this one ends: what is written back is all of its settings.
pub fn hold(tx: &mut Tx<System>, id: TenantRef) -> Held {
    tx.hold(&format!("tenant {id}"))
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

pub(super) fn record(row: &Row) -> Result<TenantRecord> {
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
