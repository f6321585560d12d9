//! Tenant isolation over every declared route: a new operation needs its fixture here, or this fails.

use serde_json::{Value, json};
use svc_core::{
    ApiId, AppId, CibaRequestId, Cx, DelegationId, Kind, RegistrationTokenId, Seconds, SessionId, SetId,
    StreamId, TenantUserId, TrustedIssuerId,
};
use svc_db::{SystemSql, args};
use svc_domain::apis;
use svc_domain::apps::registrations;
use svc_domain::apps::registrations::NewToken;
use svc_domain::claims::profile::Profile;
use svc_domain::delivery::signals::{self, Delivery, STATUS_PATH, STREAMS_PATH, Wanted};
use svc_domain::federation::trusted_issuers;
use svc_domain::grants::{ciba_requests, consents, delegations};
use svc_domain::people::accounts::{self, Email, NewAccount};
use svc_domain::people::{sessions, tenant_users};
use svc_domain::tokens::access_token::SubjectType;
use svc_http::{Guard, Method};
use svc_runtime::compose;

use crate::harness::{Answer, Client, Harness, Person, Site};

/// An operation as its declaration has it.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    pub path: &'static str,
    pub scope: &'static str,
    pub former_scope: Option<&'static str>,
    pub is_for_people: bool,
}

/// The records of one tenant that paths can name.
#[derive(Clone, Debug)]
pub struct Records {
    pub application: String,
    api: String,
    registration_token: String,
    user: String,
    invited: String,
    pub subject: String,
    ciba_request: String,
    session: String,
    delegation: String,
    trusted_issuer: String,
    pub stream: String,
    waiting: String,
}

impl Operation {
    /// Whether it is about what belongs to the calling application.
    pub fn is_for_receivers(&self) -> bool {
        self.path.starts_with("/api/v1/ssf/")
    }
}

/// Makes a minted token one of the tenant's own person, where an operation is for people only, or of its own application.
pub fn suit(claims: &mut Value, operation: &Operation, own: &Records) {
    if operation.is_for_receivers() {
        claims["client_id"] = json!(own.application);
    }
    if operation.is_for_people {
        (claims["subject_type"], claims["sub"]) = (json!("human"), json!(own.subject));
    }
}

/// What to send so that an operation succeeds; an operation that is not here has no fixture.
fn body_of(operation: &Operation, records: &Records) -> Option<Value> {
    let application = json!({ "name": "Renamed", "grant_types": ["client_credentials"] });
    let api = json!({ "name": "Renamed", "scopes": [{ "name": "notes:read" }] });
    let created_api = json!({ "identifier": "https://new.example", "name": "New" });
    match (operation.method.as_str(), operation.path) {
        ("GET" | "DELETE", _) => Some(Value::Null),
        ("POST", "/api/v1/applications") | ("PUT" | "PATCH", "/api/v1/applications/{id}") => {
            Some(application)
        }
        ("POST", "/api/v1/apis") => Some(created_api),
        ("PUT" | "PATCH", "/api/v1/apis/{id}") => Some(api),
        ("POST", "/api/v1/trusted-issuers") => Some(issuer("https://new.example")),
        ("PUT" | "PATCH", "/api/v1/trusted-issuers/{id}") => {
            let mut issuer = issuer("");
            issuer.as_object_mut().unwrap().remove("issuer");
            Some(issuer)
        }
        ("PUT", "/api/v1/trusted-issuers/{id}/subjects/{tenant_user_id}") => {
            Some(json!({ "subject": "there" }))
        }
        ("POST", STREAMS_PATH) => Some(json!({})),
        ("PATCH" | "PUT", STREAMS_PATH) | ("POST", "/api/v1/ssf/verify") => {
            Some(json!({ "stream_id": records.stream }))
        }
        ("POST", STATUS_PATH) => Some(json!({ "stream_id": records.stream, "status": "paused" })),
        ("POST", "/api/v1/ssf/poll/{id}") => Some(json!({ "ack": [records.waiting] })),
        ("POST", "/api/v1/tenant-users") => Some(json!({ "username": "new" })),
        ("PUT" | "PATCH", "/api/v1/tenant-users/{id}") => Some(json!({ "username": "renamed" })),
        ("PUT", "/api/v1/tenant-users/{id}/password") => Some(json!({ "password": "relay moth compiler" })),
        ("POST", "/api/v1/registration-tokens") => Some(json!({ "description": "New" })),
        (
            "POST",
            "/api/v1/applications/{id}/secret"
            | "/api/v1/delegations/{id}/revoke"
            | "/api/v1/identity/ciba/requests/{id}/approve"
            | "/api/v1/identity/ciba/requests/{id}/deny"
            | "/api/v1/tenant-users/{id}/invitation"
            | "/api/v1/tenant-users/{id}/recovery"
            | "/api/v1/tenant-users/{id}/suspend"
            | "/api/v1/tenant-users/{id}/reactivate",
        ) => Some(Value::Null),
        _ => None,
    }
}

