//! Keys at the pushed authorization request (RFC 9449 §10.1).

use serde_json::json;
use svc_keys::pkce;

use super::prover::Prover;
use super::{bound, exchange, token_url};
use crate::harness::client::{Pairs, claims};
use crate::harness::{Answer, Client, Code, Harness, Person};

const VERIFIER: &str = "a-verifier-that-is-long-enough-for-anybody-to-accept";

/// Pushes an ordinary request with these headers and further parameters.
async fn push(app: &Client<'_>, headers: Pairs<'_>, extra: Pairs<'_>) -> Answer {
    let challenge = pkce::s256(VERIFIER);
    let form = [
        ("response_type", "code"),
        ("client_id", app.id.as_str()),
        ("redirect_uri", app.redirect_uri()),
        ("scope", "openid"),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
    ];
    app.post_with("/oauth/par", headers, &form, extra).await
}

fn par_url(app: &Client<'_>) -> String {
    format!("{}/oauth/par", app.site.issuer())
}

/// Signs in for what was pushed.
async fn code(app: &Client<'_>, person: &Person, pushed: Answer) -> Code {
    let pushed = pushed.expect(201).json();
    let request_uri = pushed["request_uri"].as_str().unwrap().replace(':', "%3A");
    let mut browser = app.site.browser();
    let page = browser.get(&format!("/oauth/authorize?client_id={}&request_uri={request_uri}", app.id)).await;
    let fields = [("username", person.username.as_str()), ("password", person.password.as_str())];
    let answer = browser.submit(&page.expect(200), &fields).await;
    Code { code: answer.redirect_param("code").unwrap(), verifier: VERIFIER.to_owned() }
}

#[tokio::test]
async fn the_key_of_the_pushed_request_is_the_key_of_the_code() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app_with("bound", bound).await, site.user("ada").await);
    let (prover, other) = (Prover::new(), Prover::new());
    let proof = || prover.proof("POST", &par_url(&app), &[]);
    for extra in [&[][..], &[("dpop_jkt", prover.jkt.as_str())]] {
        let pushed = push(&app, &[("dpop", &proof())], extra).await;
        let code = code(&app, &ada, pushed).await;
        let tokens = exchange(&app, &code, &prover.proof("POST", &token_url(&app), &[])).await;
        let tokens = tokens.expect(200).json();
        assert_eq!(claims(tokens["access_token"].as_str().unwrap())["cnf"], json!({ "jkt": prover.jkt }));
    }
    for (headers, extra) in
        [(vec![("dpop", proof())], vec![]), (vec![], vec![("dpop_jkt", prover.jkt.as_str())])]
    {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let code = code(&app, &ada, push(&app, &headers, &extra).await).await;
        let theft = exchange(&app, &code, &other.proof("POST", &token_url(&app), &[])).await;
        let _ = theft.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test]
async fn a_proof_at_par_that_does_not_hold_is_refused() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("web").await;
    let (prover, other) = (Prover::new(), Prover::new());
    let for_token = prover.proof("POST", &token_url(&app), &[]);
    let stale = prover.proof("POST", &par_url(&app), &[("iat", json!(prover.now.as_secs() - 3600))]);
    for bad in ["", "garbage", &for_token, &stale] {
        let _ = push(&app, &[("dpop", bad)], &[]).await.expect_problem(400, "invalid_dpop_proof");
    }
    let good = || prover.proof("POST", &par_url(&app), &[]);
    let two = push(&app, &[("dpop", &good()), ("dpop", &good())], &[]).await;
    let _ = two.expect_problem(400, "invalid_dpop_proof");
    let torn = push(&app, &[("dpop", &good())], &[("dpop_jkt", &other.jkt)]).await;
    let _ = torn.expect_problem(400, "invalid_dpop_proof");
    let once = good();
    let _ = push(&app, &[("dpop", &once)], &[]).await.expect(201);
    let _ = push(&app, &[("dpop", &once)], &[]).await.expect_problem(400, "invalid_dpop_proof");
}

#[tokio::test]
async fn a_thumbprint_that_cannot_be_one_is_refused() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("web").await;
    for bad in
        ["x", "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I=", "0ZcOCORZNYy+DWpqq30jZyJGHTN0d2HglBV3uiguA4I"]
    {
        let _ = push(&app, &[], &[("dpop_jkt", bad)]).await.expect_problem(400, "invalid_request");
    }
}
