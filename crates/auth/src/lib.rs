//! The auth plane: OAuth and OpenID Connect endpoints, and the hosted pages on which people sign in.

mod assets;
mod authorize;
mod browser;
mod clients;
mod consent;
mod discovery;
mod end_session;
mod flow;
mod introspect;
mod mailed;
mod origins;
pub mod pages;
mod recovery;
mod registration;
mod revoke;
mod signin;
mod token;
mod userinfo;
mod visit;

use svc_http::Routes;

/// Every route of this plane. `App::part` must hold [`pages::Pages`].
pub fn routes() -> Routes {
    discovery::routes()
        .merge(assets::routes())
        .merge(authorize::routes())
        .merge(signin::routes())
        .merge(consent::routes())
        .merge(registration::routes())
        .merge(recovery::routes())
        .merge(token::routes())
        .merge(introspect::routes())
        .merge(revoke::routes())
        .merge(userinfo::routes())
        .merge(end_session::routes())
}
