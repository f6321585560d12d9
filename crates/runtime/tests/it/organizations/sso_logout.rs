//! Logout tokens of an organization's provider (OpenID Connect Back-Channel Logout 1.0): which sessions they end, and which tokens
//! count.

use serde_json::{Value, json};
use svc_http::{Body, Request};
use svc_testkit::servers::Kind;

use super::World;
use super::sso_sign_in::{LOOPBACK, connect, led, prove};
use crate::account::factors::{code, with_app};
use crate::changes::left_by;
use crate::client_keys::signer::Signer;
use crate::coordination::on_with;
use crate::harness::client::Tokens;
use crate::harness::provider::Provider;
use crate::harness::{Answer, Browser, Code, Harness};

/// A connection whose provider knows people and sessions by the names that a test gives.
struct Connected<'w, 'h> {
    world: &'w World<'h>,
    h: &'h Harness,
    provider: Provider,
    path: String,
}

impl<'w, 'h> Connected<'w, 'h> {
    async fn new(h: &'h Harness, world: &'w World<'h>) -> Self {
        let provider = Provider::serve().await;
        let made = connect(&world.site, &world.initech, &provider, json!({})).await;
        prove(&world.site, &world.initech, "acme.example").await;
        let path = format!("{}/backchannel-logout", made["return_path"].as_str().unwrap());
        Self { world, h, provider, path }
    }

    /// A browser of the person, in a session that the provider calls `sid`.
    async fn browser(&self, sub: &str, sid: &str) -> Browser<'w> {
        let mut browser = self.world.site.browser();
        let asked = led(&mut browser, self.world, &format!("{sub}@acme.example")).await;
        let back = self.provider.vouch(&asked, self.h, |claims| {
            (claims["sub"], claims["sid"]) = (json!(sub), json!(sid));
            claims["email"] = json!(format!("{sub}@acme.example"));
        });
        assert!(browser.get(&back).await.is_signed_in());
        browser
    }

    /// A browser in which the provider has vouched for Ada, in a session that it calls `s1`, and the page that asks for a code of her app.
    async fn asked_for_code(&self) -> (Browser<'w>, Answer) {
        self.h.advance(60);
        let mut browser = self.world.site.browser();
        let asked = led(&mut browser, self.world, &self.world.ada.email).await;
        let back = self.provider.vouch(&asked, self.h, |claims| {
            (claims["sub"], claims["sid"]) = (json!("ada"), json!("s1"));
            claims["email"] = json!(self.world.ada.email);
        });
        let page = browser.get(&back).await.expect(200);
        assert!(page.body.contains("One more step"), "{page:?}");
        self.h.advance(1);
        (browser, page)
    }

    async fn is_signed_in(&self, browser: &mut Browser<'_>) -> bool {
        let silent = self.world.web.authorize_path("v", &[("prompt", "none")]);
        browser.get(&silent).await.is_signed_in()
    }

    /// A logout token as the provider makes it.
    fn claims(&self, changes: &Value) -> Value {
        let now = self.h.operator().now.as_secs();
        let mut claims = json!({
            "iss": self.provider.issuer, "aud": "svc", "iat": now, "exp": now + 120, "jti": svc_keys::base64url(changes.to_string()),
            "events": { "http://schemas.openid.net/event/backchannel-logout": {} },
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        claims.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        claims
    }

    fn token(&self, changes: &Value) -> String {
        let header = json!({ "alg": "ES256", "kid": self.provider.signer.kid(), "typ": "logout+jwt" });
        self.provider.signer.sign(&header, &self.claims(changes))
    }

    async fn post(&self, path: &str, token: &str) -> Answer {
        let form =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("logout_token", token).finish();
        let request = Request::post(path)
            .header("host", &self.world.site.host)
            .header("content-type", "application/x-www-form-urlencoded");
        self.h.send(request.body(Body::from(form)).unwrap()).await
    }
}

#[tokio::test]
async fn the_provider_ends_one_session_by_its_sid_or_all_of_a_person() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    let mut desk = here.browser("grace", "s1").await;
    let mut phone = here.browser("grace", "s2").await;
    let mut other = here.browser("joan", "s3").await;
    let token = here.token(&json!({ "sid": "s1" }));
    let mut answer = None;
    let [actions, events] = left_by(&h, async { answer = Some(here.post(&here.path, &token).await) }).await;
    let answer = answer.unwrap().expect(200);
    assert_eq!((answer.header("cache-control"), answer.body.as_str()), ("no-store", ""));
    assert_eq!((actions, events), (vec!["session.ended".to_owned()], vec!["auth.logout".to_owned()]));
    assert!(!here.is_signed_in(&mut desk).await);
    assert!(here.is_signed_in(&mut phone).await && here.is_signed_in(&mut other).await);

    let _ = here.post(&here.path, &here.token(&json!({ "sub": "grace", "sid": "s3" }))).await.expect(200);
    assert!(here.is_signed_in(&mut phone).await && here.is_signed_in(&mut other).await, "both have to fit");
    let mut desk = here.browser("grace", "s4").await;
    let _ = here.post(&here.path, &here.token(&json!({ "sub": "grace" }))).await.expect(200);
    assert!(!here.is_signed_in(&mut phone).await && !here.is_signed_in(&mut desk).await);
    assert!(here.is_signed_in(&mut other).await);
}

