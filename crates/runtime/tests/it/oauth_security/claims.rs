//! The `claims` parameter: what is told by name, where, and with whose consent (OpenID Connect Core §5.5).

use serde_json::{Value, json};
use svc_domain::apps::{IdTokenClaims, SubjectForm};
use svc_http::Method;
use svc_keys::{Algorithm, pkce};

use super::{is_told, signing_in, userinfo};
use crate::client_keys::Keyed;
use crate::harness::client::{Tokens, claims as claims_of};
use crate::harness::{Browser, Client, Code, Harness, Person, Site};

const BOTH: &str = r#"{"userinfo":{"email":{"essential":true},"birthdate":null},"id_token":{"name":null}}"#;

/// Tokens of a request with these claims and this scope.
async fn tokens(app: &Client<'_>, person: &Person, scope: &str, claims: &str) -> Tokens {
    tokens_in(&mut app.site.browser(), app, person, &[("scope", scope), ("claims", claims)]).await
}

async fn tokens_in<'h>(
    browser: &mut Browser<'h>,
    app: &Client<'h>,
    person: &Person,
    changes: &[(&str, &str)],
) -> Tokens {
    let code = app.code_with(browser, person, changes).await;
    Tokens { response: app.exchange(&code).await.expect(200).json() }
}

/// What `UserInfo` tells.
async fn told(site: &Site<'_>, tokens: &Tokens) -> Value {
    userinfo(site, tokens.access_token()).await.expect(200).json()
}

/// The claims of an ID token that are not about the sign-in.
fn about_person(tokens: &Tokens) -> Value {
    let mut claims = claims_of(tokens.id_token());
    for name in ["iss", "sub", "aud", "exp", "iat", "auth_time", "acr", "amr", "sid", "at_hash", "nonce"] {
        claims.as_object_mut().unwrap().remove(name);
    }
    claims
}

async fn third_party<'h>(site: &Site<'h>) -> Client<'h> {
    site.app_with("third", |configuration| configuration.first_party = false).await
}

#[tokio::test]
async fn claims_are_told_where_they_were_asked_for_although_no_scope_unlocks_them() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = tokens(&app, &ada, "openid", BOTH).await;
    assert_eq!(told(&site, &tokens).await, json!({ "sub": ada.subject, "email": ada.email }));
    assert_eq!(about_person(&tokens), json!({ "name": "ada of main" }), "a birthdate is not known");
    assert_eq!(tokens.response["scope"], "openid", "no scope is granted by it");
    assert_eq!(claims_of(tokens.access_token())["userinfo_claims"], json!(["birthdate", "email"]));
}

#[tokio::test]
async fn what_was_asked_for_by_name_lasts_as_long_as_the_grant() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (minimal(&site).await, site.user("ada").await);
    let first = tokens(&app, &ada, "openid phone offline_access", BOTH).await;
    let refreshed = app.refresh(first.refresh_token()).await.expect(200).json();
    let refreshed = Tokens { response: refreshed };
    let known = json!({
        "sub": ada.subject, "email": ada.email,
        "phone_number": "+442079460123", "phone_number_verified": false,
    });
    for tokens in [&first, &refreshed] {
        assert_eq!(told(&site, tokens).await, known);
        assert_eq!(about_person(tokens), json!({ "name": "ada of main" }));
    }
    let form = [("grant_type", "refresh_token"), ("refresh_token", refreshed.refresh_token())];
    let narrowed = app.token(&form, &[("scope", "phone")]).await.expect(200).json();
    let access = claims_of(narrowed["access_token"].as_str().unwrap());
    assert_eq!((narrowed.get("id_token"), access.get("userinfo_claims")), (None, None));
}

#[tokio::test]
async fn without_openid_or_the_parameter_nothing_is_told_by_name() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let without = tokens(&app, &ada, "profile", BOTH).await;
    assert_eq!(without.response.get("id_token"), None);
    assert_eq!(claims_of(without.access_token()).get("userinfo_claims"), None);
    let plain = tokens(&app, &ada, "openid", "").await;
    assert_eq!(told(&site, &plain).await, json!({ "sub": ada.subject }));
    assert_eq!(about_person(&plain), json!({}));
}

#[tokio::test]
async fn claims_beyond_the_scopes_of_the_application_and_unknown_ones_are_left_out_silently() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let narrow = site.app_with("narrow", |configuration| {
        configuration.scope = "openid email".parse().unwrap();
    });
    let (app, ada) = (narrow.await, site.user("ada").await);
    let asked = json!({
        "userinfo": { "phone_number": null, "email": null, "iss": null, "roles": { "essential": true } },
        "id_token": { "name": { "essential": true }, "at_hash": null, "nonce": { "value": "x" } },
        "verified_claims": { "claims": {} },
    });
    let tokens = tokens(&app, &ada, "openid", &asked.to_string()).await;
    assert_eq!(told(&site, &tokens).await, json!({ "sub": ada.subject, "email": ada.email }));
    assert_eq!(about_person(&tokens), json!({}));
}

