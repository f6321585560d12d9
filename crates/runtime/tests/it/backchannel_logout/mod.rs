//! Applications are told of the end of a session (OpenID Connect Back-Channel Logout 1.0).

mod continued;
mod delivery;
pub mod endings;
mod withdrawn;

use serde_json::Value;
use svc_domain::apps::Configuration;
use svc_http::Method;
use svc_keys::{Algorithm, Jws, KeySet};

use crate::harness::client::{Tokens, claims};
use crate::harness::publisher::Publisher;
use crate::harness::{Browser, Client, Person, Site};

pub const LOOPBACK: (&str, &str) = ("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true");
const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// An application with an address for logout tokens.
struct Party<'h> {
    client: Client<'h>,
    server: &'h Publisher,
    path: String,
}

impl<'h> Party<'h> {
    async fn new(site: &Site<'h>, server: &'h Publisher, handle: &str) -> Self {
        Self::with(site, server, handle, |_| ()).await
    }

    async fn with(
        site: &Site<'h>,
        server: &'h Publisher,
        handle: &str,
        change: impl FnOnce(&mut Configuration),
    ) -> Self {
        let path = format!("/{}/{handle}", site.tenant.slug);
        server.answer_with(&path, "200 OK", "");
        let client = site.app_with(handle, |configuration| {
            configuration.backchannel_logout_uri = Some(server.url(&path));
            change(configuration);
        });
        Self { client: client.await, server, path }
    }

    /// What comes of signing in with this browser, or of being signed in there.
    async fn tokens_in(&self, browser: &mut Browser<'h>, person: &Person) -> Tokens {
        let code = self.client.code_in(browser, person).await;
        Tokens { response: self.client.exchange(&code).await.expect(200).json() }
    }

    /// The logout tokens that have come, each verified by the published keys.
    async fn told(&self) -> Vec<Value> {
        let set = self.client.site.get("/.well-known/jwks.json").await.expect(200).json();
        let set = KeySet::from_json(&set).unwrap();
        let verified = |form: &String| {
            let token = form.strip_prefix("logout_token=").unwrap();
            let jws = Jws::parse(token, Algorithm::SIGNING).unwrap();
            assert!(jws.is_typ("logout+jwt"), "{jws:?}");
            Value::Object(set.verify(&jws).unwrap().into_map())
        };
        self.server.posted(&self.path).iter().map(verified).collect()
    }
}

/// The `sid` of an ID token.
pub fn sid(tokens: &Tokens) -> Value {
    claims(tokens.id_token())["sid"].clone()
}

/// Signs the person of an ID token out.
pub async fn sign_out(browser: &mut Browser<'_>, tokens: &Tokens) {
    let path = format!("/oauth/end-session?id_token_hint={}", tokens.id_token());
    let page = browser.get(&path).await.expect(200);
    assert!(!page.body.contains("logout-confirm"), "{page:?}");
}

pub async fn manage(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) {
    let token = site.mint(|_| ());
    let answer = site.call(method, path, Some(&token), body).await;
    assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
}
