//! Device authorization (RFC 8628): for devices that have no browser, or no keyboard to speak of.

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
