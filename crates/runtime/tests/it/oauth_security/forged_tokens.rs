//! Access tokens that we did not sign, or that do not say what they must (N34–N36).

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::{Algorithm, SigningKey, Typ, base64url, from_base64url, hmac_sha256};

use super::userinfo;
use crate::harness::client::Tokens;
use crate::harness::{Client, Harness, Site};

const ROUTE: &str = "/api/v1/applications";

/// No endpoint takes it: our own APIs, `UserInfo`, introspection.
async fn is_refused(app: &Client<'_>, token: &str, case: &str) {
    let site = &app.site;
    let shown: String = token.chars().take(60).collect();
    let answer = site.call(Method::GET, ROUTE, Some(token), None).await;
    assert_eq!(answer.status, 401, "{case} {shown}: {answer:?}");
    let answer = answer.expect_problem(401, "unauthorized");
    assert!(answer.header("www-authenticate").contains("error=\"invalid_token\""), "{case}: {answer:?}");
    let answer = userinfo(site, token).await;
    assert_eq!(answer.status, 401, "{case} {shown}: {answer:?}");
    let told = app.post("/oauth/introspect", &[("token", token)], &[]).await.expect(200);
    assert_eq!(told.json(), json!({ "active": false }), "{case} {shown}");
}

fn header(token: &str) -> Value {
    serde_json::from_slice(&from_base64url(token.split('.').next().unwrap()).unwrap()).unwrap()
}

/// The same claims under another header, with whatever signature.
fn rewritten(token: &str, header: &Value, signature: impl FnOnce(&str) -> Vec<u8>) -> String {
    let payload = token.split('.').nth(1).unwrap();
    let input = format!("{}.{payload}", base64url(header.to_string()));
    let signature = base64url(signature(&input));
    format!("{input}.{signature}")
}

/// A token of every right, from which forgeries are made.
async fn world<'h>(site: &Site<'h>) -> (Client<'h>, String) {
    let app = site.app("web").await;
    let token = site.mint(|_| ());
    let _ = site.call(Method::GET, ROUTE, Some(&token), None).await.expect(200);
    (app, token)
}

#[tokio::test]
async fn a_token_without_a_signature_is_no_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, token) = world(&site).await;
    for alg in ["none", "None", "NONE", "nOnE", "", "HS256", "RS256", "ES256K", "ES384", "PS256"] {
        let mut forged = header(&token);
        forged["alg"] = alg.into();
        for signature in [Vec::new(), vec![0; 64], from_base64url(token.split('.').nth(2).unwrap()).unwrap()]
        {
            is_refused(&app, &rewritten(&token, &forged, |_| signature.clone()), alg).await;
        }
    }
    let (input, _) = token.rsplit_once('.').unwrap();
    for forged in [format!("{input}."), input.to_owned(), format!("{token}."), format!("{token}.{token}")] {
        is_refused(&app, &forged, "no signature").await;
    }
}

#[tokio::test]
async fn a_public_key_is_no_secret_to_sign_with() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, token) = world(&site).await;
    let jwks = site.get("/.well-known/jwks.json").await.expect(200);
    for key in jwks.json()["keys"].as_array().unwrap() {
        let mut secrets = vec![key.to_string().into_bytes(), jwks.body.clone().into_bytes()];
        for member in ["x", "y", "n"] {
            if let Some(text) = key[member].as_str() {
                secrets.extend([text.as_bytes().to_vec(), from_base64url(text).unwrap()]);
            }
        }
        for alg in ["HS256", "ES256", "EdDSA"] {
            let mut forged = header(&token);
            (forged["alg"], forged["kid"]) = (alg.into(), key["kid"].clone());
            for secret in &secrets {
                let token =
                    rewritten(&token, &forged, |input| hmac_sha256(secret, input.as_bytes()).to_vec());
                is_refused(&app, &token, alg).await;
            }
        }
    }
}

#[tokio::test]
async fn a_foreign_key_signs_nothing_of_ours() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, token) = world(&site).await;
    let ours = header(&token);
    let payload = from_base64url(token.split('.').nth(1).unwrap()).unwrap();
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa] {
        let theirs = SigningKey::generate(algorithm).unwrap();
        is_refused(&app, &theirs.sign(Typ::AccessToken, &payload).unwrap(), "their own kid").await;
        let same_kid =
            SigningKey::from_pkcs8(ours["kid"].as_str().unwrap(), algorithm, &theirs.to_pkcs8().unwrap());
        if let Ok(same_kid) = same_kid {
            is_refused(&app, &same_kid.sign(Typ::AccessToken, &payload).unwrap(), "our kid").await;
        }
        let signed = theirs.sign(Typ::AccessToken, &payload).unwrap();
        let signature = from_base64url(signed.split('.').nth(2).unwrap()).unwrap();
        let brought = [
            ("jwk", theirs.public_jwk()),
            ("jku", json!("https://evil.example/jwks.json")),
            ("x5u", json!("http://169.254.169.254/")),
            ("x5c", json!(["MIIB"])),
            ("crit", json!(["exp"])),
            ("kid", json!("../../../dev/null")),
            ("kid", json!("' UNION SELECT 1 --")),
            ("kid", json!("k".repeat(10_000))),
            ("kid", json!("unknown")),
            ("kid", json!(["a"])),
            ("kid", Value::Null),
        ];
        for (name, value) in brought {
            let mut forged = ours.clone();
            (forged["alg"], forged[name]) = (algorithm.name().into(), value);
            is_refused(&app, &rewritten(&token, &forged, |_| signature.clone()), name).await;
        }
    }
}

