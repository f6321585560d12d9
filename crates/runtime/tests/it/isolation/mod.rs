//! Tenant isolation over every declared route: a new resource needs its record in `records`, or this fails.

mod approvals;
mod directories;
mod guardians;
pub mod impersonations;
mod intake;
mod organizations;
mod provisioning;
pub mod records;
mod references;
mod scim;

use std::sync::LazyLock;

use serde_json::{Value, json};
use svc_domain::delivery::signals::{STATUS_PATH, STREAMS_PATH};
use svc_domain::tokens::access_token::SubjectType;
use svc_http::{Guard, Method};
use svc_runtime::compose;

pub use self::records::{Records, records};
use crate::harness::{Answer, Harness, Site};
use crate::openapi;

/// What the service must be told for all of them to be there.
pub const OFFERED: &[(&str, &str)] = &[
    ("SVC_SECURITY__PRODUCTION", "true"),
    ("SVC_SMS__ENABLED", "true"),
    ("SVC_SMS__MAX_PER_HOUR", "100"),
    ("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true"),
];

/// An operation as its declaration has it.
#[derive(Clone, Debug)]
pub struct Operation {
    pub method: Method,
    pub path: &'static str,
    pub scope: &'static str,
    pub former_scope: Option<&'static str>,
    pub is_for_people: bool,
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
        claims["client_id"] = json!(own.of("applications"));
    }
    if operation.is_for_people {
        (claims["subject_type"], claims["sub"]) = (json!("human"), json!(own.of("{sub}")));
        (claims["auth_time"], claims["acr"]) = (claims["iat"].clone(), json!("urn:svc:aal1"));
        claims["sid"] = json!(own.of("{session_id}"));
    }
}

/// The description of the whole API.
fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> =
        LazyLock::new(|| compose::description().unwrap().at("https://id.example", |_| true));
    &DOCUMENT
}

/// The document's example of what an operation takes, with this tenant's records in it; null where it takes nothing.
fn body_of(operation: &Operation, records: &Records) -> Value {
    let method = operation.method.as_str().to_lowercase();
    if document()["paths"][operation.path][&method]["requestBody"].is_null() {
        return Value::Null;
    }
    // The tokens of these requests count in no organization, so that there is none to choose.
    if operation.path.ends_with("/approve") {
        return json!({});
    }
    let mut body = openapi::example(document(), operation.path, &method).clone();
    // The standard has the ids of a stream and of its events in the body.
    // No one acts for themselves.
    let is_support = operation.path == "/api/v1/impersonations";
    let person = json!(records.of(if is_support { "{helped}" } else { "{tenant_user_id}" }));
    for (member, id) in [
        ("stream_id", json!(records.of("ssf"))),
        ("ack", json!([records.of("{jti}")])),
        ("owner_id", person.clone()),
        ("organization_id", json!(records.of("organizations"))),
        ("tenant_user_id", person),
        ("terms_id", json!(records.of("{terms_id}"))),
        ("user_code", json!(records.of("{user_code}"))),
        ("values", json!({ "subject": "Grace" })),
    ] {
        if let Some(place) = body.get_mut(member) {
            *place = id;
        }
    }
    body
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

pub fn path_of(operation: &Operation, records: &Records) -> String {
    let resource = operation.path.split('/').nth(3).unwrap_or_default();
    let mut path = operation.path.to_owned();
    if path.ends_with("/accept") {
        path = path.replace("{guarded_id}", records.of("{inviting_id}"));
    }
    if path.starts_with("/api/v1/identity/invitations") {
        path = path.replace("{invitation_id}", records.of("{waiting_id}"));
    }
    for parameter in [
        "{delegation_id}",
        "{session_id}",
        "{tenant_user_id}",
        "{application_id}",
        "{group_id}",
        "{directory_group_id}",
        "{delivery_id}",
        "{invitation_id}",
        "{domain_id}",
        "{connection_id}",
        "{key_id}",
        "{issuer_id}",
        "{credential_id}",
        "{guardian_id}",
        "{guarded_id}",
        "{impersonation_id}",
        "{device_code_id}",
        "{organization_id}",
        "{version}",
        "{number}",
    ] {
        if path.contains(parameter) {
            path = path.replace(parameter, records.of(parameter));
        }
    }
    match (operation.method.as_str(), operation.path) {
        ("DELETE", STREAMS_PATH) | ("GET", STATUS_PATH) => {
            format!("{path}?stream_id={}", records.of(resource))
        }
        ("POST", path) if path.ends_with("/invitation") => path.replace("{id}", records.of("{invited}")),
        _ if path.contains("{id}") => path.replace("{id}", records.of(resource)),
        _ => path,
    }
}

pub async fn call(site: &Site<'_>, operation: &Operation, records: &Records, token: Option<&str>) -> Answer {
    let (path, body) = (path_of(operation, records), body_of(operation, records));
    site.call(operation.method.clone(), &path, token, Some(body).filter(|body| !body.is_null())).await
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
    let h = Harness::with(OFFERED).await;
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
    let h = Harness::with(OFFERED).await;
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
    let h = Harness::with(OFFERED).await;
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
    let h = Harness::with(OFFERED).await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let (own, theirs) = (records(&acme).await, records(&globex).await);
    let unknown = own.of_nothing(&h);
    let asked = |operation: &Operation, records| (path_of(operation, records), body_of(operation, records));
    let named = operations(&h)
        .into_iter()
        .filter(|operation| asked(operation, &theirs) != asked(operation, &unknown));
    for operation in named {
        let token = acme.mint(|claims| suit(claims, &operation, &own));
        let unknown = call(&acme, &operation, &unknown, Some(&token)).await;
        let foreign = call(&acme, &operation, &theirs, Some(&token)).await;
        let foreign = foreign.expect_problem(404, "not_found");
        assert_eq!(visible(&foreign), visible(&unknown), "{operation:?}");
        if operation.path.contains("{session_id}") {
            let mixed = call(&acme, &operation, &own.with("{session_id}", &theirs), Some(&token)).await;
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
    let h = Harness::with(OFFERED).await;
    let all = operations(&h);
    assert!(all.len() >= 15, "{all:?}");
    // The second of two calls needs what the first one gave.
    let is_alone = |operation: &Operation| !operation.path.ends_with("/confirm");
    let (reading, changing): (Vec<_>, Vec<_>) =
        all.into_iter().filter(is_alone).partition(|operation| operation.method == Method::GET);
    // What only reads leaves the records to the next one as they were.
    let site = h.tenant("read").await;
    let own = records(&site).await;
    for operation in &reading {
        opens(&site, &own, operation).await;
    }
    for (number, operation) in changing.iter().enumerate() {
        let site = h.tenant(&format!("t{number}")).await;
        let own = records(&site).await;
        opens(&site, &own, operation).await;
    }
}

/// A token with the scope of an operation, and no more, does what the operation is for.
async fn opens(site: &Site<'_>, own: &Records, operation: &Operation) {
    let token = site.mint(|claims| {
        // The records are more powerful than a caller with one scope, who could not change them.
        claims["scope"] = json!(format!("{} privileges:grant", operation.scope));
        suit(claims, operation, own);
    });
    if operation.path.ends_with("/reactivate") {
        let suspend = path_of(operation, own).replace("/reactivate", "/suspend");
        let _ = site.call(Method::POST, &suspend, Some(&token), None).await.expect(200);
    }
    let answer = call(site, operation, own, Some(&token)).await;
    assert!((200..300).contains(&answer.status), "{operation:?}: {answer:?}");
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
