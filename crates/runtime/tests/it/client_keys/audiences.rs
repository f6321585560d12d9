//! For whom an assertion is: a standard application has some choice, a strict one has none (FAPI 2.0 §5.3.2.1).

use serde_json::{Value, json};
use svc_keys::Algorithm;

use super::Keyed;
use crate::harness::Harness;

#[tokio::test]
async fn a_standard_application_names_issuer_token_endpoint_or_the_called_endpoint() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::new(&site, "a", Algorithm::Es256).await;
    let at = |path: &str| format!("{}{path}", site.issuer());
    for path in ["/oauth/introspect", "/oauth/revoke"] {
        for good in [
            json!(site.issuer()),
            json!(at("/oauth/token")),
            json!(at(path)),
            json!([site.issuer(), at(path)]),
        ] {
            let assertion = app.assertion(&[("aud", good.clone())]);
            let _ = app.post(path, &[("token", "x")], &assertion).await.expect(200);
        }
        for bad in [
            json!(["https://other.example", at(path)]),
            json!(at("/oauth/authorize")),
            json!("https://globex.id.test"),
            json!([]),
            json!(at("")),
        ] {
            let is_issuer = bad == json!(site.issuer());
            let assertion = app.assertion(&[("aud", bad.clone())]);
            assert_eq!(app.post(path, &[("token", "x")], &assertion).await.status == 200, is_issuer, "{bad}");
        }
    }
}

#[tokio::test]
async fn a_strict_application_names_the_issuer_as_a_string_and_signs_without_rs256() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for algorithm in [Algorithm::Es256, Algorithm::EdDsa, Algorithm::Ps256] {
        let app = Keyed::strict(&site, &algorithm.name().to_ascii_lowercase(), algorithm).await;
        assert_eq!(audience_status(&app, json!(site.issuer())).await, 200, "{algorithm}");
    }
    let rsa = Keyed::strict(&site, "rs256", Algorithm::Rs256).await;
    assert_eq!(audience_status(&rsa, json!(site.issuer())).await, 401, "RS256");
    let app = Keyed::strict(&site, "a", Algorithm::Es256).await;
    for bad in [
        json!([site.issuer()]),
        json!([site.issuer(), "https://other.example"]),
        json!(format!("{}/oauth/token", site.issuer())),
        json!(format!("{}/oauth/par", site.issuer())),
        json!(format!("{}/oauth/introspect", site.issuer())),
        json!(format!("{}/", site.issuer())),
    ] {
        assert_eq!(audience_status(&app, bad.clone()).await, 401, "{bad}");
    }
}

#[tokio::test]
async fn a_registered_algorithm_is_the_only_one() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = Keyed::with(&site, "a", Algorithm::Es256, |configuration| {
        configuration.token_endpoint_auth_signing_alg = Some(Algorithm::EdDsa);
    });
    let app = app.await;
    assert!(!app.tries(&app.assertion(&[])).await);
}

async fn audience_status(app: &Keyed<'_>, aud: Value) -> u16 {
    app.post("/oauth/introspect", &[("token", "x")], &app.assertion(&[("aud", aud)])).await.status
}
