//! Providers in the operator's own network: the configuration leads there, and the record of a tenant does not.

use serde_json::json;
use svc_core::Secret;
use svc_domain::federation::connectors::{self, Configuration, New};
use svc_keys::Purpose;

use super::{at_google, led, named};
use crate::harness::provider::Provider;
use crate::harness::{Harness, Site};

/// Makes a connector that no API takes: at an address that is not public.
async fn connected(site: &Site<'_>, issuer: &str) -> String {
    let (app, cx) = (site.harness.app(), site.harness.operator());
    let sealer = app.services.sealers.of(site.tenant.id, Purpose::Credentials, &cx).await.unwrap();
    let wanted = json!({ "name": "own", "issuer": issuer, "client_id": "svc", "enabled": true });
    let configuration: Configuration = serde_json::from_value(wanted).unwrap();
    let secret = Secret::new("upstream-secret");
    let new = New { configuration: &configuration, client_secret: Some(&secret), most: 10 };
    let mut tx = app.db.begin(site.tenant.id).await.unwrap();
    let made = connectors::create(&mut tx, &cx, &sealer, new).await.unwrap();
    tx.commit().await.unwrap();
    let _ = site.harness.informed_app().await;
    made.id.to_string()
}

#[tokio::test]
async fn a_provider_that_the_operator_has_in_its_own_network_opens_that_to_no_connector() {
    let provider = Provider::serve().await;
    // Without the leave to call this machine that tenants' addresses get in development.
    let h = Harness::with(&at_google(&provider.issuer)[1..]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let mut browser = site.browser();
    let asked = led(&mut browser, &client, "google").await;
    let back = provider.vouch(&asked, &h, named("ada@acme.example", true));
    let answer = browser.get(&back).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    // What is known of the provider by now does not serve a tenant that names the same address.
    let id = connected(&site, &provider.issuer).await;
    let mut browser = site.browser();
    let page = browser.get(&client.authorize_path(&"v".repeat(43), &[])).await.expect(200);
    let _ = browser.get(&page.link(&format!("social-{id}"))).await.expect(200);
    // Nor is the operator's provider lost by that.
    let _ = led(&mut site.browser(), &client, "google").await;
}
