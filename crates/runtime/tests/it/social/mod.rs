//! Sign-in with accounts at other providers: real ones on this machine, over HTTP, honest and dishonest.

mod apple;
pub mod connectors;
mod freshness;
mod linked;
mod own_network;
mod own_providers;
mod presets;
mod relay;
mod room;
mod sign_in;

use serde_json::{Value, json};
use url::Url;

use crate::harness::client::claims;
use crate::harness::provider::{AuthorizationRequest, Provider};
use crate::harness::{Answer, Browser, Client, Code, Harness};

const LOOPBACK: (&str, &str) = ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true");

/// From the sign-in page to a provider.
pub async fn led(browser: &mut Browser<'_>, client: &Client<'_>, provider: &str) -> AuthorizationRequest {
    let page = browser.get(&client.authorize_path(&"v".repeat(43), &[])).await.expect(200);
    let url = page.link(&format!("social-{provider}"));
    AuthorizationRequest(Url::parse(browser.get(&url).await.expect(303).location()).unwrap())
}

/// A service that is registered at a provider as Google's.
pub async fn with_google(more: &[(&str, &str)]) -> (Harness, Provider) {
    let provider = Provider::serve().await;
    let settings = [&at_google(&provider.issuer)[..], more].concat();
    (Harness::with(&settings).await, provider)
}

/// What registers a service at a provider as Google's.
pub fn at_google(issuer: &str) -> [(&str, &str); 5] {
    [
        LOOPBACK,
        ("SVC_SOCIAL__ENABLED", "true"),
        ("SVC_SOCIAL__GOOGLE__CLIENT_ID", "svc"),
        ("SVC_SOCIAL__GOOGLE__CLIENT_SECRET", "upstream-secret"),
        ("SVC_SOCIAL__GOOGLE__BASE_URL", issuer),
    ]
}

/// Makes the ID token one of a person with this address, proven or not.
pub fn named(email: &str, is_proven: bool) -> impl FnOnce(&mut Value) {
    let email = email.to_owned();
    move |claims| {
        claims["email"] = json!(email);
        claims["email_verified"] = json!(is_proven);
    }
}

/// What the ID token says that an answer brings.
pub async fn told(client: &Client<'_>, answer: &Answer) -> Value {
    let code = answer.redirect_param("code").unwrap();
    let tokens = client.exchange(&Code { code, verifier: "v".repeat(43) }).await.expect(200).json();
    claims(tokens["id_token"].as_str().unwrap())
}
