//! What goes out by mail and comes back as a link: single-use secrets, and the way back into a flow.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_core::{AppId, Result};
use svc_domain::people::links::{self, Link, LinkKind};
use svc_http::{Response, StatusCode};
use svc_keys::{base64url, constant_time_eq, digest};

use crate::hosted::Visit;
use crate::hosted::paths::START;
use crate::pages::{Done, Outcome};
use crate::signin::Flow;

/// A flow that waits for its person to come back from their inbox; it goes on in the browser where it began, only.
#[derive(Serialize, Deserialize)]
pub struct Onward {
    browser: String,
    flow: Flow,
}

impl Onward {
    /// The flow of this browser.
    pub fn new(visit: &Visit, flow: Flow) -> Self {
        Self { browser: base64url(visit.browser.digest().0), flow: Flow { typed: None, ..flow } }
    }

    /// Where the flow leads, if this is the browser where it began.
    pub fn redirect_uri(&self, visit: &Visit) -> Option<&str> {
        self.is_here(visit).then(|| self.flow.request.reply_to.redirect_uri())
    }

    /// The flow, if this is the browser where it began; in any other, the sender of the link could be its owner.
    pub fn here(self, visit: &Visit) -> Option<Flow> {
        self.is_here(visit).then(|| Flow { since: visit.cx().now, ..self.flow })
    }

    /// The application that the flow leads to.
    pub fn application(&self) -> AppId {
        self.flow.request.client
    }

    /// What the flow asks for, in whatever browser.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    fn is_here(&self, visit: &Visit) -> bool {
        let this = base64url(visit.browser.digest().0);
        constant_time_eq(self.browser.as_bytes(), this.as_bytes())
    }
}

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
