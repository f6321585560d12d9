//! Signing keys in the hands of operators: replaced with notice, withdrawn at once.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::{Algorithm, Jws, KeyRing, KeyState, PublicKey, Typ};

use super::{KEYS, Operator};
use crate::changes::left_by;
use crate::delegation::{World, exchange};
use crate::harness::{Client, Harness, Site};
use crate::oauth_security::keys_of_tenants::want;

const DAY: i64 = 86_400;

fn kid(token: &str) -> String {
    Jws::parse(token, &[Algorithm::Es256, Algorithm::Rs256]).unwrap().kid().unwrap().to_owned()
}

async fn published(site: &Site<'_>) -> Value {
    site.get("/.well-known/jwks.json").await.expect(200).json()
}

async fn kids(site: &Site<'_>) -> BTreeSet<String> {
    let set = published(site).await;
    set["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

/// The states of the `ES256` keys, the oldest first.
fn states(told: &Value) -> Vec<(String, String)> {
    let keys = told["keys"].as_array().unwrap().iter().filter(|key| key["algorithm"] == "ES256");
    let text = |key: &Value, name: &str| key[name].as_str().unwrap().to_owned();
    keys.map(|key| (text(key, "kid"), text(key, "state"))).collect()
}

/// What withdraws the key that signs access tokens.
async fn withdraw(site: &Site<'_>, kid: &str) {
    let (app, cx) = (site.harness.app(), site.harness.operator());
    app.services.keys.withdraw(&app.db, &cx, kid).await.unwrap();
}

#[tokio::test]
async fn an_operator_announces_a_key_and_withdraws_the_one_that_leaked() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let first = kid(&token);
    let listed = grace.call(&token, Method::GET, KEYS, None).await.expect(200).json();
    assert_eq!(states(&listed), [(first.clone(), "active".to_owned())]);
    h.advance(1);
    let rotate = format!("{KEYS}/rotate");
    let body = Some(json!({ "algorithm": "ES256", "signs_in_secs": 3600 }));
    let told = grace.call(&token, Method::POST, &rotate, body).await.expect(200).json();
    let [(_, active), (second, next)] = states(&told).try_into().unwrap();
    assert_eq!((active.as_str(), next.as_str()), ("active", "next"));
    assert!(kids(&site).await.contains(&second), "it is known before it signs");
    for (body, told) in [
        (json!({ "signs_in_secs": 4 }), "signs_in_secs"),
        (json!({ "signs_in_secs": 2_592_001 }), "signs_in_secs"),
        (json!({ "algorithm": "PS256" }), "algorithm"),
        (json!({ "algorithm": "none" }), "algorithm"),
        (json!({ "tenant_id": "tnt_00000000000000000000000000" }), "tenant_id: no tenant has this id"),
    ] {
        let refused = grace.call(&token, Method::POST, &rotate, Some(body)).await;
        assert!(refused.expect_problem(400, "bad_request").body.contains(told));
    }
    let leaked = format!("{KEYS}/{first}/withdraw");
    let mut told = None;
    let [_, events] =
        left_by(&h, async { told = Some(grace.call(&token, Method::POST, &leaked, None).await) }).await;
    assert!(events.contains(&"security.signing_key.brought_forward".to_owned()), "{events:?}");
    let told = told.unwrap().expect(200).json();
    assert_eq!(states(&told), [(second.clone(), "active".to_owned())], "the announced key signs at once");
    let _ = grace.call(&token, Method::GET, KEYS, None).await.expect_problem(401, "unauthorized");
    let token = grace.token().await;
    assert_eq!(kid(&token), second);
    let _ = grace.call(&token, Method::POST, &leaked, None).await.expect_problem(404, "not_found");
}

#[tokio::test]
async fn what_a_withdrawn_key_signed_is_refused_wherever_a_token_is_shown() {
    let h = Harness::new().await;
    let world = World::new(&h).await;
    let (site, web, agent) = (&world.site, &world.web, &world.agent);
    let tokens = web.tokens(&world.ada).await;
    let for_notes = world.usual().await;
    let management = site.mint(|_| ());
    let introspected = async || {
        web.post("/oauth/introspect", &[("token", tokens.access_token())], &[]).await.expect(200).json()["active"]
            .clone()
    };
    let hinted = async || {
        let asked = [("prompt", "none"), ("id_token_hint", tokens.id_token())];
        let answer = site.browser().get(&web.authorize_path(&web.verifier(), &asked)).await;
        answer.redirect_param("error").unwrap()
    };
    let read = async || site.call(Method::GET, "/api/v1/applications", Some(&management), None).await.status;
    let told = async || site.call(Method::GET, "/userinfo", Some(tokens.access_token()), None).await.status;
    assert_eq!((introspected().await, read().await, told().await), (json!(true), 200, 200));
    assert_eq!(hinted().await, "login_required");
    let _ = exchange(agent, &for_notes, &[]).await.expect(200);
    for token in [tokens.access_token(), tokens.id_token()] {
        withdraw(site, &kid(token)).await;
    }
    assert_eq!((introspected().await, read().await, told().await), (json!(false), 401, 401));
    assert_eq!(hinted().await, "invalid_request");
    let _ = exchange(agent, &for_notes, &[]).await.expect_problem(400, "invalid_request");
    // What no key signed goes on.
    let renewed = web.refresh(tokens.refresh_token()).await.expect(200).json();
    let renewed = renewed["access_token"].as_str().unwrap();
    let _ = site.call(Method::GET, "/userinfo", Some(renewed), None).await.expect(200);
}

#[tokio::test]
async fn another_node_learns_of_a_rotation_and_of_a_withdrawal() {
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let other = h.restarted().await;
    let there = Site { harness: &other, ..site.clone() };
    let token = site.mint(|_| ());
    let read =
        async |site: &Site<'_>| site.call(Method::GET, "/api/v1/apis", Some(&token), None).await.status;
    assert_eq!((read(&site).await, read(&there).await), (200, 200));
    let grace = Operator::created(&site, "grace").await;
    let operators = grace.token().await;
    let rotate = format!("{KEYS}/rotate");
    let body = Some(json!({ "algorithm": "ES256", "signs_in_secs": 60 }));
    let _ = grace.call(&operators, Method::POST, &rotate, body).await.expect(200);
    other.run_jobs().await;
    assert_eq!(kids(&there).await, kids(&site).await);
    h.advance(60);
    h.run_jobs().await;
    other.run_jobs().await;
    let new = there.mint(|_| ());
    assert_ne!(kid(&new), kid(&token), "the other node signs with the new key");
    let _ = site.call(Method::GET, "/api/v1/apis", Some(&new), None).await.expect(200);
    assert_eq!(read(&there).await, 200, "what the old key signed is good until it expires");
    withdraw(&site, &kid(&token)).await;
    assert_eq!(read(&site).await, 401);
    other.run_jobs().await;
    assert_eq!(read(&there).await, 401);
    assert_eq!(kids(&there).await, kids(&site).await);
}

#[tokio::test]
async fn a_withdrawn_key_does_not_come_back_with_a_clock_that_is_put_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let old = app.tokens(&ada).await;
    h.jump(DAY);
    withdraw(&site, &kid(old.access_token())).await;
    h.run_jobs().await;
    h.jump(-DAY);
    h.run_jobs().await;
    let restarted = h.restarted().await;
    for site in [site.clone(), Site { harness: &restarted, ..site.clone() }] {
        assert!(!kids(&site).await.contains(&kid(old.access_token())));
        let answer = site.call(Method::GET, "/userinfo", Some(old.access_token()), None).await;
        let _ = answer.expect(401);
        let app = Client { site: site.clone(), ..app.clone() };
        let new = app.tokens(&ada).await;
        let _ = site.call(Method::GET, "/userinfo", Some(new.access_token()), None).await.expect(200);
    }
}

