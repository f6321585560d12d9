//! What an assertion must be: signed by the client, fresh, short-lived, and used once.

use serde_json::{Value, json};
use svc_keys::{Algorithm, base64url};

use super::{Keyed, NOTHING, changed};
use crate::harness::{Client, Harness, Site};

#[tokio::test]
async fn a_signed_assertion_authenticates_at_every_endpoint() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for &algorithm in Algorithm::ALL {
        let app = Keyed::new(&site, &algorithm.name().to_ascii_lowercase(), algorithm).await;
        let tokens = app
            .post_honestly("/oauth/token", &[("grant_type", "client_credentials")])
            .await
            .expect(200)
            .json();
        let token = tokens["access_token"].as_str().unwrap();
        let state = app.post_honestly("/oauth/introspect", &[("token", token)]).await.expect(200).json();
        assert_eq!(state["active"], true, "{algorithm}");
        let _ = app.post_honestly("/oauth/revoke", &[("token", token)]).await.expect(200);
    }
}

#[tokio::test]
async fn ed25519_is_published_and_taken_by_both_of_its_names() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    for name in [
        "token_endpoint_auth_signing_alg_values_supported",
        "revocation_endpoint_auth_signing_alg_values_supported",
        "introspection_endpoint_auth_signing_alg_values_supported",
        "request_object_signing_alg_values_supported",
        "backchannel_authentication_request_signing_alg_values_supported",
    ] {
        assert_eq!(document[name], json!(["ES256", "EdDSA", "Ed25519", "RS256", "PS256"]), "{name}");
    }
    let app = Keyed::with(&site, "a", Algorithm::EdDsa, |configuration| {
        configuration.token_endpoint_auth_signing_alg = serde_json::from_value(json!("Ed25519")).unwrap();
    });
    let app = app.await;
    for name in ["EdDSA", "Ed25519"] {
        let header = changed(app.signer.header(), &[("alg", json!(name))]);
        assert!(app.tries(&app.signer.sign(&header, &app.claims())).await, "{name}");
    }
}

#[tokio::test]
async fn an_assertion_that_is_wrong_in_anything_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, other) =
        (Keyed::new(&site, "a", Algorithm::Es256).await, Keyed::new(&site, "b", Algorithm::Es256).await);
    let now = h.operator().now.as_secs();
    let cases: &[(&str, &[(&str, Value)])] = &[
        ("no iss", &[("iss", Value::Null)]),
        ("no sub", &[("sub", Value::Null)]),
        ("another iss", &[("iss", json!(other.client.id))]),
        ("another sub", &[("sub", json!(other.client.id))]),
        ("another client's", &[("iss", json!(other.client.id)), ("sub", json!(other.client.id))]),
        ("no aud", &[("aud", Value::Null)]),
        ("another aud", &[("aud", json!("https://other.example"))]),
        ("aud with a slash", &[("aud", json!(format!("{}/", site.issuer())))]),
        ("aud of another endpoint", &[("aud", json!(format!("{}/oauth/introspect", site.issuer())))]),
        ("aud no string", &[("aud", json!({"a": site.issuer()}))]),
        ("no exp", &[("exp", Value::Null)]),
        ("exp past", &[("exp", json!(now - 300))]),
        ("exp now", &[("exp", json!(now))]),
        ("exp far ahead", &[("exp", json!(now + 3_660))]),
        ("exp in ten years", &[("exp", json!(now + 315_360_000))]),
        ("exp a string", &[("exp", json!((now + 60).to_string()))]),
        ("exp past, with a fraction", &[("exp", with_fraction(now - 1))]),
        ("exp now, with a fraction", &[("exp", with_fraction(now))]),
        ("exp a string with a fraction", &[("exp", json!(format!("{}.5", now + 60)))]),
        ("exp a huge fraction", &[("exp", json!(1e300))]),
        ("exp negative", &[("exp", json!(-1))]),
        ("nbf ahead", &[("nbf", json!(now + 61))]),
        ("iat ahead", &[("iat", json!(now + 61))]),
        ("no jti", &[("jti", Value::Null)]),
        ("jti empty", &[("jti", json!(""))]),
        ("jti a number", &[("jti", json!(1))]),
        ("jti huge", &[("jti", json!("x".repeat(257)))]),
    ];
    for (case, changes) in cases {
        assert!(!app.tries(&app.assertion(changes)).await, "{case}");
    }
    for (case, changes) in [
        ("nbf a little ahead", &[("nbf", json!(now + 10))][..]),
        ("iat a little ahead", &[("iat", json!(now + 10))]),
        (
            "times with fractions",
            &[("iat", with_fraction(now)), ("nbf", with_fraction(now)), ("exp", with_fraction(now + 60))],
        ),
        ("neither iat nor nbf", &[("iat", Value::Null), ("nbf", Value::Null)]),
        ("an hour", &[("exp", json!(now + 3_600))]),
        ("further claims", &[("scope", json!("admin")), ("x", json!({"y": [1]}))]),
    ] {
        assert!(app.tries(&app.assertion(changes)).await, "{case}");
    }
}

/// What Python's `time.time()` gives (RFC 7519 §2).
fn with_fraction(secs: i64) -> Value {
    serde_json::from_str(&format!("{secs}.25")).unwrap()
}

