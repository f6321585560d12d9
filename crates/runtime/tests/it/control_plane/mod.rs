//! The control plane: who gets in, what of it opens nothing elsewhere, and what operators do there.

mod features;
mod guard;
mod jobs;
mod keys;
mod last_operator;
mod operators;
mod plans;
mod quotas;
mod short_lists;
mod tenant_lists;
mod tenants;

use serde_json::{Value, json};
use svc_domain::apis::control_plane::{READ, WRITE};
use svc_domain::apps::{self, control_plane};
use svc_domain::people::operators::Role;
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_runtime::operators as terminal;

use crate::harness::client::Pairs;
use crate::harness::{Answer, Client, Person, Site};

const KEYS: &str = "/api/v1/control-plane/keys";
const OPERATORS: &str = "/api/v1/control-plane/operators";
const TENANTS: &str = "/api/v1/control-plane/tenants";
const PLANS: &str = "/api/v1/control-plane/plans";

/// An operator who has a token at hand.
struct Desk<'h> {
    operator: Operator<'h>,
    token: String,
}

impl<'h> Desk<'h> {
    async fn of(site: &Site<'h>) -> Self {
        let operator = Operator::created(site, "grace").await;
        let token = operator.token().await;
        Self { operator, token }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.operator.call(&self.token, method, path, body).await
    }
}

/// An operator with the application that gets operators' tokens.
pub struct Operator<'h> {
    site: Site<'h>,
    app: Client<'h>,
    person: Person,
}

impl<'h> Operator<'h> {
    /// One whom `svc-runtime admin create-operator` made.
    pub async fn created(site: &Site<'h>, name: &str) -> Self {
        let (app, cx) = (site.harness.app(), site.harness.operator());
        let made =
            terminal::create(&app.db, &app.config, &cx, (name, None, Role::Administrator)).await.unwrap();
        let mut tx = app.db.read(site.tenant.id).await.unwrap();
        let found = tenant_users::find_by_identifier(&mut tx, name).await.unwrap().unwrap();
        let person = Person {
            id: found.id,
            username: made.username,
            email: String::new(),
            password: made.password.expose().to_owned(),
            subject: found.subject,
        };
        Self { site: site.clone(), app: application(site).await, person }
    }

    /// An access token by the code flow, after a sign-in.
    pub async fn token(&self) -> String {
        self.signed_in(&[]).await["access_token"].as_str().unwrap().to_owned()
    }

    async fn signed_in(&self, changes: Pairs<'_>) -> Value {
        let scope = format!("openid {READ} {WRITE}");
        let changes = [&[("scope", scope.as_str())], changes].concat();
        let code = self.app.code_with(&mut self.site.browser(), &self.person, &changes).await;
        self.app.exchange(&code).await.expect(200).json()
    }

    /// The claims of such a token, to be changed and signed by the service's own key.
    fn claims(&self, claims: &mut Value) {
        claims["aud"] = json!(self.site.tenant.control_plane_audience());
        claims["scope"] = json!(format!("{READ} {WRITE}"));
        (claims["client_id"], claims["sub"]) = (json!(self.app.id), json!(self.person.subject));
        (claims["subject_type"], claims["auth_time"]) = (json!("human"), claims["iat"].clone());
    }

    async fn call(&self, token: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.site.call(method, path, Some(token), body).await
    }
}

/// The same desk, for another person to sit down at.
fn operator_of<'h>(other: &Operator<'h>) -> Operator<'h> {
    Operator { site: other.site.clone(), app: other.app.clone(), person: other.person.clone() }
}

/// The built-in application, once an operator was made.
async fn application<'h>(site: &Site<'h>) -> Client<'h> {
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let app = apps::find_by_handle(&mut tx, control_plane::HANDLE).await.unwrap().unwrap();
    Client { site: site.clone(), id: app.id.to_string(), secret: None, configuration: app.configuration }
}
