//! `/api/v1/branding`: how the hosted pages of a tenant look, for those who may change nothing else of its settings.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_domain::tenancy::tenants::TenantSettings;
use svc_domain::tenancy::tenants::records::TenantRecord;
use svc_http::{IfMatch, Json, MergePatch, Problem, TenantCx, Versioned};
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::tenant_settings;

/// How the hosted pages look.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "accent": "#8a2be2", "logo_uri": "https://acme.example/logo.svg" })))]
struct Branding {
    /// An accent colour, `#rrggbb`.
    #[serde(default)]
    #[schema(pattern = "^#[0-9a-fA-F]{6}$")]
    accent: Option<String>,
    /// A logo, an https URL.
    #[serde(default)]
    #[schema(format = "uri")]
    logo_uri: Option<String>,
    /// The privacy policy, linked from every hosted page, an https URL.
    #[serde(default)]
    #[schema(format = "uri")]
    policy_uri: Option<String>,
    /// The terms of service, linked from every hosted page, an https URL.
    #[serde(default)]
    #[schema(format = "uri")]
    tos_uri: Option<String>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("branding", "Branding")
        .may_read("See how the sign-in pages of this organisation look")
        .may_write("Change how the sign-in pages of this organisation look")
        .get("", "Read how the hosted pages look", read)
        .put("", "Replace how the hosted pages look", replace)
        .patch("", "Change how the hosted pages look in part", change)
}

async fn read(caller: TenantCx) -> Result<Versioned<Branding>, Problem> {
    Ok(shown(&tenant_settings::record(&caller).await?))
}

async fn replace(
    caller: TenantCx,
    if_match: IfMatch,
    Json(wanted): Json<Branding>,
) -> Result<Versioned<Branding>, Problem> {
    set(&caller, &if_match, |_| Ok(wanted)).await
}

async fn change(
    caller: TenantCx,
    if_match: IfMatch,
    patch: MergePatch<Branding>,
) -> Result<Versioned<Branding>, Problem> {
    set(&caller, &if_match, |present| patch.apply(&present)).await
}

async fn set(
    caller: &TenantCx,
    if_match: &IfMatch,
    wanted: impl FnOnce(Branding) -> Result<Branding> + Send,
) -> Result<Versioned<Branding>, Problem> {
    let changed = tenant_settings::set(caller, if_match, |tenant| {
        let Branding { accent, logo_uri, policy_uri, tos_uri } = wanted(Branding::of(tenant))?;
        let settings = TenantSettings { accent, logo_uri, policy_uri, tos_uri, ..tenant.settings.clone() };
        Ok((tenant.name.clone(), settings))
    });
    Ok(shown(&changed.await?))
}

impl Branding {
    fn of(tenant: &TenantRecord) -> Self {
        let TenantSettings { accent, logo_uri, policy_uri, tos_uri, .. } = tenant.settings.clone();
        Self { accent, logo_uri, policy_uri, tos_uri }
    }
}

fn shown(tenant: &TenantRecord) -> Versioned<Branding> {
    Versioned { version: tenant.version, record: Branding::of(tenant) }
}
