//! Operators whom a directory of the default tenant has provisioned.

use serde_json::json;
use svc_domain::people::operators::Role;
use svc_http::Method;
use svc_runtime::operators as terminal;

use super::{at, directory, refused};
use crate::harness::{Harness, Site};

async fn make_operator(site: &Site<'_>, name: &str) {
    let (app, cx) = (site.harness.app(), site.harness.operator());
    terminal::grant(&app.db, &app.config, &cx, (name, Role::Administrator)).await.unwrap();
}

#[tokio::test]
async fn a_directory_neither_deactivates_nor_deletes_the_last_operator() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let ada = directory.create(json!({ "userName": "ada" })).await;
    make_operator(&site, "ada").await;
    let off = json!([{ "op": "replace", "path": "active", "value": false }]);
    let deactivated = directory.patch(&ada, off.clone()).await;
    let deleted = directory.send(Method::DELETE, &at(&ada), None).await;
    for answer in [deactivated, deleted] {
        let document = refused(answer, 409, None).json();
        assert!(document["detail"].as_str().unwrap().contains("make another member one first"), "{document}");
    }
    let shown = directory.get(&at(&ada)).await.expect(200).json();
    assert_eq!(shown["active"], true, "nothing of the refused change is kept");
    let bob = site.user("bob").await;
    make_operator(&site, &bob.username).await;
    let _ = directory.patch(&ada, off).await.expect(200);
    let _ = directory.send(Method::DELETE, &at(&ada), None).await.expect(204);
}
