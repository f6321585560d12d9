//! What people and applications prove themselves with counts at the new place as it did at the old one.

use serde_json::json;
use svc_core::{Secret, TenantUserId};
use svc_domain::people::credentials::{self, Kind, NewCredential, Owner, totp};
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_keys::Purpose;
use svc_testkit::Authenticator;

use super::*;
use crate::account::own;
use crate::harness::{Client, Person};
use crate::imports::factors::{code, with_passkey};
use crate::oauth_security::keys_of_tenants::destroy;

const SECRET: &str = "JBSWY3DPEHPK3PXP";

/// Gives a person an app for one-time codes.
async fn app_for_codes(site: &Site<'_>, person: TenantUserId) {
    let (app, cx) = (site.harness.app(), site.harness.operator());
    let mut tx = app.db.begin(site.tenant.id).await.unwrap();
    let owner = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let (id, document) = (cx.id(), totp::Parameters::default());
    let sealer = app.services.keyring.sealer(Purpose::Credentials);
    let sealed = totp::seal(&Secret::new(SECRET), id, &sealer, &cx).unwrap();
    let new = NewCredential {
        id,
        kind: Kind::Totp,
        lookup: None,
        name: "App",
        document: &document,
        sealed: Some(sealed),
        mark: 0,
        expires_at: None,
    };
    credentials::add(&mut tx, &cx, Owner::from(&owner), new).await.unwrap();
    tx.commit().await.unwrap();
}

/// Gives a person a passkey; returns the device that has it.
async fn passkey(site: &Site<'_>, person: &Person) -> Authenticator {
    let begun = own(site, person, (Method::POST, "/passkeys"), Some(json!({ "use": "passkey" }))).await;
    let begun = begun.expect(200).json();
    let mut device = Authenticator::synced(1);
    let answer = device.create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Laptop" });
    let _ = own(site, person, (Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
    device
}

#[tokio::test]
async fn an_app_for_codes_and_a_passkey_count_as_before() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let (ada, grace, app) = (site.user("ada").await, site.user("grace").await, site.app("shop").await);
    app_for_codes(&site, ada.id).await;
    let mut device = passkey(&site, &grace).await;
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    let moved = moved(&there, &bytes).await;
    let here = Client { site: moved.clone(), ..app.clone() };

    let mut browser = moved.browser();
    let page = browser.get(&here.authorize_path(&here.verifier(), &[])).await.expect(200);
    let asked = browser.submit(&page, &[("username", "ada"), ("password", &ada.password)]).await;
    assert!(asked.body.contains("totp-submit") && !asked.begins_session(), "{asked:?}");
    let entered = browser.submit(&asked, &[("code", &code(&there, SECRET))]).await;
    assert!(entered.begins_session(), "{entered:?}");

    let (entered, _) = with_passkey(&here, &mut device).await;
    assert!(entered.begins_session(), "{entered:?}");
    let kept = part(&archive(&moved).await, "account_credentials");
    let kinds: Vec<_> = kept.iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["totp", "passkey"]);
}

#[tokio::test]
async fn a_secret_that_followed_one_whose_key_was_destroyed_travels_alone() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let (path, token) = ("/api/v1/webhooks", site.mint(|_| ()));
    let new = json!({ "url": "https://receiver.example/events", "event_types": ["auth.*"] });
    let made = site.call(Method::POST, path, Some(&token), Some(new)).await.expect(201).json();
    destroy(&h, site.tenant.id).await;
    let _ = h.informed_app().await;
    let rotate = format!("{path}/{}/secret", made["id"].as_str().unwrap());
    let _ = site.call(Method::POST, &rotate, Some(&token), None).await.expect(200);
    let bytes = archive(&site).await;
    let [kept] = <[Value; 1]>::try_from(part(&bytes, "webhooks")).unwrap();
    assert!(kept["sealed_secret"].is_string() && kept["sealed_former_secret"].is_null(), "{kept}");
    let there = elsewhere().await;
    let _ = moved(&there, &bytes).await;
}
