//! The plane as a whole, without a socket: its routes behind the edge, two tenants, a clock that stands still.

mod declared;
mod defaults;
mod privileges;
mod providers;
mod resources;

use std::sync::{Arc, LazyLock};

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use svc_core::{Cx, Error, ManualClock};
use svc_db::Db;
use svc_db::coordination::Coordination;
use svc_domain::apis::management::{self, Ensured};
use svc_domain::apps::{GrantType, Rules};
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::{
    App, Body, Describes, Description, Edge, Extensions, Letters, Parts, Request, ServiceExt as _,
    StatusCode, Wording, Writing, header,
};
use svc_keys::{Algorithm, Typ, digest};
use svc_testkit::START;

const HOSTS: [&str; 2] = ["localhost", "acme.localhost"];

/// The plane with the tenants `main` (at `localhost`) and `acme` (at `acme.localhost`).
struct World {
    app: App,
    edge: Edge,
    clock: Arc<ManualClock>,
    cx: Cx,
    ground: svc_testkit::World,
}

/// An answer, read to its end.
#[derive(Debug)]
struct Answer {
    status: StatusCode,
    etag: String,
    policy: String,
    body: String,
}

/// A call by the administrator of a tenant.
struct Call<'a> {
    host: &'a str,
    method: &'a str,
    path: &'a str,
    headers: &'a [(&'a str, &'a str)],
    body: Option<Value>,
}

/// What a body of this method is sent as.
fn media_type(method: &str) -> &'static str {
    if method == "PATCH" { "application/merge-patch+json" } else { "application/json" }
}

fn call<'a>(method: &'a str, path: &'a str) -> Call<'a> {
    Call { host: "localhost", method, path, headers: &[], body: None }
}

/// The description of this plane, made once for all tests.
static DESCRIPTION: LazyLock<Description> =
    LazyLock::new(|| crate::routes().openapi(&crate::openapi::about("1", &crate::scopes())));

impl World {
    async fn new() -> Self {
        Self::with_replica(None).await
    }

    /// The same with a replica of its database.
    async fn with_replica(replica: Option<Db>) -> Self {
        let world = svc_testkit::World::new().await;
        world.tenant("main").await;
        world.tenant("acme").await;
        let config = svc_testkit::config(&[
            ("SVC_TENANT__DEFAULT_TENANT_SLUG", "main"),
            ("SVC_SERVER__BASE_DOMAIN", "localhost"),
            ("SVC_OPENAPI__ENABLED", "true"),
        ]);
        let (db, services) = (world.db.clone(), world.services(&config).await);
        let coordination = Coordination::database(db.clone());
        let (clock, entropy) = (world.clock.clone(), world.entropy.clone());
        let (routes, scopes) = (crate::routes(), crate::scopes());
        let mut planes = Extensions::new();
        planes.insert(Arc::new(Describes(|| Ok(&DESCRIPTION))));
        planes.insert(Arc::new(rules()));
        planes.insert(Arc::new(Letters {
            invitation: |_, _, _| unwritten(),
            organization: |_, _, _| unwritten(),
            recovery: |_, _, _| unwritten(),
            credential_removed: |_, _, _, _| unwritten(),
            impersonation: |_, _, _, _| unwritten(),
        }));
        planes.insert(Arc::new(Wording { check: |_, _| Ok(()), originals: |_, _| Ok(None) }));
        let maintenance = db.clone();
        let parts =
            Parts { config, db, maintenance, replica, clock, entropy, services, coordination, planes };
        let app = App::new(parts).unwrap();
        let edge = routes.merge(crate::openapi::routes()).service(&app);
        let (clock, cx) = (world.clock.clone(), world.cx.clone());
        let world = Self { app, edge, clock, cx, ground: world };
        for host in HOSTS {
            let tenant = world.tenant(host).await;
            let mut tx = world.app.db.begin(tenant.id).await.unwrap();
            let made = management::ensure(&mut tx, &world.cx, &tenant, &scopes).await.unwrap();
            assert_eq!(made, Ensured::Created);
            let again = management::ensure(&mut tx, &world.cx, &tenant, &scopes).await.unwrap();
            assert_eq!(again, Ensured::Unchanged);
            tx.commit().await.unwrap();
        }
        world
    }

