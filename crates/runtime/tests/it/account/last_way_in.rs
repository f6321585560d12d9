//! The last way in stays, whatever else an account has that opens nothing here, and however many requests take ways in away at once.

use serde_json::{Value, json};
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_testkit::Authenticator;

use super::own;
use crate::harness::{Answer, Harness, Person, Site};
use crate::social::with_google;

const MAILED: &[(&str, &str)] = &[("SVC_EMAIL_OTP__ENABLED", "true"), ("SVC_MAGIC_LINK__ENABLED", "true")];

/// Lets the tenant go without these.
async fn without(site: &Site<'_>, names: &[&str]) {
    let body = json!({ "settings": { "disabled_capabilities": names } });
    let path = "/api/v1/tenant-settings";
    let _ = site.call(Method::PATCH, path, Some(&site.mint(|_| ())), Some(body)).await.expect(200);
    let _ = site.harness.informed_app().await;
}

/// Gives a person a passkey of another authenticator.
pub async fn with_passkey(site: &Site<'_>, person: &Person, seed: u8) {
    let asked = Some(json!({ "use": "passkey" }));
    let begun = own(site, person, (Method::POST, "/passkeys"), asked).await.expect(200).json();
    let answer = Authenticator::new(seed).create(&begun["options"], site.issuer()).unwrap();
    let proof = Some(json!({ "flow": begun["flow"], "answer": answer, "name": "Key" }));
    let _ = own(site, person, (Method::POST, "/passkeys/confirm"), proof).await.expect(204);
}

/// Binds an account at Google, as the deployment has registered there.
async fn with_identity(h: &Harness, site: &Site<'_>, person: &Person, issuer: &str) {
    let identity = Identity {
        provider: "google".to_owned(),
        provider_name: None,
        issuer: issuer.to_owned(),
        subject: "ada".to_owned(),
        label: "ada".to_owned(),
    };
    let mut tx = h.app().db.begin(site.tenant.id).await.unwrap();
    let found = tenant_users::find(&mut tx, person.id).await.unwrap().unwrap();
    identities::link(&mut tx, &h.operator(), Owner::from(&found), &identity).await.unwrap();
    tx.commit().await.unwrap();
}

async fn ids(site: &Site<'_>, person: &Person, kind: &str) -> Vec<String> {
    let listed = own(site, person, (Method::GET, "/credentials"), None).await.expect(200).json();
    let all = listed["data"].as_array().unwrap().iter().filter(|one| one["kind"] == kind);
    all.map(|one: &Value| one["id"].as_str().unwrap().to_owned()).collect()
}

async fn remove(site: &Site<'_>, person: &Person, id: &str) -> Answer {
    own(site, person, (Method::DELETE, &format!("/credentials/{id}")), None).await
}

#[tokio::test]
async fn of_the_last_two_ways_in_that_are_removed_at_once_one_stays() {
    let h = Harness::with(MAILED).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    without(&site, &["password"]).await;
    with_passkey(&site, &ada, 0).await;
    for round in 1..=5 {
        with_passkey(&site, &ada, round).await;
        let [one, other] = ids(&site, &ada, "passkey").await.try_into().unwrap();
        let (first, second) = tokio::join!(remove(&site, &ada, &one), remove(&site, &ada, &other));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 409], "{first:?} {second:?}");
        assert_eq!(ids(&site, &ada, "passkey").await.len(), 1);
    }
}

#[tokio::test]
async fn what_opens_nothing_here_is_no_other_way_in() {
    let (h, provider) = with_google(MAILED).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    with_passkey(&site, &ada, 1).await;
    with_identity(&h, &site, &ada, &provider.issuer).await;
    let ([passkey], [identity]) = (
        <[String; 1]>::try_from(ids(&site, &ada, "passkey").await).unwrap(),
        <[String; 1]>::try_from(ids(&site, &ada, "identity").await).unwrap(),
    );
    without(&site, &["password", "passkeys"]).await;
    let refused = remove(&site, &ada, &identity).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("last way"), "{refused:?}");
    without(&site, &["password", "social"]).await;
    let refused = remove(&site, &ada, &passkey).await.expect_problem(409, "conflict");
    assert!(refused.body.contains("last way"), "{refused:?}");
    without(&site, &["password"]).await;
    let _ = remove(&site, &ada, &passkey).await.expect(204);
}

#[tokio::test]
async fn a_passkey_that_cannot_be_used_here_is_no_second_factor() {
    let h = Harness::with(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let site = h.tenant("acme").await;
    let ada = site.user("ada").await;
    with_passkey(&site, &ada, 1).await;
    let _ = super::factors::with_app(&site, &ada).await;
    let [app] = <[String; 1]>::try_from(ids(&site, &ada, "totp").await).unwrap();
    without(&site, &["passkeys"]).await;
    let _ = remove(&site, &ada, &app).await.expect_problem(409, "conflict");
    without(&site, &[]).await;
    let _ = remove(&site, &ada, &app).await.expect(204);
}
