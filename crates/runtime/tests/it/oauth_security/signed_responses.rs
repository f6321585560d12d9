//! Answers that are signed: authorization responses (JARM) and introspection (RFC 9701).

use serde_json::{Value, json};
use svc_domain::apps::Profile;
use svc_http::Method;
use svc_keys::{Algorithm, Jws, PublicKey, Typ};

use super::{signing_in, userinfo};
use crate::client_keys::Keyed;
use crate::harness::browser::Form;
use crate::harness::client::{Code, STATE};
use crate::harness::{Answer, Harness, Site};
use crate::par::fapi2::push;
use crate::par::{request_uri, with_reference};

/// The algorithm and the claims of a token, verified by the key set that the tenant publishes.
async fn verified(site: &Site<'_>, token: &str, typ: Typ) -> (Algorithm, Value) {
    let jws = Jws::parse(token, typ.algorithms()).unwrap();
    assert!(jws.is_typ(typ.name()), "{token}");
    let published = site.get("/.well-known/jwks.json").await.expect(200).json();
    let is_its = |key: &&Value| key["kid"].as_str() == jws.kid();
    let key = published["keys"].as_array().unwrap().iter().find(is_its).unwrap();
    let claims = jws.verify(&PublicKey::from_jwk(key).unwrap()).unwrap();
    (jws.algorithm(), Value::Object(claims.into_map()))
}

/// What the redirect carries: one parameter, after this separator.
#[track_caller]
fn only_response(answer: &Answer, redirect_uri: &str, separator: char) -> String {
    let carried = answer.location().strip_prefix(redirect_uri).unwrap();
    let response = carried.strip_prefix(separator).and_then(|carried| carried.strip_prefix("response="));
    let response = response.unwrap_or_else(|| panic!("{carried}"));
    assert!(!response.contains('&'), "{carried}");
    response.to_owned()
}

#[tokio::test]
async fn a_signed_answer_is_one_token_for_the_application_whose_code_is_good_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut app = site.app("web").await;
    let mut browser = site.sign_in(&app, &ada).await;
    for (chosen, mode) in [
        (None, "jwt"),
        (Some(Algorithm::Rs256), "query.jwt"),
        (Some(Algorithm::Es256), "query.jwt"),
        (Some(Algorithm::EdDsa), "query.jwt"),
    ] {
        if let Some(algorithm) = chosen {
            let handle = algorithm.name().to_lowercase();
            let choose = |configuration: &mut svc_domain::apps::Configuration| {
                configuration.authorization_signed_response_alg = Some(algorithm);
            };
            app = site.app_with(&handle, choose).await;
        }
        let verifier = app.verifier();
        let answer = browser.get(&app.authorize_path(&verifier, &[("response_mode", mode)])).await;
        let response = only_response(&answer, app.redirect_uri(), '?');
        h.run_jobs().await;
        let (algorithm, claims) = verified(&site, &response, Typ::Jwt).await;
        assert_eq!(algorithm, chosen.unwrap_or(Algorithm::Rs256));
        let code = claims["code"].as_str().unwrap().to_owned();
        let expected = json!({
            "iss": site.issuer(), "aud": app.id, "exp": h.operator().now.as_secs() + 600, "code": code, "state": STATE,
        });
        assert_eq!(claims, expected);
        // It is neither an access token nor a hint of a person.
        let _ = userinfo(&site, &response).await.expect_problem(401, "invalid_token");
        let hinted = app.authorize_path(&verifier, &[("id_token_hint", &response)]);
        let refused = browser.get(&hinted).await;
        assert_eq!(refused.redirect_param("error").as_deref(), Some("invalid_request"));

        let code = Code { code, verifier };
        let _ = app.exchange(&code).await.expect(200);
        let _ = app.exchange(&code).await.expect_problem(400, "invalid_grant");
    }
}

#[tokio::test]
async fn a_refusal_is_signed_too_in_every_way_that_an_answer_travels() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, spa) = (site.app("web").await, site.public_app("spa").await);
    let expected = |app: &str, error: &str, detail: &Value| {
        json!({
            "iss": site.issuer(), "aud": app, "exp": h.operator().now.as_secs() + 600,
            "error": error, "error_description": detail, "state": STATE,
        })
    };
    let silent = ("prompt", "none");
    for (app, mode, separator) in [(&web, "jwt", '?'), (&web, "query.jwt", '?'), (&spa, "fragment.jwt", '#')]
    {
        for (change, error) in [(silent, "login_required"), (("max_age", "x"), "invalid_request")] {
            let path = app.authorize_path(&app.verifier(), &[("response_mode", mode), change]);
            let answer = site.browser().get(&path).await;
            let response = only_response(&answer, app.redirect_uri(), separator);
            let (_, claims) = verified(&site, &response, Typ::Jwt).await;
            assert_eq!(claims, expected(&app.id, error, &claims["error_description"]), "{mode}");
            assert!(claims["error_description"].is_string());
        }
    }
    let path = web.authorize_path(&web.verifier(), &[("response_mode", "form_post.jwt"), silent]);
    let page = site.browser().get(&path).await.expect(200);
    let form = Form::of(&page);
    assert_eq!(form.action, web.redirect_uri());
    let [(name, response)] = &form.hidden[..] else { panic!("{form:?}") };
    assert_eq!(name, "response");
    let (_, claims) = verified(&site, response, Typ::Jwt).await;
    assert_eq!(claims, expected(&web.id, "login_required", &claims["error_description"]));
}