#[tokio::test]
async fn a_scope_that_the_application_loses_takes_its_claims_along() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = tokens(&app, &ada, "openid offline_access", BOTH).await;
    assert_eq!(told(&site, &tokens).await["email"], json!(ada.email));
    let mut narrower = app.configuration.clone();
    narrower.scope = "openid offline_access".parse().unwrap();
    let (path, body) = (format!("/api/v1/applications/{}", app.id), serde_json::to_value(narrower).unwrap());
    let _ = site.call(Method::PUT, &path, Some(&site.mint(|_| ())), Some(body)).await.expect(200);
    assert_eq!(told(&site, &tokens).await, json!({ "sub": ada.subject }));
    let refreshed = Tokens { response: app.refresh(tokens.refresh_token()).await.expect(200).json() };
    assert_eq!(about_person(&refreshed), json!({}));
}

#[tokio::test]
async fn a_malformed_request_is_told_to_the_application() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let mut browser = site.browser();
    for bad in ["{", "[]", r#"{"userinfo":[]}"#, r#"{"userinfo":{"email":null,"email":null}}"#] {
        let answer = browser.get(&app.authorize_path(&app.verifier(), &[("claims", bad)])).await;
        is_told(&answer, &app, "invalid_request", bad);
        let form = [("response_type", "code"), ("redirect_uri", app.redirect_uri()), ("claims", bad)];
        let _ = app.post("/oauth/par", &form, &[]).await.expect_problem(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_signed_request_carries_claims_as_an_object() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (Keyed::new(&site, "signing", Algorithm::Es256).await, site.user("ada").await);
    let (verifier, now) = (app.client.verifier(), h.operator().now.as_secs());
    let object = json!({
        "iss": app.client.id, "aud": site.issuer(), "iat": now, "exp": now + 60, "response_type": "code",
        "client_id": app.client.id, "redirect_uri": app.client.redirect_uri(), "scope": "openid",
        "code_challenge": pkce::s256(&verifier), "code_challenge_method": "S256",
        "claims": serde_json::from_str::<Value>(BOTH).unwrap(),
    });
    let object = app.signer.sign(&app.signer.header(), &object);
    let path = format!("/oauth/authorize?client_id={}&request={object}", app.client.id);
    let answer = signing_in(&mut site.browser(), &path, &ada).await;
    let code = Code { code: answer.redirect_param("code").unwrap(), verifier };
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.code.as_str()),
        ("redirect_uri", app.client.redirect_uri()),
        ("code_verifier", code.verifier.as_str()),
    ];
    let tokens = Tokens { response: app.post_honestly("/oauth/token", &form).await.expect(200).json() };
    assert_eq!(about_person(&tokens), json!({ "name": "ada of main" }));
    let sub = claims_of(tokens.id_token())["sub"].clone();
    assert_eq!(told(&site, &tokens).await, json!({ "sub": sub, "email": ada.email }));
}

#[tokio::test]
async fn a_third_party_asks_the_person_for_every_claim_that_no_scope_covers() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (third, ada) = (third_party(&site).await, site.user("ada").await);
    let mut browser = site.browser();
    let asked = [("scope", "openid email"), ("claims", BOTH)];
    let page = signing_in(&mut browser, &third.authorize_path(&third.verifier(), &asked), &ada).await;
    for sentence in ["See your full name", "See your date of birth", "See your email address"] {
        assert_eq!(page.body.matches(sentence).count(), 1, "{sentence}: {page:?}");
    }
    assert!(!page.body.contains("See your profile"), "{page:?}");
    assert!(browser.submit(&page, &[("decision", "allow")]).await.redirect_param("code").is_some());
    // Remembered: the same goes on silently, and anything more asks again.
    let silent = |claims| [("prompt", "none"), ("scope", "openid email"), ("claims", claims)];
    let same = browser.get(&third.authorize_path(&third.verifier(), &silent(BOTH))).await;
    assert!(same.redirect_param("code").is_some(), "{same:?}");
    for more in [r#"{"userinfo":{"gender":null}}"#, r#"{"id_token":{"phone_number":null}}"#] {
        let answer = browser.get(&third.authorize_path(&third.verifier(), &silent(more))).await;
        is_told(&answer, &third, "consent_required", more);
    }
    let scope = [("prompt", "none"), ("scope", "openid profile")];
    let answer = browser.get(&third.authorize_path(&third.verifier(), &scope)).await;
    is_told(&answer, &third, "consent_required", "a claim is less than its scope");
}

