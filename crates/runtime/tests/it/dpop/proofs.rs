//! Proofs at the token endpoint (RFC 9449 §4.3, §5): what is accepted, and every refusal.

use serde_json::{Value, json};

use super::prover::{Change, Prover};
use super::{bound, own, token_url};
use crate::harness::client::claims;
use crate::harness::{Client, Harness};

const NOW: i64 = crate::harness::START.as_secs();

/// Asks for a token with a proof that was changed.
async fn status(app: &Client<'_>, changes: &[Change<'_>]) -> (u16, Value) {
    let answer = own(app, &[&Prover::new().proof("POST", &token_url(app), changes)]).await;
    (answer.status, answer.json())
}

#[tokio::test]
async fn a_token_is_bound_to_the_key_of_its_proof() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let prover = Prover::new();
    let answer = own(&app, &[&prover.proof("POST", &token_url(&app), &[])]).await.expect(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("dpop-nonce"), "");
    let tokens = answer.json();
    assert_eq!(tokens["token_type"], "DPoP");
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["cnf"], json!({ "jkt": prover.jkt }));
    let plain = own(&app, &[]).await.expect(200).json();
    assert_eq!(plain["token_type"], "Bearer");
    assert_eq!(claims(plain["access_token"].as_str().unwrap()).get("cnf"), None);
}

#[tokio::test]
async fn honest_spellings_are_accepted() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let url = token_url(&app);
    let accepted: &[&[Change<'_>]] = &[
        &[("iat", json!(NOW - 10))],
        &[("iat", json!(NOW + 10))],
        &[("iat", json!(NOW - 60))],
        &[("htu", json!(format!("{url}?a=b")))],
        &[("htu", json!(format!("{url}#fragment")))],
        &[("htu", json!("HTTPS://ID.TEST:443/oauth/token"))],
        &[("nbf", json!(NOW - 10)), ("exp", json!(NOW + 300))],
        &[("anything", json!({ "else": [1, 2, 3] }))],
        &[("nonce", json!("one that was not given out"))],
        &[("#kid", json!("mine"))],
        &[("#typ", json!("DPOP+jwt"))],
    ];
    for changes in accepted {
        let (status, answer) = status(&app, changes).await;
        assert_eq!((status, &answer["token_type"]), (200, &json!("DPoP")), "{changes:?}: {answer}");
    }
}

#[tokio::test]
async fn every_fault_of_a_proof_is_refused() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let with_secret = |name: &str| {
        let mut jwk = Prover::new().jwk;
        jwk[name] = json!("AQAB");
        jwk
    };
    let mut refused: Vec<Change<'_>> = vec![
        ("htm", json!("GET")),
        ("htm", json!("post")),
        ("htu", json!("http://id.test/oauth/token")),
        ("htu", json!("https://acme.id.test/oauth/token")),
        ("htu", json!("https://id.test:8443/oauth/token")),
        ("htu", json!("https://id.test/oauth/token/")),
        ("htu", json!("https://id.test/oauth/par")),
        ("htu", json!("/oauth/token")),
        ("iat", json!(NOW - 61)),
        ("iat", json!(NOW + 61)),
        ("iat", json!(NOW - 3600)),
        ("iat", json!(NOW + 3600)),
        ("iat", json!(NOW.to_string())),
        ("exp", json!(NOW - 3600)),
        ("nbf", json!(NOW + 3600)),
        ("jti", json!("")),
        ("jti", json!("j".repeat(257))),
        ("jti", json!(7)),
        ("#typ", json!("JWT")),
        ("#typ", json!("at+jwt")),
        ("#alg", json!("none")),
        ("#alg", json!("HS256")),
        ("#alg", json!("RS256")),
        ("#alg", json!("EdDSA")),
        ("#jwk", Prover::new().jwk),
        ("#jwk", json!({ "kty": "oct", "k": "AQAB" })),
        ("#jwk", with_secret("d")),
        ("#jwk", with_secret("k")),
        ("#x5c", json!([])),
        ("#jku", json!("https://evil.example")),
        ("#crit", json!(["exp"])),
    ];
    let missing = ["#typ", "#alg", "#jwk", "jti", "htm", "htu", "iat"];
    refused.extend(missing.map(|name| (name, Value::Null)));
    for change in refused {
        let (status, answer) = status(&app, std::slice::from_ref(&change)).await;
        assert_eq!((status, &answer["error"]), (400, &json!("invalid_dpop_proof")), "{change:?}: {answer}");
    }
}

#[tokio::test]
async fn garbage_and_two_headers_are_refused() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let (prover, url) = (Prover::new(), token_url(&app));
    let proof = || prover.proof("POST", &url, &[]);
    let huge = "A".repeat(20_000);
    for bad in ["", "x", "a.b.c", "..", &format!("{}.", proof()), &format!("{},{}", proof(), proof()), &huge]
    {
        let _ = own(&app, &[bad]).await.expect_problem(400, "invalid_dpop_proof");
    }
    let _ = own(&app, &[&proof(), &proof()]).await.expect_problem(400, "invalid_dpop_proof");
    let mut unsigned = proof();
    unsigned.truncate(unsigned.rfind('.').unwrap() + 1);
    let _ = own(&app, &[&unsigned]).await.expect_problem(400, "invalid_dpop_proof");
    let _ = own(&app, &[&proof()]).await.expect(200);
}

#[tokio::test]
async fn an_application_that_needs_a_proof_gets_nothing_without_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app_with("bound", bound).await, site.user("ada").await);
    let _ = own(&app, &[]).await.expect_problem(400, "invalid_dpop_proof");
    let code = app.code(&ada).await;
    let _ = app.exchange(&code).await.expect_problem(400, "invalid_dpop_proof");
    let proof = Prover::new().proof("POST", &token_url(&app), &[]);
    let tokens = super::exchange(&app, &code, &proof).await.expect(200).json();
    assert_eq!(tokens["token_type"], "DPoP");
}

#[tokio::test]
async fn only_an_authenticated_application_has_its_proof_looked_at() {
    let h = Harness::new().await;
    let mut app = h.tenant("main").await.app("service").await;
    let proof = Prover::new().proof("POST", &token_url(&app), &[]);
    let secret = app.secret.replace("guessed".to_owned());
    let _ = own(&app, &[&proof]).await.expect_problem(401, "invalid_client");
    app.secret = secret;
    let _ = own(&app, &[&proof]).await.expect(200);
}

#[tokio::test]
async fn discovery_names_the_algorithms_that_may_sign_a_proof() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for path in ["/.well-known/openid-configuration", "/.well-known/oauth-protected-resource"] {
        let document = site.get(path).await.expect(200).json();
        assert_eq!(
            document["dpop_signing_alg_values_supported"],
            json!(["ES256", "EdDSA", "Ed25519", "PS256"]),
            "{path}"
        );
    }
}