/// Every tenant operation that the service declares.
pub fn operations(h: &Harness) -> Vec<Operation> {
    let routes = compose::planes_of(&h.app().config);
    let tenant_only = routes.iter().filter_map(|route| match route.guard {
        Guard::Tenant { scope } => Some(Operation {
            method: route.method.clone(),
            path: route.path,
            scope,
            former_scope: route.former_scope,
            is_for_people: !route.subject_types.contains(&SubjectType::System),
        }),
        _ => None,
    });
    tenant_only.collect()
}

pub async fn records(site: &Site<'_>) -> Records {
    let app = site.app("subject").await;
    let user = site.user("subject").await;
    site.api("https://subject.example", &["notes:read"]).await;
    site.sign_in(&app, &user).await;
    let mut tx = site.harness.app().db.read(site.tenant.id).await.unwrap();
    let api =
        apis::find_by_identifier(&mut tx, &site.tenant, "https://subject.example").await.unwrap().unwrap();
    let page = sessions::Page { seen_after: svc_core::Timestamp::from_secs(0), cursor: None, limit: 1 };
    let person = tenant_users::find(&mut tx, user.id).await.unwrap().unwrap();
    let session =
        sessions::list(&mut tx, &person, site.harness.operator().now, &page).await.unwrap().remove(0);
    // Held, it would keep a connection from the requests below.
    drop(tx);
    // Only a disabled API may be deleted.
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    apis::update(&mut tx, &site.harness.operator(), &api, &api.configuration, false).await.unwrap();
    tx.commit().await.unwrap();
    let (stream, waiting) = stream(site, app.id.parse().unwrap()).await;
    Records {
        application: app.id.clone(),
        api: api.id.to_string(),
        registration_token: registration_token(site).await,
        user: user.id.to_string(),
        invited: invited(site, &user, &app).await,
        ciba_request: ciba_request(&app, &user).await,
        subject: user.subject,
        session: session.id.to_string(),
        delegation: delegation(site, app.id.parse().unwrap(), user.id).await,
        trusted_issuer: trusted_issuer(site, user.id).await,
        stream,
        waiting,
    }
}

/// A person who was invited; the other one is managed by the tenant, and has allowed the application something.
async fn invited(site: &Site<'_>, user: &Person, app: &Client<'_>) -> String {
    let cx = site.harness.operator();
    let mut tx = site.harness.app().db.begin_system().await.unwrap();
    let manage = SystemSql::new("UPDATE accounts SET managed_by = $1 WHERE email = $2");
    tx.execute(manage, args![site.tenant.id, &user.email]).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let allowed = ("https://subject.example", &"notes:read".parse().unwrap());
    consents::grant(&mut tx, &cx, user.id, app.id.parse().unwrap(), allowed).await.unwrap();
    let email = Some(Email::parse(&format!("invited@{}.example", site.tenant.slug)).unwrap());
    let new = NewAccount { email, email_verified: false, password: None, profile: Profile::default() };
    let account = accounts::create_managed(&mut tx, &cx, &new).await.unwrap();
    let invited = tenant_users::invite(&mut tx, &cx, account, None, &[]).await.unwrap();
    tx.commit().await.unwrap();
    invited.to_string()
}

