//! What the OpenAPI document says of itself, and `/openapi.json`.

use svc_http::{About, Description, HeaderValue, HostCx, Problem, Route, Routes, StaticDocument};

const DOCUMENT: &str = "/openapi.json";
const WHY: &str = "the description of the API, which the operator chose to publish";

const DESCRIPTION: &str = include_str!("openapi.md");

/// The groups of operations, by task.
const TAGS: &[(&str, &str)] = &[
    ("Tenant settings", "What the tenant chooses, and what it may use."),
    ("Branding", "How the hosted pages look."),
    ("Terms", "Versions of documents that people accept."),
    ("Sign-up fields", "What people are asked for beside their name and how they sign in."),
    ("Texts", "Own texts in place of messages of hosted pages and mails."),
    ("Custom domains", "Domains that the tenant has proven, and the one at which it answers."),
    ("Usage", "How much of its plan the tenant uses."),
    ("Applications", "OAuth clients: what each may do, and how it proves itself."),
    ("APIs", "The audiences that tokens are for, and their scopes."),
    ("Tenant users", "People's memberships in the tenant."),
    ("Impersonation", "Support staff who act for people."),
    ("Imports", "People brought from other systems, in chunks of lines."),
    ("Roles", "What people of the tenant may have, and which scopes of APIs that permits."),
    ("Groups", "People who have roles together, and groups in groups."),
    ("Organizations", "Customers of the tenant, their members and owners."),
    ("Connectors", "Providers at which the tenant has registered itself, and at which its people sign in."),
    ("SSO connections", "Providers of organizations, through which their people sign in."),
    ("API keys of organizations", "Keys that open the records of one organization."),
    ("Trusted issuers of organizations", "Whose assertions about members of one organization are believed."),
    ("SCIM tokens", "With what directories of organizations provision people."),
    ("SCIM targets", "Applications to which people and groups of the tenant are pushed."),
    ("SCIM schemas", "What directories may say of people besides the attributes of the standard."),
    ("Provisioning (SCIM)", "What directories of organizations provision people with (RFC 7643, RFC 7644)."),
    ("Policies", "What decides who may do what."),
    ("Access decisions", "Decisions for applications (OpenID AuthZEN Authorization API 1.0)."),
    ("Sessions", "Where people are signed in."),
    ("Consents", "What people have allowed applications."),
    ("Delegations", "Which applications act for whom."),
    ("Own account", "What people do to their own accounts, through an application of theirs."),
    ("Approvals", "What waits for the decision of the person who calls."),
    ("Trusted issuers", "Whose assertions about people are believed."),
    ("API keys", "With what programs call this API without an access token."),
    ("Registration tokens", "With what applications register themselves."),
    ("Shared signals", "Events about people for applications (OpenID SSF 1.0)."),
    ("Audit", "What happened in the tenant."),
    ("Webhooks", "Where events are sent, and what was delivered."),
    ("Hooks", "Receivers that are asked before people register and before tokens are issued."),
    ("Events", "What happens in the tenant, in order, for those who fetch it."),
    ("Control plane", "Operating the deployment, at the default tenant."),
    ("Sign-in", "The endpoints that a browser is sent to (OAuth 2.0, OpenID Connect)."),
    ("Tokens", "The endpoints that applications call for tokens and about them."),
    ("Registration", "Applications that register themselves (RFC 7591, RFC 7592)."),
    ("Metadata", "What is published about the tenant's authorization server."),
    ("Operations", "Probes and metrics."),
];

/// What the document says of itself.
pub fn about<'a>(version: &'a str, scopes: &'a [(&'static str, &'static str)]) -> About<'a> {
    About { title: "Identity and access service", version, description: DESCRIPTION, tags: TAGS, scopes }
}

/// The route of the document; to be merged only when `openapi.enabled`. `App::part` must hold the [`Description`].
pub fn routes() -> Routes {
    Routes::new([Route::get(DOCUMENT).public(WHY, document).undocumented()])
}

/// A new version of the service brings a new document at the same address.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

async fn document(host: HostCx) -> Result<StaticDocument, Problem> {
    let document = host.document(DOCUMENT, &[], || {
        let offers = |capability| host.offers(capability);
        Ok(host.app.part::<Description>()?.at(&host.tenant.issuer, offers).to_string())
    })?;
    Ok(StaticDocument { cache_control: NO_CACHE, ..document })
}
