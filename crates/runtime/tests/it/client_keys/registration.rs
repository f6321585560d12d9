//! Which keys an application may register, and for what (RFC 7591 §2).

use serde_json::{Value, json};
use svc_http::Method;
use svc_keys::Algorithm;

use super::changed;
use super::signer::Signer;
use crate::harness::{Answer, Harness, Site};

async fn create(site: &Site<'_>, changes: &[(&str, Value)]) -> Answer {
    let signer = Signer::new(Algorithm::Es256);
    let sound =
        json!({ "name": "Signing", "token_endpoint_auth_method": "private_key_jwt", "jwks": signer.jwks() });
    let token = site.mint(|_| ());
    site.call(Method::POST, "/api/v1/applications", Some(&token), Some(changed(sound, changes))).await
}

#[tokio::test]
async fn keys_are_public_few_and_in_one_place() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let sound = create(&site, &[("handle", json!("inline"))]).await.expect(201).json();
    assert!(sound.get("client_secret").is_none(), "{sound}");
    let uri = json!("https://keys.example/jwks");
    let at = [("handle", json!("at")), ("jwks", Value::Null), ("jwks_uri", uri.clone())];
    let _ = create(&site, &at).await.expect(201);
    let public = Signer::new(Algorithm::Es256).jwk;
    let private = changed(public.clone(), &[("d", json!("AAAA"))]);
    for (case, changes) in [
        ("no keys", &[("jwks", Value::Null)][..]),
        ("both", &[("jwks_uri", uri)]),
        ("a private key", &[("jwks", json!({ "keys": [public, private] }))]),
        ("a symmetric key", &[("jwks", json!({ "keys": [{ "kty": "oct", "k": "AAAA" }] }))]),
        ("no usable key", &[("jwks", json!({ "keys": [{ "kty": "EC", "crv": "P-521" }] }))]),
        ("an empty set", &[("jwks", json!({ "keys": [] }))]),
        ("too many", &[("jwks", json!({ "keys": vec![public.clone(); 51] }))]),
        (
            "fapi2 with RS256",
            &[("profile", json!("fapi2")), ("token_endpoint_auth_signing_alg", json!("RS256"))],
        ),
        (
            "fapi2 with a secret",
            &[("profile", json!("fapi2")), ("token_endpoint_auth_method", json!("client_secret_basic"))],
        ),
        (
            "a secret, and signed requests without keys",
            &[
                ("token_endpoint_auth_method", json!("client_secret_basic")),
                ("require_signed_request_object", json!(true)),
                ("jwks", Value::Null),
            ],
        ),
    ] {
        let answer = create(&site, changes).await;
        assert_eq!(
            (answer.status, &answer.json()["error"]),
            (400, &json!("invalid_client_metadata")),
            "{case}"
        );
    }
    let shapeless = create(&site, &[("jwks", json!([]))]).await.expect_problem(400, "bad_request");
    assert!(shapeless.json()["detail"].as_str().unwrap().contains("jwks"), "{shapeless:?}");
}

#[tokio::test]
async fn an_address_that_will_never_be_called_is_refused_with_one_text() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let mut details = Vec::new();
    for bad in [
        "https://127.0.0.1/jwks",
        "https://[::1]/",
        "https://[::ffff:7f00:1]/",
        "https://169.254.169.254/latest",
        "https://10.1.2.3/",
        "https://100.64.0.1/",
        "https://[fd00::1]/",
        "https://0.0.0.0/",
        "https://2130706433/",
        "https://0177.0.0.1/",
        "https://localhost/",
        "https://keys.example:22/",
        "https://keys.example:8443/",
        "https://[64:ff9b::a00:1]/",
        "https://keys.internal/",
    ] {
        for name in ["jwks_uri", "backchannel_logout_uri"] {
            let changes =
                [("jwks", Value::Null), ("jwks_uri", json!("https://keys.example/jwks")), (name, json!(bad))];
            let answer = create(&site, &changes).await.expect_problem(400, "invalid_client_metadata").json();
            details.push(answer["detail"].as_str().unwrap().replace(name, ""));
        }
    }
    details.dedup();
    assert_eq!(details.len(), 1, "{details:?}");
    for bad in ["http://keys.example/jwks", "gopher://keys.example/", "file:///etc/passwd"] {
        let answer = create(&site, &[("jwks", Value::Null), ("jwks_uri", json!(bad))]).await;
        let _ = answer.expect_problem(400, "invalid_client_metadata");
    }
}

#[tokio::test]
async fn an_application_changes_from_a_secret_to_keys_and_back() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let token = site.mint(|_| ());
    let path = format!("/api/v1/applications/{}", app.id);
    let mut configuration = serde_json::to_value(&app.configuration).unwrap();
    configuration["token_endpoint_auth_method"] = json!("private_key_jwt");
    configuration["jwks"] = Signer::new(Algorithm::Es256).jwks();
    let _ = site.call(Method::PUT, &path, Some(&token), Some(configuration.clone())).await.expect(200);
    let form = [("grant_type", "client_credentials")];
    let _ = app.token(&form, &[]).await.expect_problem(401, "invalid_client");
    configuration["token_endpoint_auth_method"] = json!("client_secret_basic");
    let _ = site.call(Method::PUT, &path, Some(&token), Some(configuration)).await.expect(200);
    let _ = app.token(&form, &[]).await.expect_problem(401, "invalid_client");
    let renewed =
        site.call(Method::POST, &format!("{path}/secret"), Some(&token), None).await.expect(200).json();
    let secret = renewed["client_secret"].as_str().map(str::to_owned);
    let _ = crate::harness::Client { secret, ..app }.token(&form, &[]).await.expect(200);
}
