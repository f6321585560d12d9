//! What directories of organizations have and write.

use std::collections::BTreeSet;

use svc_core::Seconds;
use svc_domain::scim;

use crate::harness::Site;

/// A token of an organization's directory.
pub async fn scim_token(site: &Site<'_>, organization: &str) -> String {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = scim::tokens::NewToken {
        digest: svc_keys::digest("svc_scim_subject"),
        organization: organization.parse().unwrap(),
        name: "subject",
        lifetime: Seconds(3600),
    };
    let made = scim::tokens::create(&mut tx, &site.harness.operator(), &new).await.unwrap();
    tx.commit().await.unwrap();
    made.id.to_string()
}

/// A group of an organization's directory.
pub async fn directory_group(site: &Site<'_>, organization: &str) -> String {
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let new = scim::groups::Content {
        display_name: "Subject".to_owned(),
        external_id: None,
        members: BTreeSet::new(),
        document: serde_json::Map::new(),
    };
    let organization = organization.parse().unwrap();
    let id = scim::groups::create(&mut tx, &site.harness.operator(), organization, &new).await.unwrap();
    tx.commit().await.unwrap();
    id.to_string()
}
