//! Members who were removed and whom the tenant makes again.

use serde_json::{Value, json};
use svc_http::Method;

use crate::harness::{Answer, Harness, Site};

const USERS: &str = "/api/v1/tenant-users";

async fn send(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

#[tokio::test]
async fn a_tenant_makes_a_member_with_the_address_of_one_that_it_managed_and_removed_and_no_other_does() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    let grace = json!({ "email": "grace@new.example" });
    let first = send(&site, Method::POST, USERS, Some(grace.clone())).await.expect(201).json();
    let path = format!("{USERS}/{}", first["id"].as_str().unwrap());
    let _ = send(&site, Method::DELETE, &path, None).await.expect(204);
    let refused = send(&other, Method::POST, USERS, Some(grace.clone())).await;
    assert!(refused.expect_problem(409, "conflict").body.contains("invite its owner"));
    let second = send(&site, Method::POST, USERS, Some(grace.clone())).await.expect(201).json();
    assert_eq!((&second["email"], &second["status"]), (&json!("grace@new.example"), &json!("active")));
    assert_ne!((&second["id"], &second["sub"]), (&first["id"], &first["sub"]));
    let refused = send(&site, Method::POST, USERS, Some(grace)).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("this person is a member"), "{refused:?}");
}
