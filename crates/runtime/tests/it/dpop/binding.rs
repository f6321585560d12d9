//! A code is bound to the key that its request named (RFC 9449 §10).

use serde_json::json;

use super::prover::Prover;
use super::{bound_public, exchange, token_url};
use crate::harness::client::claims;
use crate::harness::{Client, Code, Harness, Person};

/// A code whose request named a key.
async fn code_for(app: &Client<'_>, person: &Person, prover: &Prover) -> Code {
    app.code_with(&mut app.site.browser(), person, &[("dpop_jkt", &prover.jkt)]).await
}

#[tokio::test]
async fn a_bound_code_is_exchanged_with_a_proof_by_its_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app_with("bound", bound_public).await, site.user("ada").await);
    let prover = Prover::new();
    let code = code_for(&app, &ada, &prover).await;
    let tokens = exchange(&app, &code, &prover.proof("POST", &token_url(&app), &[])).await.expect(200).json();
    assert_eq!(tokens["token_type"], "DPoP");
    assert_eq!(claims(tokens["access_token"].as_str().unwrap())["cnf"]["jkt"], json!(prover.jkt));
}

#[tokio::test]
async fn another_key_or_none_burns_a_bound_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let (prover, thief) = (Prover::new(), Prover::new());
    let code = code_for(&app, &ada, &prover).await;
    let theft = exchange(&app, &code, &thief.proof("POST", &token_url(&app), &[])).await;
    let _ = theft.expect_problem(400, "invalid_grant");
    let late = exchange(&app, &code, &prover.proof("POST", &token_url(&app), &[])).await;
    let _ = late.expect_problem(400, "invalid_grant");
    let code = code_for(&app, &ada, &prover).await;
    let _ = app.exchange(&code).await.expect_problem(400, "invalid_dpop_proof");
    let late = exchange(&app, &code, &prover.proof("POST", &token_url(&app), &[])).await;
    let _ = late.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn a_proof_that_is_at_fault_leaves_the_code_usable() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app_with("bound", bound_public).await, site.user("ada").await);
    let prover = Prover::new();
    let code = code_for(&app, &ada, &prover).await;
    let stale = prover.proof("POST", &token_url(&app), &[("iat", json!(prover.now.as_secs() - 3600))]);
    let _ = exchange(&app, &code, &stale).await.expect_problem(400, "invalid_dpop_proof");
    let _ = exchange(&app, &code, &prover.proof("POST", &token_url(&app), &[])).await.expect(200);
}
