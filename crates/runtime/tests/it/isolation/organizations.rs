//! Records of one organization that operations name: an API key, and a trusted issuer that knows a member.

use serde_json::json;
use svc_core::{OrganizationId, Seconds, TenantUserId};
use svc_domain::federation::{trusted_issuers, trusted_subjects};
use svc_domain::tokens::api_keys::{self, NewKey, Owner};

use crate::harness::Site;

pub async fn api_key(site: &Site<'_>, organization: &str) -> String {
    let scope = "organizations:read".parse().unwrap();
    let owner = Owner::Organization(organization.parse().unwrap());
    let (digest, lifetime) = (svc_keys::digest("subject's organization's key"), Seconds(60));
    let new = NewKey { digest, name: "subject", scope: &scope, owner, lifetime, most: 50 };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let key = api_keys::create(&mut tx, &site.harness.operator(), &new).await.unwrap();
    tx.commit().await.unwrap();
    key.id.to_string()
}

pub async fn trusted_issuer(site: &Site<'_>, organization: &str, member: TenantUserId) -> String {
    let organization: OrganizationId = organization.parse().unwrap();
    let key = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" });
    let configuration = trusted_issuers::Configuration {
        name: "Subject's".to_owned(),
        jwks: Some(json!({ "keys": [key] })),
        ..trusted_issuers::Configuration::default()
    };
    let (cx, issuer) = (site.harness.operator(), "https://organization.example");
    let new =
        trusted_issuers::New { organization: Some(organization), issuer, configuration: &configuration };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let made = trusted_issuers::create(&mut tx, &cx, new).await.unwrap();
    trusted_subjects::link(&mut tx, &cx, &made, (member, "subject there")).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}
