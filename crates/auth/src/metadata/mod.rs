//! The published documents: what this deployment really offers.

mod discovery;
mod resource;
mod signals;

use svc_http::Routes;

/// Every published document.
pub fn routes() -> Routes {
    discovery::routes().merge(resource::routes()).merge(signals::routes())
}
