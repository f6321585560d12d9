//! How many accounts at providers a person can connect: what opens nothing any more does not count.

use serde_json::json;
use svc_core::{Class, ConnectorId};
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::tenant_users;
use svc_http::Method;

use super::connectors::connect;
use crate::harness::Harness;

fn identity(provider: &str, issuer: &str) -> Identity {
    Identity {
        provider: provider.to_owned(),
        provider_name: None,
        issuer: issuer.to_owned(),
        subject: "ada".to_owned(),
        label: "ada".to_owned(),
    }
}

#[tokio::test]
async fn accounts_at_connectors_that_were_deleted_leave_room_for_others() {
    const ISSUER: &str = "https://login.acme.example";
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let wanted = json!({ "name": "acme", "issuer": ISSUER, "client_id": "svc", "enabled": true });
    let connector = connect(&site, wanted).await;
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let (cx, owner) =
        (h.operator(), Owner::from(&tenant_users::find(&mut tx, ada.id).await.unwrap().unwrap()));
    for _ in 0..20 {
        let gone: ConnectorId = cx.id();
        identities::link(&mut tx, &cx, owner, &identity(&gone.to_string(), ISSUER)).await.unwrap();
    }
    identities::link(&mut tx, &cx, owner, &identity(&connector, ISSUER)).await.unwrap();
    for number in 0..19 {
        let issuer = format!("https://{number}.example");
        identities::link(&mut tx, &cx, owner, &identity("provider", &issuer)).await.unwrap();
    }
    let other = identity("provider", "https://other.example");
    let refused = identities::link(&mut tx, &cx, owner, &other).await.unwrap_err();
    assert_eq!(refused.class(), Class::Conflict, "{refused:?}");
    tx.commit().await.unwrap();
    // The connector that is deleted now leaves room for one more.
    let path = format!("/api/v1/connectors/{connector}");
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    identities::link(&mut tx, &cx, owner, &other).await.unwrap();
    tx.commit().await.unwrap();
}