#[tokio::test]
async fn what_the_provider_ends_before_the_second_factor_begins_no_session() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    prove(&world.site, &world.initech, "main.example").await;
    let key = with_app(&world.site, &world.ada).await;
    for (ended, is_over) in [
        (json!({ "sub": "ada" }), true),
        (json!({ "sid": "s1" }), true),
        (json!({ "sub": "ada", "sid": "s1" }), true),
        (json!({ "sub": "ada", "sid": "s2" }), false),
        (json!({ "sub": "joan", "sid": "s1" }), false),
        (json!({ "sub": "joan" }), false),
    ] {
        let (mut browser, page) = here.asked_for_code().await;
        let _ = here.post(&here.path, &here.token(&ended)).await.expect(200);
        let code = code(&world.site, &key);
        let answer = browser.submit(&page, &[("code", &code), ("method", "totp")]).await;
        assert_eq!(answer.is_signed_in(), !is_over, "{ended}: {answer:?}");
        assert_eq!(answer.body.contains("sign in again"), is_over, "{ended}: {answer:?}");
    }
    // The membership ends too, and with it that the provider speaks for the person.
    let (mut browser, page) = here.asked_for_code().await;
    world.remove(&world.initech, &world.ada).await;
    let code = code(&world.site, &key);
    let answer = browser.submit(&page, &[("code", &code), ("method", "totp")]).await;
    assert!(!answer.is_signed_in() && answer.body.contains("sign in again"), "{answer:?}");
}

#[tokio::test]
async fn a_sign_in_that_races_with_the_end_of_the_membership_leaves_no_session() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    prove(&world.site, &world.initech, "main.example").await;
    let key = with_app(&world.site, &world.ada).await;
    for _ in 0..4 {
        let (mut browser, page) = here.asked_for_code().await;
        let code = code(&world.site, &key);
        let fields = [("code", code.as_str()), ("method", "totp")];
        let removed = world.remove(&world.initech, &world.ada);
        let (answer, ()) = tokio::join!(browser.submit(&page, &fields), removed);
        assert!(answer.status < 400, "{answer:?}");
        assert!(!here.is_signed_in(&mut browser).await);
    }
}

#[tokio::test]
async fn what_was_issued_in_a_session_ends_when_the_provider_ends_it() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    let (web, mut browser) = (&world.web, here.browser("grace", "s1").await);
    let verifier = web.verifier();
    let silent = web.authorize_path(&verifier, &[("prompt", "none"), ("scope", "openid")]);
    let code = browser.get(&silent).await.redirect_param("code").unwrap();
    let tokens = Tokens { response: web.exchange(&Code { code, verifier }).await.expect(200).json() };
    let form = [("token", tokens.access_token())];
    let told = web.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(told["active"], true, "{told}");
    let _ = here.post(&here.path, &here.token(&json!({ "sid": "s1" }))).await.expect(200);
    let told = web.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(told, json!({ "active": false }));
}

