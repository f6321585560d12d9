//! Bound tokens at our own resources (RFC 9449 §7): `UserInfo`, the management API and introspection.

use serde_json::{Value, json};
use svc_http::{Body, Method, Request};

use super::prover::{Change, Prover};
use super::{own, token_url, tokens};
use crate::harness::client::Pairs;
use crate::harness::{Answer, Harness, Site};
use crate::polling::ask;

/// A request with these headers.
async fn call(site: &Site<'_>, method: Method, path: &str, headers: Pairs<'_>) -> Answer {
    let mut request = Request::builder().method(method).uri(path).header("host", &site.host);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    site.harness.send(request.body(Body::empty()).unwrap()).await
}

/// A `GET` with a bound token and a proof that was changed.
async fn get(
    site: &Site<'_>,
    path: &str,
    (token, prover): (&str, &Prover),
    changes: &[Change<'_>],
) -> Answer {
    let proof = prover.proof_for("GET", &format!("{}{path}", site.issuer()), token, changes);
    call(site, Method::GET, path, &[("authorization", &format!("DPoP {token}")), ("dpop", &proof)]).await
}

/// The refusal of RFC 9449 §7.1.
#[track_caller]
fn is_challenged(answer: &Answer, code: &str) {
    let challenge = answer.header("www-authenticate");
    assert_eq!(answer.status, 401, "{answer:?}");
    assert!(challenge.starts_with("DPoP realm="), "{answer:?}");
    assert!(challenge.contains(&format!("error=\"{code}\"")), "{answer:?}");
    assert!(challenge.contains("algs=\"ES256 EdDSA Ed25519 PS256\""), "{answer:?}");
}

/// A person's token for `UserInfo` and an application's for the management API, with their paths.
async fn bound_tokens(site: &Site<'_>, prover: &Prover) -> [(&'static str, String); 2] {
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let for_person = tokens(&app, &ada, prover).await.access_token().to_owned();
    let for_api = site.mint(|claims| claims["cnf"] = json!({ "jkt": prover.jkt }));
    [("/userinfo", for_person), ("/api/v1/applications", for_api)]
}

#[tokio::test]
async fn a_bound_token_is_accepted_with_a_proof_by_its_key() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    let bound = bound_tokens(&site, &prover).await;
    for (path, token) in &bound {
        let _ = get(&site, path, (token, &prover), &[]).await.expect(200);
        for scheme in ["dPoP", "dpop", "DPOP"] {
            let proof = prover.proof_for("GET", &format!("{}{path}?x=1", site.issuer()), token, &[]);
            let headers = [("authorization", &*format!("{scheme} {token}")), ("dpop", &proof)];
            let _ = call(&site, Method::GET, path, &headers).await.expect(200);
        }
    }
    let [(path, token), _] = &bound;
    let proof = prover.proof_for("POST", &format!("{}{path}", site.issuer()), token, &[]);
    let headers = [("authorization", &*format!("DPoP {token}")), ("dpop", &proof)];
    let _ = call(&site, Method::POST, path, &headers).await.expect(200);
}

#[tokio::test]
async fn a_proof_names_the_method_of_its_own_request_also_where_that_is_head() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    for (path, token) in bound_tokens(&site, &prover).await {
        let head = async |method: &str| {
            let proof = prover.proof_for(method, &format!("{}{path}", site.issuer()), &token, &[]);
            let headers = [("authorization", &*format!("DPoP {token}")), ("dpop", &proof)];
            call(&site, Method::HEAD, path, &headers).await
        };
        assert_eq!(head("HEAD").await.status, 200, "{path}");
        is_challenged(&head("GET").await, "invalid_dpop_proof");
    }
}

#[tokio::test]
async fn every_fault_of_a_proof_is_challenged() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (prover, now) = (Prover::new(), crate::harness::START.as_secs());
    for (path, token) in bound_tokens(&site, &prover).await {
        let changes: Vec<Change<'_>> = vec![
            ("ath", Value::Null),
            ("ath", json!(svc_keys::dpop::ath("another token"))),
            ("htm", json!("POST")),
            ("htm", json!("get")),
            ("htu", json!(format!("{}/other", site.issuer()))),
            ("htu", json!(format!("https://acme.id.test{path}"))),
            ("iat", json!(now - 61)),
            ("iat", json!(now + 61)),
            ("iat", json!(now - 3600)),
            ("jti", Value::Null),
            ("iat", Value::Null),
            ("htu", Value::Null),
            ("htm", Value::Null),
            ("#typ", Value::Null),
            ("#alg", json!("none")),
            ("#alg", json!("RS256")),
            ("#jwk", Prover::new().jwk),
            ("#jwk", Value::Null),
        ];
        for change in &changes {
            let answer = get(&site, path, (&token, &prover), std::slice::from_ref(change)).await;
            is_challenged(&answer, "invalid_dpop_proof");
            let _ = answer.expect_problem(401, "invalid_dpop_proof");
        }
    }
}

