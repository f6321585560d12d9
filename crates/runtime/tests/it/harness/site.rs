//! One tenant with its people and applications, each made in a line.

use std::sync::Arc;

use serde_json::{Value, json};
use svc_core::{AccountId, Secret, TenantUserId};
use svc_db::Tx;
use svc_domain::apis::roles::{self, Permission, Role};
use svc_domain::apis::{self, AccessTokenTyp, ApiScope, management};
use svc_domain::apps::{self, AuthMethod, Kind};
use svc_domain::claims::profile::Profile;
use svc_domain::organizations::{self, Organization};
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::credentials::{self, NewCredential, Owner, totp};
use svc_domain::people::groups::{self, Group};
use svc_domain::people::phones::{self, PhoneNumber};
use svc_domain::people::tenant_users::{self, NewMember};
use svc_domain::tenancy::tenants::{self, NewTenant, Tenant, TenantSettings};
use svc_http::{Body, Method, Request};
use svc_keys::{Algorithm, Typ};

use super::{Answer, Browser, Client, HOST, Harness};

/// A tenant and the host that it answers at.
#[derive(Clone)]
pub struct Site<'h> {
    pub harness: &'h Harness,
    pub tenant: Arc<Tenant>,
    pub host: String,
}

/// A person who can sign in.
#[derive(Clone, Debug)]
pub struct Person {
    pub id: TenantUserId,
    pub username: String,
    pub email: String,
    pub password: String,
    pub subject: String,
}

/// A person whom the deployment knows and the tenant does not.
#[derive(Clone, Debug)]
pub struct Account {
    pub email: String,
    pub password: String,
}

impl<'h> Site<'h> {
    pub(super) async fn create(harness: &'h Harness, slug: &str) -> Self {
        let app = harness.app();
        let new = NewTenant {
            slug: slug.to_owned(),
            name: format!("Tenant {slug}"),
            custom_domain: None,
            settings: TenantSettings { registration: true, ..TenantSettings::default() },
        };
        let mut tx = app.db.begin_system().await.unwrap();
        let id = tenants::create(&mut tx, &harness.operator(), &new).await.unwrap();
        tx.commit().await.unwrap();
        let tenant = app.services.tenants.by_id(id).await.unwrap();
        let mut tx = app.db.begin(id).await.unwrap();
        management::ensure(&mut tx, &harness.operator(), &tenant, &svc_control::scopes()).await.unwrap();
        tx.commit().await.unwrap();
        let host = if slug == "main" { HOST.to_owned() } else { format!("{slug}.{HOST}") };
        Self { harness, tenant, host }
    }

    /// The tenant's issuer.
    pub fn issuer(&self) -> &str {
        &self.tenant.issuer
    }

    /// A person with every standard claim that matters, and the password `correct horse <name>`.
    pub async fn user(&self, name: &str) -> Person {
        self.user_with_roles(name, &[]).await
    }

    /// The same with roles.
    pub async fn user_with_roles(&self, name: &str, roles: &[&str]) -> Person {
        let email = format!("{name}@{}.example", self.tenant.slug);
        let profile = Profile {
            name: Some(format!("{name} of {}", self.tenant.slug)),
            phone_number: Some("+442079460123".to_owned()),
            ..Profile::default()
        };
        let (mut tx, account, password) = self.account(name, &email, profile).await;
        let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        let new = NewMember { username: Some(name), roles: &roles, ..NewMember::of(account) };
        let id = tenant_users::create(&mut tx, &self.harness.operator(), new).await.unwrap();
        let person = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        Person { id, username: name.to_owned(), email, password, subject: person.subject }
    }

    /// An account of the deployment, with a proven address and the password `correct horse <name>`, that is no member here.
    pub async fn stranger(&self, name: &str) -> Account {
        let email = format!("{name}@{}.stranger.example", self.tenant.slug);
        let (tx, _, password) = self.account(name, &email, Profile::default()).await;
        tx.commit().await.unwrap();
        Account { email, password }
    }

    /// Makes an account with a proven address and a password, in a transaction that goes on.
    async fn account(
        &self,
        name: &str,
        email: &str,
        profile: Profile,
    ) -> (Tx<svc_db::Tenant>, AccountId, String) {
        let (app, cx) = (self.harness.app(), self.harness.operator());
        let password = format!("correct horse {name}");
        let hash =
            app.services.passwords.of(None).hash(&Secret::new(password.clone()), &*cx.entropy).await.unwrap();
        let email = Some(Email::parse(email).unwrap());
        let new = NewAccount { email, email_verified: true, password: Some(hash), profile };
        let mut tx = app.db.begin(self.tenant.id).await.unwrap();
        let account = accounts::create(&mut tx, &cx, &new).await.unwrap();
        (tx, account, password)
    }

