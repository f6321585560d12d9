//! `svc-runtime apply` of an application under another handle.

use crate::apply::apply_text;
use crate::harness::Harness;

const FILE: &str = r#"[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.application]]
handle = "shop"
client_id = "app_01m7yepz0sfj8kq0w3v5t1h2aa"
name = "Shop"
type = "spa"
redirect_uris = ["https://shop.acme.example/callback"]
"#;

#[tokio::test]
async fn a_client_id_is_refused_under_another_handle_with_the_one_that_has_it() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let renamed = FILE.replace("handle = \"shop\"", "handle = \"store\"");
    assert_eq!(
        apply_text(&h, &renamed).await.unwrap_err(),
        "line 7: tenant \"acme\": application \"store\": client_id: the application \"shop\" has it already, and keeps its handle"
    );
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
}
