//! The ID token: who, when, how, for whom, and nothing else (OpenID Connect Core §2).

use serde_json::json;
use svc_domain::apps::IdTokenClaims;
use svc_keys::{Algorithm, Jws, PublicKey, Typ, at_hash};

use crate::harness::Harness;
use crate::harness::client::{NONCE, Tokens, claims};

#[tokio::test]
async fn it_tells_of_the_sign_in_and_leaves_the_profile_to_userinfo() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app =
        site.app_with("web", |configuration| configuration.id_token_claims = Some(IdTokenClaims::Minimal));
    let (app, ada) = (app.await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let id = claims(tokens.id_token());
    let mut names: Vec<_> = id.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["acr", "amr", "at_hash", "aud", "auth_time", "exp", "iat", "iss", "nonce", "sid", "sub"]
    );
    assert_eq!(id["nonce"], NONCE);
    assert_eq!(id["aud"], app.id.as_str());
    assert_eq!(id["at_hash"], at_hash(Algorithm::Es256, tokens.access_token()));
    assert_eq!(id["amr"], json!(["pwd"]));
    assert!(id["acr"].as_str().is_some_and(|acr| !acr.is_empty()));
    assert_eq!(id["exp"].as_i64().unwrap() - id["iat"].as_i64().unwrap(), 300);
}

#[tokio::test]
async fn without_a_nonce_there_is_none_and_without_openid_there_is_no_id_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let code = app.code_with(&mut browser, &ada, &[("nonce", "")]).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    assert_eq!(claims(tokens.id_token()).get("nonce"), None);
    let code = app.code_with(&mut browser, &ada, &[("scope", "email offline_access")]).await;
    let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
    assert_eq!(tokens.response.get("id_token"), None);
    assert_eq!(app.refresh(tokens.refresh_token()).await.expect(200).json().get("id_token"), None);
}

#[tokio::test]
async fn the_time_of_sign_in_stays_until_the_person_signs_in_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.browser();
    let mut seen = Vec::new();
    for changes in
        [&[][..], &[("max_age", "10000")], &[("prompt", "none")], &[("max_age", "1")], &[("prompt", "login")]]
    {
        let code = app.code_with(&mut browser, &ada, changes).await;
        let tokens = Tokens { response: app.exchange(&code).await.expect(200).json() };
        let id = claims(tokens.id_token());
        seen.push((id["auth_time"].as_i64().unwrap(), id["sub"].clone(), id["sid"].clone()));
        h.advance(30);
    }
    let times: Vec<_> = seen.iter().map(|(time, ..)| time - seen[0].0).collect();
    assert_eq!(times, [0, 0, 0, 90, 120]);
    assert!(seen.iter().all(|(_, sub, _)| *sub == ada.subject));
    assert!(
        seen[0].2 == seen[2].2 && seen[2].2 != seen[3].2 && seen[3].2 != seen[4].2,
        "a sign-in begins a session"
    );
}

#[tokio::test]
async fn it_is_signed_as_the_application_asked_and_the_access_token_never_with_rsa() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    for algorithm in [Algorithm::Es256, Algorithm::Rs256, Algorithm::EdDsa] {
        let handle = algorithm.name().to_lowercase();
        let app = site
            .app_with(&handle, |configuration| configuration.id_token_signed_response_alg = Some(algorithm))
            .await;
        let tokens = app.tokens(&ada).await;
        let jws = Jws::parse(tokens.id_token(), Typ::Jwt.algorithms()).unwrap();
        assert_eq!(jws.algorithm(), algorithm);
        // An application that asks for EdDSA brings such a key into the set, within a second.
        h.run_jobs().await;
        let published = site.get("/.well-known/jwks.json").await.expect(200).json();
        let key = published["keys"]
            .as_array()
            .unwrap()
            .iter()
            .find(|key| key["kid"].as_str() == jws.kid())
            .unwrap();
        let verified = jws.verify(&PublicKey::from_jwk(key).unwrap()).unwrap();
        assert_eq!(verified.text("at_hash").unwrap(), at_hash(algorithm, tokens.access_token()));
        assert!(Jws::parse(tokens.access_token(), Typ::AccessToken.algorithms()).is_ok());
    }
}

#[tokio::test]
async fn discovery_says_what_is_done() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    let algorithms = document["id_token_signing_alg_values_supported"].as_array().unwrap();
    for name in ["ES256", "RS256", "EdDSA"] {
        assert!(algorithms.contains(&json!(name)), "{algorithms:?}");
    }
    assert!(!document.to_string().contains("\"none\",\"HS") && !algorithms.contains(&json!("none")));
    assert_eq!(document["request_uri_parameter_supported"], false);
    assert_eq!(document["authorization_response_iss_parameter_supported"], true);
    assert_eq!(document["code_challenge_methods_supported"], json!(["S256"]));
    assert_eq!(document["response_types_supported"], json!(["code"]));
}
