//! Tenants as operators read and write them.

use serde::{Deserialize, Serialize};
use svc_core::{PlanId, TenantRef, Timestamp};
use svc_domain::lists::Order;
use svc_domain::tenancy::tenants::TenantSettings;
use svc_domain::tenancy::tenants::records::{Standing, TenantRecord};
use utoipa::{IntoParams, ToSchema};

/// A tenant.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Tenant {
    /// Its id, the `tenant_id` of its tokens.
    #[schema(value_type = String)]
    id: TenantRef,
    /// The host label; it never changes.
    slug: String,
    /// Whether it answers.
    status: Standing,
    /// What the operator decides of it.
    #[serde(flatten)]
    chosen: TenantChange,
    /// When everything in it is removed; null unless it was deleted.
    #[schema(value_type = Option<String>, format = "date-time")]
    delete_at: Option<Timestamp>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// What can be changed of a tenant.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "plan_id": null, "settings": { "registration": true } })))]
pub(super) struct TenantChange {
    /// What people read.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// A domain of its own.
    #[serde(default)]
    #[schema(max_length = 253)]
    pub custom_domain: Option<String>,
    /// Choices of its administrators.
    #[serde(default)]
    pub settings: TenantSettings,
    /// Its plan; without one it has every capability of the deployment and no quota.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub plan_id: Option<PlanId>,
}

/// A tenant to make.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "slug": "globex", "name": "Globex", "settings": { "registration": true } })))]
pub(super) struct NewTenantDocument {
    /// The host label: lower-case letters, digits and inner hyphens, 1 to 63.
    #[schema(min_length = 1, max_length = 63)]
    pub slug: String,
    /// What people read.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// A domain of its own.
    #[serde(default)]
    #[schema(max_length = 253)]
    pub custom_domain: Option<String>,
    /// Choices of its administrators; the defaults, or those of `clone_settings_of`, unless given.
    #[serde(default)]
    pub settings: Option<TenantSettings>,
    /// Its plan; none, or that of `clone_settings_of`, unless given.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub plan_id: Option<PlanId>,
    /// The tenant whose settings and plan it begins with.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub clone_settings_of: Option<TenantRef>,
}

/// Which tenants a list shows, and in which order.
#[derive(Debug, Deserialize, IntoParams)]
pub(super) struct Filter {
    /// Only those of this status.
    #[param(inline, nullable = false)]
    pub status: Option<Standing>,
    /// Only those on this plan.
    #[param(value_type = Option<String>, nullable = false)]
    pub plan_id: Option<PlanId>,
    /// Only those whose name or slug begins with this text, in the order of what was found; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    pub search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by the name or slug that was found.
    #[param(inline, nullable = false)]
    pub sort: Option<Order>,
}

impl TenantChange {
    /// What can be changed of a tenant, as it is now.
    pub(super) fn of(tenant: &TenantRecord) -> Self {
        Self {
            name: tenant.name.clone(),
            custom_domain: tenant.custom_domain.clone(),
            settings: tenant.settings.clone(),
            plan_id: tenant.plan_id,
        }
    }
}

impl From<TenantRecord> for Tenant {
    fn from(tenant: TenantRecord) -> Self {
        Self {
            id: tenant.id.reference(),
            chosen: TenantChange::of(&tenant),
            slug: tenant.slug,
            status: tenant.standing,
            delete_at: tenant.delete_at,
            created_at: tenant.created_at,
            updated_at: tenant.updated_at,
        }
    }
}
