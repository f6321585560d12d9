//! People whom the tenant removes, and the directory provisions again.

use serde_json::{Value, json};
use svc_http::Method;

use super::{USERS, at, directory, refused};
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

#[tokio::test]
async fn a_member_who_was_removed_and_whom_the_tenant_managed_leaves_the_address_to_who_is_provisioned() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let admin = site.mint(|_| ());
    let provisioned = |address: &str| json!({ "userName": address, "emails": [{ "value": address }] });
    let address_of = async |user: &Value| {
        let path = format!("/api/v1/tenant-users/{}", user["id"].as_str().unwrap());
        site.call(Method::GET, &path, Some(&admin), None).await.expect(200).json()["email"].clone()
    };
    let (ada, bob) = ("ada@initech.example", "bob@initech.example");
    for address in [ada, bob] {
        let member = Some(json!({ "email": address }));
        let member = site.call(Method::POST, "/api/v1/tenant-users", Some(&admin), member).await;
        let path = format!("/api/v1/tenant-users/{}", member.expect(201).json()["id"].as_str().unwrap());
        let meanwhile = directory.send(Method::POST, USERS, Some(provisioned(address))).await;
        let _ = refused(meanwhile, 409, Some("uniqueness"));
        let _ = site.call(Method::DELETE, &path, Some(&admin), None).await.expect(204);
    }
    let made = directory.create(provisioned(ada)).await;
    assert_eq!(address_of(&made).await, json!(ada));
    let change = json!([{ "op": "replace", "path": "emails", "value": [{ "value": bob }] }]);
    let _ = directory.patch(&made, change).await.expect(200);
    assert_eq!(address_of(&made).await, json!(bob));
}
