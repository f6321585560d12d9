//! The authorization code flow from the first request to verified tokens (RFC 6749 §4.1, RFC 7636, OpenID Connect Core §3.1).

use serde_json::{Value, json};
use svc_domain::claims::profile::CLAIMS_OF_SCOPES;
use svc_keys::{Jws, PublicKey, Typ};

use crate::harness::client::{NONCE, claims};
use crate::harness::{Code, Harness};

/// Verifies a token as an application does: with the published key set alone.
async fn verified(h: &Harness, host: &str, token: &str, typ: Typ) -> Value {
    let jwks = h.get(host, "/.well-known/jwks.json").await.expect(200).json();
    let parsed = Jws::parse(token, typ.algorithms()).unwrap();
    assert!(parsed.is_typ(typ.name()));
    let key =
        jwks["keys"].as_array().unwrap().iter().find(|key| key["kid"].as_str() == parsed.kid()).unwrap();
    Value::Object(parsed.verify(&PublicKey::from_jwk(key).unwrap()).unwrap().into_map())
}

#[tokio::test]
async fn a_person_signs_in_and_the_application_gets_verifiable_tokens() {
    let h = Harness::new().await;
    let acme = h.tenant("acme").await;
    let (app, ada) = (acme.app("web").await, acme.user("ada").await);
    let code = app.code(&ada).await;
    let answer = app.exchange(&code).await.expect(200);
    assert_eq!(answer.header("cache-control"), "no-store");
    let tokens = answer.json();
    assert_eq!(tokens["token_type"], "Bearer");
    assert_eq!(tokens["expires_in"], 900);
    assert_eq!(tokens["scope"], "email offline_access openid phone profile");

    let id = verified(&h, &acme.host, tokens["id_token"].as_str().unwrap(), Typ::Jwt).await;
    assert_eq!(id["iss"], acme.issuer());
    assert_eq!(id["aud"], app.id.as_str());
    assert_eq!(id["sub"], ada.subject.as_str());
    assert_eq!(id["nonce"], NONCE);
    assert_eq!(id["acr"], "urn:svc:aal1");
    assert_eq!(id["amr"], json!(["pwd"]));

    let access = verified(&h, &acme.host, tokens["access_token"].as_str().unwrap(), Typ::AccessToken).await;
    assert_eq!(access["iss"], acme.issuer());
    assert_eq!(access["sub"], ada.subject.as_str());
    assert_eq!(access["client_id"], app.id.as_str());
    assert_eq!(access["tenant_id"], acme.tenant.id.to_string());
    assert_eq!(access["subject_type"], "human");
    assert_eq!(access["scope"], tokens["scope"]);
    assert_eq!(access["exp"].as_i64().unwrap() - access["iat"].as_i64().unwrap(), 900);
}

#[tokio::test]
async fn a_public_application_needs_only_its_verifier() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.public_app("spa").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    assert_eq!(claims(tokens.access_token())["client_id"], app.id.as_str());
    assert_eq!(claims(tokens.id_token())["aud"], app.id.as_str());
    assert!(!tokens.refresh_token().is_empty());
}

#[tokio::test]
async fn a_second_application_does_not_ask_for_the_password_again() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (first, second, ada) = (site.app("one").await, site.app("two").await, site.user("ada").await);
    let mut browser = site.sign_in(&first, &ada).await;
    let answer = browser.get(&second.authorize_path(&second.verifier(), &[])).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[tokio::test]
async fn without_a_session_a_silent_request_says_that_sign_in_is_required() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let answer = site.browser().get(&app.authorize_path(&app.verifier(), &[("prompt", "none")])).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"));
    assert_eq!(answer.redirect_param("iss").as_deref(), Some(site.issuer()));
}

#[tokio::test]
async fn a_sign_in_is_as_young_as_the_application_says_where_a_request_says_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app_with("web", |app| app.default_max_age = Some(300)).await;
    let mut browser = site.sign_in(&app, &site.user("ada").await).await;
    for (seconds, more, error) in [
        (299, None, None),
        (2, None, Some("login_required")),
        (0, Some(("max_age", "3600")), None),
        (0, Some(("max_age", "60")), Some("login_required")),
    ] {
        h.advance(seconds);
        let asked: Vec<_> = [("prompt", "none")].into_iter().chain(more).collect();
        let answer = browser.get(&app.authorize_path(&app.verifier(), &asked)).await;
        assert_eq!(answer.redirect_param("error").as_deref(), error, "{seconds} {more:?}");
    }
}

