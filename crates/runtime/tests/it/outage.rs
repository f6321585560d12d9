//! What callers see while the database is gone: an outage, told as one.

use crate::harness::Harness;

#[tokio::test]
async fn without_its_database_the_service_says_so_and_is_not_ready() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let tokens = app.tokens(&ada).await;
    let _ = h.get(&site.host, "/health/ready").await.expect(200);
    h.expect_error("request failed");
    h.app().db.close().await;
    assert_eq!(h.get(&site.host, "/health/ready").await.expect(503).body, "{\"status\":\"unavailable\"}");
    let _ = h.get(&site.host, "/health/live").await.expect(200);
    let refused = app.refresh(tokens.refresh_token()).await.expect_problem(503, "temporarily_unavailable");
    assert!(!refused.header("retry-after").is_empty(), "{refused:?}");
    // What is in memory is still served.
    let _ = site.get("/.well-known/jwks.json").await.expect(200);
}

#[test]
fn nothing_of_the_development_mode_is_among_the_planes() {
    let config = svc_config::Config::default();
    let planes = svc_runtime::compose::planes_of(&config);
    assert!(planes.iter().all(|route| !route.path.starts_with("/dev")));
    assert!(
        planes.iter().all(|route| route.path != "/openapi.json"),
        "the document is published on demand only"
    );
}
