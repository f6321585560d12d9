//! Applications are told what happens to people (OpenID SSF 1.0, CAEP 1.0; RFC 8417, RFC 8935, RFC 8936).

mod events;
mod poll;
mod push;
mod streams;

use serde_json::{Value, json};
use svc_domain::apps::Configuration;
use svc_http::Method;
use svc_keys::{Algorithm, Jws, KeySet};

use crate::harness::{Answer, Client, Person, Site};

const STREAMS: &str = "/api/v1/ssf/streams";
const STATUS: &str = "/api/v1/ssf/status";
const VERIFY: &str = "/api/v1/ssf/verify";

const SESSION_REVOKED: &str = "https://schemas.openid.net/secevent/caep/event-type/session-revoked";
const CREDENTIAL_CHANGE: &str = "https://schemas.openid.net/secevent/caep/event-type/credential-change";
const TOKEN_CLAIMS_CHANGE: &str = "https://schemas.openid.net/secevent/caep/event-type/token-claims-change";
const ACCOUNT_DISABLED: &str = "https://schemas.openid.net/secevent/risc/event-type/account-disabled";
const ACCOUNT_ENABLED: &str = "https://schemas.openid.net/secevent/risc/event-type/account-enabled";
const ALL: [&str; 5] =
    [SESSION_REVOKED, CREDENTIAL_CHANGE, TOKEN_CLAIMS_CHANGE, ACCOUNT_DISABLED, ACCOUNT_ENABLED];
const VERIFICATION: &str = "https://schemas.openid.net/secevent/ssf/event-type/verification";

const PUSH: &str = "urn:ietf:rfc:8935";
const POLL: &str = "urn:ietf:rfc:8936";

/// An application that receives signals, with a token of its own for every call.
struct Receiver<'h> {
    client: Client<'h>,
}

impl<'h> Receiver<'h> {
    async fn new(site: &Site<'h>, handle: &str) -> Self {
        Self::with(site, handle, |_| ()).await
    }

    async fn with(site: &Site<'h>, handle: &str, change: impl FnOnce(&mut Configuration)) -> Self {
        Self { client: site.app_with(handle, change).await }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        let site = &self.client.site;
        let audience = site.tenant.api_audience();
        let token = self.client.own_token("ssf.manage ssf.read", &audience).await;
        site.call(method, path, Some(&token), body).await
    }

    /// A stream that is polled and asks for everything.
    async fn polls(&self) -> String {
        self.stream(json!({ "events_requested": ALL })).await
    }

    /// A stream that is pushed to an address and asks for everything.
    async fn takes_pushes_at(&self, url: &str) -> String {
        let delivery = json!({ "method": PUSH, "endpoint_url": url });
        self.stream(json!({ "events_requested": ALL, "delivery": delivery })).await
    }

    async fn stream(&self, body: Value) -> String {
        let made = self.call(Method::POST, STREAMS, Some(body)).await.expect(201).json();
        made["stream_id"].as_str().unwrap().to_owned()
    }

    async fn set_status(&self, stream: &str, status: &str) {
        let body = json!({ "stream_id": stream, "status": status });
        let _ = self.call(Method::POST, STATUS, Some(body)).await.expect(200);
    }

    async fn verify(&self, stream: &str, state: &str) -> Answer {
        let body = json!({ "stream_id": stream, "state": state });
        self.call(Method::POST, VERIFY, Some(body)).await
    }

    async fn poll_with(&self, stream: &str, body: Value) -> Value {
        let path = format!("/api/v1/ssf/poll/{stream}");
        self.call(Method::POST, &path, Some(body)).await.expect(200).json()
    }

    /// Everything that waits, verified; nothing is acknowledged.
    async fn waiting(&self, stream: &str) -> Vec<Value> {
        let answer = self.poll_with(stream, json!({ "returnImmediately": true })).await;
        let mut claims = Vec::new();
        for (jti, token) in answer["sets"].as_object().unwrap() {
            let verified = verified(&self.client.site, token.as_str().unwrap()).await;
            assert_eq!(verified["jti"], json!(jti));
            claims.push(verified);
        }
        claims
    }
}

/// The claims of a security event token, verified by the published keys.
async fn verified(site: &Site<'_>, token: &str) -> Value {
    let set = site.get("/.well-known/jwks.json").await.expect(200).json();
    let set = KeySet::from_json(&set).unwrap();
    let jws = Jws::parse(token, Algorithm::SIGNING).unwrap();
    assert!(jws.is_typ("secevent+jwt"), "{jws:?}");
    Value::Object(set.verify(&jws).unwrap().into_map())
}

/// Claims without those that differ each time, which are there and of the right kind.
fn steady(claims: &Value) -> Value {
    let mut steady = claims.clone();
    let members = steady.as_object_mut().unwrap();
    let jti = members.remove("jti").unwrap();
    assert!(jti.as_str().unwrap().starts_with("set_"), "{claims}");
    if let Some(txn) = members.remove("txn") {
        assert!(txn.as_str().unwrap().starts_with("evt_"), "{claims}");
    }
    steady
}

/// The only type among a token's events.
fn type_of(claims: &Value) -> &str {
    let events = claims["events"].as_object().unwrap();
    assert_eq!(events.len(), 1, "{claims}");
    events.keys().next().unwrap()
}

/// The event itself.
fn event_of(claims: &Value) -> &Value {
    &claims["events"][type_of(claims)]
}

/// How a token names a person.
fn iss_sub(site: &Site<'_>, subject: &str) -> Value {
    json!({ "format": "iss_sub", "iss": site.issuer(), "sub": subject })
}

/// Something happens to a person: one signal about each call.
async fn suspend(site: &Site<'_>, person: &Person) {
    let path = format!("/api/v1/tenant-users/{}/suspend", person.id);
    crate::backchannel_logout::manage(site, Method::POST, &path, None).await;
}
