//! Defaults that depend on another member.

use super::*;

const APPLICATIONS: &str = "/api/v1/applications";

#[tokio::test]
async fn an_application_that_is_replaced_without_a_way_to_authenticate_takes_that_of_its_type() {
    let world = World::new().await;
    let new = json!({ "name": "Shop", "type": "spa" });
    let created = world.send(Call { body: Some(new), ..call("POST", APPLICATIONS) }).await.json(201);
    let path = format!("{APPLICATIONS}/{}", created["id"].as_str().unwrap());
    for (kind, expected) in [
        ("spa", "none"),
        ("web", "client_secret_basic"),
        ("native", "none"),
        ("machine", "client_secret_basic"),
        ("spa", "none"),
    ] {
        let body = Some(json!({ "name": "Shop", "type": kind }));
        let replaced = world.send(Call { body, ..call("PUT", &path) }).await.json(200);
        assert_eq!(replaced["token_endpoint_auth_method"], expected, "{kind}");
    }
    for (patch, expected) in [
        (json!({ "token_endpoint_auth_method": "client_secret_post" }), "client_secret_post"),
        (json!({ "name": "Store" }), "client_secret_post"),
        (json!({ "token_endpoint_auth_method": null }), "none"),
    ] {
        let patched = world.send(Call { body: Some(patch.clone()), ..call("PATCH", &path) }).await.json(200);
        assert_eq!(patched["token_endpoint_auth_method"], expected, "{patch}");
    }
}
