//! People whom the tenant removes, and the directory provisions again.

use serde_json::{Value, json};
use svc_http::Method;

use super::{at, directory, refused};
use crate::harness::Harness;

#[tokio::test]
async fn whom_the_tenant_removed_the_directory_provisions_again_with_the_address() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    let tenant_user = async |method: Method, user: &Value| {
        let path = format!("/api/v1/tenant-users/{}", user["id"].as_str().unwrap());
        site.call(method, &path, Some(&admin), None).await
    };
    let ada = json!({ "userName": "ada@initech.example", "emails": [{ "value": "ada@initech.example" }] });
    let made = directory.create(ada.clone()).await;
    let _ = tenant_user(Method::DELETE, &made).await.expect(204);
    let _ = refused(directory.get(&at(&made)).await, 404, None);
    let again = directory.create(ada).await;
    assert_ne!(again["id"], made["id"]);
    let read = tenant_user(Method::GET, &again).await.expect(200).json();
    assert_eq!((&read["email"], &read["status"]), (&json!("ada@initech.example"), &json!("active")));
}