#[tokio::test]
async fn a_wrong_password_shows_the_same_page_as_an_unknown_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut pages = Vec::new();
    for name in [ada.username.as_str(), "nobody"] {
        let mut browser = site.browser();
        let page = browser.get(&app.authorize_path(&app.verifier(), &[])).await.expect(200);
        let answer =
            browser.submit(&page, &[("username", name), ("password", "wrong password")]).await.expect(200);
        assert!(answer.body.contains("role=\"alert\""), "{answer:?}");
        pages.push(comparable(&answer.body, name));
    }
    assert_eq!(pages[0], pages[1]);
}

#[tokio::test]
async fn a_code_is_exchanged_once_and_its_replay_ends_what_it_yielded() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let code = app.code(&ada).await;
    let tokens = app.exchange(&code).await.expect(200).json();
    let _ = app.exchange(&code).await.expect_problem(400, "invalid_grant");
    let refresh_token = tokens["refresh_token"].as_str().unwrap();
    let _ = app.refresh(refresh_token).await.expect_problem(400, "invalid_grant");
    let userinfo = site.call(svc_http::Method::GET, "/userinfo", tokens["access_token"].as_str(), None).await;
    let _ = userinfo.expect_problem(401, "invalid_token");
}

#[tokio::test]
async fn a_code_works_only_with_its_verifier_its_address_its_application_and_in_time() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other, ada) = (site.app("web").await, site.app("other").await, site.user("ada").await);
    for changes in [
        [("code_verifier", "A-verifier-of-somebody-else-that-is-long-enough")],
        [("code_verifier", "")],
        [("redirect_uri", "https://web.app.example/callback/")],
        [("redirect_uri", "")],
    ] {
        let code = app.code(&ada).await;
        let answer = app.exchange_with(&code, &changes).await;
        assert!([400].contains(&answer.status), "{changes:?}: {answer:?}");
        assert!(
            ["invalid_grant", "invalid_request"].contains(&answer.json()["error"].as_str().unwrap()),
            "{answer:?}"
        );
    }
    let code = app.code(&ada).await;
    let _ = other
        .exchange_with(&code, &[("redirect_uri", app.redirect_uri())])
        .await
        .expect_problem(400, "invalid_grant");
    let code = app.code(&ada).await;
    h.advance(61);
    let _ = app.exchange(&code).await.expect_problem(400, "invalid_grant");
    let forged = Code { code: "A".repeat(43), verifier: app.verifier() };
    let _ = app.exchange(&forged).await.expect_problem(400, "invalid_grant");
}

#[tokio::test]
async fn an_unregistered_address_gets_a_page_and_never_a_redirect() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    for bad in [
        "https://evil.example/",
        "https://web.app.example/callback?x=1",
        "https://web.app.example:444/callback",
        "",
    ] {
        let answer = site.browser().get(&app.authorize_path(&app.verifier(), &[("redirect_uri", bad)])).await;
        assert_eq!(answer.status, 400, "{bad}: {answer:?}");
        assert_eq!(answer.header("location"), "");
        assert!(answer.body.contains("id=\"error-code\""), "{answer:?}");
    }
}

#[tokio::test]
async fn a_third_party_asks_for_consent_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app_with("third", |configuration| configuration.first_party = false).await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let page = browser.get(&app.authorize_path(&app.verifier(), &[("scope", "openid email")])).await;
    let sign_in = [("username", ada.email.as_str()), ("password", ada.password.as_str())];
    let page = browser.submit(&page, &sign_in).await.expect(200);
    let denied = browser.clone().submit(&page, &[("decision", "deny")]).await;
    assert_eq!(denied.redirect_param("error").as_deref(), Some("access_denied"));
    let allowed = browser.submit(&page, &[("decision", "allow")]).await;
    assert!(allowed.redirect_param("code").is_some(), "{allowed:?}");
    let again = browser.get(&app.authorize_path(&app.verifier(), &[("scope", "openid email")])).await;
    assert!(again.redirect_param("code").is_some(), "{again:?}");
    let more = browser.get(&app.authorize_path(&app.verifier(), &[("scope", "openid email phone")])).await;
    assert!(more.expect(200).body.contains("id=\"consent-allow\""));
}

#[test]
fn every_standard_scope_of_the_specification_unlocks_claims() {
    let names: Vec<_> = CLAIMS_OF_SCOPES.iter().map(|(scope, _)| *scope).collect();
    assert_eq!(names, ["profile", "email", "address", "phone", "roles", "groups"]);
}

/// The page without what differs in every page: seals and nonces, and what the person typed.
fn comparable(body: &str, typed: &str) -> String {
    let is_random = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    let words = body.split_inclusive(|char| !is_random(char)).filter(|word| word.len() < 40);
    words.collect::<String>().replace(&format!("\"{typed}\""), "\"\"")
}
