//! What the OpenAPI document says of itself, and `/openapi.json`.

use svc_http::{About, Describes, HeaderValue, HostCx, Problem, Route, Routes, StaticDocument};

const DOCUMENT: &str = "/openapi.json";
const WHY: &str = "the description of the API, which the operator chose to publish";

const DESCRIPTION: &str = include_str!("openapi.md");

/// The groups of operations, by task.
const TAGS: &[(&str, &str)] = &[
    ("Tenant settings", "The settings of the tenant, and the capabilities that it has."),
    ("Branding", "How the hosted pages look."),
    ("Terms", "Versions of documents that people accept."),
    (
        "Sign-up fields",
        "Fields that people fill in at sign-up or later, in addition to their name and credentials.",
    ),
    ("Texts", "The tenant's own wording of messages of the hosted pages and mails."),
    ("Custom domains", "Domains that the tenant has verified, and the one at which it is served."),
    ("Usage", "How much of its plan the tenant uses."),
    ("Applications", "OAuth clients: what each may do, and how it proves itself."),
    ("APIs", "The audiences that tokens are for, and their scopes."),
    ("Tenant users", "People's memberships in the tenant."),
    ("Impersonation", "Support staff who act for people."),
    ("Imports", "Imports of people from other systems, sent as chunks of JSON Lines."),
    ("Roles", "Roles of people in the tenant, and the scopes of APIs that each role permits."),
    ("Groups", "Groups of people, which give roles to their members, and groups within groups."),
    ("Organizations", "Customers of the tenant, their members and owners."),
    ("Connectors", "Providers at which the tenant has registered itself, and at which its people sign in."),
    ("SSO connections", "Providers of organizations, through which their people sign in."),
    ("API keys of organizations", "API keys for the records of one organization."),
    (
        "Trusted issuers of organizations",
        "Issuers whose assertions about the members of one organization are accepted.",
    ),
    ("SCIM tokens", "Tokens with which the directories of organizations provision people."),
    ("SCIM targets", "Applications to which people and groups of the tenant are pushed."),
    ("SCIM schemas", "Attributes that directories may provision in addition to those of the SCIM standard."),
    (
        "Provisioning (SCIM)",
        "The SCIM API through which the directories of organizations provision people (RFC 7643, RFC 7644).",
    ),
    ("Policies", "Access policies, written in Cedar."),
    ("Access decisions", "Decisions for applications (OpenID AuthZEN Authorization API 1.0)."),
    ("Sessions", "The sessions of people."),
    ("Consents", "What people have allowed applications to do."),
    ("Delegations", "Applications that act for people."),
    ("Own account", "The account of the person who calls, for account pages of your own."),
    ("Approvals", "Requests that wait for the decision of the person who calls."),
    ("Trusted issuers", "Issuers whose assertions about people are accepted."),
    ("API keys", "Keys with which programs call this API without an access token."),
    ("Registration tokens", "Initial access tokens, with which applications register themselves."),
    ("Shared signals", "Events about people for applications (OpenID SSF 1.0)."),
    ("Audit", "The audit log of the tenant."),
    ("Webhooks", "Subscriptions that send events to receivers, and their deliveries."),
    ("Hooks", "Receivers that decide before people register and before tokens are issued."),
    ("Events", "The events of the tenant in order, for receivers that fetch them."),
    ("Control plane", "Operating the deployment, at the default tenant."),
    ("Sign-in", "The endpoints that a browser is sent to (OAuth 2.0, OpenID Connect)."),
    ("Tokens", "The endpoints that applications call for tokens and about them."),
    ("Registration", "Applications that register themselves (RFC 7591, RFC 7592)."),
    ("Metadata", "Public metadata of the tenant's authorization server."),
    ("Operations", "Probes and metrics."),
];

/// What the document says of itself.
pub fn about<'a>(version: &'a str, scopes: &'a [(&'static str, &'static str)]) -> About<'a> {
    About { title: "Identity and access service", version, description: DESCRIPTION, tags: TAGS, scopes }
}

/// The route of the document; to be merged only when `openapi.enabled`. `App::part` must hold [`Describes`].
pub fn routes() -> Routes {
    Routes::new([Route::get(DOCUMENT).public(WHY, document).undocumented()])
}

/// A new version of the service brings a new document at the same address.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

async fn document(host: HostCx) -> Result<StaticDocument, Problem> {
    let document = host.document(DOCUMENT, &[], || {
        let offers = |capability| host.offers(capability);
        Ok((host.app.part::<Describes>()?.0)()?.at(&host.tenant.issuer, offers).to_string())
    })?;
    Ok(StaticDocument { cache_control: NO_CACHE, ..document })
}
