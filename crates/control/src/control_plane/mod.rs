//! `/api/v1/control-plane`: operating the deployment, for its operators at the default tenant.

mod keys;
mod operators;

use svc_http::Routes;

const TAG: &str = "Control plane";

/// Its operations.
pub(crate) fn routes() -> Routes {
    keys::routes().merge(operators::routes()).tagged(TAG)
}
