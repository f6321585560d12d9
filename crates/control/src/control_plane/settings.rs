//! `/api/v1/control-plane/settings`: the effective configuration of the process that answers, and what may be switched off.

use serde::Serialize;
use serde_json::Value;
use svc_core::Result;
use svc_core::capability::Capability;
use svc_domain::people::operators::Role;
use svc_http::{Json, OperatorCx, Problem, Route, Routes};
use utoipa::ToSchema;

/// The operations.
pub(super) fn routes() -> Routes {
    Routes::new([Route::get("/api/v1/control-plane/settings")
        .operator(Role::Viewer, read)
        .summary("Read the effective configuration and the capabilities; secrets are masked")])
}

/// What the process runs with.
#[derive(Debug, Serialize, ToSchema)]
struct EffectiveSettings {
    /// The plane that the process runs.
    plane: String,
    /// Its version.
    version: &'static str,
    /// Every key of the configuration.
    settings: Vec<Setting>,
    /// What tenants may use, each unless the tenant, its plan or an application goes without.
    capabilities: Vec<DeploymentCapability>,
}

/// A key of the configuration.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EffectiveSetting)]
struct Setting {
    /// The key with its section.
    key: String,
    /// Its value; null where it has none, and `"***"` where it is a secret.
    #[schema(value_type = Option<Value>)]
    value: Value,
    /// Where the value comes from: `default`, a file or a variable of the environment.
    source: String,
}

/// A capability of the deployment.
#[derive(Debug, Serialize, ToSchema)]
struct DeploymentCapability {
    /// What settings and plans call it.
    name: &'static str,
    /// Whether the tenant of the operators has it: as far as the configuration decides, so has every tenant.
    enabled: bool,
}

async fn read(caller: OperatorCx) -> Result<Json<EffectiveSettings>, Problem> {
    let config = caller.app.live();
    let settings = config.effective().into_iter();
    let settings = settings.map(|(key, value, source)| Setting { key, value, source }).collect();
    let capabilities = Capability::ALL.iter();
    let capabilities = capabilities
        .map(|one| DeploymentCapability { name: one.name, enabled: caller.tenant.offers(&config, one) });
    Ok(Json(EffectiveSettings {
        plane: config.plane.to_string(),
        version: env!("CARGO_PKG_VERSION"),
        settings,
        capabilities: capabilities.collect(),
    }))
}
