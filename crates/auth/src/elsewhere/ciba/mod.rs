//! Backchannel authentication (OpenID CIBA): an application asks for a person who is not at its screen.

mod api;
mod object;
mod params;
mod start;

use svc_http::Routes;

pub use self::start::publish;

/// The endpoint and the API of the person's side.
pub fn routes() -> Routes {
    start::routes().merge(api::routes())
}