/// A stream to poll, and an event that waits in it since a verification of long ago.
async fn stream(site: &Site<'_>, app: AppId) -> (String, String) {
    let operator = site.harness.operator();
    let cx = Cx { now: operator.now - Seconds(3600), ..operator };
    let wanted = Wanted { delivery: Delivery::Poll, events_requested: Vec::new(), description: None };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let sealer = &site.harness.app().services.credentials;
    let stream = signals::create(&mut tx, &cx, sealer, app, wanted).await.unwrap();
    signals::verify(&mut tx, &cx, (app, stream.id), None).await.unwrap();
    let waiting = signals::waiting(&mut tx, &stream, 1).await.unwrap().remove(0);
    tx.commit().await.unwrap();
    (stream.id.to_string(), waiting.id.to_string())
}

async fn ciba_request(app: &Client<'_>, user: &Person) -> String {
    let form = [("scope", "openid"), ("login_hint", user.username.as_str())];
    let _ = app.post("/bc-authorize", &form, &[]).await.expect(200);
    let mut tx = app.site.harness.app().db.read(app.site.tenant.id).await.unwrap();
    let person = tenant_users::find(&mut tx, user.id).await.unwrap().unwrap();
    let page = ciba_requests::Page { cursor: None, limit: 1 };
    let now = app.site.harness.operator().now;
    ciba_requests::of_person(&mut tx, &person, now, &page).await.unwrap().remove(0).id.to_string()
}

async fn registration_token(site: &Site<'_>) -> String {
    let new =
        NewToken { digest: svc_keys::digest("subject"), description: "", quota: 1, lifetime: Seconds(60) };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let token = registrations::create_token(&mut tx, &site.harness.operator(), &new).await.unwrap();
    tx.commit().await.unwrap();
    token.id.to_string()
}

/// An issuer as the API takes one.
fn issuer(name: &str) -> Value {
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    json!({ "issuer": name, "name": "Elsewhere", "jwks": { "keys": [key] } })
}

