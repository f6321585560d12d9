//! The auth plane: OAuth and OpenID Connect endpoints, and the hosted pages on which people sign in.

mod clients;
mod discovery;
mod introspect;
mod origins;
pub mod pages;
mod revoke;
mod token;
mod userinfo;

use svc_http::Routes;

/// Every route of this plane. `App::part` must hold [`pages::Pages`].
pub fn routes() -> Routes {
    discovery::routes()
        .merge(token::routes())
        .merge(introspect::routes())
        .merge(revoke::routes())
        .merge(userinfo::routes())
}
