//! `/api/v1/control-plane/tenants`: creates, changes, suspends and deletes tenants.

mod documents;
mod making;
mod standing;

use svc_core::{Error, Result, TenantRef};
use svc_db::{System, Tx};
use svc_domain::people::operators::Role;
use svc_domain::tenancy::tenants::listing::{self, Narrowed};
use svc_domain::tenancy::tenants::records::{self, TenantRecord};
use svc_domain::tenancy::tenants::{self, NewTenant};
use svc_http::{
    IfMatch, Json, List, Listing, MergePatch, OperatorCx, Path, Problem, Route, Routes, Versioned,
};

use self::documents::{Filter, Tenant, TenantChange};
use crate::custom_domains::names;
use crate::page::{Page, Position};
use crate::{tenant_settings, unknown};

const ALL: &str = "/api/v1/control-plane/tenants";
const ONE: &str = "/api/v1/control-plane/tenants/{id}";

/// The operations.
pub(super) fn routes() -> Routes {
    let records = Routes::new([
        Route::get(ALL).operator(Role::Viewer, list).summary("List tenants"),
        Route::post(ALL)
            .operator(Role::TenantManager, making::create)
            .summary("Create a tenant")
            .describe(
                "With `clone_settings_of` it begins with the settings and the plan of another tenant. It has no people \
                 yet: invite its first administrator next.",
            )
            .idempotent(),
        Route::post("/api/v1/control-plane/tenants/{id}/administrators")
            .operator(Role::TenantManager, making::invite_administrator)
            .summary("Mail a person an invitation to administer a tenant")
            .describe(
                "For the default tenant the operator needs the role `administrator`: who administers it can suspend and remove operators.",
            )
            .idempotent(),
        Route::get(ONE).operator(Role::Viewer, read).summary("Read a tenant"),
        Route::patch(ONE).operator(Role::TenantManager, change).summary("Change a tenant in part").idempotent(),
    ]);
    records.merge(standing::routes())
}

async fn list(
    caller: OperatorCx,
    Listing { filter, page }: Listing<Position<TenantRef>, Filter>,
) -> Result<Json<List<Tenant>>, Problem> {
    let page = Page::of(page, filter.search.as_deref(), filter.sort)?;
    let narrowed = Narrowed { standing: filter.status, plan_id: filter.plan_id };
    let is_searched = page.search().is_some();
    let mut tx = caller.app.db.read_system().await?;
    let found = if is_searched {
        listing::search(&mut tx, narrowed, page.ordered()).await?
    } else {
        listing::list(&mut tx, narrowed, page.ordered()).await?
    };
    let position = |tenant: &TenantRecord| {
        let mut names = vec![tenant.name.as_str()];
        names.extend(is_searched.then_some(tenant.slug.as_str()));
        page.position(tenant.id.reference(), &names)
    };
    let List { data, next_cursor } = caller.page(found, page.limit(), position)?;
    Ok(Json(List { data: data.into_iter().map(Tenant::from).collect(), next_cursor }))
}

async fn read(caller: OperatorCx, Path(id): Path<TenantRef>) -> Result<Versioned<Tenant>, Problem> {
    let mut tx = caller.app.db.read_system().await?;
    Ok(versioned(found(&mut tx, id).await?))
}

async fn change(
    caller: OperatorCx,
    Path(id): Path<TenantRef>,
    if_match: IfMatch,
    patch: MergePatch<TenantChange>,
) -> Result<Versioned<Tenant>, Problem> {
    let is_bounded = making::is_bounded_at(&caller, id).await?;
    let mut tx = caller.app.db.begin_system().await?;
    let held = records::hold(&mut tx, id);
    let present = found(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    let wanted = patch.apply(&TenantChange::of(&present))?;
    tenants::check_name(&wanted.name, Some(&present.name))?;
    if is_bounded {
        check_bounded(&present, &wanted)?;
    }
    let plan = making::check_plan(&mut tx, wanted.plan_id).await?;
    let plan = (&plan, wanted.plan_id != present.plan_id);
    let settings = (&present, &wanted.settings);
    let mut tx = tenant_settings::check_reach(tx, &caller.app.config, settings, plan).await?;
    let TenantChange { name, custom_domain, settings, plan_id } = wanted;
    if custom_domain != present.custom_domain {
        names::check_of_operator(&caller.app.config, &caller.tenant, custom_domain.as_deref())?;
    }
    let new = NewTenant { slug: present.slug.clone(), name, custom_domain, settings };
    tenants::update(&mut tx, &caller, present.id, &new).await.map_err(making::taken)?;
    records::set_plan(&mut tx, &caller, &present, plan_id).await?;
    let changed = found(&mut tx, id).await?;
    tenant_settings::tell_changes(&mut tx, &present, &changed);
    tx.commit().await?;
    Ok(versioned(changed))
}

async fn found(tx: &mut Tx<System>, id: TenantRef) -> Result<TenantRecord> {
    records::find(tx, id).await?.ok_or_else(unknown)
}

fn versioned(tenant: TenantRecord) -> Versioned<Tenant> {
    Versioned { version: tenant.version, record: tenant.into() }
}

/// Refuses what would reach operators, who sign in at this tenant. As in the tenant's own API, the authority could pass for every
/// application that proves itself by a certificate, and the owner of the domain gets what people type there.
fn check_bounded(present: &TenantRecord, wanted: &TenantChange) -> Result<()> {
    let authority = (&present.settings.tls_client_ca_pem, &wanted.settings.tls_client_ca_pem);
    let domain = (&present.custom_domain, &wanted.custom_domain);
    for (member, (before, after)) in [("settings.tls_client_ca_pem", authority), ("custom_domain", domain)] {
        if before != after {
            return Err(Error::forbidden(format!(
                "{member}: operators sign in at this tenant; an operator who is `administrator` changes it"
            )));
        }
    }
    Ok(())
}

/// The tenant at which operators sign in must stay.
fn check_other(caller: &OperatorCx, tenant: &TenantRecord) -> Result<()> {
    if tenant.id.reference() == caller.tenant.id.reference() {
        return Err(Error::conflict("operators sign in at this tenant; it cannot be suspended or deleted"));
    }
    Ok(())
}