    /// A role with what it permits: an API, and scopes of it.
    pub async fn role(&self, name: &str, permissions: &[(&str, &[&str])]) -> Role {
        let permission = |(api, scopes): &(&str, &[&str])| Permission {
            api: (*api).to_owned(),
            scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        };
        let permissions = permissions.iter().map(permission).collect();
        let new = roles::Configuration { description: String::new(), permissions };
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let role =
            roles::create(&mut tx, &self.harness.operator(), &self.tenant, (name, &new)).await.unwrap();
        tx.commit().await.unwrap();
        role
    }

    /// A group whose people have these roles.
    pub async fn group(&self, name: &str, roles: &[&str]) -> Group {
        let roles = roles.iter().map(|role| (*role).to_owned()).collect();
        let new = groups::Configuration { name: name.to_owned(), description: String::new(), roles };
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let group = groups::create(&mut tx, &self.harness.operator(), &new).await.unwrap();
        tx.commit().await.unwrap();
        group
    }

    /// Puts a person into a group.
    pub async fn add(&self, group: &Group, person: TenantUserId) {
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
        groups::add(&mut tx, &self.harness.operator(), group, &person).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Puts a group into a group.
    pub async fn nest(&self, outer: &Group, inner: &Group) {
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        groups::nest(&mut tx, &self.harness.operator(), outer, inner).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// An organization of a person.
    pub async fn organization(&self, slug: &str, owner: TenantUserId) -> Organization {
        let configuration = serde_json::from_value(json!({ "name": slug })).unwrap();
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let owner = tenant_users::find(&mut tx, owner).await.unwrap().unwrap();
        let new = organizations::New { slug, owner: &owner, configuration: &configuration };
        let made = organizations::create(&mut tx, &self.harness.operator(), new).await.unwrap();
        tx.commit().await.unwrap();
        made
    }

    /// Makes a person a member of an organization.
    pub async fn member(&self, organization: &Organization, person: TenantUserId) {
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let member = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
        let new = (&member, None, &[][..]);
        organizations::add(&mut tx, &self.harness.operator(), (organization, 100), new).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Binds an identity at another provider to a person.
    pub async fn identity(&self, person: TenantUserId) {
        let (mut tx, cx) =
            (self.harness.app().db.begin(self.tenant.id).await.unwrap(), self.harness.operator());
        let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
        let identity = Identity {
            provider_name: None,
            provider: "google".to_owned(),
            issuer: "https://accounts.google.com".to_owned(),
            subject: person.id.to_string(),
            label: person.subject.clone(),
        };
        identities::link(&mut tx, &cx, Owner::from(&person), &identity).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Gives a person an app for one-time codes, of which no code is known.
    pub async fn second_factor(&self, person: TenantUserId) {
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let owner = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
        let (cx, document) = (self.harness.operator(), totp::Parameters::default());
        let (id, kind, name) = (cx.id(), credentials::Kind::Totp, "App");
        let new = NewCredential {
            id,
            kind,
            lookup: None,
            name,
            document: &document,
            sealed: None,
            mark: 0,
            expires_at: None,
        };
        credentials::add(&mut tx, &cx, Owner::from(&owner), new).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Gives a person a number that they have proven.
    pub async fn phone(&self, person: TenantUserId, number: &str) {
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
        let number = PhoneNumber::parse(number).unwrap();
        phones::set(&mut tx, &self.harness.operator(), &person, &number).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// An API with scopes that everybody may be given.
    pub async fn api(&self, identifier: &str, scopes: &[&str]) {
        let scope = |name: &&str| ApiScope {
            name: (*name).to_owned(),
            description: format!("Do {name}"),
            roles: Vec::new(),
        };
        let configuration = apis::Configuration {
            name: format!("API {identifier}"),
            scopes: scopes.iter().map(scope).collect(),
            resource_servers: Vec::new(),
            access_token_claims: std::collections::BTreeSet::default(),
            custom_claims: Vec::new(),
            access_token_lifetime_secs: None,
            access_token_typ: AccessTokenTyp::default(),
            authorization_details_types: Vec::new(),
        };
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        apis::create(&mut tx, &self.harness.operator(), identifier, &configuration).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// A confidential first-party application that may use every grant and every scope.
    pub async fn app(&self, handle: &str) -> Client<'h> {
        self.app_with(handle, |_| ()).await
    }

    /// A public first-party application.
    pub async fn public_app(&self, handle: &str) -> Client<'h> {
        self.app_with(handle, |configuration| {
            configuration.kind = Kind::Spa;
            configuration.token_endpoint_auth_method = AuthMethod::None;
            let is_confidential = |name: &String| {
                svc_auth::grant_types().any(|grant| grant.is_confidential && grant.name == name)
            };
            configuration.grant_types.retain(|name| !is_confidential(name));
        })
        .await
    }

    /// The confidential application with changes.
    pub async fn app_with(&self, handle: &str, change: impl FnOnce(&mut apps::Configuration)) -> Client<'h> {
        let cx = self.harness.operator();
        let management = svc_control::scopes().into_iter().map(|(name, _)| name);
        let standard =
            ["openid", "profile", "email", "address", "phone", "offline_access", "notes:read", "notes:write"];
        let mut configuration: apps::Configuration = serde_json::from_value(serde_json::json!({
            "name": format!("Application {handle}"),
            "first_party": true,
            "redirect_uris": [format!("https://{handle}.app.example/callback")],
            "post_logout_redirect_uris": [format!("https://{handle}.app.example/")],
            "grant_types": svc_auth::grant_types().map(|grant| grant.name).collect::<Vec<_>>(),
            "scope": standard.into_iter().chain(management).collect::<Vec<_>>().join(" "),
        }))
        .unwrap();
        change(&mut configuration);
        let secret =
            configuration.token_endpoint_auth_method.has_secret().then(|| svc_keys::token(&*cx.entropy));
        let digest = secret.as_deref().map(svc_keys::digest);
        let mut tx = self.harness.app().db.begin(self.tenant.id).await.unwrap();
        let app = apps::create(
            &mut tx,
            &cx,
            self.harness.rules(),
            handle,
            apps::NewApp { configuration: &configuration, secret: digest },
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
        Client { site: self.clone(), id: app.id.to_string(), secret, configuration }
    }

    /// A browser without cookies.
    pub fn browser(&self) -> Browser<'h> {
        Browser::new(self.clone())
    }

    /// A browser in which a person has signed in for an application.
    pub async fn sign_in(&self, client: &Client<'h>, person: &Person) -> Browser<'h> {
        let mut browser = self.browser();
        client.code_in(&mut browser, person).await;
        browser
    }

    /// An access token of the management API with every scope, signed by the service's own key, with changes.
    pub fn mint(&self, change: impl FnOnce(&mut Value)) -> String {
        let cx = self.harness.operator();
        let now = cx.now.as_secs();
        let scopes: Vec<_> = svc_control::scopes().into_iter().map(|(name, _)| name).collect();
        let mut claims = json!({
            "iss": self.tenant.issuer,
            "sub": "minted",
            "aud": self.tenant.api_audience(),
            "exp": now + 300,
            "nbf": now,
            "iat": now,
            "jti": svc_keys::token(&*cx.entropy),
            "tenant_id": self.tenant.id,
            "client_id": "minted",
            "scope": scopes.join(" "),
            "subject_type": "system",
        });
        change(&mut claims);
        let payload = claims.to_string().into_bytes();
        let ring = self.harness.app().services.keys.ring(self.tenant.id);
        ring.held(Algorithm::Es256).unwrap().sign(Typ::AccessToken, &payload).unwrap()
    }

    /// GET without any credential.
    pub async fn get(&self, path: &str) -> Answer {
        self.harness.get(&self.host, path).await
    }

    /// A call of the management API.
    pub async fn call(&self, method: Method, path: &str, token: Option<&str>, body: Option<Value>) -> Answer {
        // Our own resources are changed in part by merge patches, those of standards as their standard says.
        let is_patch = method == Method::PATCH
            && !["/api/v1/ssf/", "/scim/"].iter().any(|other| path.starts_with(other));
        let media_type = match path {
            _ if is_patch => "application/merge-patch+json",
            _ if path.contains("/chunks/") => "application/x-ndjson",
            _ => "application/json",
        };
        let mut request = Request::builder().method(method).uri(path).header("host", &self.host);
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header("content-type", media_type);
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        self.harness.send(request.body(body).unwrap()).await
    }

    /// The same with a body and one more header.
    pub async fn call_with(
        &self,
        method: Method,
        path: &str,
        token: &str,
        (name, value): (&str, &str),
        body: Value,
    ) -> Answer {
        let is_patch = method == Method::PATCH;
        let media_type = if is_patch { "application/merge-patch+json" } else { "application/json" };
        let request = Request::builder().method(method).uri(path).header("host", &self.host);
        let request = request.header("authorization", format!("Bearer {token}")).header(name, value);
        let request = request.header("content-type", media_type).body(Body::from(body.to_string()));
        self.harness.send(request.unwrap()).await
    }
}