#[tokio::test]
async fn a_token_that_is_not_the_providers_word_for_logout_ends_nothing() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    let mut browser = here.browser("grace", "s1").await;
    let now = h.operator().now.as_secs();
    for changes in [
        json!({ "iss": "https://attacker.example" }),
        json!({ "aud": "another" }),
        json!({ "aud": ["svc", "another"] }),
        json!({ "exp": now - 3600, "iat": now - 7200 }),
        json!({ "iat": now + 3600, "exp": now + 7200 }),
        json!({ "iat": now - 3600, "exp": now + 7200 }),
        json!({ "exp": null }),
        json!({ "iat": null }),
        json!({ "jti": null }),
        json!({ "events": null }),
        json!({ "events": { "https://other.example/event": {} } }),
        json!({ "events": { "http://schemas.openid.net/event/backchannel-logout": true } }),
        json!({ "nonce": "n" }),
        json!({ "sub": null }),
        json!({ "sub": 7 }),
        json!({ "sub": "" }),
        json!({ "sid": ["s1"] }),
    ] {
        let mut claims = json!({ "sub": "grace" });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let answer = here.post(&here.path, &here.token(&claims)).await;
        assert_eq!(answer.status, 400, "{changes}: {answer:?}");
        assert_eq!(answer.json()["error"], "invalid_request", "{changes}");
    }
    let claims = here.claims(&json!({ "sub": "grace" }));
    let stranger = Signer::new(svc_keys::Algorithm::Es256);
    let own = &here.provider.signer;
    let unsigned =
        format!("{}.{}.", svc_keys::base64url("{\"alg\":\"none\"}"), svc_keys::base64url(claims.to_string()));
    for token in [
        stranger.sign(&json!({ "alg": "ES256", "kid": own.kid() }), &claims),
        own.sign(&json!({ "alg": "ES256", "kid": own.kid(), "typ": "at+jwt" }), &claims),
        unsigned,
        "junk".to_owned(),
        String::new(),
    ] {
        assert_eq!(here.post(&here.path, &token).await.status, 400, "{token}");
    }
    assert!(here.is_signed_in(&mut browser).await);
}

#[tokio::test]
async fn a_logout_token_counts_once_and_for_its_own_connection_alone() {
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    let _ = here.browser("grace", "s1").await;
    let another = Provider::serve().await;
    let made = connect(&world.site, &world.hooli, &another, json!({})).await;
    let foreign = format!("{}/backchannel-logout", made["return_path"].as_str().unwrap());
    let token = here.token(&json!({ "sub": "grace" }));
    assert_eq!(here.post(&foreign, &token).await.status, 400);
    let unknown = here.path.replace("sso_", "sso_0");
    assert!([400, 404].contains(&here.post(&unknown, &token).await.status));
    let _ = here.post(&here.path, &token).await.expect(200);
    let mut browser = here.browser("grace", "s1").await;
    let replayed = here.post(&here.path, &token).await;
    assert!(replayed.status == 400 && replayed.body.contains("used before"), "{replayed:?}");
    assert!(here.is_signed_in(&mut browser).await);
}

#[tokio::test]
async fn a_frame_of_the_providers_page_ends_the_session_that_it_names_and_no_other() {
    const SID: &str = "6a9f3c1e-0d6b-4a53-9b58-4d8e1a7c2f10";
    let h = Harness::with(&[LOOPBACK]).await;
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    let mut desk = here.browser("grace", SID).await;
    let mut phone = here.browser("grace", "0f5c2d44-7f0a-4f0f-8d3b-2b1c6d1e9a77").await;
    let mut short = here.browser("joan", "s1").await;
    let framed = async |iss: &str, sid: &str| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("iss", iss), ("sid", sid)].iter().filter(|(_, value)| !value.is_empty()))
            .finish();
        let path = format!("{}?{query}", here.path.replace("backchannel", "frontchannel"));
        h.send(Request::get(path).header("host", &world.site.host).body(Body::empty()).unwrap()).await
    };
    let issuer = here.provider.issuer.as_str();
    for (iss, sid) in [("", SID), (issuer, ""), ("https://other.example", SID), (issuer, "s1")] {
        assert_eq!(framed(iss, sid).await.status, 400, "{iss} {sid}");
    }
    // What no session has is answered in the same way, and leaves nothing.
    let unknown = async { framed(issuer, &SID.replace('6', "7")).await.expect(200) };
    assert_eq!(left_by(&h, unknown).await, [const { Vec::<String>::new() }; 2]);
    for browser in [&mut desk, &mut phone, &mut short] {
        assert!(here.is_signed_in(browser).await);
    }
    let answer = framed(issuer, SID).await.expect(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(!here.is_signed_in(&mut desk).await);
    assert!(here.is_signed_in(&mut phone).await && here.is_signed_in(&mut short).await);
}

#[tokio::test]
async fn two_minutes_after_redis_was_emptied_tokens_of_the_provider_count_again() {
    let Some((server, h)) = on_with(Kind::Redis, &[LOOPBACK]).await else { return };
    h.expect_error("request failed");
    let world = World::new(&h).await;
    let here = Connected::new(&h, &world).await;
    let mut desk = here.browser("grace", "s1").await;
    assert_eq!(server.tell("FLUSHALL"), "+OK\r\n");
    let ended = json!({ "sub": "grace" });
    let _ = here.post(&here.path, &here.token(&ended)).await.expect(503);
    assert!(here.is_signed_in(&mut desk).await);
    h.advance(122);
    let _ = here.post(&here.path, &here.token(&ended)).await.expect(200);
    assert!(!here.is_signed_in(&mut desk).await);
}
