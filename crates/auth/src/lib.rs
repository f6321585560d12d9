//! The auth plane: OAuth and OpenID Connect endpoints, and the hosted pages on which people sign in.
//!
//! Its folders are wings that may only look down, in the order of [`routes`] from the last to the first; a test holds them
//! to it.

#![recursion_limit = "256"]

mod account;
mod authorize;
mod clients;
mod elsewhere;
#[cfg(test)]
mod fixtures;
mod hosted;
mod metadata;
pub mod pages;
mod proxy;
mod register;
mod signin;
#[cfg(test)]
mod tests;
mod token;

pub use account::{LETTERS, NOTICES, landing};
pub use clients::ClientKeys;
pub use hosted::ERROR_PAGES;
pub use metadata::reference;
pub use signin::Providers;
pub use signin::methods::{Begun, METHODS, Method, Methods, Proof, Turn, Verdict};
use svc_http::Routes;
pub use token::grants::types as grant_types;

/// Every route of this plane. `App::part` must hold [`pages::Pages`], [`ClientKeys`] and [`Providers`], and may hold [`Methods`].
pub fn routes() -> Routes {
    metadata::routes()
        .tagged("Metadata")
        .merge(proxy::routes().tagged("Sign-in"))
        .merge(elsewhere::routes().tagged("Tokens"))
        .merge(account::routes().tagged("Sign-in"))
        .merge(signin::routes().tagged("Sign-in"))
        .merge(token::routes().tagged("Tokens"))
        .merge(authorize::par::routes().tagged("Tokens"))
        .merge(register::routes().tagged("Registration"))
        .merge(hosted::assets::routes())
        .merge(hosted::after_form::routes())
}