#[tokio::test]
async fn a_header_that_brings_its_own_key_or_changes_the_rules_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "a", Algorithm::Es256).await;
    let thief = Keyed::new(&site, "b", Algorithm::Es256).await;
    let sign =
        |changes: &[(&str, Value)]| app.signer.sign(&changed(app.signer.header(), changes), &app.claims());
    for (case, changes) in [
        ("jwk", &[("jwk", app.signer.jwk.clone())][..]),
        ("jku", &[("jku", json!("https://evil.example/jwks"))]),
        ("x5u", &[("x5u", json!("https://evil.example/x"))]),
        ("x5c", &[("x5c", json!(["AAAA"]))]),
        ("crit", &[("crit", json!(["x"])), ("x", json!(1))]),
        ("unknown kid", &[("kid", json!("nobody"))]),
        ("kid of another client", &[("kid", json!(thief.signer.kid()))]),
        ("huge kid", &[("kid", json!("k".repeat(10_000)))]),
        ("path as kid", &[("kid", json!("../../etc/passwd"))]),
        ("access token", &[("typ", json!("at+jwt"))]),
        ("proof", &[("typ", json!("dpop+jwt"))]),
        ("request object", &[("typ", json!("oauth-authz-req+jwt"))]),
        ("none", &[("alg", json!("none"))]),
        ("nOnE", &[("alg", json!("nOnE"))]),
        ("hmac", &[("alg", json!("HS256"))]),
        ("another alg", &[("alg", json!("PS256"))]),
    ] {
        assert!(!app.tries(&sign(changes)).await, "{case}");
    }
    for (case, changes) in [
        ("no kid", &[("kid", Value::Null)][..]),
        ("no typ", &[("typ", Value::Null)]),
        ("own typ", &[("typ", json!("client-authentication+jwt"))]),
    ] {
        assert!(app.tries(&sign(changes)).await, "{case}");
    }
    let stolen = thief.signer.sign(&app.signer.header(), &app.claims());
    assert!(!app.tries(&stolen).await, "another key under its name");
    unsigned_and_misshapen(&app).await;
}

async fn unsigned_and_misshapen(app: &Keyed<'_>) {
    let (header, claims) = (base64url(app.signer.header().to_string()), base64url(app.claims().to_string()));
    let zeros = base64url([0; 64]);
    let nested = base64url(format!("{{\"sub\":{}{}}}", "[".repeat(5000), "]".repeat(5000)));
    for bad in [
        String::new(),
        "x".to_owned(),
        format!("{header}.{claims}."),
        format!("{header}.{claims}"),
        format!("{header}.{claims}.{zeros}"),
        format!("{header}.{nested}.{zeros}"),
        "A".repeat(40_000),
    ] {
        assert!(!app.tries(&bad).await, "{}", &bad[..bad.len().min(100)]);
    }
}

#[tokio::test]
async fn an_assertion_counts_once_also_after_a_restart() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "a", Algorithm::Es256).await;
    let assertion = app.assertion(&[]);
    assert!(app.tries(&assertion).await);
    assert!(!app.tries(&assertion).await);
    let restarted = h.restarted().await;
    let site = Site { harness: &restarted, ..site.clone() };
    let again = Keyed { client: Client { site, ..app.client.clone() }, signer: app.signer.clone() };
    assert!(!again.tries(&assertion).await);
    // The same `jti` in another assertion is the same use.
    let jti = json!("once");
    assert!(again.tries(&app.assertion(&[("jti", jti.clone())])).await);
    assert!(
        !again
            .tries(&app.assertion(&[("jti", jti.clone()), ("exp", json!(h.operator().now.as_secs() + 299))]))
            .await
    );
    let other = Keyed::new(&app.client.site, "b", Algorithm::Es256).await;
    assert!(other.tries(&other.assertion(&[("jti", jti)])).await, "another client counts for itself");
}

#[tokio::test]
async fn of_many_uses_at_once_one_counts() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "a", Algorithm::Es256).await;
    let assertion = app.assertion(&[]);
    let tries = futures_util::future::join_all((0..20).map(|_| app.tries(&assertion))).await;
    assert_eq!(tries.into_iter().filter(|counted| *counted).count(), 1);
}

#[tokio::test]
async fn an_assertion_stands_alone() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, basic) = (Keyed::new(&site, "a", Algorithm::Es256).await, site.app("basic").await);
    let post = async |changes: &[(&str, &str)]| {
        let assertion = app.assertion(&[]);
        let mut form = [NOTHING, &[super::TYPE, ("client_assertion", &assertion)]].concat();
        form.retain(|(name, _)| !changes.iter().any(|(changed, _)| changed == name));
        form.extend(changes.iter().filter(|(_, value)| !value.is_empty()));
        app.client.post("/oauth/token", &[], &form).await.status
    };
    assert_eq!(post(&[]).await, 400);
    for (case, changes) in [
        ("a secret beside it", &[("client_secret", "x")][..]),
        (
            "another type",
            &[("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:saml2-bearer")],
        ),
        ("no type", &[("client_assertion_type", "")]),
        ("no assertion", &[("client_assertion", "")]),
        ("another client_id", &[("client_id", &basic.id)]),
    ] {
        assert_eq!(post(changes).await, 401, "{case}");
    }
    let assertion = app.assertion(&[("iss", json!(basic.id)), ("sub", json!(basic.id))]);
    let unregistered = Keyed { client: basic, signer: app.signer.clone() };
    assert!(!unregistered.tries(&assertion).await, "an application of another method");
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_and_back_makes_no_assertion_new() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "a", Algorithm::Es256).await;
    let assertion = app.assertion(&[]);
    assert!(app.tries(&assertion).await);
    let started_ahead = h.jump_ahead_and_back().await;
    for harness in [&h, &started_ahead] {
        let client = Client { site: Site { harness, ..site.clone() }, ..app.client.clone() };
        let app = Keyed { client, ..app.clone() };
        assert!(!app.tries(&assertion).await);
        assert!(app.tries(&app.assertion(&[])).await);
    }
}
