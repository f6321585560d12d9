//! `/health/*` and `/metrics`.

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde_json::json;

use super::{World, request, with_token};
use crate::operational_routes;

async fn world(settings: &[(&str, &str)]) -> World {
    World::with(settings, operational_routes()).await
}

#[tokio::test]
async fn health_tells_a_status_and_nothing_else() {
    let world = world(&[]).await;
    for path in ["/health/live", "/health/startup", "/health/ready"] {
        let answer = world.get(path).await;
        assert_eq!((answer.status, answer.body.as_str()), (StatusCode::OK, r#"{"status":"ok"}"#), "{path}");
    }
}

#[tokio::test]
async fn a_probe_is_answered_however_often_it_comes() {
    let world = world(&[("SVC_SERVER__ENDPOINT_THROTTLE", "1")]).await;
    for path in ["/health/live", "/health/startup", "/health/ready"] {
        for _ in 0..3 {
            assert_eq!(world.get(path).await.status, StatusCode::OK, "{path}");
        }
    }
    assert_eq!(world.get("/health/nowhere").await.status, StatusCode::NOT_FOUND);
    world.get("/health/nowhere").await.is_problem(429, "rate_limited");
}

#[tokio::test]
async fn an_ailing_task_a_lost_database_or_the_end_make_it_unready_but_not_dead() {
    let world = world(&[]).await;
    let unready = || async {
        let answer = world.get("/health/ready").await;
        assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.body, r#"{"status":"unavailable"}"#);
        assert_eq!(world.get("/health/live").await.status, StatusCode::OK);
    };
    let task = world.app.readiness.watch("outbox");
    task.report(false);
    unready().await;
    task.report(true);
    assert_eq!(world.get("/health/ready").await.status, StatusCode::OK);
    world.app.db.close().await;
    unready().await;
    world.app.readiness.drain();
    unready().await;
}

#[tokio::test]
async fn metrics_need_the_static_token_when_one_is_set() {
    let world = world(&[("SVC_SERVER__METRICS_BEARER_TOKEN", "scrape-me-0123456789-0123456789-01")]).await;
    let service = world.token("localhost", "metrics:read").await;
    for bad in ["scrape-me", "", &service] {
        let answer = world.send(with_token("GET", "/metrics", bad).body(Body::empty()).unwrap()).await;
        answer.is_problem(401, "unauthorized");
    }
    let anonymous = world.get("/metrics").await;
    anonymous.is_problem(401, "unauthorized");
    assert_eq!(anonymous.header(header::WWW_AUTHENTICATE), "Bearer realm=\"metrics\"");
    let good =
        with_token("GET", "/metrics", "scrape-me-0123456789-0123456789-01").body(Body::empty()).unwrap();
    let answer = world.send(good).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(
        answer.body.contains(r#"http_requests_total{method="GET",route="/metrics",status="401"}"#),
        "{}",
        answer.body
    );
    assert!(answer.header(header::CONTENT_TYPE).starts_with("text/plain; version=0.0.4"));
}

#[tokio::test]
async fn scrapers_reach_each_instance_by_its_address_with_the_static_token_alone() {
    let token = "scrape-me-0123456789-0123456789-01";
    let asked = |host: &str| {
        let sent = axum::extract::Request::get("/metrics").header(header::HOST, host);
        sent.header(header::AUTHORIZATION, format!("Bearer {token}")).body(Body::empty()).unwrap()
    };
    let hosts = ("SVC_SERVER__ALLOWED_HOSTS", r#"["id.example.com"]"#);
    let open = world(&[hosts, ("SVC_SERVER__METRICS_BEARER_TOKEN", token)]).await;
    for host in ["10.0.0.7:8443", "node-1.internal", "id.example.com"] {
        assert_eq!(open.send(asked(host)).await.status, StatusCode::OK, "{host}");
    }
    let anonymous = axum::extract::Request::get("/metrics").header(header::HOST, "10.0.0.7:8443");
    open.send(anonymous.body(Body::empty()).unwrap()).await.is_problem(401, "unauthorized");
    let closed = world(&[hosts]).await;
    closed.send(asked("10.0.0.7:8443")).await.is_problem(421, "misdirected_request");
}

#[tokio::test]
async fn metrics_take_a_service_token_when_no_static_one_is_set() {
    let world = world(&[]).await;
    let mut claims = world.claims("localhost", "metrics:read").await;
    let human = world.sign(&claims);
    claims["subject_type"] = json!("system");
    let service = world.sign(&claims);
    claims["scope"] = json!("metrics:write");
    let narrow = world.sign(&claims);
    let sent = |token: &str| with_token("GET", "/metrics", token).body(Body::empty()).unwrap();
    assert_eq!(world.send(sent(&service)).await.status, StatusCode::OK);
    world.send(sent(&human)).await.is_problem(403, "forbidden");
    let refused = world.send(sent(&narrow)).await;
    refused.is_problem(403, "insufficient_scope");
    assert!(refused.header(header::WWW_AUTHENTICATE).contains("scope=\"metrics:read\""), "{refused:?}");
    // Another tenant's scope opens what is its own, and not the counts of all.
    let mut claims = world.claims("acme.localhost", "metrics:read").await;
    claims["subject_type"] = json!("system");
    let foreign = world.sign(&claims);
    let sent = axum::extract::Request::get("/metrics").header(header::HOST, "acme.localhost");
    let sent = sent.header(header::AUTHORIZATION, format!("Bearer {foreign}"));
    world.send(sent.body(Body::empty()).unwrap()).await.is_problem(401, "unauthorized");
    let sent = request("GET", "/metrics").body(Body::empty()).unwrap();
    world.send(sent).await.is_problem(401, "unauthorized");
}

#[tokio::test]
async fn the_type_of_every_error_leads_to_a_page_about_it() {
    let world = world(&[]).await;
    for class in svc_core::Class::ALL {
        let path = format!("/errors/{}", class.code().replace('_', "-"));
        let page = world.get(&path).await;
        assert_eq!(
            (page.status, page.header(header::CONTENT_TYPE)),
            (StatusCode::OK, "text/html; charset=utf-8")
        );
        assert!(page.body.contains(&format!("<code>{}</code>", class.code())), "{path}: {}", page.body);
    }
    world.get("/errors/none-such").await.is_problem(404, "not_found");
}

#[tokio::test]
async fn the_page_of_an_error_says_what_helps_against_it() {
    let world = world(&[]).await;
    for (name, helps) in [
        ("conflict", "The <code>detail</code> says what stands in the way."),
        ("method-not-allowed", "<code>Allow</code>"),
        ("unsupported-grant-type", "<code>grant_types_supported</code>"),
        ("unsupported-response-type", "<code>response_type=code</code>"),
        ("invalid-dpop-proof", "a new proof for each request"),
        ("headers-too-large", "delete the cookies of this host"),
    ] {
        let page = world.get(&format!("/errors/{name}")).await;
        assert!(page.body.contains(helps), "{name}: {}", page.body);
    }
}
