//! Device authorization (RFC 8628): for devices on which signing in is not comfortable.

mod start;
mod verify;

use svc_http::Routes;

pub use self::start::publish;

/// The endpoint and its page.
pub fn routes() -> Routes {
    start::routes().merge(verify::routes())
}
