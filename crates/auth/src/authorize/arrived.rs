//! An authorization request before its checks, and where it arrived.

use svc_core::Scope;
use svc_domain::apis::Api;
use svc_domain::apps::App;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::Params;
use svc_keys::KeyRing;

/// Where a request for authorization may arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// `/oauth/authorize`, with the request itself.
    Authorize,
    /// `/oauth/par`.
    Par,
    /// `/oauth/authorize`, with the reference of a request that was pushed.
    Pushed,
    /// `/oauth/device/code`.
    Device,
    /// `/bc-authorize`.
    Backchannel,
}

/// The parameters that a request may have; others are ignored.
pub const PARAMETERS: &[&str] = &[
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "nonce",
    "code_challenge",
    "code_challenge_method",
    "dpop_jkt",
    "resource",
    "audience",
    "authorization_details",
    "claims",
    "acr_values",
    "max_age",
    "prompt",
    "id_token_hint",
    "login_hint",
    "ui_locales",
    "organization",
];

/// What a check of an authorization request may look at.
pub struct CheckInput<'a> {
    /// The parameters, each once.
    pub params: &'a Params,
    /// Who asks, proven.
    pub app: &'a App,
    /// What the tokens are for: named by `resource`, or else by the application, or else the tenant's issuer.
    pub audience: &'a str,
    /// Every scope that an API of the tenant defines.
    pub known_scope: &'a Scope,
    /// The API that is named by `resource` or else by the application, if there is one of that name.
    pub api: Option<&'a Api>,
    /// The tenant.
    pub tenant: &'a Tenant,
    /// The keys of our own tokens.
    pub ring: &'a KeyRing,
    /// The key of the hint, where it has left them in the course of its rotation.
    pub former: Option<&'a KeyRing>,
    /// The application's `default_max_age`, where it may ask for one.
    pub default_max_age: Option<u32>,
    /// The application's `default_acr_values`, where it may ask for some.
    pub default_acr_values: &'a [String],
    /// Whether the deployment offers authorization details.
    pub offers_details: bool,
    /// Whether the application may have signed answers.
    pub offers_signed_replies: bool,
}

/// A request on its arrival, after whatever it was wrapped in.
pub struct Arrived {
    /// The parameters that count.
    pub params: Params,
    /// Where it came.
    pub endpoint: Endpoint,
    /// Under which reference it was pushed before.
    pub reference: Option<String>,
    /// The key that was proven when it was pushed.
    pub dpop_jkt: Option<String>,
}
