//! Tokens that are bound to the certificate of the connection (RFC 8705 §3, §4).

use serde_json::{Value, json};
use svc_domain::apps::{AuthMethod, Configuration, Kind, Profile};
use svc_http::{Body, Method, Request};

use super::authority::{Authority, Certificate};
use super::{deployment, own, post, trust, vouched_for};
use crate::dpop::prover::Prover;
use crate::harness::client::{Tokens, claims};
use crate::harness::{Answer, Client, Person, Site};
use crate::par::{VERIFIER, request_uri, with_reference};

fn bound(configuration: &mut Configuration) {
    configuration.tls_client_certificate_bound_access_tokens = true;
}

/// A `GET` with a bearer token over a connection with a certificate, or with none.
async fn get(site: &Site<'_>, path: &str, token: &str, certificate: Option<&Certificate>) -> Answer {
    let mut request = Request::get(path).header("host", &site.host);
    request = request.header("authorization", format!("Bearer {token}"));
    if let Some(certificate) = certificate {
        request = request.header("client-cert", certificate.field());
    }
    site.harness.send(request.body(Body::empty()).unwrap()).await
}

/// The tokens of a person over a connection with a certificate.
async fn tokens(app: &Client<'_>, person: &Person, certificate: &Certificate) -> Tokens {
    let code = app.code(person).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.code.as_str()),
        ("redirect_uri", app.redirect_uri()),
        ("code_verifier", &code.verifier),
    ];
    Tokens { response: post(app, "/oauth/token", &form, Some(certificate)).await.expect(200).json() }
}

#[track_caller]
fn is_refused(answer: &Answer) {
    assert_eq!(answer.status, 401, "{answer:?}");
    let challenge = answer.header("www-authenticate");
    assert!(challenge.starts_with("Bearer ") && challenge.contains("error=\"invalid_token\""), "{challenge}");
}

#[tokio::test]
async fn a_bound_token_is_good_over_a_connection_with_its_certificate_and_no_other() {
    let h = deployment().await;
    let mut site = h.tenant("main").await;
    let authority = Authority::new("acme");
    trust(&mut site, &authority).await;
    let (own_certificate, other) =
        (authority.issue("web.client.example"), authority.issue("web.client.example"));
    let (app, ada) = (vouched_for(&site, "web", bound).await, site.user("ada").await);
    let tokens = tokens(&app, &ada, &own_certificate).await;
    let confirmation = json!({ "x5t#S256": own_certificate.thumbprint() });
    assert_eq!(tokens.response["token_type"], "Bearer");
    assert_eq!(claims(tokens.access_token())["cnf"], confirmation);

    let for_api = site.mint(|claims| claims["cnf"] = confirmation.clone());
    for (path, token) in [("/userinfo", tokens.access_token()), ("/api/v1/applications", &for_api)] {
        let _ = get(&site, path, token, Some(&own_certificate)).await.expect(200);
        is_refused(&get(&site, path, token, Some(&other)).await);
        is_refused(&get(&site, path, token, None).await);
    }
    let form = [("token", tokens.access_token())];
    let told = post(&app, "/oauth/introspect", &form, Some(&own_certificate)).await.expect(200).json();
    assert_eq!((&told["active"], &told["cnf"]), (&json!(true), &confirmation));
    assert_eq!(told["token_type"], "Bearer");
}

#[tokio::test]
async fn an_application_that_binds_its_tokens_gets_none_without_a_certificate() {
    let h = deployment().await;
    let site = h.tenant("main").await;
    let certificate = Certificate::self_signed("any.example");
    let (binding, other) = (site.app_with("binding", bound).await, site.app("other").await);
    let refused = own(&binding, None).await.expect_problem(400, "invalid_request").json();
    let why = "the application's tokens are bound to a client certificate; connect with one";
    assert_eq!(refused["error_description"], why);
    let token = own(&binding, Some(&certificate)).await.expect(200).json();
    let claimed = claims(token["access_token"].as_str().unwrap());
    assert_eq!(claimed["cnf"], json!({ "x5t#S256": certificate.thumbprint() }));
    // A certificate binds nothing unless the application asks for it.
    let token = own(&other, Some(&certificate)).await.expect(200).json();
    assert_eq!(claims(token["access_token"].as_str().unwrap()).get("cnf"), None);
}

