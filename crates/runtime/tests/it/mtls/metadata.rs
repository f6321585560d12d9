//! What discovery says of client certificates (RFC 8705 §3.3, §5).

use serde_json::{Value, json};

use super::deployment;
use crate::harness::Harness;

#[tokio::test]
async fn discovery_names_the_other_address_of_each_endpoint() {
    let h = deployment().await;
    for (slug, host) in [("main", "id.test"), ("acme", "acme.id.test")] {
        let site = h.tenant(slug).await;
        let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
        assert_eq!(document["tls_client_certificate_bound_access_tokens"], true);
        let methods = document["token_endpoint_auth_methods_supported"].as_array().unwrap();
        for method in ["tls_client_auth", "self_signed_tls_client_auth"] {
            assert!(methods.contains(&json!(method)), "{methods:?}");
        }
        let at = |path: &str| format!("https://{host}:8443{path}");
        assert_eq!(
            document["mtls_endpoint_aliases"],
            json!({
                "token_endpoint": at("/oauth/token"),
                "revocation_endpoint": at("/oauth/revoke"),
                "introspection_endpoint": at("/oauth/introspect"),
                "userinfo_endpoint": at("/userinfo"),
                "pushed_authorization_request_endpoint": at("/oauth/par"),
                "device_authorization_endpoint": at("/oauth/device/code"),
                "backchannel_authentication_endpoint": at("/bc-authorize"),
            })
        );
    }
}

#[tokio::test]
async fn our_own_api_says_that_it_takes_tokens_bound_to_certificates_and_others_are_not_spoken_for() {
    let h = deployment().await;
    let site = h.tenant("main").await;
    site.api("https://mcp.example/tools", &["notes:read"]).await;
    let at = async |path: &str| {
        let document =
            site.get(&format!("/.well-known/oauth-protected-resource{path}")).await.expect(200).json();
        document["tls_client_certificate_bound_access_tokens"].clone()
    };
    assert_eq!((at("").await, at("/tools").await), (json!(true), Value::Null));
    let plain = Harness::new().await;
    let site = plain.tenant("main").await;
    let document = site.get("/.well-known/oauth-protected-resource").await.expect(200).json();
    assert_eq!(document["tls_client_certificate_bound_access_tokens"], Value::Null);
}

#[tokio::test]
async fn where_no_client_is_asked_for_a_certificate_discovery_says_so() {
    let h = Harness::new().await;
    let document = h.tenant("main").await.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document["tls_client_certificate_bound_access_tokens"], false);
    assert_eq!(document["mtls_endpoint_aliases"], Value::Null);
    let methods = &document["token_endpoint_auth_methods_supported"];
    assert_eq!(*methods, json!(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]));
}
