//! Requests that a person decides on another device than the one that asks (RFC 8628, OpenID CIBA).

mod api;
mod choice;
pub mod ciba;
mod decide;
pub mod device;
mod inbox;
mod shown;
mod support;
mod wanted;

use svc_http::Routes;

/// The inbox, and the endpoints that fill it.
pub fn routes() -> Routes {
    inbox::routes().merge(device::routes()).merge(ciba::routes())
}
