//! Health, metrics and the OpenAPI document tell strangers nothing (N92).

use svc_http::Method;

use super::{refused, send};
use crate::harness::{Answer, Harness, Site};

async fn metrics(site: &Site<'_>, credential: Option<&str>) -> Answer {
    let headers: Vec<_> = credential.into_iter().map(|value| ("authorization", value)).collect();
    send(site, &Method::GET, "/metrics", &headers, "").await
}

#[tokio::test]
async fn health_says_one_word_and_is_the_same_at_every_host() {
    let h = Harness::in_one_process(&[]).await;
    h.tenant("main").await;
    for path in ["/health/live", "/health/startup", "/health/ready"] {
        for host in ["id.test", "10.0.0.7", "nobody.id.test"] {
            let answer = h.get(host, path).await.expect(200);
            assert_eq!(answer.json(), serde_json::json!({ "status": "ok" }), "{path}");
        }
    }
    h.app().readiness.drain();
    let answer = h.get("id.test", "/health/ready").await.expect(503);
    assert_eq!(answer.json(), serde_json::json!({ "status": "unavailable" }));
    let _ = h.get("id.test", "/health/live").await.expect(200);
}

#[tokio::test]
async fn with_a_static_token_metrics_take_it_whole_and_nothing_else() {
    let h = Harness::with(&[("SVC_SERVER__METRICS_BEARER_TOKEN", "correct-static-token")]).await;
    let site = h.tenant("main").await;
    let service = format!("Bearer {}", site.mint(|_| ()));
    let wrong = [
        None,
        Some("Bearer"),
        Some("Bearer "),
        Some("Bearer correct-static-toke"),
        Some("Bearer correct-static-token2"),
        Some("Bearer Correct-static-token"),
        Some("Basic correct-static-token"),
        Some("correct-static-token"),
        Some(service.as_str()),
    ];
    for credential in wrong {
        let answer = metrics(&site, credential).await;
        refused(&answer, 401, "unauthorized");
        assert!(!answer.header("www-authenticate").is_empty(), "{answer:?}");
    }
    let query = send(&site, &Method::GET, "/metrics?access_token=correct-static-token", &[], "").await;
    refused(&query, 401, "unauthorized");
    let answer = metrics(&site, Some("Bearer correct-static-token")).await.expect(200);
    assert!(answer.body.contains("http_requests_total"), "{answer:?}");
}

#[tokio::test]
async fn without_one_metrics_take_a_service_token_with_the_scope() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let other = h.tenant("other").await;
    let only = |scope: &'static str| site.mint(|claims| claims["scope"] = scope.into());
    let narrow = metrics(&site, Some(&format!("Bearer {}", only("audit:read")))).await;
    refused(&narrow, 403, "insufficient_scope");
    let of_a_person = site.mint(|claims| {
        claims["scope"] = "metrics:read".into();
        claims["subject_type"] = "human".into();
    });
    refused(&metrics(&site, Some(&format!("Bearer {of_a_person}"))).await, 403, "forbidden");
    for token in [
        site.mint(|claims| claims["exp"] = 1.into()),
        site.mint(|claims| claims["aud"] = site.issuer().into()),
        other.mint(|_| ()),
    ] {
        refused(&metrics(&site, Some(&format!("Bearer {token}"))).await, 401, "unauthorized");
    }
    let _ = metrics(&site, Some(&format!("Bearer {}", only("metrics:read")))).await.expect(200);
    // What is counted for the whole deployment is none of another tenant's.
    let theirs = other.mint(|claims| claims["scope"] = "metrics:read".into());
    refused(&metrics(&other, Some(&format!("Bearer {theirs}"))).await, 401, "unauthorized");
}

