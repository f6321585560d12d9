//! What a route says about itself: who may call it, and within which limits.

use axum::http::Method;
use svc_config::Config;
use svc_core::Seconds;
use svc_domain::people::operators::Role;
use svc_domain::tokens::access_token::SubjectType;

use super::docs::{Credential, Docs};
use crate::cors::Cors;
use crate::render::{self, Surface};

/// Who may call a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Bearers of an access token of the tenant with this scope.
    Tenant {
        /// The required scope.
        scope: &'static str,
    },
    /// Operators of the deployment, at the default tenant, of this role or one that opens more.
    Operator(Role),
    /// Directories of organizations, with a SCIM token.
    Scim,
    /// Applications, which the handler authenticates by their registered method.
    Client,
    /// People with a browser session at the tenant.
    Session,
    /// Every caller, at a tenant's host, for the reason given.
    Public(&'static str),
    /// Browsers, at a tenant's host, for the reason given: a page is shown.
    Page(&'static str),
    /// Browsers, at a tenant's host, for the reason given: one of our own pages sends its form here.
    Form(&'static str),
    /// Every caller, at any host of the deployment, for the reason given.
    Deployment(&'static str),
}

/// A limit of a route's own, counted for all nodes together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Calls per client address and window.
    pub calls: i64,
    /// The window.
    pub window: Seconds,
}

/// Everything that a route says about itself.
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub struct Declared {
    /// The HTTP method.
    pub method: Method,
    /// The path with its parameters in braces.
    pub path: &'static str,
    /// Who may call it.
    pub guard: Guard,
    /// The scope's former name, which is still accepted.
    pub former_scope: Option<&'static str>,
    /// The kinds of caller that a tenant route accepts.
    pub subject_types: &'static [SubjectType],
    /// Whether a token that carries a delegation is accepted.
    pub accepts_delegation: bool,
    /// How long ago the person may have signed in at most.
    pub oldest_sign_in: Option<Seconds>,
    /// Whether an `idempotency-key` is honoured.
    pub is_idempotent: bool,
    /// Most bytes of a request body.
    pub body_limit: usize,
    /// Whether a request that succeeds counts for no limit of its address or tenant.
    pub counts_refusals: bool,
    /// Whether its requests count for no limit at all.
    pub is_unlimited: bool,
    /// Whether browsers that come to a former host of the tenant are sent to the issuer's, as for every page.
    pub is_at_issuer: bool,
    /// A limit of its own besides the general one.
    pub limit: Option<fn(&Config) -> Limit>,
    pub(crate) cors: Option<Cors>,
    pub(crate) docs: Docs,
}

impl Declared {
    /// Whose vocabulary its errors are written in.
    pub(crate) fn surface(&self) -> Surface {
        render::surface_of(self.path)
    }

    /// Whether its handler reads a bearer token.
    pub(crate) fn has_bearer(&self) -> bool {
        self.docs.credential == Credential::Bearer
    }
}
