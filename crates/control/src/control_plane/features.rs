//! `/api/v1/control-plane/features`: what is switched off for the whole deployment while it runs.

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_core::capability::Capability;
use svc_domain::people::operators::Role;
use svc_domain::tenancy::switches::{self, SwitchedOff, Switches};
use svc_http::{IfMatch, Json, OperatorCx, Path, Problem, Route, Routes, Versioned};
use utoipa::ToSchema;

use crate::unknown;

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([
        Route::get("/api/v1/control-plane/features")
            .operator(Role::Viewer, list)
            .summary("List the capabilities, and which of them are switched off for the whole deployment"),
        Route::put("/api/v1/control-plane/features/{feature}")
            .operator(Role::Administrator, switch)
            .summary("Switch a capability off for the whole deployment, or on again")
            .describe(
                "Every tenant feels it within a second, on every process. A capability that the configuration, a plan or a tenant goes \
                 without stays off whatever its switch says.",
            )
            .idempotent(),
    ])
}

/// The capabilities in their order.
#[derive(Debug, Serialize, ToSchema)]
struct DeploymentFeatures {
    features: Vec<Feature>,
}

/// A capability of the deployment.
#[derive(Debug, Serialize, ToSchema)]
struct Feature {
    /// What settings and plans call it.
    name: &'static str,
    /// Whether the configuration and its switch leave it on, as the tenant of the operators has it.
    enabled: bool,
    /// Since when it is switched off, and why; null where it is not.
    switched_off: Option<SwitchedOff>,
}

/// The new state of a switch.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = FeatureSwitch, examples(json!({ "enabled": false, "reason": "Abused since this morning" })))]
struct Wanted {
    /// Whether tenants may use the capability.
    enabled: bool,
    /// Why it is switched off, for other operators.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: Option<String>,
}

async fn list(caller: OperatorCx) -> Result<Versioned<DeploymentFeatures>, Problem> {
    let switches = switches::read(&mut caller.app.db.read_system().await?).await?;
    let features = Capability::ALL.iter().map(|capability| shown(&caller, &switches, capability)).collect();
    Ok(Versioned { version: switches.version, record: DeploymentFeatures { features } })
}

async fn switch(
    caller: OperatorCx,
    Path(name): Path<String>,
    if_match: IfMatch,
    Json(wanted): Json<Wanted>,
) -> Result<Versioned<Feature>, Problem> {
    let capability = Capability::named(&name).ok_or_else(unknown)?;
    let mut tx = caller.app.db.begin_system().await?;
    let held = switches::hold(&mut tx);
    let present = switches::read(&mut tx).await?;
    if_match.check(held, present.version)?;
    let off = (!wanted.enabled).then(|| wanted.reason.as_deref().unwrap_or_default());
    switches::set(&mut tx, &caller, caller.tenant.id.reference(), (&present, capability, off)).await?;
    let switches = switches::read(&mut tx).await?;
    tx.commit().await?;
    Ok(Versioned { version: switches.version, record: shown(&caller, &switches, capability) })
}

fn shown(caller: &OperatorCx, switches: &Switches, capability: &'static Capability) -> Feature {
    let enabled = switches.keeps(capability) && caller.tenant.has_configured(&caller.app.live(), capability);
    Feature { name: capability.name, enabled, switched_off: switches.off(capability).cloned() }
}
