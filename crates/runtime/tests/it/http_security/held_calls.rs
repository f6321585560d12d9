//! Calls whose body comes in only after their token has ended.

use serde_json::json;
use svc_http::{Body, Method, Request};

use crate::harness::Harness;

#[tokio::test]
async fn a_call_changes_nothing_after_its_token_has_ended_while_its_body_came_in() {
    // A second process learns of the end within a second.
    let h = Harness::in_one_process(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let hers = site.mint(|claims| {
        claims["sub"] = json!(ada.subject);
        claims["subject_type"] = json!("human");
    });
    let others = site.mint(|_| {});
    let request = Request::builder().method(Method::POST).uri("/api/v1/groups").header("host", &site.host);
    let request = request.header("authorization", format!("Bearer {hers}"));
    let request = request.header("content-type", "application/json");
    let request = request.body(Body::from(json!({ "name": "Left behind" }).to_string())).unwrap();
    let meanwhile = async {
        h.advance(1);
        let suspend = format!("/api/v1/tenant-users/{}/suspend", ada.id);
        let _ = site.call(Method::POST, &suspend, Some(&others), None).await.expect(200);
    };
    let refused = h.send_in_parts(request, meanwhile).await.expect_problem(401, "unauthorized");
    assert!(refused.header("www-authenticate").contains(r#"error="invalid_token""#), "{refused:?}");
    let groups = site.call(Method::GET, "/api/v1/groups", Some(&others), None).await.expect(200).json();
    assert_eq!(groups["data"], json!([]));
}
