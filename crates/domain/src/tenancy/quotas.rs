//! Quotas: how many records of a kind a tenant may have, and how often it may do something in a month, by its plan.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, Error, Result, Timestamp};
use svc_db::{Call, Row, Tenant, TenantSql, Tx, args, quiet_sql, sql};
use utoipa::ToSchema;

use super::plans::Configuration;
use crate::document;

macro_rules! quotas {
    (
        records { $($(#[$doc:meta])* $member:ident $kind:ident counts $select:literal;)+ }
        by_the_month { $($(#[$note:meta])* $done:ident $deed:ident;)+ }
    ) => {
        /// How many records of each kind a tenant may have, and how many operations it may do in a month; kinds that are left
        /// out have no limit.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Quotas {$(
            $(#[$doc])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $member: Option<u32>,
        )+$(
            $(#[$note])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $done: Option<u32>,
        )+}

        /// A kind of records that can be limited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Quota {$(
            $(#[$doc])*
            $kind,
        )+}

        impl Quota {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// What plans call it.
            pub fn name(self) -> &'static str {
                match self {$( Self::$kind => stringify!($member), )+}
            }

            fn limit(self, quotas: &Quotas) -> Option<u32> {
                match self {$( Self::$kind => quotas.$member, )+}
            }

            fn count(self) -> TenantSql {
                match self {$(
                    Self::$kind => sql!("SELECT COUNT(*) AS count FROM (", $select, ") counted"),
                )+}
            }
        }

        /// What is counted by the month, and can be limited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Monthly {$(
            $(#[$note])*
            $deed,
        )+}

        impl Monthly {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$deed),+];

            /// What plans call it.
            pub fn name(self) -> &'static str {
                match self {$( Self::$deed => stringify!($done), )+}
            }

            fn limit(self, quotas: &Quotas) -> Option<u32> {
                match self {$( Self::$deed => quotas.$done, )+}
            }
        }
    };
}

quotas! {
    records {
        /// Applications.
        applications Applications counts "SELECT 1 AS one FROM apps WHERE tenant_id = $1";
        /// People who are members, or invited.
        tenant_users TenantUsers counts "SELECT 1 AS one FROM tenant_users WHERE tenant_id = $1 AND status <> 'removed'";
        /// Groups.
        groups Groups counts "SELECT 1 AS one FROM user_groups WHERE tenant_id = $1";
        /// Organizations.
        organizations Organizations counts "SELECT 1 AS one FROM organizations WHERE tenant_id = $1";
        /// API keys.
        api_keys ApiKeys counts "SELECT 1 AS one FROM api_keys WHERE tenant_id = $1";
        /// Subscriptions to events.
        webhooks Webhooks counts "SELECT 1 AS one FROM webhooks WHERE tenant_id = $1";
        /// Applications to which people are pushed.
        scim_targets ScimTargets counts "SELECT 1 AS one FROM scim_targets WHERE tenant_id = $1";
    }
    by_the_month {
        /// Changes of people and groups by directories over SCIM, each operation of a bulk request counted; in a calendar month of UTC.
        /// Deletions and deactivations count too, and are never refused.
        scim_operations ScimOperations;
    }
}

/// What a tenant uses of a quota.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Usage {
    /// The kind of record or operation, as plans call it.
    pub name: &'static str,
    /// How many there are; for operations, how many were done since the month began.
    pub used: i64,
    /// How many there may be; null where there is no limit.
    pub limit: Option<u32>,
}

/// Refuses one more record of a kind where the plan allows no more: `forbidden`. Those who create one at the same time wait for
/// each other.
pub async fn check(tx: &mut Tx<Tenant>, quota: Quota) -> Result<()> {
    let [plan] = tx.batch([of_tenant(tx)]).await?;
    check_by(tx, quota, &plan).await
}

/// The same, by the plan that was read with others.
pub(crate) async fn check_by(tx: &mut Tx<Tenant>, quota: Quota, plan: &[Row]) -> Result<()> {
    let quotas = stored(plan)?.map(|plan| plan.quotas).unwrap_or_default();
    let Some(limit) = quota.limit(&quotas) else { return Ok(()) };
    tx.hold(quota.name());
    if tx.one(quota.count(), args![]).await?.int("count")? < i64::from(limit) {
        return Ok(());
    }
    let name = quota.name();
    Err(Error::forbidden(format!(
        "the plan of this tenant allows {limit} {name}; delete one that is not needed, or ask the operator for another plan"
    )))
}

