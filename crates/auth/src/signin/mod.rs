//! Signing in: from an authorization request over the pages of a flow to the application's answer (OpenID Connect Core
//! §3.1.2).

mod attempt;
mod ceremony;
mod consent;
mod engine;
mod enter;
mod entry;
mod errand;
mod errand_page;
mod flow;
mod form;
mod guess;
mod join;
mod journey;
mod leaving;
pub mod methods;
pub mod offers;
mod progress;
mod proven;
mod select_account;
mod select_organization;
mod session;
mod steps;

use svc_http::Routes;

pub use self::attempt::Attempt;
pub use self::ceremony::Way;
pub use self::enter::enter;
pub use self::errand::Errand;
pub use self::flow::Flow;
pub use self::guess::counters_of;
pub use self::journey::Journey;
pub use self::progress::{Evidence, Factor, Progress};
pub use self::session::current;
pub use self::steps::{Draft, account_of};

/// Sign-in and what belongs to it.
pub fn routes() -> Routes {
    entry::routes()
        .merge(form::routes())
        .merge(join::routes())
        .merge(select_account::routes())
        .merge(select_organization::routes())
        .merge(consent::routes())
        .merge(errand_page::routes())
}