    async fn tenant(&self, host: &str) -> Arc<Tenant> {
        self.app.services.tenants.at_host(host).await.unwrap()
    }

    /// A member of `main`.
    async fn person(&self, name: &str) -> Person {
        self.ground.person(self.tenant("localhost").await.id, name).await
    }

    /// A token of `person` with `sid`, as the auth plane would have issued it.
    async fn token(&self, host: &str, subject: &str, sid: Option<&str>) -> String {
        let scopes: Vec<_> = crate::scopes().into_iter().map(|(scope, _)| scope).collect();
        self.token_with(host, &scopes.join(" "), subject, sid).await
    }

    /// The same with this scope alone.
    async fn token_with(&self, host: &str, scope: &str, subject: &str, sid: Option<&str>) -> String {
        let tenant = self.tenant(host).await;
        let now = START.as_secs();
        let mut claims = json!({
            "iss": tenant.issuer, "sub": subject, "aud": tenant.api_audience(), "exp": now + 300, "nbf": now, "iat": now,
            "jti": "jti-1", "tenant_id": tenant.id, "client_id": "app", "scope": scope, "subject_type": "human",
        });
        if let Some(sid) = sid {
            claims["sid"] = json!(sid);
        }
        let ring = self.app.services.keys.ring_of_deployment();
        ring.held(Algorithm::Es256).unwrap().sign(Typ::AccessToken, claims.to_string().as_bytes()).unwrap()
    }

    async fn send(&self, call: Call<'_>) -> Answer {
        let token = self.token(call.host, "administrator", None).await;
        self.send_as(&token, call).await
    }

    async fn send_as(&self, token: &str, call: Call<'_>) -> Answer {
        let mut request = Request::builder()
            .method(call.method)
            .uri(call.path)
            .header(header::HOST, call.host)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .header(header::CONTENT_TYPE, media_type(call.method));
        for (name, value) in call.headers {
            request = request.header(*name, *value);
        }
        let body = call.body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let response = self.edge.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let text = |name| parts.headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
        let (etag, policy) = (text(header::ETAG), text(header::CONTENT_SECURITY_POLICY));
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, etag, policy, body: String::from_utf8(body.to_vec()).unwrap() }
    }
}

impl Answer {
    #[track_caller]
    fn json(&self, status: u16) -> Value {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    /// What is the same for equal calls.
    #[track_caller]
    fn without_request_id(&self, status: u16) -> Value {
        let mut document = self.json(status);
        document.as_object_mut().unwrap().remove("request_id").unwrap();
        document
    }

    #[track_caller]
    fn refused(&self, status: u16, detail: &str) {
        assert!(self.json(status)["detail"].as_str().unwrap().contains(detail), "{}", self.body);
    }
}

/// The pages that write mails are another plane's; the integration tests have both.
fn unwritten() -> Writing<'static> {
    Box::pin(async { Err(Error::internal("this plane alone writes no mails")) })
}

/// Rules of a deployment that has one grant for public applications, and others for confidential ones.
fn rules() -> Rules {
    let grant = |name: &'static str, is_confidential: bool| GrantType {
        name,
        label: name,
        capability: None,
        is_confidential,
        may_be_self_registered: !is_confidential,
        needs_person: name != "client_credentials",
        needed: &[],
        parameters: &[],
    };
    let confidential = [
        "client_credentials",
        "urn:ietf:params:oauth:grant-type:token-exchange",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "urn:openid:params:grant-type:ciba",
    ];
    let confidential = confidential.map(|name| grant(name, true));
    Rules::new([grant("authorization_code", false)].into_iter().chain(confidential), &[])
}
