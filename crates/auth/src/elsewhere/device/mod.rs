//! Device authorization (RFC 8628): for devices on which signing in is not comfortable.

mod api;
mod guesses;
mod start;
mod verify;

use svc_http::Routes;

pub use self::start::publish;

/// The endpoint, its page, and what an application of the person's does instead of the page.
pub fn routes() -> Routes {
    start::routes().merge(verify::routes()).merge(api::routes())
}
