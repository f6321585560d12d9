//! `/api/v1/control-plane`: operating the deployment, for its operators at the default tenant.

mod features;
mod jobs;
mod keys;
mod operators;
mod plans;
mod queues;
mod settings;
mod tenants;

use svc_http::Routes;

const TAG: &str = "Control plane";

/// Its operations.
pub(crate) fn routes() -> Routes {
    let all = [
        tenants::routes(),
        plans::routes(),
        operators::routes(),
        keys::routes(),
        queues::routes(),
        settings::routes(),
        features::routes(),
        jobs::routes(),
    ];
    all.into_iter().fold(Routes::default(), Routes::merge).tagged(TAG)
}
