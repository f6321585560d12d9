//! A tenant is made, and gets its first administrator.

use serde::Deserialize;
use svc_core::capability::Without;
use svc_core::{Error, PlanId, Result, TenantRef};
use svc_db::{System, Tx};
use svc_domain::apis::management;
use svc_domain::people::operators::{self, Role};
use svc_domain::tenancy::plans;
use svc_domain::tenancy::tenants::records;
use svc_domain::tenancy::tenants::records::Standing;
use svc_domain::tenancy::tenants::{self, Levels, NewTenant};
use svc_http::{Created, Json, NoContent, OperatorCx, Path, Problem, TenantCx};
use utoipa::ToSchema;

use super::documents::{NewTenantDocument, Tenant};
use super::{ALL, found};
use crate::custom_domains::names;
use crate::tenant_users;

/// A person who is to administer a tenant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TenantAdministrator, examples(json!({ "email": "hana@example.com" })))]
pub(super) struct Administrator {
    /// The address to which the invitation is mailed.
    #[schema(format = "email", max_length = 254)]
    email: String,
}

pub(super) async fn create(
    caller: OperatorCx,
    Json(new): Json<NewTenantDocument>,
) -> Result<Created<Tenant>, Problem> {
    names::check_of_operator(&caller.app.config, &caller.tenant, new.custom_domain.as_deref())?;
    let mut tx = caller.app.db.begin_system().await?;
    let (mut settings, mut plan_id) = Default::default();
    if let Some(model) = new.clone_settings_of {
        let model = records::find(&mut tx, model).await?;
        let mut model =
            model.ok_or_else(|| Error::bad_request("clone_settings_of: no tenant has this id"))?;
        // Its roles stay with it.
        model.settings.second_factor_roles.retain(|role| is_in_every_tenant(role));
        (settings, plan_id) = (model.settings, model.plan_id);
    }
    let settings = new.settings.unwrap_or(settings);
    if let Some(role) = settings.second_factor_roles.iter().find(|role| !is_in_every_tenant(role)) {
        let why = format!("second_factor_roles: a new tenant has no role {role:?}; name it once it is there");
        return Err(Error::bad_request(why).into());
    }
    let plan_id = new.plan_id.or(plan_id);
    let plan = check_plan(&mut tx, plan_id).await?;
    let without = [&plan, &settings.disabled_capabilities];
    tenants::check_passwordless(&caller.app.config, &new.slug, &without)?;
    let levels = Levels { config: &caller.app.config, slug: &new.slug, without: &without };
    tenants::check_demanded(levels, &settings)?;
    let NewTenantDocument { slug, name, custom_domain, .. } = new;
    let made = NewTenant { slug, name, custom_domain, settings };
    let id = tenants::create(&mut tx, &caller, &made).await.map_err(taken)?;
    let record = found(&mut tx, id.reference()).await?;
    records::set_plan(&mut tx, &caller, &record, plan_id).await?;
    let tenant = caller.app.services.tenants.read(&mut tx, id).await?;
    let scopes = crate::scopes();
    let (mut tx, ensured) =
        tx.within(id, async |tx: &mut _| management::ensure(tx, &caller, &tenant, &scopes).await).await;
    ensured?;
    let record = found(&mut tx, id.reference()).await?;
    tx.commit().await?;
    Ok(Created {
        location: format!("{ALL}/{}", id.reference()),
        version: record.version,
        record: record.into(),
    })
}

/// Whether a tenant that was just made has the role.
fn is_in_every_tenant(role: &str) -> bool {
    role == management::ADMIN
}

pub(super) async fn invite_administrator(
    caller: OperatorCx,
    Path(id): Path<TenantRef>,
    Json(Administrator { email }): Json<Administrator>,
) -> Result<NoContent, Problem> {
    let record = found(&mut caller.app.db.read_system().await?, id).await?;
    // Who administers the tenant at which operators sign in suspends and removes them: an operator makes none who could not do so.
    if is_bounded_at(&caller, id).await? {
        return Err(Error::forbidden(
            "id: operators sign in at this tenant, whose administrators can suspend and remove them; an operator who is \
             `administrator` invites one",
        )
        .into());
    }
    if record.standing != Standing::Active {
        return Err(Error::conflict("the tenant does not answer; reactivate or restore it first").into());
    }
    let tenant = caller.app.services.tenants.by_id(record.id).await?;
    caller.app.services.sealers.prepare(tenant.id, &caller).await;
    let there = TenantCx { tenant, ..TenantCx::clone(&caller) };
    let mut tx = there.begin().await?;
    tenant_users::invite_administrator(&there, &mut tx, email).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// Whether it is the tenant at which operators sign in, and the caller may not do everything to operators.
pub(super) async fn is_bounded_at(caller: &OperatorCx, id: TenantRef) -> Result<bool> {
    if id != caller.tenant.id.reference() {
        return Ok(false);
    }
    let role = operators::role_of(&mut caller.read().await?, &caller.claims.sub).await?;
    Ok(role != Some(Role::Administrator))
}

/// Refuses a plan that is not there; returns what its tenants go without.
pub(super) async fn check_plan(tx: &mut Tx<System>, plan_id: Option<PlanId>) -> Result<Without> {
    let Some(id) = plan_id else { return Ok(Without::default()) };
    plans::hold(tx, id);
    let plan = plans::find(tx, id).await?;
    let plan = plan.ok_or_else(|| Error::bad_request("plan_id: no plan has this id"))?;
    Ok(plan.configuration.disabled_capabilities)
}

/// What a tenant is called by must be its own.
pub(super) fn taken(error: Error) -> Error {
    error.if_taken("slug, custom_domain: another tenant has one of these")
}
