//! What goes out by mail and comes back as a link: single-use secrets.

use serde::de::DeserializeOwned;
use svc_core::Result;
use svc_domain::people::links::{self, Link, LinkKind};
use svc_http::{Response, StatusCode};
use svc_keys::digest;

use crate::hosted::Visit;
use crate::hosted::paths::START;
use crate::pages::{Done, Outcome};

/// The address of a link: always the tenant's own origin, whatever host the request named.
pub fn link(visit: &Visit, path: &str, secret: &str) -> String {
    format!("{}{path}?token={secret}", visit.host.origin())
}

/// What a live link was made with; see [`links::find`].
pub async fn peek<T: DeserializeOwned>(
    visit: &Visit,
    secret: &str,
    kind: LinkKind,
) -> Result<Option<Link<T>>> {
    let mut tx = visit.host.read().await?;
    links::find(&mut tx, visit.cx(), digest(secret), kind).await
}

/// The page of a link that has been followed, is too old, or never was one; `again` is where another can be asked for.
pub fn dead_link(visit: &Visit, again: &'static str) -> Result<Response> {
    let page = Done { outcome: Outcome::LinkExpired, continue_url: again.into() };
    visit.page_as(StatusCode::BAD_REQUEST, &page, None)
}

/// The page at the end of an errand that has no flow to go on with.
pub fn done(visit: &Visit, outcome: Outcome) -> Result<Response> {
    done_at(visit, outcome, START)
}

/// The same with another page to go on to.
pub fn done_at(visit: &Visit, outcome: Outcome, then: &'static str) -> Result<Response> {
    visit.page(&Done { outcome, continue_url: then.into() })
}