/// Counts that something is done, with what does it. `forbidden` where the tenant has done it in this month as often as its plan,
/// of which `quotas` are those in memory, allows. Where there is no limit nothing is counted.
pub async fn spend(tx: &mut Tx<Tenant>, cx: &Cx, monthly: Monthly, quotas: &Quotas) -> Result<()> {
    let Some(limit) = monthly.limit(quotas) else { return Ok(()) };
    if limit > 0 && is_counted(tx, cx, monthly, i64::from(limit)).await? {
        return Ok(());
    }
    let name = monthly.name();
    Err(Error::forbidden(format!(
        "the plan of this tenant allows {limit} {name} a month; wait for the next month, or ask the operator for another plan"
    )))
}

/// Counts what a plan must not keep from being done, such as the end of a leaver's access: beyond the limit too.
pub async fn spend_beyond(tx: &mut Tx<Tenant>, cx: &Cx, monthly: Monthly, quotas: &Quotas) -> Result<()> {
    if monthly.limit(quotas).is_some() {
        is_counted(tx, cx, monthly, i64::MAX).await?;
    }
    Ok(())
}

/// Counts one more, unless there are `most` already; returns whether it did.
async fn is_counted(tx: &mut Tx<Tenant>, cx: &Cx, monthly: Monthly, most: i64) -> Result<bool> {
    let count = quiet_sql!(
        "counts what is recorded by itself",
        "INSERT INTO monthly_uses (tenant_id, name, month, used, updated_at) VALUES ($1, $2, $3, 1, $4) \
         ON CONFLICT (tenant_id, name, month) DO UPDATE SET used = monthly_uses.used + 1, updated_at = $4 \
         WHERE monthly_uses.used < $5"
    );
    Ok(tx.execute(count, args![monthly.name(), month(cx.now), cx.now, most]).await? == 1)
}

/// What the tenant uses of each quota. What is counted by the month is among it where the plan limits it.
pub async fn usage(tx: &mut Tx<Tenant>, now: Timestamp) -> Result<Vec<Usage>> {
    let quotas = of_plan(tx).await?;
    let mut usage = Vec::with_capacity(Quota::ALL.len());
    for quota in Quota::ALL {
        let used = tx.one(quota.count(), args![]).await?.int("count")?;
        usage.push(Usage { name: quota.name(), used, limit: quota.limit(&quotas) });
    }
    let select = sql!("SELECT used FROM monthly_uses WHERE tenant_id = $1 AND name = $2 AND month = $3");
    for monthly in Monthly::ALL {
        let Some(limit) = monthly.limit(&quotas) else { continue };
        let row = tx.optional(select, args![monthly.name(), month(now)]).await?;
        let used = row.map_or(Ok(0), |row| row.int("used"))?;
        usage.push(Usage { name: monthly.name(), used, limit: Some(limit) });
    }
    Ok(usage)
}

/// The month of UTC in which a time is, such as `2027-01`.
fn month(time: Timestamp) -> String {
    time.to_string().chars().take(7).collect()
}

/// What the operator calls the tenant's plan, if it has one.
pub async fn plan_name(tx: &mut Tx<Tenant>) -> Result<Option<String>> {
    Ok(plan(tx).await?.map(|plan| plan.name))
}

async fn of_plan(tx: &mut Tx<Tenant>) -> Result<Quotas> {
    Ok(plan(tx).await?.map(|plan| plan.quotas).unwrap_or_default())
}

async fn plan(tx: &mut Tx<Tenant>) -> Result<Option<Configuration>> {
    let [rows] = tx.batch([of_tenant(tx)]).await?;
    stored(&rows)
}

/// Selects the plan of the tenant, to be read with others in one round trip.
pub(crate) fn of_tenant(tx: &Tx<Tenant>) -> Call {
    let select = sql!("SELECT configuration FROM tenant_plans WHERE tenant_id = $1");
    tx.call(select, args![])
}

/// The plan that a statement yielded.
fn stored(rows: &[Row]) -> Result<Option<Configuration>> {
    rows.first().map(|row| document::load(row, "configuration")).transpose()
}
