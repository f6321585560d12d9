//! Published metadata: every address in it is served, and it says what the service really does.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::harness::Harness;

#[tokio::test]
async fn every_tenant_publishes_its_own_issuer_and_endpoints() {
    let h = Harness::new().await;
    for slug in ["main", "acme"] {
        let site = h.tenant(slug).await;
        let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
        assert_eq!(document["issuer"], site.issuer());
        for (name, value) in document.as_object().unwrap() {
            let Some(url) = value.as_str().filter(|_| name.ends_with("_endpoint") || name.ends_with("_uri"))
            else {
                continue;
            };
            let path =
                url.strip_prefix(site.issuer()).unwrap_or_else(|| panic!("{name} is elsewhere: {url}"));
            let status = site.get(path).await.status;
            assert!(status != 404 && status < 500, "{name}: {status}");
        }
    }
}

#[tokio::test]
async fn both_documents_and_the_tables_of_the_code_agree() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let document = site.get("/.well-known/openid-configuration").await.expect(200).json();
    assert_eq!(document, site.get("/.well-known/oauth-authorization-server").await.expect(200).json());
    let list = |value: &Value| -> BTreeSet<String> {
        value.as_array().unwrap().iter().map(|entry| entry.as_str().unwrap().to_owned()).collect()
    };
    let grants: BTreeSet<_> = svc_auth::grant_types().map(|grant| grant.name.to_owned()).collect();
    assert_eq!(list(&document["grant_types_supported"]), grants);
    let resource = site.get("/.well-known/oauth-protected-resource").await.expect(200).json();
    assert_eq!(resource["resource"], format!("{}/api", site.issuer()));
    assert_eq!(resource["authorization_servers"][0], site.issuer());
}

#[tokio::test]
async fn the_key_set_holds_public_halves_only() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let jwks = site.get("/.well-known/jwks.json").await.expect(200).json();
    let keys = jwks["keys"].as_array().unwrap();
    assert!(!keys.is_empty());
    for key in keys {
        for private in ["d", "p", "q", "dp", "dq", "qi", "k"] {
            assert_eq!(key.get(private), None, "{key}");
        }
        assert_eq!(key["use"], "sig");
    }
}

#[tokio::test]
async fn an_unknown_tenant_publishes_nothing() {
    let h = Harness::new().await;
    let _ = h.tenant("main").await;
    let _ =
        h.get("nobody.id.test", "/.well-known/openid-configuration").await.expect_problem(404, "not_found");
    let _ = h
        .get("evil.example", "/.well-known/openid-configuration")
        .await
        .expect_problem(421, "misdirected_request");
}
