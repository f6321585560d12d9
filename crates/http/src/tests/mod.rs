//! The kit as a whole, without a socket: a few routes behind the edge, a frozen clock, seeded randomness.

mod cross_origin;
mod documents;
mod edge;
mod limits;
mod operations;
mod retries;
mod serve;
mod tokens;
mod unheard;

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use svc_config::Config;
use svc_core::{Clock as _, Seconds};
use svc_db::coordination::Coordination;
use svc_domain::tenancy::tenants::Tenant;
use svc_keys::{Algorithm, Typ};
use tower::ServiceExt as _;

use crate::{App, Edge, Extensions, Parts, Peer, Routes};

/// One running kit with the tenants `main` (the default, at `localhost`) and `acme` (at `acme.localhost`).
pub(super) struct World {
    pub app: App,
    pub edge: Edge,
    ground: svc_testkit::World,
}

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl World {
    pub async fn new(routes: Routes) -> Self {
        Self::with(&[], routes).await
    }

    pub async fn with(settings: &[(&str, &str)], routes: Routes) -> Self {
        Self::with_planes(settings, routes, Extensions::new()).await
    }

    pub async fn with_planes(settings: &[(&str, &str)], routes: Routes, planes: Extensions) -> Self {
        let config = config(settings);
        let world = svc_testkit::World::new().await;
        world.tenant("main").await;
        world.tenant("acme").await;
        world.tenant_with("own", |own| own.custom_domain = Some("login.own.example".to_owned())).await;
        let (db, services) = (world.db.clone(), world.services(&config).await);
        let coordination = Coordination::database(db.clone());
        let app = App::new(Parts {
            config,
            maintenance: db.clone(),
            replica: None,
            db,
            clock: world.clock.clone(),
            entropy: world.entropy.clone(),
            services,
            coordination,
            planes,
        })
        .unwrap();
        app.readiness.open();
        let edge = routes.service(&app);
        Self { app, edge, ground: world }
    }

    pub fn advance(&self, seconds: i64) {
        self.ground.clock.advance(Seconds(seconds));
    }

    pub async fn send(&self, request: Request) -> Answer {
        let response = self.edge.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(get(path)).await
    }

    pub async fn tenant(&self, host: &str) -> Arc<Tenant> {
        self.app.services.tenants.at_host(host).await.unwrap()
    }

    /// Claims of a valid access token for the management APIs of the tenant at `host`.
    pub async fn claims(&self, host: &str, scope: &str) -> Value {
        let tenant = self.tenant(host).await;
        let now = self.ground.clock.now().as_secs();
        json!({
            "iss": tenant.issuer, "sub": "ada", "aud": tenant.api_audience(), "exp": now + 300, "nbf": now, "iat": now,
            "jti": "jti-1", "tenant_id": tenant.id, "client_id": "app", "scope": scope, "subject_type": "human",
        })
    }

    pub fn sign(&self, claims: &Value) -> String {
        let ring = self.app.services.keys.ring_of_deployment();
        let key = ring.held(Algorithm::Es256).unwrap();
        key.sign(Typ::AccessToken, claims.to_string().as_bytes()).unwrap()
    }

    pub async fn token(&self, host: &str, scope: &str) -> String {
        self.sign(&self.claims(host, scope).await)
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// What is the same for equal calls.
    pub fn without_request_id(&self) -> (StatusCode, Value) {
        let mut document = self.json();
        document.as_object_mut().unwrap().remove("request_id").unwrap();
        (self.status, document)
    }

    pub fn header(&self, name: impl header::AsHeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Asserts a problem document of this status and code.
    #[track_caller]
    pub fn is_problem(&self, status: u16, error: &str) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert_eq!(self.header(header::CONTENT_TYPE), "application/problem+json", "{self:?}");
        let document = self.json();
        assert_eq!(document["error"], error, "{self:?}");
        assert_eq!(document["status"], status, "{self:?}");
        assert_eq!(document["error_description"].as_str().map(str::is_empty), Some(false), "{self:?}");
        assert!(!self.header("x-request-id").is_empty(), "{self:?}");
    }
}

pub(super) fn request(method: &str, path: &str) -> axum::http::request::Builder {
    Request::builder().method(method).uri(path).header(header::HOST, "localhost")
}

pub(super) fn get(path: &str) -> Request {
    request("GET", path).body(Body::empty()).unwrap()
}

pub(super) fn with_token(method: &str, path: &str, token: &str) -> axum::http::request::Builder {
    request(method, path).header(header::AUTHORIZATION, format!("Bearer {token}"))
}

/// Says that the request came from `address`.
pub(super) fn from(address: &str, mut request: Request) -> Request {
    let address: SocketAddr = address.parse().unwrap();
    request.extensions_mut().insert(Peer { address, is_tls: false, certificate: None });
    request
}

fn config(settings: &[(&str, &str)]) -> Config {
    let base = [("SVC_TENANT__DEFAULT_TENANT_SLUG", "main"), ("SVC_SERVER__BASE_DOMAIN", "localhost")];
    svc_testkit::config(&[&base, settings].concat())
}