#[tokio::test]
async fn a_withdrawn_key_that_was_announced_is_followed_by_another_with_its_notice() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let first = kid(&site.mint(|_| ()));
    h.advance(29 * DAY);
    h.run_jobs().await;
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let listed = grace.call(&token, Method::GET, KEYS, None).await.expect(200).json();
    let [_, (announced, _)] = states(&listed).try_into().unwrap();
    let path = format!("{KEYS}/{announced}/withdraw");
    let told = grace.call(&token, Method::POST, &path, None).await.expect(200).json();
    let [(active, _), (next, state)] = states(&told).try_into().unwrap();
    assert_eq!((&active, state.as_str()), (&first, "next"));
    assert_ne!(next, announced);
    h.advance(DAY);
    h.run_jobs().await;
    assert_eq!(kid(&site.mint(|_| ())), next);
    h.advance(DAY + 1);
    h.run_jobs().await;
    let left = kids(&site).await;
    assert!(left.contains(&next) && !left.contains(&first) && !left.contains(&announced), "{left:?}");
}

#[tokio::test]
async fn a_withdrawal_stands_in_the_log_of_every_tenant() {
    let h = Harness::new().await;
    let (site, _other) = (h.tenant("main").await, h.tenant("other").await);
    let kid = kid(&site.mint(|_| ()));
    let [actions, events] = left_by(&h, withdraw(&site, &kid)).await;
    assert_eq!(actions, [["signing_key.created"; 2], ["signing_key.withdrawn"; 2]].concat());
    assert_eq!(events, [["security.signing_key.created"; 2], ["security.signing_key.withdrawn"; 2]].concat());
}