#[tokio::test]
async fn an_id_token_key_signs_no_access_token() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, token) = world(&site).await;
    let jwks = site.get("/.well-known/jwks.json").await.expect(200).json();
    let rsa = jwks["keys"].as_array().unwrap().iter().find(|key| key["kty"] == "RSA").unwrap();
    let payload = from_base64url(token.split('.').nth(1).unwrap()).unwrap();
    let ring = h.app().services.keys.ring_of_deployment();
    if let Ok(signed) = ring.held(Algorithm::Rs256).unwrap().sign(Typ::AccessToken, &payload) {
        is_refused(&app, &signed, "RS256").await;
    }
    let id_token = ring.held(Algorithm::Rs256).unwrap().sign(Typ::Jwt, &payload).unwrap();
    assert_eq!(header(&id_token)["kid"], rsa["kid"]);
    is_refused(&app, &id_token, "an ID token with an access token's claims").await;
    is_refused(
        &app,
        &ring.held(Algorithm::Es256).unwrap().sign(Typ::LogoutToken, &payload).unwrap(),
        "a logout token",
    )
    .await;
}

#[tokio::test]
async fn times_are_whole_numbers_and_lie_where_they_must() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, token) = world(&site).await;
    let claims = crate::harness::client::claims(&token);
    let (now, ring) = (claims["iat"].as_i64().unwrap(), h.app().services.keys.ring_of_deployment());
    let sign = |claims: &Value| {
        ring.held(Algorithm::Es256).unwrap().sign(Typ::AccessToken, claims.to_string().as_bytes()).unwrap()
    };
    for name in ["exp", "nbf", "iat"] {
        let good = claims[name].as_i64().unwrap();
        for bad in [
            json!(good.to_string()),
            json!(f64::from(i32::try_from(good).unwrap()) + 0.5),
            json!(-good),
            json!(1_i64 << 60),
            json!(u64::MAX),
            json!(1e300),
            json!([good]),
            json!({ "": good }),
            json!(true),
            Value::Null,
        ] {
            let mut changed = claims.clone();
            changed[name] = bad;
            is_refused(&app, &sign(&changed), &format!("{name} {}", changed[name])).await;
        }
        let mut missing = claims.clone();
        missing.as_object_mut().unwrap().remove(name);
        is_refused(&app, &sign(&missing), &format!("no {name}")).await;
    }
    for (name, value) in [("exp", now), ("exp", now - 1), ("nbf", now + 61), ("iat", now + 61)] {
        let mut changed = claims.clone();
        changed[name] = value.into();
        is_refused(&app, &sign(&changed), name).await;
    }
    let _ = site.call(Method::GET, ROUTE, Some(&sign(&claims)), None).await.expect(200);
}

#[tokio::test]
async fn claims_are_said_once_and_completely() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, token) = world(&site).await;
    let claims = crate::harness::client::claims(&token);
    let ring = h.app().services.keys.ring_of_deployment();
    let sign = |payload: &str| {
        ring.held(Algorithm::Es256).unwrap().sign(Typ::AccessToken, payload.as_bytes()).unwrap()
    };
    let text = claims.to_string();
    for again in [r#""exp":9999999999"#, r#""aud":"x""#, r#""tenant_id":"x""#, r#""\u0073cope":"openid""#] {
        is_refused(&app, &sign(&text.replacen('{', &format!("{{{again},"), 1)), again).await;
    }
    for name in ["iss", "sub", "aud", "jti", "tenant_id", "client_id", "scope", "subject_type"] {
        let mut missing = claims.clone();
        missing.as_object_mut().unwrap().remove(name);
        is_refused(&app, &sign(&missing.to_string()), name).await;
        for bad in [json!(null), json!(1), json!(["a"]), json!({})] {
            let mut changed = claims.clone();
            changed[name] = bad;
            is_refused(&app, &sign(&changed.to_string()), name).await;
        }
    }
    for payload in ["", "null", "[]", "\"x\"", "{", "{}", "{}{}"] {
        is_refused(&app, &sign(payload), payload).await;
    }
}

#[tokio::test]
async fn a_tenant_that_is_not_the_hosts_is_unknown_before_any_scope_is_looked_at() {
    let h = Harness::new().await;
    let (site, globex) = (h.tenant("main").await, h.tenant("globex").await);
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let all = site.mint(|_| ());
    let unknown =
        site.call(Method::GET, "/api/v1/applications/app_00000000000000000000000000", Some(&all), None).await;
    let unknown = unknown.expect_problem(404, "not_found");
    let mixed = site.mint(|claims| claims["tenant_id"] = json!(globex.tenant.id));
    let mixed_without_scope = site.mint(|claims| {
        claims["tenant_id"] = json!(globex.tenant.id);
        claims["scope"] = json!("");
    });
    let foreign = globex.mint(|claims| claims["scope"] = json!(""));
    for token in [mixed, mixed_without_scope, foreign] {
        for path in [ROUTE.to_owned(), format!("{ROUTE}/{}", app.id), "/api/v1/tenant-users".to_owned()] {
            let answer = site.call(Method::GET, &path, Some(&token), None).await;
            let told = (answer.status, answer.without_request_id());
            assert_eq!(told, (unknown.status, unknown.without_request_id()), "{path}");
        }
        let _ = userinfo(&site, &token).await.expect_problem(401, "invalid_token");
    }
    let tokens: Tokens = app.tokens(&ada).await;
    let _ = userinfo(&globex, tokens.access_token()).await.expect_problem(401, "invalid_token");
    let _ = userinfo(&site, tokens.access_token()).await.expect(200);
}
