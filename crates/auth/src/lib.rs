//! The auth plane: OAuth and OpenID Connect endpoints, and the hosted pages on which people sign in.

#![recursion_limit = "256"]

mod approvals;
mod assets;
mod authorization_details;
mod authorize;
mod browser;
mod ciba;
mod client_documents;
mod clients;
mod consent;
mod device;
mod discovery;
mod end_session;
mod flow;
mod introspect;
mod mailed;
mod origins;
pub mod pages;
mod par;
mod recovery;
mod register;
mod registration;
mod resource_metadata;
mod revoke;
mod signals;
mod signin;
mod token;
mod userinfo;
mod visit;

pub use clients::ClientKeys;
use svc_http::Routes;

/// Every route of this plane. `App::part` must hold [`pages::Pages`] and [`ClientKeys`].
pub fn routes() -> Routes {
    discovery::routes()
        .merge(assets::routes())
        .merge(authorize::routes())
        .merge(par::routes())
        .merge(signin::routes())
        .merge(approvals::routes())
        .merge(device::routes())
        .merge(ciba::routes())
        .merge(consent::routes())
        .merge(resource_metadata::routes())
        .merge(signals::routes())
        .merge(register::routes())
        .merge(registration::routes())
        .merge(recovery::routes())
        .merge(token::routes())
        .merge(introspect::routes())
        .merge(revoke::routes())
        .merge(userinfo::routes())
        .merge(end_session::routes())
}