#[tokio::test]
async fn an_operator_sees_and_rotates_the_keys_of_a_tenant() {
    let h = Harness::new().await;
    let (site, acme) = (h.tenant("main").await, h.tenant("acme").await);
    let grace = Operator::created(&site, "grace").await;
    let token = grace.token().await;
    let (rotate, id) = (format!("{KEYS}/rotate"), acme.tenant.id.to_string());
    let body = json!({ "algorithm": "ES256", "signs_in_secs": 5, "tenant_id": id });
    let early = grace.call(&token, Method::POST, &rotate, Some(body.clone())).await;
    let _ = early.expect_problem(409, "conflict");
    want(&acme, true).await;
    let of_acme = |told: &Value| {
        let keys = told["keys"].as_array().unwrap().iter();
        let own = keys.filter(|key| key["tenant_id"] == id.as_str() && key["algorithm"] == "ES256");
        own.map(|key| (key["kid"].clone(), key["state"].clone())).collect::<Vec<_>>()
    };
    let listed = grace.call(&token, Method::GET, KEYS, None).await.expect(200).json();
    assert!(listed["keys"].as_array().unwrap().iter().any(|key| key["tenant_id"].is_null()));
    let [(first, state)] = of_acme(&listed).try_into().unwrap();
    assert_eq!(state, "next");
    let told = grace.call(&token, Method::POST, &rotate, Some(body.clone())).await.expect(200).json();
    assert_eq!(of_acme(&told), [(first.clone(), "next".into())], "the announced one is brought forward");
    h.advance(5);
    h.run_jobs().await;
    assert_eq!(kid(&acme.mint(|_| ())), first);
    let told = grace.call(&token, Method::POST, &rotate, Some(body)).await.expect(200).json();
    let [(_, active), (second, next)] = of_acme(&told).try_into().unwrap();
    assert_eq!((active, next), ("active".into(), "next".into()));
    let withdraw = format!("{KEYS}/{}/withdraw", first.as_str().unwrap());
    let told = grace.call(&token, Method::POST, &withdraw, None).await.expect(200).json();
    assert_eq!(of_acme(&told), [(second, "active".into())]);
}

/// A client that reads the key set once a day and never in between, not even for a key that it does not know.
struct Verifier {
    ring: KeyRing,
    read_at: i64,
}

impl Verifier {
    async fn new(site: &Site<'_>) -> Self {
        let set = published(site).await;
        let keys = set["keys"].as_array().unwrap().iter().map(|key| {
            let algorithm = Algorithm::from_name(key["alg"].as_str().unwrap()).unwrap();
            (PublicKey::from_jwk(key).unwrap(), algorithm, KeyState::Retired)
        });
        let read_at = site.harness.operator().now.as_secs();
        Self { ring: KeyRing::verifying(keys.collect()).unwrap(), read_at }
    }
}

#[tokio::test]
async fn a_client_that_keeps_the_key_set_for_a_day_verifies_through_two_rotations() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("service").await;
    let audience = site.tenant.api_audience();
    let mut verifier = Verifier::new(&site).await;
    let (mut signed_with, mut before) = (BTreeSet::new(), None);
    for step in 0..70 * 2 {
        h.advance(DAY / 2);
        h.run_jobs().await;
        let now = h.operator().now;
        if now.as_secs() >= verifier.read_at + DAY {
            verifier = Verifier::new(&site).await;
        }
        let token = app.own_token("apis:read", &audience).await;
        let verified = verifier.ring.verify(&token, Typ::AccessToken, now);
        assert!(verified.is_ok(), "step {step}: {verified:?}");
        signed_with.insert(kid(&token));
        // One of the step before, which has expired: its signature still verifies.
        let last = before.replace(token);
        let still = last.map(|token| verifier.ring.verify_at_any_time(&token, Typ::AccessToken));
        assert!(still.is_none_or(|still| still.is_ok()), "step {step}");
    }
    assert_eq!(signed_with.len(), 3, "two rotations in seventy days");
}
