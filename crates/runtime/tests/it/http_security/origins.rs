//! Cross-origin calls: any origin at public documents, registered origins at the endpoints that scripts need, nowhere
//! else (N87).

use serde_json::json;
use svc_http::Method;

use super::{places, send};
use crate::harness::{Answer, Harness, Site};

/// What a script of a registered application calls.
const SHARED: [&str; 3] = ["/oauth/token", "/oauth/revoke", "/userinfo"];

/// What anyone may read, from anywhere.
const OPEN: [&str; 4] = [
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/.well-known/jwks.json",
];

/// Where applications, rather than people or administrators, call.
fn is_protocol(path: &str) -> bool {
    let is_theirs = ["/oauth/", "/.well-known/", "/userinfo", "/bc-authorize"]
        .iter()
        .any(|prefix| path.starts_with(prefix));
    is_theirs && path != "/oauth/introspect"
}

/// An application whose scripts may call from its own origin.
async fn register(site: &Site<'_>, handle: &str) {
    let origin = format!("https://{handle}.app.example");
    site.app_with(handle, |configuration| configuration.allowed_origins = vec![origin]).await;
}

fn shares(answer: &Answer) -> bool {
    answer.headers.keys().any(|name| name.as_str().starts_with("access-control-allow"))
}

#[tokio::test]
async fn only_the_endpoints_for_scripts_answer_registered_origins() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    register(&site, "web").await;
    for place in places(&h) {
        let origin = ("origin", "https://web.app.example");
        for method in [place.method.clone(), Method::OPTIONS] {
            let answer =
                send(&site, &method, &place.path, &[origin, ("access-control-request-method", "POST")], "")
                    .await;
            if SHARED.contains(&place.path.as_str()) {
                assert_eq!(answer.header("access-control-allow-origin"), origin.1, "{method} {}", place.path);
                assert_eq!(answer.header("access-control-allow-credentials"), "true", "{answer:?}");
                assert!(answer.header("vary").to_ascii_lowercase().contains("origin"), "{answer:?}");
            } else if OPEN.contains(&place.path.as_str()) {
                assert_eq!(answer.header("access-control-allow-origin"), "*", "{method} {}", place.path);
                assert_eq!(answer.header("access-control-allow-credentials"), "", "{answer:?}");
            } else if place.is_hosted || !is_protocol(&place.path) {
                assert!(!shares(&answer), "{method} {}: {answer:?}", place.path);
            }
        }
    }
}

#[tokio::test]
async fn no_origin_that_merely_looks_registered_is_answered() {
    let h = Harness::new().await;
    let (site, elsewhere) = (h.tenant("main").await, h.tenant("other").await);
    register(&site, "web").await;
    register(&elsewhere, "theirs").await;
    for origin in [
        "null",
        "https://evil.example",
        "https://web.app.example.evil.example",
        "https://evilweb.app.example",
        "https://app.example",
        "https://x.web.app.example",
        "http://web.app.example",
        "https://web.app.example:444",
        "https://web.app.example/",
        "https://web.app.example/callback",
        "https://WEB.app.example",
        "https://web.app.example, https://evil.example",
        "https://web.app.example https://evil.example",
        "https://user@web.app.example",
        "https://web.app.example%00.evil.example",
        "https://theirs.app.example",
        "",
        "*",
    ] {
        for path in SHARED {
            for method in [Method::GET, Method::POST, Method::OPTIONS] {
                let headers = [("origin", origin), ("access-control-request-method", "POST")];
                let answer = send(&site, &method, path, &headers, "").await;
                assert!(!shares(&answer), "{method} {path} from {origin}: {answer:?}");
            }
        }
    }
}

#[tokio::test]
async fn an_origin_that_was_listed_with_a_slash_is_answered_and_a_pattern_of_origins_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = json!({ "name": "Shop", "type": "spa", "redirect_uris": ["https://shop.example/callback"] });
    let create = async |origin: &str| {
        let mut app = app.clone();
        app["allowed_origins"] = json!([origin]);
        site.call(Method::POST, "/api/v1/applications", Some(&site.mint(|_| ())), Some(app)).await
    };
    let made = create("https://Web.app.example/").await.expect(201).json();
    assert_eq!(made["allowed_origins"], json!(["https://Web.app.example/"]), "as it was written");
    let refused = create("https://*.app.example").await.expect_problem(400, "invalid_client_metadata").json();
    assert!(refused["detail"].as_str().unwrap().starts_with("allowed_origins: * stands for"), "{refused}");
    let asked = [("origin", "https://web.app.example"), ("access-control-request-method", "POST")];
    for path in SHARED {
        let answer = send(&site, &Method::OPTIONS, path, &asked, "").await;
        assert_eq!(answer.header("access-control-allow-origin"), "https://web.app.example", "{path}");
    }
}
