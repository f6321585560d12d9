//! Plans: what tenants of a kind may use, and how much of it. Operators make them; a tenant has one or none.
//!
//! A plan is no tenant's own: `home`, the tenant of the operators, has its changes in its log.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::capability::Without;
use svc_core::{Cx, Error, PlanId, Result, TenantRef, Timestamp};
use svc_db::{
    Change, Held, Row, System, SystemSql, Tx, Value, args, change_system_sql, quiet_system_sql, system_sql,
};
use utoipa::ToSchema;

use super::quotas::Quotas;
use crate::document;
use crate::log::{Action, Log, Meaning, change_across, check_version};
use crate::names;

/// Most plans of a deployment: a list reads all of them.
const MOST: i64 = 1_000;

/// A plan.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Plan {
    /// Its id.
    #[schema(value_type = String)]
    pub id: PlanId,
    /// What the operator decides of it.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// What an operator decides of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PlanConfiguration)]
#[schema(examples(json!({ "name": "starter", "disabled_capabilities": ["dynamic_registration"],
    "quotas": { "tenant_users": 1000, "webhooks": 2 } })))]
pub struct Configuration {
    /// What operators call it; no other plan has this name.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// Capabilities that tenants of the plan go without.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    pub disabled_capabilities: Without,
    /// How many records of each kind a tenant may have.
    #[serde(default)]
    pub quotas: Quotas,
}

/// What of a plan a tenant feels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Entitlements {
    /// Capabilities that the tenant goes without.
    pub disabled_capabilities: Without,
    /// How much it may use.
    pub quotas: Quotas,
}

/// Reads plans; the argument says which.
macro_rules! plans_sql {
    ($which:literal) => {
        system_sql!("SELECT id, configuration, created_at, updated_at, version FROM plans WHERE ", $which)
    };
}

/// Makes a plan. `conflict` where another has its name, or there are as many as there may be.
pub async fn create(tx: &mut Tx<System>, cx: &Cx, home: TenantRef, new: Configuration) -> Result<Plan> {
    check(&new)?;
    tx.hold("plans");
    let count = system_sql!("SELECT COUNT(*) AS count FROM plans");
    if tx.one(count, args![]).await?.int("count")? >= MOST {
        return Err(Error::conflict(format!("a deployment has at most {MOST} plans; delete another first")));
    }
    let id: PlanId = cx.id();
    let insert = change_system_sql!(
        "INSERT INTO plans (id, name, configuration, created_at, updated_at, version) VALUES ($1, $2, $3, $4, $4, 1) \
         RETURNING id"
    );
    let arguments = args![id, &new.name, document::store(&new)?, cx.now];
    recorded(
        tx,
        cx,
        (insert, arguments),
        Meant { action: Action::PlanCreated, home, id, configuration: &new },
    )
    .await?;
    Ok(Plan { id, configuration: new, created_at: cx.now, updated_at: cx.now, version: 1 })
}

/// Makes the configuration so; its tenants feel it at once. Returns whether anything changed.
pub async fn update(
    tx: &mut Tx<System>,
    cx: &Cx,
    home: TenantRef,
    (present, new): (&Plan, &Configuration),
) -> Result<bool> {
    check(new)?;
    if *new == present.configuration {
        return Ok(false);
    }
    let update = change_system_sql!(
        "UPDATE plans SET name = $2, configuration = $3, updated_at = $4, version = version + 1 \
         WHERE id = $1 AND version = $5 RETURNING id"
    );
    let arguments = args![present.id, &new.name, document::store(new)?, cx.now, present.version];
    let meant = Meant { action: Action::PlanUpdated, home, id: present.id, configuration: new };
    check_version(recorded(tx, cx, (update, arguments), meant).await?, "the plan")?;
    let felt = quiet_system_sql!(
        "goes with the plan, whose change is recorded",
        "UPDATE tenants SET updated_at = $2, version = version + 1 WHERE plan_id = $1"
    );
    tx.execute(felt, args![present.id, cx.now]).await?;
    Ok(true)
}

/// Deletes a plan that no tenant has; `conflict` where one has it.
pub async fn delete(tx: &mut Tx<System>, cx: &Cx, home: TenantRef, plan: &Plan) -> Result<()> {
    let used = system_sql!("SELECT COUNT(*) AS count FROM tenants WHERE plan_id = $1");
    let tenants = tx.one(used, args![plan.id]).await?.int("count")?;
    match tenants {
        0 => (),
        1 => return Err(Error::conflict("one tenant has this plan; give it another one first")),
        _ => {
            return Err(Error::conflict(format!(
                "{tenants} tenants have this plan; give them another one first"
            )));
        }
    }
    let delete = change_system_sql!("DELETE FROM plans WHERE id = $1 AND version = $2 RETURNING id");
    let meant = Meant { action: Action::PlanDeleted, home, id: plan.id, configuration: &plan.configuration };
    check_version(recorded(tx, cx, (delete, args![plan.id, plan.version]), meant).await?, "the plan")
}

/// Lets no other transaction change or delete a plan, or give it to a tenant, until this one ends.
pub fn hold(tx: &mut Tx<System>, id: PlanId) -> Held {
    tx.hold(&format!("plan {id}"))
}

/// One plan.
pub async fn find(tx: &mut Tx<System>, id: PlanId) -> Result<Option<Plan>> {
    tx.optional(plans_sql!("id = $1"), args![id]).await?.as_ref().map(plan).transpose()
}

/// All plans, by id.
pub async fn all(tx: &mut Tx<System>) -> Result<Vec<Plan>> {
    tx.all(plans_sql!("id > '' ORDER BY id"), args![]).await?.iter().map(plan).collect()
}

/// What a change of a plan means.
struct Meant<'a> {
    action: Action,
    home: TenantRef,
    id: PlanId,
    configuration: &'a Configuration,
}

/// Writes a change of a plan; returns how many rows changed.
async fn recorded(
    tx: &mut Tx<System>,
    cx: &Cx,
    (write, arguments): (Change<SystemSql>, &[Value]),
    meant: Meant<'_>,
) -> Result<u64> {
    let Configuration { name, disabled_capabilities, quotas } = meant.configuration;
    let meaning = |_: &Row| {
        let facts = json!({ "name": name, "disabled_capabilities": disabled_capabilities, "quotas": quotas });
        Ok((Log::Of(meant.home), Meaning::done(meant.action, meant.id).with(facts)))
    };
    let rows = change_across(tx, cx, write, arguments, meaning).await;
    let rows = rows.map_err(|error| error.if_taken("name: a plan has this one"))?;
    Ok(u64::try_from(rows.len()).unwrap_or_default())
}

fn plan(row: &Row) -> Result<Plan> {
    Ok(Plan {
        id: row.parse("id")?,
        configuration: document::load(row, "configuration")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}

fn check(configuration: &Configuration) -> Result<()> {
    names::check(&configuration.name, 100)?;
    configuration.disabled_capabilities.check()
}
