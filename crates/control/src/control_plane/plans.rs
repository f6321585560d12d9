//! `/api/v1/control-plane/plans`: what tenants of a kind may use, and how much of it.

use serde_json::json;
use svc_core::capability::{Capability, Without};
use svc_core::{Class, Error, PlanId, Result, TenantRef};
use svc_db::{System, Tx};
use svc_domain::lists::{Order, Search};
use svc_domain::log::audit;
use svc_domain::people::operators::Role;
use svc_domain::tenancy::plans::{self, Configuration, Plan};
use svc_domain::tenancy::tenants;
use svc_domain::tenancy::tenants::listing::{self, Narrowed};
use svc_http::{
    Created, IfMatch, Json, List, Listing, MergePatch, NoContent, OperatorCx, Path, Problem, Route, Routes,
    Versioned,
};

use crate::page::{NameFilter, Page, Position};
use crate::{tenant_settings, unknown};

/// As many tenants of a plan are read at once.
const PAGE: u32 = 200;

const ALL: &str = "/api/v1/control-plane/plans";
const ONE: &str = "/api/v1/control-plane/plans/{id}";

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([
        Route::get(ALL).operator(Role::Viewer, list).summary("List plans"),
        Route::post(ALL).operator(Role::TenantManager, create).summary("Create a plan").idempotent(),
        Route::get(ONE).operator(Role::Viewer, read).summary("Read a plan"),
        Route::patch(ONE)
            .operator(Role::TenantManager, change)
            .summary("Change a plan in part")
            .describe(
                "Its tenants feel it within a second. What they have beyond a quota stays; nothing more can be made. A capability without \
                 which people of one of them would be shut out is not taken.",
            )
            .idempotent(),
        Route::delete(ONE).operator(Role::TenantManager, delete).summary("Delete a plan that no tenant has").idempotent(),
    ])
}

async fn list(
    caller: OperatorCx,
    Listing { filter, page }: Listing<Position<PlanId>, NameFilter>,
) -> Result<Json<List<Plan>>, Problem> {
    let page = Page::of(page, filter.search.as_deref(), filter.sort)?;
    let all = plans::all(&mut caller.app.db.read_system().await?).await?;
    let found = page.among(all, |plan| (plan.id, vec![plan.configuration.name.as_str()]));
    let position = |plan: &Plan| page.position(plan.id, &[&plan.configuration.name]);
    Ok(Json(caller.page(found, page.limit(), position)?))
}

async fn create(caller: OperatorCx, Json(new): Json<Configuration>) -> Result<Created<Plan>, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    tenants::check_passwordless(&caller.app.config, "", &[&new.disabled_capabilities])?;
    let plan = plans::create(&mut tx, &caller, home(&caller), new).await?;
    tell_changes(&mut tx, plan.id, None, Some(&plan));
    tx.commit().await?;
    Ok(Created { location: format!("{ALL}/{}", plan.id), version: plan.version, record: plan })
}

async fn read(caller: OperatorCx, Path(id): Path<PlanId>) -> Result<Versioned<Plan>, Problem> {
    let mut tx = caller.app.db.read_system().await?;
    let plan = found(&mut tx, id).await?;
    Ok(Versioned { version: plan.version, record: plan })
}

async fn change(
    caller: OperatorCx,
    Path(id): Path<PlanId>,
    if_match: IfMatch,
    patch: MergePatch<Configuration>,
) -> Result<Versioned<Plan>, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    let held = plans::hold(&mut tx, id);
    let present = found(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    let wanted = patch.apply(&present.configuration)?;
    tenants::check_passwordless(&caller.app.config, "", &[&wanted.disabled_capabilities])?;
    let mut tx = check_reach(tx, &caller, (&present, &wanted.disabled_capabilities)).await?;
    plans::update(&mut tx, &caller, home(&caller), (&present, &wanted)).await?;
    let plan = found(&mut tx, id).await?;
    tell_changes(&mut tx, id, Some(&present), Some(&plan));
    tx.commit().await?;
    Ok(Versioned { version: plan.version, record: plan })
}

async fn delete(caller: OperatorCx, Path(id): Path<PlanId>, if_match: IfMatch) -> Result<NoContent, Problem> {
    let mut tx = caller.app.db.begin_system().await?;
    let held = plans::hold(&mut tx, id);
    let present = found(&mut tx, id).await?;
    if_match.check(held, present.version)?;
    plans::delete(&mut tx, &caller, home(&caller), &present).await?;
    tell_changes(&mut tx, id, Some(&present), None);
    tx.commit().await?;
    Ok(NoContent)
}

/// Refuses a plan that takes more of its tenants where that would shut people out, as giving one of them such a plan is refused.
async fn check_reach(
    mut tx: Tx<System>,
    caller: &OperatorCx,
    (present, wanted): (&Plan, &Without),
) -> Result<Tx<System>> {
    let before = &present.configuration.disabled_capabilities;
    if !Capability::ALL.iter().any(|one| before.keeps(one) && !wanted.keeps(one)) {
        return Ok(tx);
    }
    let of_plan = Narrowed { standing: None, plan_id: Some(present.id) };
    let mut last = None;
    loop {
        let page = Search { beginning: "", after: last.map(|id| ("", id)), limit: PAGE };
        let tenants = listing::list(&mut tx, of_plan, (Order::Oldest, page)).await?;
        for tenant in &tenants {
            let settings = (tenant, &tenant.settings);
            let checked =
                tenant_settings::check_reach(tx, &caller.app.config, settings, (wanted, true)).await;
            tx = checked.map_err(|error| of_tenant(&tenant.slug, error))?;
        }
        let Some(tenant) = tenants.last() else { return Ok(tx) };
        last = Some(tenant.id.reference());
    }
}

/// Says which tenant stands against a plan.
fn of_tenant(slug: &str, error: Error) -> Error {
    if error.class() != Class::BadRequest {
        return error;
    }
    Error::bad_request(format!(
        "disabled_capabilities: the tenant {slug:?} has this plan and cannot go without them: {}",
        error.detail()
    ))
}

/// Tells the audit log what became of a plan.
fn tell_changes(tx: &mut Tx<System>, id: PlanId, before: Option<&Plan>, after: Option<&Plan>) {
    audit::tell_changes(tx, &id.to_string(), &json!(before), &json!(after));
}

/// The tenant of the operators.
fn home(caller: &OperatorCx) -> TenantRef {
    caller.tenant.id.reference()
}

async fn found(tx: &mut Tx<System>, id: PlanId) -> Result<Plan> {
    plans::find(tx, id).await?.ok_or_else(unknown)
}
