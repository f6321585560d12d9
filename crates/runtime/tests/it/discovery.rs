//! Published metadata: every address in it is served, and it says what the service really does.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_domain::tenancy::tenants::{self, NewTenant};
use svc_http::Method;

use crate::harness::{Harness, Site};

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

/// A published document, asked for twice, so that each of two nodes answers.
async fn published(h: &Harness, host: &str, path: &str) -> Value {
    let first = h.get(host, path).await.expect(200);
    assert_eq!(first.header("cache-control"), "public, max-age=300");
    assert_eq!(first.body, h.get(host, path).await.expect(200).body);
    first.json()
}

async fn change(site: &Site<'_>, change: impl FnOnce(&mut NewTenant)) {
    let tenant = &site.tenant;
    let (slug, name, settings) = (tenant.slug.clone(), tenant.name.clone(), tenant.settings.clone());
    let mut new = NewTenant { slug, name, custom_domain: None, settings };
    change(&mut new);
    let h = site.harness;
    let mut tx = h.app().db.begin_system().await.unwrap();
    assert!(tenants::update(&mut tx, &h.operator(), tenant.id, &new).await.unwrap());
    tx.commit().await.unwrap();
}

const SERVER: &str = "/.well-known/openid-configuration";
const RESOURCE: &str = "/.well-known/oauth-protected-resource";
const SIGNALS: &str = "/.well-known/ssf-configuration";
const KEYS: &str = "/.well-known/jwks.json";

#[tokio::test]
async fn a_change_of_the_tenant_shows_in_the_next_answer_there_and_nowhere_else() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("acme").await, h.tenant("other").await);
    let [before, others] =
        [published(&h, &site.host, SERVER).await, published(&h, &other.host, SERVER).await];
    for path in [RESOURCE, SIGNALS] {
        let _ = published(&h, &site.host, path).await;
    }
    assert!(before["end_session_endpoint"].is_string() && before["issuer"] == site.issuer());

    change(&site, |new| new.settings.disabled_capabilities = ["end_session"].into_iter().collect()).await;
    let without = published(&h, &site.host, SERVER).await;
    let mut expected = before.clone();
    expected.as_object_mut().unwrap().remove("end_session_endpoint").unwrap();
    assert_eq!(without, expected);

    let domain = "id.acme.example";
    change(&site, |new| new.custom_domain = Some(domain.to_owned())).await;
    for host in [domain, &site.host] {
        let moved = published(&h, host, SERVER).await;
        assert_eq!(moved.to_string(), before.to_string().replace(site.issuer(), "https://id.acme.example"));
        let resource = published(&h, host, RESOURCE).await;
        assert_eq!(resource["resource"], "https://id.acme.example/api");
        assert_eq!(resource["authorization_servers"], json!(["https://id.acme.example"]));
        assert_eq!(published(&h, host, SIGNALS).await["issuer"], "https://id.acme.example");
    }
    assert_eq!(published(&h, &other.host, SERVER).await, others);
}

#[tokio::test]
async fn a_change_of_an_api_or_of_the_keys_shows_in_the_next_answer() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let body = json!({ "identifier": "https://mcp.example/tools", "name": "Tools", "scopes": [{ "name": "tools:use" }] });
    let created = site.call(Method::POST, "/api/v1/apis", Some(&token), Some(body)).await.expect(201).json();
    let at = |path: &str| format!("{RESOURCE}/{path}");
    for path in ["mcp.example/tools", "tools"] {
        assert_eq!(published(&h, &site.host, &at(path)).await["scopes_supported"], json!(["tools:use"]));
    }
    let path = format!("/api/v1/apis/{}", created["id"].as_str().unwrap());
    let schema = json!({ "type": "object" });
    let details = json!([{ "type": "tool_call", "schema": schema, "template": "Use {tool}" }]);
    let patch = json!({ "scopes": [], "authorization_details_types": details });
    let _ = site.call(Method::PATCH, &path, Some(&token), Some(patch)).await.expect(200);
    for path in ["mcp.example/tools", "tools"] {
        let changed = published(&h, &site.host, &at(path)).await;
        assert_eq!(changed["scopes_supported"], json!([]));
        assert_eq!(changed["authorization_details_types_supported"], json!(["tool_call"]));
    }
    let types = published(&h, &site.host, SERVER).await["authorization_details_types_supported"].clone();
    assert_eq!(types, json!(["tool_call"]));
    site.api("https://other.example/tools", &["tools:use"]).await;
    let _ = site.get(&at("tools")).await.expect_problem(404, "not_found");
    let _ = published(&h, &site.host, &at("mcp.example/tools")).await;

    let before = published(&h, &site.host, KEYS).await["keys"].as_array().unwrap().clone();
    h.advance(29 * 86_400);
    h.run_jobs().await;
    let after = published(&h, &site.host, KEYS).await["keys"].as_array().unwrap().clone();
    assert!(after.len() > before.len() && before.iter().all(|key| after.contains(key)), "{after:?}");
}

#[tokio::test]
async fn what_apps_and_other_domains_share_is_published_where_it_is_configured() {
    let fingerprint = ["ab"; 32].join(":");
    let android = format!("[\"com.example.app={fingerprint}\"]");
    let configured = Harness::with(&[
        ("SVC_PASSKEY__RELATED_ORIGINS", "[\"http://id.localhost:8080\"]"),
        ("SVC_PASSKEY__ANDROID_APPS", &android),
        ("SVC_PASSKEY__APPLE_APPS", "[\"ABCDE12345.com.example.app\"]"),
    ])
    .await;
    let (plain, off) = (Harness::new().await, Harness::with(&[("SVC_PASSKEY__ENABLED", "false")]).await);
    let site = configured.tenant("main").await;
    let others = [plain.tenant("main").await, off.tenant("main").await];
    let link = json!([{
        "relation": ["delegate_permission/common.get_login_creds"],
        "target": {
            "namespace": "android_app",
            "package_name": "com.example.app",
            "sha256_cert_fingerprints": [fingerprint.to_uppercase()],
        },
    }]);
    for (path, expected) in [
        ("/.well-known/webauthn", json!({ "origins": ["http://id.localhost:8080"] })),
        ("/.well-known/assetlinks.json", link),
        (
            "/.well-known/apple-app-site-association",
            json!({ "webcredentials": { "apps": ["ABCDE12345.com.example.app"] } }),
        ),
    ] {
        let answer = site.get(path).await.expect(200);
        assert_eq!((answer.header("content-type"), answer.json()), ("application/json", expected));
        for other in &others {
            let _ = other.get(path).await.expect(404);
        }
    }
}