#[tokio::test]
async fn a_person_may_allow_more_scopes_and_claims_than_one_request_names_scopes() {
    const WIDE: &str = "https://wide.example";
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let names: Vec<String> = (0..92).map(|number| format!("wide:{number}")).collect();
    site.api(WIDE, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let scope = format!("openid {}", names.join(" "));
    let third = site.app_with("third", |configuration| {
        configuration.first_party = false;
        configuration.scope = format!("profile email {scope}").parse().unwrap();
    });
    let (third, ada) = (third.await, site.user("ada").await);
    let claims = json!({ "userinfo": {
        "name": null, "given_name": null, "family_name": null, "middle_name": null, "nickname": null,
        "preferred_username": null, "profile": null, "picture": null, "website": null, "email": null,
    } });
    let claims = claims.to_string();
    let changes = [("scope", scope.as_str()), ("claims", claims.as_str()), ("resource", WIDE)];
    let mut browser = site.browser();
    third.code_with(&mut browser, &ada, &changes).await;
    let silently = [&changes[..], &[("prompt", "none")]].concat();
    let answer = browser.get(&third.authorize_path(&third.verifier(), &silently)).await;
    assert!(answer.redirect_param("code").is_some(), "{answer:?}");
}

#[tokio::test]
async fn a_remembered_scope_covers_its_claims_and_a_refusal_gives_none() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (third, ada) = (third_party(&site).await, site.user("ada").await);
    let mut browser = site.browser();
    let denied = [("scope", "openid"), ("claims", BOTH)];
    let page = signing_in(&mut browser, &third.authorize_path(&third.verifier(), &denied), &ada).await;
    let answer = browser.submit(&page, &[("decision", "deny")]).await;
    is_told(&answer, &third, "access_denied", "denied");
    third.code_with(&mut browser, &ada, &[("scope", "openid profile email")]).await;
    let silent = [("prompt", "none"), ("scope", "openid"), ("claims", BOTH)];
    let tokens = tokens_in(&mut browser, &third, &ada, &silent).await;
    let sub = claims_of(tokens.id_token())["sub"].clone();
    assert_eq!(told(&site, &tokens).await, json!({ "sub": sub, "email": ada.email }));
}

#[tokio::test]
async fn the_claim_sub_names_the_person_who_must_be_there() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let naming = |part: &str, subject: &str| json!({ part: { "sub": { "value": subject } } }).to_string();
    for part in ["userinfo", "id_token"] {
        let (hers, his) = (naming(part, &ada.subject), naming(part, &bob.subject));
        let unknown = naming(part, "nobody");
        for (claims, error) in
            [(&hers, None), (&his, Some("login_required")), (&unknown, Some("login_required"))]
        {
            let silent = [("prompt", "none"), ("claims", claims.as_str())];
            let answer = browser.get(&app.authorize_path(&app.verifier(), &silent)).await;
            assert_eq!(answer.redirect_param("error").as_deref(), error, "{part}: {answer:?}");
            assert_eq!(answer.redirect_param("code").is_some(), error.is_none(), "{part}: {answer:?}");
        }
    }
    let his = naming("id_token", &bob.subject);
    let page = browser.get(&app.authorize_path(&app.verifier(), &[("claims", &his)])).await.expect(200);
    let wrong = browser.submit(&page, &[("username", "ada"), ("password", &ada.password)]).await;
    is_told(&wrong, &app, "login_required", "the wrong person signed in");
    let tokens = tokens_in(&mut site.browser(), &app, &bob, &[("claims", &his)]).await;
    assert_eq!(claims_of(tokens.id_token())["sub"], json!(bob.subject));
}

#[tokio::test]
async fn the_claim_sub_does_not_tell_one_sector_who_is_who_in_another() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let pairwise = |handle| {
        site.app_with(handle, |configuration| configuration.subject_type = Some(SubjectForm::Pairwise))
    };
    let (one, other) = (pairwise("one").await, pairwise("other").await);
    let ada = site.user("ada").await;
    let mut browser = site.sign_in(&one, &ada).await;
    let mut subjects = Vec::new();
    for app in [&one, &other] {
        let tokens = tokens_in(&mut browser, app, &ada, &[]).await;
        subjects.push(claims_of(tokens.id_token())["sub"].as_str().unwrap().to_owned());
    }
    let cases = [(&subjects[0], true), (&subjects[1], false), (&ada.subject, false)];
    for (subject, is_hers) in cases {
        let claims = json!({ "id_token": { "sub": { "value": subject } } }).to_string();
        let silent = [("prompt", "none"), ("claims", claims.as_str())];
        let answer = browser.get(&one.authorize_path(&one.verifier(), &silent)).await;
        let error = answer.redirect_param("error");
        assert_eq!(error.as_deref(), (!is_hers).then_some("login_required"), "{answer:?}");
    }
}

/// An application whose ID tokens have what was asked for by name, and not what scopes unlock.
async fn minimal<'h>(site: &Site<'h>) -> Client<'h> {
    site.app_with("web", |configuration| configuration.id_token_claims = Some(IdTokenClaims::Minimal)).await
}