#[tokio::test]
async fn the_refresh_token_of_a_public_application_is_bound_and_that_of_a_confidential_one_stays() {
    let h = deployment().await;
    let mut site = h.tenant("main").await;
    let authority = Authority::new("acme");
    trust(&mut site, &authority).await;
    let ada = site.user("ada").await;
    let public = site
        .app_with("native", |configuration| {
            bound(configuration);
            configuration.kind = Kind::Native;
            configuration.token_endpoint_auth_method = AuthMethod::None;
            configuration.grant_types = vec!["authorization_code".to_owned(), "refresh_token".to_owned()];
        })
        .await;
    let (first, other) = (Certificate::self_signed("a.example"), Certificate::self_signed("a.example"));
    let refresh = async |app: &Client<'_>, tokens: &Tokens, certificate: Option<&Certificate>| {
        let form = [("grant_type", "refresh_token"), ("refresh_token", tokens.refresh_token())];
        post(app, "/oauth/token", &form, certificate).await
    };
    let begun = tokens(&public, &ada, &first).await;
    let _ = refresh(&public, &begun, Some(&other)).await.expect_problem(400, "invalid_grant");
    let _ = refresh(&public, &begun, None).await.expect_problem(400, "invalid_request");
    let next = Tokens { response: refresh(&public, &begun, Some(&first)).await.expect(200).json() };
    assert_ne!(next.refresh_token(), begun.refresh_token());
    assert_eq!(claims(next.access_token())["cnf"]["x5t#S256"], json!(first.thumbprint()));

    let confidential = vouched_for(&site, "web", bound).await;
    let (issued, renewed) = (authority.issue("web.client.example"), authority.issue("web.client.example"));
    let begun = tokens(&confidential, &ada, &issued).await;
    let next = Tokens { response: refresh(&confidential, &begun, Some(&renewed)).await.expect(200).json() };
    assert_eq!(next.refresh_token(), begun.refresh_token());
    assert_eq!(claims(next.access_token())["cnf"]["x5t#S256"], json!(renewed.thumbprint()));
}

#[tokio::test]
async fn the_profile_fapi2_takes_a_certificate_for_both_proofs_or_for_one() {
    let h = deployment().await;
    let mut site = h.tenant("main").await;
    let authority = Authority::new("acme");
    trust(&mut site, &authority).await;
    let ada = site.user("ada").await;
    let strict = |configuration: &mut Configuration| configuration.profile = Profile::Fapi2;
    let both = vouched_for(&site, "both", |configuration| {
        strict(configuration);
        bound(configuration);
    });
    let (both, certificate) = (both.await, authority.issue("both.client.example"));
    let challenge = svc_keys::pkce::s256(VERIFIER);
    let asked = [
        ("response_type", "code"),
        ("redirect_uri", both.redirect_uri()),
        ("scope", "openid"),
        ("state", "s"),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let pushed = post(&both, "/oauth/par", &asked, Some(&certificate)).await;
    let path = with_reference(&both.id, &request_uri(&pushed));
    let answer = crate::par::signing_in(&mut site.browser(), &path, &ada).await;
    let code = answer.redirect_param("code").unwrap();
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.as_str()),
        ("redirect_uri", both.redirect_uri()),
        ("code_verifier", VERIFIER),
    ];
    let tokens = post(&both, "/oauth/token", &form, Some(&certificate)).await.expect(200).json();
    let bound_to = &claims(tokens["access_token"].as_str().unwrap())["cnf"];
    assert_eq!(*bound_to, json!({ "x5t#S256": certificate.thumbprint() }));

    // Authenticated by the certificate, bound to a key: the proof names either address of the endpoint.
    let (one, certificate) = (vouched_for(&site, "one", strict).await, authority.issue("one.client.example"));
    let _ = own(&one, Some(&certificate)).await.expect_problem(400, "invalid_dpop_proof");
    for (address, status) in
        [("https://id.test", 200), ("https://id.test:8443", 200), ("https://id.test:8444", 400)]
    {
        let proof = Prover::new().at(&h).proof("POST", &format!("{address}/oauth/token"), &[]);
        let headers = [("client-cert", certificate.field()), ("dpop", proof)];
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let form = [("grant_type", "client_credentials")];
        let answer = one.post_with("/oauth/token", &headers, &form, &[]).await.expect(status);
        assert_eq!(
            answer.json().get("token_type").and_then(Value::as_str),
            (status == 200).then_some("DPoP")
        );
    }
}

#[tokio::test]
async fn a_token_that_is_bound_to_something_unknown_is_not_taken_for_unbound() {
    let h = deployment().await;
    let site = h.tenant("main").await;
    for unknown in [json!({}), json!({ "x5t": "x" }), json!({ "kid": "x" })] {
        let token = site.mint(|claims| claims["cnf"] = unknown.clone());
        let answer = site.call(Method::GET, "/api/v1/applications", Some(&token), None).await;
        assert_eq!(answer.status, 401, "{unknown}: {answer:?}");
    }
}
