//! Records of one tenant about what it asks its people for.

use serde_json::json;
use svc_core::{Seconds, TenantUserId, Timestamp};
use svc_domain::people::terms::{self as documents, Given, Way};
use svc_domain::people::{fields, tenant_users};

use crate::harness::Site;

/// A version of a document that can still change, and one that the person has not accepted; an earlier one they have.
pub async fn terms(site: &Site<'_>, person: TenantUserId) -> [String; 2] {
    let cx = site.harness.operator();
    let content = |key: &str, label: &str, effective_at: Timestamp| {
        let content = json!({
            "key": key, "label": label, "language": "en", "effective_at": effective_at, "required": false,
            "documents": { "en": { "title": "Subject", "url": "https://subject.example" } },
        });
        serde_json::from_value(content).unwrap()
    };
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let later =
        documents::create(&mut tx, &cx, &content("subject", "2", cx.now + Seconds(3600))).await.unwrap();
    let terms = documents::create(&mut tx, &cx, &content("subject", "1", cx.now)).await.unwrap();
    let open = documents::create(&mut tx, &cx, &content("other", "1", cx.now)).await.unwrap();
    let given = Given { language: "en", at: Way::SignUp, application: None };
    assert!(documents::accept(&mut tx, &cx, (person, &terms), given).await.unwrap());
    tx.commit().await.unwrap();
    [later.id.to_string(), open.id.to_string()]
}

/// Something that the person is asked for and has answered.
pub async fn field(site: &Site<'_>, person: TenantUserId) -> String {
    let cx = site.harness.operator();
    let content = json!({
        "name": "subject", "type": "text", "language": "en", "asked": "later", "after_sign_ins": 100, "texts": { "en": { "label": "Subject" } },
    });
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let field = fields::create(&mut tx, &cx, &serde_json::from_value(content).unwrap()).await.unwrap();
    let member = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let mut metadata = member.metadata.clone();
    field.put(&mut metadata, Some(json!("Ada")));
    tenant_users::set_metadata(&mut tx, &cx, person, (&member.metadata, &metadata)).await.unwrap();
    tx.commit().await.unwrap();
    field.id.to_string()
}