#[tokio::test]
async fn the_profile_fapi2_gets_signed_answers_to_signed_requests_and_never_rs256() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (Keyed::strict(&site, "strict", Algorithm::Es256).await, site.user("ada").await);
    let pushed = push(&app, &[("response_mode", "jwt")]).await;
    let path = with_reference(&app.client.id, &request_uri(&pushed));
    let answer = signing_in(&mut site.browser(), &path, &ada).await;
    let response = only_response(&answer, app.client.redirect_uri(), '?');
    let (algorithm, claims) = verified(&site, &response, Typ::Jwt).await;
    assert_eq!((algorithm, &claims["aud"]), (Algorithm::Es256, &json!(app.client.id)));
    assert!(claims["code"].is_string(), "{claims}");
    for member in ["authorization_signed_response_alg", "introspection_signed_response_alg"] {
        let mut configuration = serde_json::to_value(&app.client.configuration).unwrap();
        configuration["handle"] = json!(member);
        configuration[member] = json!("RS256");
        assert_eq!(configuration["profile"], json!(Profile::Fapi2));
        let token = site.mint(|_| ());
        let answer = site.call(Method::POST, "/api/v1/applications", Some(&token), Some(configuration)).await;
        let refused = answer.expect_problem(400, "invalid_client_metadata").json();
        assert_eq!(refused["detail"], "the profile fapi2 goes without RS256");
    }
}

#[tokio::test]
async fn where_signed_answers_are_switched_off_the_refusal_is_not_signed() {
    let h = Harness::with(&[("SVC_OIDC__DISABLED_CAPABILITIES", "[\"jarm\"]")]).await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for mode in ["jwt", "query.jwt"] {
        let path = app.authorize_path(&app.verifier(), &[("response_mode", mode)]);
        let answer = site.browser().get(&path).await;
        assert_eq!(answer.redirect_param("error").as_deref(), Some("invalid_request"));
        assert_eq!(
            answer.redirect_param("error_description").as_deref(),
            Some("response_mode: signed responses are not offered here")
        );
    }
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document["response_modes_supported"], json!(["query", "fragment", "form_post"]));
    assert_eq!(document["authorization_signing_alg_values_supported"], Value::Null);
}

#[tokio::test]
async fn introspection_is_signed_for_the_application_that_asks_for_it() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let app = site
        .app_with("web", |configuration| {
            configuration.introspection_signed_response_alg = Some(Algorithm::Es256);
        })
        .await;
    let tokens = app.tokens(&ada).await;
    let accept = [("accept", "application/json;q=0.5, application/token-introspection+jwt")];
    for token in [tokens.access_token(), tokens.refresh_token(), "unknown"] {
        let plain = app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200).json();
        let answer = app.post_with("/oauth/introspect", &accept, &[("token", token)], &[]).await.expect(200);
        assert_eq!(answer.header("content-type"), "application/token-introspection+jwt");
        assert_eq!(answer.header("cache-control"), "no-store");
        let (algorithm, claims) = verified(&site, &answer.body, Typ::Introspection).await;
        assert_eq!(algorithm, Algorithm::Es256);
        let now = h.operator().now.as_secs();
        let expected =
            json!({ "iss": site.issuer(), "aud": app.id, "iat": now, "token_introspection": plain });
        assert_eq!(claims, expected);
        let _ = userinfo(&site, &answer.body).await.expect_problem(401, "invalid_token");
    }
    for refused in [
        "application/token-introspection+jwt;q=0",
        "application/token-introspection+jwt; Q=0.000",
        "application/json, application/token-introspection+jwt;q=0.5",
    ] {
        let accept = [("accept", refused)];
        let answer = app.post_with("/oauth/introspect", &accept, &[("token", "unknown")], &[]).await;
        assert_eq!(answer.expect(200).json(), json!({ "active": false }), "{refused}");
    }
    let other = site.app("other").await;
    let answer =
        other.post_with("/oauth/introspect", &accept, &[("token", "unknown")], &[]).await.expect(200);
    let (algorithm, claims) = verified(&site, &answer.body, Typ::Introspection).await;
    assert_eq!((algorithm, &claims["token_introspection"]), (Algorithm::Rs256, &json!({ "active": false })));
}
