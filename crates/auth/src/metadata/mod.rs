//! The published documents: what this deployment really offers.

mod described;
mod discovery;
mod members;
mod mtls;
mod passkeys;
mod reference;
mod resource;
mod signals;

use svc_http::Routes;

pub use self::reference::routes as reference;

/// Every published document.
pub fn routes() -> Routes {
    discovery::routes().merge(resource::routes()).merge(signals::routes()).merge(passkeys::routes())
}
