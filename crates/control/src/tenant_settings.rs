//! `/api/v1/tenant-settings`: what the administrators of a tenant choose, and what follows from that, the plan and the deployment.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_config::Config;
use svc_core::capability::{Capability, Without};
use svc_core::{Error, Result, Timestamp};
use svc_db::{System, Tx};
use svc_domain::apis::roles;
use svc_domain::log::audit;
use svc_domain::organizations::demands;
use svc_domain::tenancy::tenants::records::{self, TenantRecord};
use svc_domain::tenancy::tenants::{self, Levels, Limits, NewTenant, TenantSettings};
use svc_http::{IfMatch, Json, MergePatch, Problem, TenantCx, Versioned};
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::{privileges, unknown};

/// The settings of a tenant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TenantConfiguration)]
struct Settings {
    /// The host label; the operator decides it.
    slug: String,
    /// A domain of its own, which the tenant has proven and activated or the operator has given.
    custom_domain: Option<String>,
    #[serde(flatten)]
    chosen: SettingsChange,
    /// The effective value of every key that a tenant can narrow.
    effective_limits: Limits,
    /// What the tenant may use, as deployment, plan and settings leave it.
    capabilities: Vec<TenantCapability>,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// What can be changed of them.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TenantSettingsChange)]
#[schema(examples(json!({ "name": "Acme", "settings": { "registration": true, "limits": { "jwt": { "id_token_lifetime_secs": 120 } } } })))]
struct SettingsChange {
    /// What people read on the hosted pages and in mails.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The choices; those that are left out take their defaults.
    #[serde(default)]
    settings: TenantSettings,
}

/// Something that tenants can go without.
#[derive(Debug, Serialize, ToSchema)]
struct TenantCapability {
    /// What `disabled_capabilities` calls it.
    name: &'static str,
    /// Whether the tenant has it.
    enabled: bool,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("tenant-settings", "Tenant settings")
        .may_read("See the settings of this organisation")
        .may_write("Change the settings of this organisation")
        .get("", "Read the settings of the tenant", read)
        .put("", "Replace the settings of the tenant", replace)
        .patch("", "Change the settings of the tenant in part", change)
}

async fn read(caller: TenantCx) -> Result<Versioned<Settings>, Problem> {
    let tenant = record(&caller).await?;
    Ok(shown(&caller, tenant))
}

async fn replace(
    caller: TenantCx,
    if_match: IfMatch,
    Json(wanted): Json<SettingsChange>,
) -> Result<Versioned<Settings>, Problem> {
    Ok(shown(&caller, set(&caller, &if_match, |_| Ok((wanted.name, wanted.settings))).await?))
}

async fn change(
    caller: TenantCx,
    if_match: IfMatch,
    patch: MergePatch<SettingsChange>,
) -> Result<Versioned<Settings>, Problem> {
    let changed = set(&caller, &if_match, |tenant| {
        let SettingsChange { name, settings } = patch.apply(&chosen(tenant))?;
        Ok((name, settings))
    });
    Ok(shown(&caller, changed.await?))
}

/// The caller's tenant as it is stored.
pub(crate) async fn record(caller: &TenantCx) -> Result<TenantRecord> {
    let mut tx = caller.app.db.read_system().await?;
    records::find(&mut tx, caller.tenant.id.reference()).await?.ok_or_else(unknown)
}

/// Makes name and settings of the caller's tenant so. The record of a tenant is the deployment's, so the transaction is too;
/// it touches no other tenant.
pub(crate) async fn set(
    caller: &TenantCx,
    if_match: &IfMatch,
    wanted: impl FnOnce(&TenantRecord) -> Result<(String, TenantSettings)> + Send,
) -> Result<TenantRecord> {
    let mut tx = caller.app.db.begin_system().await?;
    let id = caller.tenant.id;
    let held = records::hold(&mut tx, id.reference());
    let present = records::find(&mut tx, id.reference()).await?.ok_or_else(unknown)?;
    if_match.check(held, present.version)?;
    let (name, settings) = wanted(&present)?;
    tenants::check_name(&name, Some(&present.name))?;
    if settings.tls_client_ca_pem != present.settings.tls_client_ca_pem {
        // Its authority could pass for every application that proves itself by a certificate.
        privileges::always(caller, "settings.tls_client_ca_pem")?;
    }
    let plan = (&caller.tenant.plan.disabled_capabilities, false);
    let mut tx = check_reach(tx, &caller.app.config, (&present, &settings), plan).await?;
    let (slug, custom_domain) = (present.slug.clone(), present.custom_domain.clone());
    tenants::update(&mut tx, caller, id, &NewTenant { slug, name, custom_domain, settings }).await?;
    let changed = records::find(&mut tx, id.reference()).await?.ok_or_else(unknown)?;
    tell_changes(&mut tx, &present, &changed);
    tx.commit().await?;
    Ok(changed)
}

/// Refuses what would shut people out who have set up nothing: settings that change so, or another plan; and roles that there are not.
pub(crate) async fn check_reach(
    tx: Tx<System>,
    config: &Config,
    (present, wanted): (&TenantRecord, &TenantSettings),
    (plan, is_other_plan): (&Without, bool),
) -> Result<Tx<System>> {
    let tx = check_roles(tx, present, wanted).await?;
    let (before, without) = (&present.settings, [plan, &wanted.disabled_capabilities]);
    let levels = Levels { config, slug: &present.slug, without: &without };
    let takes_more = is_other_plan || wanted.disabled_capabilities != before.disabled_capabilities;
    if takes_more {
        tenants::check_passwordless(config, &present.slug, &without)?;
    }
    let demands_more = wanted.second_factor_required != before.second_factor_required
        || wanted.second_factor_roles != before.second_factor_roles;
    if takes_more || demands_more {
        tenants::check_demanded(levels, wanted)?;
    }
    if !takes_more {
        return Ok(tx);
    }
    let (tx, held) = tx.within(present.id, async |tx: &mut _| demands::check_all(tx, levels).await).await;
    held.map(|()| tx)
}

/// Refuses roles that there are not among those that the settings name from now on; one that they named before may be gone.
async fn check_roles(tx: Tx<System>, present: &TenantRecord, wanted: &TenantSettings) -> Result<Tx<System>> {
    let added = wanted.second_factor_roles.difference(&present.settings.second_factor_roles);
    let added: Vec<String> = added.cloned().collect();
    if added.is_empty() {
        return Ok(tx);
    }
    // Each of them is looked up, so that they must not be too many.
    tenants::check_settings(wanted)?;
    let (tx, known) = tx.within(present.id, async |tx: &mut _| roles::known(tx, &added).await).await;
    let known = known?;
    match added.iter().find(|role| !known.contains(role)) {
        Some(unknown) => Err(Error::bad_request(format!(
            "second_factor_roles: there is no role {unknown:?}; create it first"
        ))),
        None => Ok(tx),
    }
}

/// Tells the audit log what became of a tenant: what it is called, its plan, and each of its settings by its name.
pub(crate) fn tell_changes(tx: &mut Tx<System>, before: &TenantRecord, after: &TenantRecord) {
    audit::tell_changes(tx, &before.id.to_string(), &told(before), &told(after));
}

fn told(tenant: &TenantRecord) -> Value {
    let mut told = json!(tenant.settings);
    if let Some(members) = told.as_object_mut() {
        members.insert("name".to_owned(), json!(tenant.name));
        members.insert("custom_domain".to_owned(), json!(tenant.custom_domain));
        members.insert("plan_id".to_owned(), json!(tenant.plan_id));
    }
    told
}

fn chosen(tenant: &TenantRecord) -> SettingsChange {
    SettingsChange { name: tenant.name.clone(), settings: tenant.settings.clone() }
}

fn shown(caller: &TenantCx, tenant: TenantRecord) -> Versioned<Settings> {
    let config = &caller.app.config;
    let offered = Capability::ALL.iter();
    let offered = offered.map(|one| {
        let enabled = caller.tenant.offers_with(&tenant.settings, config, one);
        TenantCapability { name: one.name, enabled }
    });
    let record = Settings {
        effective_limits: tenant.settings.limits.effective(config),
        capabilities: offered.collect(),
        chosen: chosen(&tenant),
        slug: tenant.slug,
        custom_domain: tenant.custom_domain,
        updated_at: tenant.updated_at,
    };
    Versioned { version: tenant.version, record }
}
