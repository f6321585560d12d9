//! Authorization requests that do not come as they are: pushed ahead (RFC 9126), signed (RFC 9101), or both, as the profile
//! `fapi2` wants it.

pub mod fapi2;
mod pushing;
mod references;
mod request_objects;

use serde_json::Value;
use svc_keys::pkce;

use crate::harness::client::{NONCE, Pairs, SCOPE, STATE};
use crate::harness::{Answer, Browser, Client, Person};

pub const VERIFIER: &str = "a-verifier-that-is-long-enough-for-everybody-0123456789";

/// The parameters of a sound request with changes; an empty value takes one away.
fn request(client: &Client<'_>, changes: Pairs<'_>) -> Vec<(String, String)> {
    let sound = [
        ("response_type", "code"),
        ("redirect_uri", client.redirect_uri()),
        ("scope", SCOPE),
        ("state", STATE),
        ("nonce", NONCE),
        ("code_challenge", &pkce::s256(VERIFIER)),
        ("code_challenge_method", "S256"),
    ];
    let is_changed = |name: &str| changes.iter().any(|(changed, _)| *changed == name);
    let kept = sound.iter().filter(|(name, _)| !is_changed(name));
    let added = changes.iter().filter(|(_, value)| !value.is_empty());
    kept.chain(added).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Pushes a request with changes, by an application that has a secret or none.
pub async fn push(client: &Client<'_>, changes: Pairs<'_>) -> Answer {
    let request = request(client, changes);
    let form: Vec<_> = request.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    client.post("/oauth/par", &form, &[]).await
}

/// The reference in the answer to a push.
#[track_caller]
pub fn request_uri(answer: &Answer) -> String {
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["request_uri"].as_str().unwrap().to_owned()
}

/// The address to which a browser is sent with a reference.
pub fn with_reference(client_id: &str, request_uri: &str) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.append_pair("client_id", client_id).append_pair("request_uri", request_uri);
    format!("/oauth/authorize?{}", query.finish())
}

/// Opens an address, and signs in if that is asked for.
pub async fn signing_in(browser: &mut Browser<'_>, path: &str, person: &Person) -> Answer {
    let page = browser.get(path).await;
    if page.status != 200 || !page.body.contains("id=\"login-submit\"") {
        return page;
    }
    browser.submit(&page, &[("username", &person.username), ("password", &person.password)]).await
}

/// An error page that says this.
#[track_caller]
fn is_page(answer: &Answer, code: &str, case: &str) {
    assert_eq!((answer.status, answer.header("location")), (400, ""), "{case}: {answer:?}");
    assert!(answer.body.contains(code), "{case}: {answer:?}");
}

/// The error that an application is told at its address.
#[track_caller]
fn told(answer: &Answer, client: &Client<'_>) -> String {
    assert!(answer.location().starts_with(client.redirect_uri()), "{answer:?}");
    assert_eq!(answer.redirect_param("iss").as_deref(), Some(client.site.issuer()));
    answer.redirect_param("error").unwrap_or_else(|| panic!("no error in {answer:?}"))
}

/// The claims of a request object that says what `request` says.
pub fn object_of(client: &Client<'_>, changes: Pairs<'_>, own: &[(&str, Value)]) -> Value {
    let now = client.site.harness.operator().now.as_secs();
    let mut claims = serde_json::json!({
        "iss": client.id, "aud": client.site.issuer(), "client_id": client.id,
        "iat": now, "nbf": now, "exp": now + 300,
    });
    for (name, value) in request(client, changes) {
        claims[name] = value.into();
    }
    crate::client_keys::changed(claims, own)
}
