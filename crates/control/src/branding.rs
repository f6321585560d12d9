//! `/api/v1/branding` and `/api/v1/organizations/{id}/branding`: how hosted pages and mails look, for those who may change nothing
//! else of the settings.

use serde::Serialize;
use svc_core::{OrganizationId, Result};
use svc_domain::organizations::{self as aggregate, Organization};
use svc_domain::tenancy::branding::Branding;
use svc_domain::tenancy::tenants::records::TenantRecord;
use svc_http::{IfMatch, Json, MergePatch, Path, Problem, TenantCx, Versioned};
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::{organizations, record, tenant_settings};

/// How pages and mails look for the people of an organization.
#[derive(Debug, Serialize, ToSchema)]
struct OrganizationBranding {
    /// What the organization chooses itself.
    #[serde(flatten)]
    own: Branding,
    /// The effective values: the organization's own, and the tenant's for those that it leaves out.
    effective: Branding,
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

/// Adds the routes to those of organizations.
pub(crate) fn routes(organizations: Resource) -> Resource {
    const PATH: &str = "{id}/branding";
    organizations
        .get(PATH, "Read how the hosted pages look for an organization", read_of)
        .put(PATH, "Replace how the hosted pages look for an organization", replace_of)
        .patch(PATH, "Change how the hosted pages look for an organization in part", change_of)
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
        let branding = wanted(tenant.settings.branding())?;
        Ok((tenant.name.clone(), tenant.settings.with_branding(branding)))
    });
    Ok(shown(&changed.await?))
}

fn shown(tenant: &TenantRecord) -> Versioned<Branding> {
    Versioned { version: tenant.version, record: tenant.settings.branding() }
}

async fn read_of(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
) -> Result<Versioned<OrganizationBranding>, Problem> {
    let organization = organizations::find(&mut caller.read().await?, id).await?;
    Ok(shown_of(&caller, &organization))
}

async fn replace_of(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    if_match: IfMatch,
    Json(wanted): Json<Branding>,
) -> Result<Versioned<OrganizationBranding>, Problem> {
    set_of(&caller, (id, &if_match), |_| Ok(wanted)).await
}

async fn change_of(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    if_match: IfMatch,
    patch: MergePatch<Branding>,
) -> Result<Versioned<OrganizationBranding>, Problem> {
    set_of(&caller, (id, &if_match), |present| patch.apply(&present)).await
}

async fn set_of(
    caller: &TenantCx,
    (id, if_match): (OrganizationId, &IfMatch),
    wanted: impl FnOnce(Branding) -> Result<Branding> + Send,
) -> Result<Versioned<OrganizationBranding>, Problem> {
    let (mut tx, held) = record::begin(caller, &id).await?;
    let present = organizations::find(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    let branding = wanted(present.configuration.branding())?;
    let configuration = present.configuration.with_branding(branding);
    aggregate::update(&mut tx, caller, &present, (&configuration, present.status)).await?;
    let changed = organizations::find(&mut tx, id).await?;
    organizations::tell_changes(&mut tx, &present, &changed);
    tx.commit().await?;
    Ok(shown_of(caller, &changed))
}

fn shown_of(caller: &TenantCx, organization: &Organization) -> Versioned<OrganizationBranding> {
    let own = organization.configuration.branding();
    let effective = own.clone().over(caller.tenant.settings.branding());
    Versioned { version: organization.version, record: OrganizationBranding { own, effective } }
}
