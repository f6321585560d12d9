//! Records of one tenant about provisioning, in both directions.

use serde_json::json;
use svc_domain::delivery::scim_targets::{self, NewTarget};
use svc_domain::scim;

use crate::harness::Site;

/// A schema that directories may use.
pub async fn scim_schema(site: &Site<'_>) -> String {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let content = json!({ "name": "subject", "attributes": [{ "name": "badge" }] });
    let content = serde_json::from_value(content).unwrap();
    let cx = site.harness.operator();
    let made = scim::schemas::create(&mut tx, &cx, "urn:example:subject", content).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// An application to which people are pushed.
pub async fn scim_target(site: &Site<'_>) -> String {
    let cx = site.harness.operator();
    let sealers = &site.harness.app().services.sealers;
    let sealer = sealers.of(site.tenant.id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let configuration = json!({
        "name": "Subject", "base_url": "https://wiki.example/scim/v2", "people": { "everyone": true }
    });
    let configuration = serde_json::from_value(configuration).unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let secret = svc_core::Secret::new("subject".to_owned());
    let new = NewTarget { configuration: &configuration, active: true, secret: &secret };
    let target = scim_targets::create(&mut tx, &cx, &sealer, new).await.unwrap();
    tx.commit().await.unwrap();
    target.id.to_string()
}
