//! Quotas: how many records of a kind a tenant may have, by its plan.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result};
use svc_db::{Tenant, TenantSql, Tx, args, sql};
use utoipa::ToSchema;

use super::plans::Configuration;
use crate::document;

macro_rules! quotas {
    ($($(#[$doc:meta])* $member:ident $kind:ident counts $select:literal;)+) => {
        /// How many records of each kind a tenant may have; what is not named has no limit.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        #[serde(default, deny_unknown_fields)]
        pub struct Quotas {$(
            $(#[$doc])*
            #[serde(skip_serializing_if = "Option::is_none")]
            pub $member: Option<u32>,
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
    };
}

quotas! {
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

/// What a tenant uses of a quota.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Usage {
    /// The kind of records, as plans call it.
    pub name: &'static str,
    /// How many there are.
    pub used: i64,
    /// How many there may be; null where there is no limit.
    pub limit: Option<u32>,
}

/// Refuses one more record of a kind where the plan allows no more: `forbidden`. Those who create one at the same time wait for
/// each other.
pub async fn check(tx: &mut Tx<Tenant>, quota: Quota) -> Result<()> {
    let Some(limit) = quota.limit(&of_plan(tx).await?) else { return Ok(()) };
    tx.hold(quota.name());
    if tx.one(quota.count(), args![]).await?.int("count")? < i64::from(limit) {
        return Ok(());
    }
    let name = quota.name();
    Err(Error::forbidden(format!(
        "the plan of this tenant allows {limit} {name}; delete one that is not needed, or ask the operator for another plan"
    )))
}

/// What the tenant uses of each quota.
pub async fn usage(tx: &mut Tx<Tenant>) -> Result<Vec<Usage>> {
    let quotas = of_plan(tx).await?;
    let mut usage = Vec::with_capacity(Quota::ALL.len());
    for quota in Quota::ALL {
        let used = tx.one(quota.count(), args![]).await?.int("count")?;
        usage.push(Usage { name: quota.name(), used, limit: quota.limit(&quotas) });
    }
    Ok(usage)
}

/// What the operator calls the tenant's plan, if it has one.
pub async fn plan_name(tx: &mut Tx<Tenant>) -> Result<Option<String>> {
    Ok(plan(tx).await?.map(|plan| plan.name))
}

async fn of_plan(tx: &mut Tx<Tenant>) -> Result<Quotas> {
    Ok(plan(tx).await?.map(|plan| plan.quotas).unwrap_or_default())
}

async fn plan(tx: &mut Tx<Tenant>) -> Result<Option<Configuration>> {
    let select = sql!("SELECT configuration FROM tenant_plans WHERE tenant_id = $1");
    let row = tx.optional(select, args![]).await?;
    row.map(|row| document::load(&row, "configuration")).transpose()
}
