//! Applications that enter themselves: dynamic registration, metadata documents, and the subjects that they are told.

mod creating;
mod documents;
mod managing;
mod refusals;
mod resource_metadata;
mod subjects;

use serde_json::{Value, json};
use svc_domain::apps::{self, AuthMethod, Configuration, OrganizationUsage};
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};
use svc_http::{Body, Method, Request};

use crate::harness::{Answer, Client, Harness, Site};

const OPEN: (&str, &str) = ("SVC_OIDC__DYNAMIC_REGISTRATION", "open");
const BY_TOKEN: (&str, &str) = ("SVC_OIDC__DYNAMIC_REGISTRATION", "token");
pub const LOOPBACK: (&str, &str) = ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true");

/// What an ordinary application says of itself, with changes.
fn metadata(changes: &Value) -> Value {
    let mut metadata = json!({
        "client_name": "Notebook",
        "redirect_uris": ["https://notebook.example/callback"],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "client_secret_basic",
        "scope": "openid profile email phone offline_access",
    });
    for (name, value) in changes.as_object().unwrap() {
        metadata[name] = value.clone();
    }
    metadata
}

/// A call of the registration endpoint or of a client configuration endpoint.
async fn call(
    site: &Site<'_>,
    method: Method,
    path: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("host", &site.host);
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    if body.is_some() {
        request = request.header("content-type", "application/json");
    }
    let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
    site.harness.send(request.body(body).unwrap()).await
}

async fn register(site: &Site<'_>, token: Option<&str>, metadata: &Value) -> Answer {
    call(site, Method::POST, "/oauth/register", token, Some(metadata)).await
}

/// A registered application with what manages it.
struct Registered<'h> {
    client: Client<'h>,
    response: Value,
    path: String,
    token: String,
}

impl<'h> Registered<'h> {
    async fn new(site: &Site<'h>, changes: &Value) -> Self {
        let response = register(site, None, &metadata(changes)).await.expect(201).json();
        Self::of(site, response)
    }

    fn of(site: &Site<'h>, response: Value) -> Self {
        let text = |name: &str| response[name].as_str().map(str::to_owned);
        let configuration = configuration(&response);
        let client = Client {
            site: site.clone(),
            id: text("client_id").unwrap(),
            secret: text("client_secret"),
            configuration,
        };
        let uri = text("registration_client_uri").unwrap();
        let path = uri.strip_prefix(site.issuer()).unwrap().to_owned();
        Self { client, path, token: text("registration_access_token").unwrap(), response }
    }

    /// What replaces the registration: the same metadata with changes.
    fn metadata(&self, changes: &Value) -> Value {
        let mut named = json!({ "client_id": self.client.id });
        named.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        metadata(&named)
    }

    async fn manage(&self, method: Method, body: Option<&Value>) -> Answer {
        call(&self.client.site, method, &self.path, Some(&self.token), body).await
    }
}

/// What the harness needs to know of an application.
fn configuration(metadata: &Value) -> Configuration {
    let uris: Vec<String> = serde_json::from_value(metadata["redirect_uris"].clone()).unwrap();
    let method = metadata.get("token_endpoint_auth_method").cloned().unwrap_or_else(|| json!("none"));
    let method: AuthMethod = serde_json::from_value(method).unwrap();
    Configuration { redirect_uris: uris, token_endpoint_auth_method: method, ..Configuration::default() }
}

/// Lets the tenant's applications be known by documents.
pub async fn allow_documents(site: &mut Site<'_>) {
    let new = NewTenant {
        slug: site.tenant.slug.clone(),
        name: site.tenant.name.clone(),
        custom_domain: None,
        settings: TenantSettings { client_id_metadata_documents: true, ..site.tenant.settings.clone() },
    };
    let app = site.harness.app();
    let mut tx = app.db.begin_system().await.unwrap();
    tenants::update(&mut tx, &site.harness.operator(), site.tenant.id, &new).await.unwrap();
    tx.commit().await.unwrap();
    site.tenant = app.services.tenants.by_id(site.tenant.id).await.unwrap();
}

/// Disables an application, as an administrator does.
async fn disable(h: &Harness, site: &Site<'_>, id: &str) {
    administer(h, site, id, (false, |_| ())).await;
}

/// Changes an application, as an administrator does.
async fn administer(
    h: &Harness,
    site: &Site<'_>,
    id: &str,
    (enabled, change): (bool, impl FnOnce(&mut Configuration)),
) {
    let app = h.app();
    let mut tx = app.db.begin(site.tenant.id).await.unwrap();
    let found = apps::find(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    let mut configuration = found.configuration.clone();
    change(&mut configuration);
    let change = apps::Change { configuration: &configuration, enabled };
    apps::update(&mut tx, &h.operator(), h.rules(), &found, change).await.unwrap();
    tx.commit().await.unwrap();
}

/// What an application may do.
async fn administered(site: &Site<'_>, id: &str) -> Configuration {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    apps::find(&mut tx, id.parse().unwrap()).await.unwrap().unwrap().configuration.clone()
}

/// An administrator bounds an application, and gives it more than a registration does.
fn bound(configuration: &mut Configuration) {
    configuration.second_factor_required = true;
    configuration.sign_in_methods = Some(["passkey"].into_iter().collect());
    configuration.disabled_capabilities = ["par"].into_iter().collect();
    configuration.organization_usage = Some(OrganizationUsage::Require);
    configuration.first_party = true;
}

fn is_bounded(configuration: &Configuration) {
    let Configuration { second_factor_required, disabled_capabilities, organization_usage, .. } =
        configuration;
    assert!(*second_factor_required && !disabled_capabilities.is_empty(), "{configuration:?}");
    assert_eq!(configuration.sign_in_methods, Some(["passkey"].into_iter().collect()));
    assert_eq!(*organization_usage, Some(OrganizationUsage::Require));
    assert!(!configuration.first_party, "its addresses may be others now");
}
