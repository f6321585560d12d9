//! The copy of a person's own data has what organizations and their providers keep of the person.

use serde_json::json;
use svc_domain::federation::sso::{self, Identity};
use svc_http::Method;

use super::World;
use super::sso_sign_in::{LOOPBACK, connect};
use crate::account::own;
use crate::harness::Harness;
use crate::harness::provider::Provider;

#[tokio::test]
async fn the_copy_of_own_data_has_invitations_and_what_providers_call_the_person() {
    let h = Harness::with(&[LOOPBACK]).await;
    let (world, provider) = (World::new(&h).await, Provider::serve().await);
    let World { site, ada, hooli, .. } = &world;
    let made = connect(site, &world.initech, &provider, json!({})).await;
    let identity = Identity {
        connection: made["id"].as_str().unwrap().parse().unwrap(),
        issuer: provider.issuer.clone(),
        subject: "ada-at-initech".to_owned(),
    };
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    sso::bind(&mut tx, &h.operator(), &identity, ada.id).await.unwrap();
    tx.commit().await.unwrap();
    let path = format!("/api/v1/organizations/{}/invitations", hooli.id);
    let body = json!({ "email": ada.email, "roles": ["editor"] });
    let _ = site.call(Method::POST, &path, Some(&site.mint(|_| ())), Some(body)).await.expect(201);
    let data = own(site, ada, (Method::GET, "/data"), None).await.expect(200).json();
    let [bound] = data["provider_identities"].as_array().unwrap().as_slice() else { panic!("{data}") };
    assert_eq!(
        json!([bound["connection_id"], bound["issuer"], bound["subject"]]),
        json!([made["id"], provider.issuer, "ada-at-initech"])
    );
    let [invitation] = data["invitations"].as_array().unwrap().as_slice() else { panic!("{data}") };
    assert_eq!(json!([invitation["organization_id"], invitation["roles"]]), json!([hooli.id, ["editor"]]));
    assert_eq!(data["directory"], json!(null));
    let bobs = own(site, &world.bob, (Method::GET, "/data"), None).await.expect(200).json();
    assert_eq!(json!([bobs["provider_identities"], bobs["invitations"]]), json!([[], []]));
}
