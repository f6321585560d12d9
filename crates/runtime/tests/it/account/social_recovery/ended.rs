//! Guardians whose membership ends, or whose account is handed over: the owner reads of it, because fewer are left.

use serde_json::json;
use svc_domain::people::{accounts, changes, tenant_users};
use svc_http::Method;

use super::{Circle, harness, subjects};
use crate::account::{deletion, own};
use crate::harness::{Person, Site};

const NOT_YOURS: &str = "is not your guardian";

/// An administrator removes a member.
async fn remove(site: &Site<'_>, person: &Person) {
    let path = format!("/api/v1/tenant-users/{}", person.id);
    let _ = site.call(Method::DELETE, &path, Some(&site.mint(|_| ())), None).await.expect(204);
}

/// Lets the tenant go without guardians, or not.
async fn disable(site: &Site<'_>, is_disabled: bool) {
    let body = Some(json!({ "settings": { "social_recovery": { "disabled": is_disabled } } }));
    let token = site.mint(|_| ());
    let _ = site.call(Method::PATCH, "/api/v1/tenant-settings", Some(&token), body).await.expect(200);
    site.harness.advance(2);
}

#[tokio::test]
async fn the_owner_reads_in_their_language_of_guardians_who_are_removed_or_delete_their_account() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let german = Some(json!({ "locale": "de" }));
    let _ = own(&c.site, &c.ada, (Method::PATCH, "/profile"), german).await.expect(200);
    remove(&c.site, &c.guardians[0]).await;
    let mail = h.newest_mail_to(&c.ada.email).await;
    assert_eq!(mail.subject, "Tenant main: bob of main ist nicht Ihre Vertrauensperson");
    assert_eq!(mail.links, ["https://id.test/account/guardians"]);
    assert_eq!(c.chosen().await["is_ready"], true, "two are left, and two are needed");
    deletion::begin(&c.site, &c.guardians[1]).await;
    assert_eq!(subjects(&h, &c.ada.email).await[0], mail.subject, "who may come back is still a guardian");
    deletion::pass(&h).await;
    let told = subjects(&h, &c.ada.email).await;
    assert_eq!(told[0], "Tenant main: cleo of main ist nicht Ihre Vertrauensperson");
    assert_eq!(told[1], mail.subject, "of each there is one mail");
    assert_eq!(c.chosen().await["is_ready"], false, "one is left, and two are needed");
}

#[tokio::test]
async fn the_owner_reads_of_a_guardian_whose_account_is_handed_over() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let mut tx = h.app().db.begin(c.site.tenant.id).await.unwrap();
    let bob = tenant_users::find(&mut tx, c.guardians[0].id).await.unwrap().unwrap();
    let account = accounts::find(&mut tx, bob.account_id).await.unwrap().unwrap();
    changes::hand_over(&mut tx, &h.operator(), &account, None).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(subjects(&h, &c.ada.email).await[0], format!("Tenant main: bob of main {NOT_YOURS}"));
    assert_eq!(c.chosen().await["guardians"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn no_mail_tells_of_guardians_where_they_are_not_offered_any_more_or_the_owner_has_left() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    disable(&c.site, true).await;
    remove(&c.site, &c.guardians[0]).await;
    assert!(subjects(&h, &c.ada.email).await.iter().all(|subject| !subject.contains(NOT_YOURS)));
    disable(&c.site, false).await;
    // The mail waits while its reader goes.
    remove(&c.site, &c.guardians[1]).await;
    remove(&c.site, &c.ada).await;
    assert!(subjects(&h, &c.ada.email).await.iter().all(|subject| !subject.contains(NOT_YOURS)));
}
