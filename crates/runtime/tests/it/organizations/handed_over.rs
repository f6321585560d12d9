//! An account that its owner takes over by a mailed code, on the way to the provider that an organization demands.

use serde_json::{Value, json};
use svc_domain::claims::profile::Profile;
use svc_domain::people::{changes, tenant_users};
use svc_http::Method;

use super::sso_sign_in::{LOOPBACK, connect, prove};
use crate::harness::provider::Provider;
use crate::harness::{Harness, Site};
use crate::sent_codes::digits_in;

const GRACE: &str = "grace@new.example";
const CODES: (&str, &str) = ("SVC_EMAIL_OTP__ENABLED", "true");

/// Adds Grace, who reads German, with a password that an administrator has chosen or without one, and goes without passwords then.
async fn with_grace(site: &Site<'_>, password: Option<&str>) {
    let admin = site.mint(|_| ());
    let call = async |method: Method, path: &str, body: Value| {
        site.call(method, path, Some(&admin), Some(body)).await
    };
    let made = call(Method::POST, "/api/v1/tenant-users", json!({ "email": GRACE })).await.expect(201).json();
    if let Some(password) = password {
        let path = format!("/api/v1/tenant-users/{}/password", made["id"].as_str().unwrap());
        let _ = call(Method::PUT, &path, json!({ "password": password })).await.expect(204);
    }
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let person = tenant_users::find_by_identifier(&mut tx, GRACE).await.unwrap().unwrap();
    let profile = Profile { locale: Some("de".to_owned()), ..Profile::default() };
    assert!(changes::set_profile(&mut tx, &site.harness.operator(), &person, &profile).await.unwrap());
    tx.commit().await.unwrap();
    let body = json!({ "settings": { "disabled_capabilities": ["password"] } });
    let _ = call(Method::PATCH, "/api/v1/tenant-settings", body).await.expect(200);
    let _ = site.harness.informed_app().await;
    site.harness.advance(1);
}

/// The subjects of the mails to Grace, and the code in one of them.
async fn mailed(h: &Harness) -> (Vec<String>, String) {
    let mails: Vec<_> = h.mails().await.into_iter().filter(|mail| mail.to == GRACE).collect();
    let code = mails.iter().find_map(|mail| digits_in(&mail.text)).unwrap();
    (mails.into_iter().map(|mail| mail.subject).collect(), code)
}

#[tokio::test]
async fn the_owner_is_mailed_that_an_account_was_handed_over_though_the_sign_in_goes_on_to_a_provider() {
    let h = Harness::with(&[LOOPBACK, CODES]).await;
    let provider = Provider::serve().await;
    let site = h.tenant("acme").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    with_grace(&site, Some("compiler nanosecond moth")).await;
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await;
    let form = browser.get(&page.link("email-otp-link")).await.expect(200);
    let page = browser.submit(&form, &[("username", GRACE)]).await.expect(200);
    let (before, code) = mailed(&h).await;
    assert_eq!(before.len(), 1, "{before:?}");
    // The organization demands its provider while the code is under way.
    let organization = site.organization("initech", ada.id).await;
    let _ = connect(&site, &organization, &provider, json!({ "enforced": true, "group_roles": [] })).await;
    prove(&site, &organization, "new.example").await;
    let _ = h.informed_app().await;
    let led = browser.submit(&page, &[("code", &code)]).await.expect(200);
    assert!(led.body.contains("id=\"sso-continue\"") && !led.begins_session(), "{led:?}");
    let mut tx = h.app().db.read(site.tenant.id).await.unwrap();
    let person = tenant_users::find_by_identifier(&mut tx, GRACE).await.unwrap().unwrap();
    assert!(person.password.is_none() && person.email_verified);
    drop(tx);
    let (mails, _) = mailed(&h).await;
    let told = mails.iter().filter(|subject| subject.contains("wurde Ihnen übergeben")).count();
    assert_eq!((mails.len(), told), (2, 1), "{mails:?}");
}

#[tokio::test]
async fn the_owner_of_an_account_that_held_nothing_is_not_mailed_about_it() {
    let h = Harness::with(&[CODES]).await;
    let site = h.tenant("acme").await;
    let web = site.app("web").await;
    with_grace(&site, None).await;
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path("v", &[])).await;
    let form = browser.get(&page.link("email-otp-link")).await.expect(200);
    let page = browser.submit(&form, &[("username", GRACE)]).await.expect(200);
    let (_, code) = mailed(&h).await;
    assert!(browser.submit(&page, &[("code", &code)]).await.is_signed_in());
    let (mails, _) = mailed(&h).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
}
