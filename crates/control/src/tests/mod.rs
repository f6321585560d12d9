//! The plane as a whole, without a socket: its routes behind the edge, two tenants, a clock that stands still.

mod declared;
mod privileges;
mod resources;

use std::sync::Arc;

use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use svc_config::Config;
use svc_core::{Actor, Cx, Error, ManualClock, SeededEntropy, Timestamp};
use svc_db::coordination::Coordination;
use svc_db::{Db, PoolSettings};
use svc_domain::apis::management::{self, Ensured};
use svc_domain::apps::{GrantType, Rules};
use svc_domain::claims::profile::Profile;
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tenancy::tenants::{self, NewTenant, Tenant, TenantSettings};
use svc_domain::{MIGRATIONS, Services};
use svc_http::{
    App, Body, Edge, Extensions, Letters, Parts, Request, ServiceExt as _, StatusCode, Writing, header,
};
use svc_keys::{Algorithm, Typ, digest};
use tempfile::TempDir;

const START: Timestamp = Timestamp::from_secs(1_800_000_000);
const HOSTS: [&str; 2] = ["localhost", "acme.localhost"];

/// The plane with the tenants `main` (at `localhost`) and `acme` (at `acme.localhost`).
struct World {
    app: App,
    edge: Edge,
    clock: Arc<ManualClock>,
    cx: Cx,
    _folder: TempDir,
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

impl World {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let db = database(&folder).await;
        db.migrate(MIGRATIONS).await.unwrap();
        let entropy = Arc::new(SeededEntropy::new(7));
        let cx = Cx {
            now: START,
            entropy: entropy.clone(),
            actor: Actor::System("test"),
            request_id: "test".to_owned(),
            client_ip: None,
        };
        let mut tx = db.begin_system().await.unwrap();
        for slug in ["main", "acme"] {
            let settings = TenantSettings::default();
            let new =
                NewTenant { slug: slug.to_owned(), name: slug.to_owned(), custom_domain: None, settings };
            tenants::create(&mut tx, &cx, &new).await.unwrap();
        }
        tx.commit().await.unwrap();
        let env = [
            ("SVC_TENANT__DEFAULT_TENANT_SLUG", "main"),
            ("SVC_SERVER__BASE_DOMAIN", "localhost"),
            ("SVC_OPENAPI__ENABLED", "true"),
        ];
        let config = Config::load(None, &env.map(|(key, value)| (key.to_owned(), value.to_owned()))).unwrap();
        let services = Services::start(&db, &config, &cx, svc_keys::Keyring::ephemeral(&*cx.entropy, cx.now))
            .await
            .unwrap();
        let coordination = Coordination::database(db.clone());
        let clock = Arc::new(ManualClock::new(START));
        let (routes, scopes) = (crate::routes(), crate::scopes());
        let mut planes = Extensions::new();
        planes.insert(Arc::new(routes.openapi(&crate::openapi::about("1", &scopes))));
        planes.insert(Arc::new(rules()));
        planes
            .insert(Arc::new(Letters { invitation: |_, _, _| unwritten(), recovery: |_, _, _| unwritten() }));
        let app =
            App::new(Parts { config, db, clock: clock.clone(), entropy, services, coordination, planes })
                .unwrap();
        let edge = routes.merge(crate::openapi::routes()).service(&app);
        let world = Self { app, edge, clock, cx, _folder: folder };
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
        let mut tx = self.app.db.begin(self.tenant("localhost").await.id).await.unwrap();
        let email = Some(Email::parse(&format!("{name}@example.com")).unwrap());
        let new = NewAccount { email, email_verified: true, password: None, profile: Profile::default() };
        let account = accounts::create(&mut tx, &self.cx, &new).await.unwrap();
        let id = tenant_users::create(&mut tx, &self.cx, account, Some(name), &[]).await.unwrap();
        let person = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        person
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
        let ring = self.app.services.keys.ring();
        ring.active(Algorithm::Es256).unwrap().sign(Typ::AccessToken, claims.to_string().as_bytes()).unwrap()
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

/// SQLite, or a schema of its own on PostgreSQL where the environment names one.
async fn database(folder: &TempDir) -> Db {
    use std::hash::{BuildHasher as _, Hasher as _};
    let Ok(url) = std::env::var("SVC_TEST_DATABASE_URL") else {
        let url = format!("sqlite:{}", folder.path().join("svc.db").display());
        return Db::open(&url, &PoolSettings::default()).unwrap();
    };
    let schema =
        format!("control_{:x}", std::collections::hash_map::RandomState::new().build_hasher().finish());
    Db::open(&url, &PoolSettings::default()).unwrap().create_schema(&schema).await.unwrap();
    Db::open(&url, &PoolSettings { schema: Some(schema), ..PoolSettings::default() }).unwrap()
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