#[tokio::test]
async fn metrics_count_sign_ins_tokens_pools_caches_and_the_process() {
    let h = Harness::in_one_process(&[("SVC_SERVER__METRICS_BEARER_TOKEN", "correct-static-token")]).await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("shop").await, site.user("ada").await);
    app.tokens(&ada).await;
    let _ = app.token(&[("grant_type", "telepathy")], &[]).await.expect(400);
    let _ = app.token(&[("grant_type", "refresh_token"), ("refresh_token", "guess")], &[]).await.expect(400);
    let text = metrics(&site, Some("Bearer correct-static-token")).await.expect(200).body;
    for line in [
        "sign_ins_total{factor=\"knowledge\",outcome=\"success\"} 1",
        "token_requests_total{grant=\"authorization_code\",outcome=\"success\"} 1",
        "token_requests_total{grant=\"unknown\",outcome=\"unsupported_grant_type\"} 1",
        "token_requests_total{grant=\"refresh_token\",outcome=\"invalid_grant\"} 1",
        "password_hashes_waiting 0",
        "# HELP token_requests_total Requests to the token endpoint; the outcome is `success` or the error.",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    for family in [
        "cache_lookups_total{cache=\"applications\",outcome=\"hit\"} ",
        "database_commits_total ",
        "process_resident_memory_bytes ",
        "build_info{version=",
    ] {
        let value = text.lines().find_map(|line| line.strip_prefix(family)?.rsplit(' ').next()?.parse().ok());
        assert!(value.is_some_and(|value: f64| value >= 1.0), "{family}: {text}");
    }
}

#[tokio::test]
async fn labels_name_routes_and_outcomes_and_cannot_be_multiplied_by_callers() {
    let h = Harness::with(&[("SVC_SERVER__METRICS_BEARER_TOKEN", "correct-static-token")]).await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    for number in 0..50 {
        let path = format!("/api/v1/applications/app_{number:026}");
        let _ = site.call(Method::GET, &path, Some(&token), None).await.expect(404);
        let _ = h.get("id.test", &format!("/nowhere/{number}")).await.expect(404);
        let method = Method::from_bytes(format!("METHOD{number}").as_bytes()).unwrap();
        let _ = send(&site, &method, "/userinfo", &[], "").await.expect(405);
    }
    let text = metrics(&site, Some("Bearer correct-static-token")).await.expect(200).body;
    assert!(!text.contains("app_0") && !text.contains("nowhere") && !text.contains("METHOD"), "{text}");
    let series = text.lines().filter(|line| line.starts_with("http_requests_total{")).count();
    assert!(series < 20, "{series} series");
    for private in ["id.test".to_owned(), site.tenant.id.to_string()] {
        assert!(!text.contains(&private), "{private}");
    }
    // The slug is short enough to be a part of other words.
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    assert!(words.all(|word| word != site.tenant.slug));
}

#[tokio::test]
async fn where_metrics_are_switched_off_there_are_none() {
    let settings =
        [("SVC_TELEMETRY__METRICS_ENABLED", "false"), ("SVC_SERVER__METRICS_BEARER_TOKEN", "of-the-scraper")];
    let h = Harness::with(&settings).await;
    let site = h.tenant("main").await;
    refused(&metrics(&site, Some("Bearer of-the-scraper")).await, 404, "not_found");
}

#[tokio::test]
async fn without_openapi_there_is_no_document_and_no_page() {
    let h = Harness::with(&[("SVC_OPENAPI__ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    for path in
        ["/openapi.json", "/swagger-ui.css", "/index.html", "/docs", "/dev", "/dev/inbox", "/dev/inbox.json"]
    {
        refused(&site.get(path).await, 404, "not_found");
    }
    let start = site.get("/").await.expect(200);
    assert!(!start.body.contains("openapi") && !start.body.contains("swagger"), "{start:?}");
}

#[tokio::test]
async fn with_openapi_the_page_uses_nothing_from_elsewhere_and_dev_mode_is_absent() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let page = site.get("/").await.expect(200);
    for foreign in ["src=\"http", "href=\"http", "src=\"//", "href=\"//"] {
        assert!(!page.body.contains(foreign), "{page:?}");
    }
    assert!(page.body.contains("id=\"get_applications\"") && !page.body.contains("id=\"reference-sign-in\""));
    let policy = page.header("content-security-policy");
    assert!(
        policy.contains("script-src 'self' 'nonce-") && policy.contains("connect-src 'self';"),
        "{policy}"
    );
    assert_eq!(page.header("x-frame-options"), "DENY");
    for path in ["/dev", "/dev/login", "/dev/inbox", "/dev/inbox.json"] {
        refused(&site.get(path).await, 404, "not_found");
    }
}