#[tokio::test]
async fn another_key_no_proof_two_proofs_and_a_replay_are_challenged() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    for (path, token) in bound_tokens(&site, &prover).await {
        is_challenged(&get(&site, path, (&token, &Prover::new()), &[]).await, "invalid_dpop_proof");
        let authorization = ("authorization", &*format!("DPoP {token}"));
        let none = call(&site, Method::GET, path, &[authorization]).await;
        is_challenged(&none, "invalid_dpop_proof");
        let proof = || prover.proof_for("GET", &format!("{}{path}", site.issuer()), &token, &[]);
        let two = [authorization, ("dpop", &proof()), ("dpop", &proof())];
        is_challenged(&call(&site, Method::GET, path, &two).await, "invalid_dpop_proof");
        let once = [authorization, ("dpop", &proof())];
        let _ = call(&site, Method::GET, path, &once).await.expect(200);
        is_challenged(&call(&site, Method::GET, path, &once).await, "invalid_dpop_proof");
    }
}

#[tokio::test]
async fn an_approval_that_needs_a_second_factor_is_challenged_in_the_scheme_of_the_token() {
    const WAITING: &str = "/api/v1/identity/ciba/requests";
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, prover) = (site.app("web").await, site.user("ada").await, Prover::new());
    let _ = ask(&app, "ada", &[]).await;
    let body = json!({ "settings": { "second_factor_required": true } });
    let token = site.mint(|_| ());
    let _ = site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), Some(body)).await.expect(200);
    let _ = h.informed_app().await;
    let now = h.operator().now.as_secs();
    let token = site.mint(|claims| {
        (claims["sub"], claims["subject_type"]) = (json!(ada.subject), json!("human"));
        (claims["auth_time"], claims["acr"]) = (json!(now), json!("urn:svc:aal1"));
        claims["cnf"] = json!({ "jkt": prover.jkt });
    });
    let listed = get(&site, WAITING, (&token, &prover), &[]).await.expect(200).json();
    let path = format!("{WAITING}/{}/approve", listed["data"][0]["id"].as_str().unwrap());
    let proof = prover.proof_for("POST", &format!("{}{path}", site.issuer()), &token, &[]);
    let headers = [("authorization", &*format!("DPoP {token}")), ("dpop", &proof)];
    let refused = call(&site, Method::POST, &path, &headers).await;
    is_challenged(&refused, "insufficient_user_authentication");
    assert!(refused.header("www-authenticate").ends_with("acr_values=\"urn:svc:aal2\""), "{refused:?}");
}

#[tokio::test]
async fn a_bound_token_is_no_bearer_token_and_the_other_way_round() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    for (path, token) in bound_tokens(&site, &prover).await {
        let proof = prover.proof_for("GET", &format!("{}{path}", site.issuer()), &token, &[]);
        let headers = [("authorization", &*format!("Bearer {token}")), ("dpop", &proof)];
        is_challenged(&call(&site, Method::GET, path, &headers).await, "invalid_token");
        is_challenged(&call(&site, Method::GET, path, &headers[..1]).await, "invalid_token");
    }
    let unbound = site.mint(|_| ());
    is_challenged(&get(&site, "/api/v1/applications", (&unbound, &prover), &[]).await, "invalid_token");
    let plain = site.app("plain").await.tokens(&site.user("eve").await).await;
    is_challenged(&get(&site, "/userinfo", (plain.access_token(), &prover), &[]).await, "invalid_token");
}

#[tokio::test]
async fn a_bound_token_in_a_form_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    let [(path, token), _] = bound_tokens(&site, &prover).await;
    let proof = prover.proof_for("POST", &format!("{}{path}", site.issuer()), &token, &[]);
    let request = Request::post(path)
        .header("host", &site.host)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("dpop", proof)
        .body(Body::from(format!("access_token={token}")))
        .unwrap();
    is_challenged(&h.send(request).await, "invalid_token");
}

#[tokio::test]
async fn an_expired_bound_token_is_told_in_its_own_scheme() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let prover = Prover::new();
    let bound = bound_tokens(&site, &prover).await;
    h.advance(3600);
    let prover = prover.at(&h);
    for (path, token) in bound {
        is_challenged(&get(&site, path, (&token, &prover), &[]).await, "invalid_token");
    }
}

#[tokio::test]
async fn introspection_tells_the_key_and_the_kind_of_a_bound_token() {
    let h = Harness::new().await;
    let app = h.tenant("main").await.app("service").await;
    let prover = Prover::new();
    let bound = own(&app, &[&prover.proof("POST", &token_url(&app), &[])]).await.expect(200).json();
    let form = [("token", bound["access_token"].as_str().unwrap())];
    let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!(told["active"], true);
    assert_eq!(told["token_type"], "DPoP");
    assert_eq!(told["cnf"], json!({ "jkt": prover.jkt }));
    let plain = own(&app, &[]).await.expect(200).json();
    let form = [("token", plain["access_token"].as_str().unwrap())];
    let told = app.post("/oauth/introspect", &form, &[]).await.expect(200).json();
    assert_eq!((&told["token_type"], told.get("cnf")), (&json!("Bearer"), None));
}
