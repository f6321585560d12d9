//! Keys that are registered inline: which of them a token is held against.

use serde_json::{Value, json};
use svc_keys::Algorithm;

use super::signer::Signer;
use super::{Keyed, changed};
use crate::harness::Harness;

#[tokio::test]
async fn without_a_name_only_a_sole_suitable_key_counts() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (twin, other_kind) = (Signer::new(Algorithm::Es256), Signer::new(Algorithm::EdDsa));
    for (handle, further, counts) in [("sole", &other_kind, true), ("twins", &twin, false)] {
        let app = Keyed::with(&site, handle, Algorithm::Es256, |configuration| {
            let own = configuration.jwks.take().unwrap()["keys"][0].clone();
            configuration.jwks = Some(json!({ "keys": [own, further.jwk] }));
        });
        let app = app.await;
        let nameless = changed(app.signer.header(), &[("kid", Value::Null)]);
        assert_eq!(app.tries(&app.signer.sign(&nameless, &app.claims())).await, counts, "{handle}");
        assert!(app.tries(&app.assertion(&[])).await, "{handle} by name");
    }
}

#[tokio::test]
async fn replaced_keys_end_at_once() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "a", Algorithm::Es256).await;
    assert!(app.tries(&app.assertion(&[])).await);
    let next = Signer::new(Algorithm::Es256);
    let mut configuration = serde_json::to_value(&app.client.configuration).unwrap();
    configuration["jwks"] = next.jwks();
    let token = site.mint(|_| ());
    let path = format!("/api/v1/applications/{}", app.client.id);
    let _ = site.call(svc_http::Method::PUT, &path, Some(&token), Some(configuration)).await.expect(200);
    assert!(!app.tries(&app.assertion(&[])).await);
    let renewed = Keyed { signer: next, ..app };
    assert!(renewed.tries(&renewed.assertion(&[])).await);
}