async fn trusted_issuer(site: &Site<'_>, person: TenantUserId) -> String {
    let cx = site.harness.operator();
    let configuration = trusted_issuers::Configuration {
        name: "Subject".to_owned(),
        jwks: Some(issuer("")["jwks"].clone()),
        ..trusted_issuers::Configuration::default()
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let made =
        trusted_issuers::create(&mut tx, &cx, "https://subject.example", &configuration).await.unwrap();
    trusted_issuers::link(&mut tx, &cx, made.id, person, "subject there").await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

async fn delegation(site: &Site<'_>, actor: AppId, person: TenantUserId) -> String {
    let cx = site.harness.operator();
    let made = delegations::Delegation {
        id: cx.id(),
        parent: None,
        family: cx.id(),
        person,
        actor,
        source: delegations::Source { client_id: actor.to_string(), family: None, jti: "source".to_owned() },
        session: None,
        audience: "https://subject.example".to_owned(),
        scope: "notes:read".parse().unwrap(),
        authorization_details: Vec::new(),
        act: None,
        purpose: String::new(),
        state: delegations::State::Live,
        created_at: cx.now,
        expires_at: cx.now + Seconds(60),
        revoked_at: None,
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    delegations::create(&mut tx, &cx, &made).unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// Ids of the right form that no record has.
fn nobodys(h: &Harness) -> Records {
    fn id<K: Kind>(h: &Harness) -> String {
        h.operator().id::<K>().to_string()
    }
    fn of<K: Kind>(h: &Harness, _: Option<svc_core::Id<K>>) -> String {
        id::<K>(h)
    }
    Records {
        application: of(h, None::<AppId>),
        api: of(h, None::<ApiId>),
        registration_token: of(h, None::<RegistrationTokenId>),
        user: of(h, None::<TenantUserId>),
        invited: of(h, None::<TenantUserId>),
        subject: String::new(),
        ciba_request: of(h, None::<CibaRequestId>),
        session: of(h, None::<SessionId>),
        delegation: of(h, None::<DelegationId>),
        trusted_issuer: of(h, None::<TrustedIssuerId>),
        stream: of(h, None::<StreamId>),
        waiting: of(h, None::<SetId>),
    }
}

pub fn path_of(operation: &Operation, records: &Records) -> String {
    let path = operation.path.replace("{session_id}", &records.session);
    let path = path.replace("{tenant_user_id}", &records.user);
    let path = path.replace("{application_id}", &records.application);
    let id = match operation.path.split('/').nth(3) {
        Some("applications") => &records.application,
        Some("apis") => &records.api,
        Some("registration-tokens") => &records.registration_token,
        Some("tenant-users") if path.ends_with("/invitation") => &records.invited,
        Some("tenant-users") => &records.user,
        Some("delegations") => &records.delegation,
        Some("trusted-issuers") => &records.trusted_issuer,
        Some("identity") => &records.ciba_request,
        Some("ssf") => match (operation.method.as_str(), operation.path) {
            ("DELETE", STREAMS_PATH) | ("GET", STATUS_PATH) => {
                return format!("{path}?stream_id={}", records.stream);
            }
            _ => &records.stream,
        },
        _ if path.contains('{') => panic!("{operation:?} has no fixture: say which record its path names"),
        _ => return path,
    };
    path.replace("{id}", id)
}

pub async fn call(site: &Site<'_>, operation: &Operation, records: &Records, token: Option<&str>) -> Answer {
    let path = &path_of(operation, records);
    let body = body_of(operation, records)
        .unwrap_or_else(|| panic!("{operation:?} has no fixture: say what it takes"));
    site.call(operation.method.clone(), path, token, Some(body).filter(|body| !body.is_null())).await
}

/// What a caller sees but for what is new in every answer.
fn visible(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id")
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    headers.retain(|(name, _)| name != "content-length");
    let request_id = answer.header("x-request-id");
    (answer.status, headers, answer.body.replace(request_id, "the request"))
}

#[tokio::test]
async fn no_operation_is_open_without_a_token() {
    let h = Harness::new().await;
    let acme = h.tenant("acme").await;
    let own = records(&acme).await;
    for operation in operations(&h) {
        let answer = call(&acme, &operation, &own, None).await;
        let answer = answer.expect_problem(401, "unauthorized");
        let challenge = answer.header("www-authenticate");
        let metadata =
            format!("resource_metadata=\"{}/.well-known/oauth-protected-resource\"", acme.issuer());
        assert!(
            challenge.starts_with("Bearer ") && challenge.contains(&metadata),
            "{operation:?}: {challenge}"
        );
    }
}

#[tokio::test]
async fn a_token_without_the_scope_expired_or_of_the_wrong_kind_opens_nothing() {
    let h = Harness::new().await;
    let acme = h.tenant("acme").await;
    let own = records(&acme).await;
    let now = h.operator().now.as_secs();
    for operation in operations(&h) {
        let all = svc_control::scopes().into_iter().map(|(name, _)| name);
        let all = all.filter(|name| *name != operation.scope && Some(*name) != operation.former_scope);
        let others = all.collect::<Vec<_>>().join(" ");
        let lacking = acme.mint(|claims| claims["scope"] = json!(others));
        let expired = acme.mint(|claims| {
            (claims["iat"], claims["nbf"], claims["exp"]) =
                (json!(now - 1000), json!(now - 1000), json!(now - 100));
        });
        let anonymous = acme.mint(|claims| claims["subject_type"] = json!("anonymous"));
        let elsewhere = acme.mint(|claims| claims["aud"] = json!("https://notes.example"));
        let delegated = acme.mint(|claims| {
            suit(claims, &operation, &own);
            claims["act"] = json!({ "sub": "agent" });
        });
        let bound = acme.mint(|claims| {
            suit(claims, &operation, &own);
            claims["cnf"] = json!({ "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" });
        });
        for (token, status) in [
            (lacking, 403),
            (expired, 401),
            (anonymous, 403),
            (elsewhere, 401),
            (delegated, 403),
            (bound, 401),
        ] {
            let answer = call(&acme, &operation, &own, Some(&token)).await;
            assert_eq!(answer.status, status, "{operation:?}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn another_tenants_token_is_told_what_an_unknown_id_is_told() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let own = records(&acme).await;
    let foreign = globex.mint(|_| ());
    let valid = acme.mint(|_| ());
    let unknown = acme
        .call(Method::GET, "/api/v1/applications/app_00000000000000000000000000", Some(&valid), None)
        .await;
    for operation in operations(&h) {
        let answer = call(&acme, &operation, &own, Some(&foreign)).await;
        let answer = answer.expect_problem(404, "not_found");
        assert_eq!(visible(&answer), visible(&unknown), "{operation:?}");
    }
}

#[tokio::test]
async fn another_tenants_id_is_answered_byte_for_byte_like_an_unknown_one() {
    let h = Harness::new().await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let (own, theirs, nobodys) = (records(&acme).await, records(&globex).await, nobodys(&h));
    let asked = |operation: &Operation, records| (path_of(operation, records), body_of(operation, records));
    let named = operations(&h)
        .into_iter()
        .filter(|operation| asked(operation, &theirs) != asked(operation, &nobodys));
    for operation in named {
        let token = acme.mint(|claims| suit(claims, &operation, &own));
        let unknown = call(&acme, &operation, &nobodys, Some(&token)).await;
        let foreign = call(&acme, &operation, &theirs, Some(&token)).await;
        let foreign = foreign.expect_problem(404, "not_found");
        assert_eq!(visible(&foreign), visible(&unknown), "{operation:?}");
        let mixed = Records { session: theirs.session.clone(), ..own.clone() };
        if operation.path.contains("{session_id}") {
            let mixed = call(&acme, &operation, &mixed, Some(&token)).await;
            assert_eq!(visible(&mixed), visible(&unknown), "{operation:?}");
        }
    }
    // The other tenant still has everything.
    let token = globex.mint(|_| ());
    for path in ["/api/v1/applications/{id}", "/api/v1/apis/{id}", "/api/v1/tenant-users/{id}"] {
        let operation =
            Operation { method: Method::GET, path, scope: "", former_scope: None, is_for_people: false };
        let _ = call(&globex, &operation, &theirs, Some(&token)).await.expect(200);
    }
}

#[tokio::test]
async fn the_right_token_opens_every_operation() {
    let h = Harness::new().await;
    let all = operations(&h);
    assert!(all.len() >= 15, "{all:?}");
    for (number, operation) in all.iter().enumerate() {
        let site = h.tenant(&format!("t{number}")).await;
        let own = records(&site).await;
        let token = site.mint(|claims| {
            // The records are more powerful than a caller with one scope, who could not change them.
            claims["scope"] = json!(format!("{} privileges:grant", operation.scope));
            suit(claims, operation, &own);
        });
        if operation.path.ends_with("/reactivate") {
            let suspend = path_of(operation, &own).replace("/reactivate", "/suspend");
            let _ = site.call(Method::POST, &suspend, Some(&token), None).await.expect(200);
        }
        let answer = call(&site, operation, &own, Some(&token)).await;
        assert!((200..300).contains(&answer.status), "{operation:?}: {answer:?}");
    }
}

#[test]
fn every_scope_that_a_route_asks_for_is_in_the_table() {
    let config = svc_config::Config::default();
    for route in compose::planes_of(&config).iter() {
        if let Guard::Tenant { scope } = route.guard {
            assert!(
                svc_control::scopes().iter().any(|(name, _)| *name == scope),
                "{scope} of {}",
                route.path
            );
        }
    }
}
