//! Nonces of the server (RFC 9449 §8, §9), where the deployment asks for them.

use serde_json::json;
use svc_http::{Body, Request};

use super::prover::Prover;
use super::{own, token_url};
use crate::harness::{Answer, Client, Harness, Site};

const REQUIRED: &[(&str, &str)] =
    &[("SVC_DPOP__NONCE_REQUIRED", "true"), ("SVC_DPOP__NONCE_LIFETIME_SECS", "120")];

async fn token(app: &Client<'_>, prover: &Prover, nonce: &str) -> Answer {
    own(app, &[&prover.proof("POST", &token_url(app), &[("nonce", json!(nonce))])]).await
}

async fn call(site: &Site<'_>, prover: &Prover, token: &str, nonce: &str) -> Answer {
    let path = "/api/v1/applications";
    let url = format!("{}{path}", site.issuer());
    let proof = prover.proof_for("GET", &url, token, &[("nonce", json!(nonce))]);
    let request = Request::get(path)
        .header("host", &site.host)
        .header("authorization", format!("DPoP {token}"))
        .header("dpop", proof);
    site.harness.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_proof_without_the_nonce_is_told_the_nonce_to_use() {
    let h = Harness::with(REQUIRED).await;
    let app = h.tenant("main").await.app("service").await;
    let prover = Prover::new();
    let refused = own(&app, &[&prover.proof("POST", &token_url(&app), &[])]).await;
    let refused = refused.expect_problem(400, "use_dpop_nonce");
    let nonce = refused.header("dpop-nonce");
    assert!(!nonce.is_empty());
    let answer = token(&app, &prover, nonce).await.expect(200);
    assert!(!answer.header("dpop-nonce").is_empty());
    assert_eq!(answer.json()["token_type"], "DPoP");
}

#[tokio::test]
async fn a_nonce_that_is_stale_or_not_ours_is_refused() {
    let h = Harness::with(REQUIRED).await;
    let app = h.tenant("main").await.app("service").await;
    let prover = Prover::new();
    let first = token(&app, &prover, "made up").await.expect_problem(400, "use_dpop_nonce");
    let nonce = first.header("dpop-nonce").to_owned();
    let forged = format!("{}AA", &nonce[..nonce.len() - 2]);
    let _ = token(&app, &prover, &forged).await.expect_problem(400, "use_dpop_nonce");
    h.advance(119);
    let prover = prover.at(&h);
    let _ = token(&app, &prover, &nonce).await.expect(200);
    h.advance(1);
    let _ = token(&app, &prover, &nonce).await.expect_problem(400, "use_dpop_nonce");
}

#[tokio::test]
async fn resources_ask_for_the_nonce_too() {
    let h = Harness::with(REQUIRED).await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    let bound = site.mint(|claims| claims["cnf"] = json!({ "jkt": prover.jkt }));
    let refused = call(&site, &prover, &bound, "made up").await.expect_problem(401, "use_dpop_nonce");
    let challenge = refused.header("www-authenticate");
    assert!(challenge.starts_with("DPoP ") && challenge.contains("error=\"use_dpop_nonce\""), "{challenge}");
    let _ = call(&site, &prover, &bound, refused.header("dpop-nonce")).await.expect(200);
}

#[tokio::test]
async fn a_bearer_application_is_not_bothered() {
    let h = Harness::with(REQUIRED).await;
    let app = h.tenant("main").await.app("service").await;
    let answer = own(&app, &[]).await.expect(200);
    assert_eq!(answer.header("dpop-nonce"), "");
}
