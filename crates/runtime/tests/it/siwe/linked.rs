//! Accounts of Ethereum in the account centre: added by a signature, taken away unless that is the last way in.

use serde_json::Value;
use svc_core::TenantUserId;
use svc_domain::people::credentials::Owner;
use svc_domain::people::credentials::identities::{self, Identity};
use svc_domain::people::tenant_users;
use svc_http::Method;
use svc_testkit::Wallet;

use super::{enter, is_refused, message, send, told, with_chain};
use crate::account::own;
use crate::harness::{Answer, Browser, Site};

const SECTION: &str = "/account/identities";

/// Gives a person an address.
pub async fn give(site: &Site<'_>, person: TenantUserId, address: &str) {
    let (mut tx, cx) = (site.harness.app().db.begin(site.tenant.id).await.unwrap(), site.harness.operator());
    let person = tenant_users::find(&mut tx, person).await.unwrap().unwrap();
    let identity = Identity::of_address("ethereum", address, None);
    identities::link(&mut tx, &cx, Owner::from(&person), &identity).await.unwrap();
    tx.commit().await.unwrap();
}

/// Adds the wallet to the account that is signed in in this browser.
async fn add(browser: &mut Browser<'_>, wallet: &Wallet) -> Answer {
    let page = browser.get(SECTION).await.expect(200);
    let page = browser.get(&page.link("identity-add-ethereum")).await.expect(200);
    assert!(page.body.contains("<h1>Connect an account</h1>"), "{page:?}");
    let page = browser.submit(&page, &[("address", &wallet.address())]).await.expect(200);
    let signature = wallet.sign(&message(&page));
    send(browser, &page, &signature).await
}

#[tokio::test]
async fn a_person_adds_several_wallets_and_takes_them_away() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let (client, ada, bob) = (site.app("first").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.sign_in(&client, &ada).await;
    let wallets = [Wallet::new(1), Wallet::new(2)];
    for wallet in &wallets {
        let done = add(&mut browser, wallet).await.expect(303);
        assert!(
            done.location().starts_with("/account/identities?done=notice-identity-linked&told="),
            "{done:?}"
        );
    }
    assert!(h.mails().await.iter().any(|mail| mail.to == ada.email), "its owner is told");
    let page = browser.get(SECTION).await.expect(200);
    assert!(page.body.contains("identity-remove-1") && page.body.contains("Ethereum"), "{page:?}");
    for wallet in &wallets {
        let answer = enter(&mut site.browser(), &client, wallet).await;
        assert_eq!(told(&client, &answer).await["sub"], serde_json::json!(ada.subject));
    }

    // Bob cannot add one of them.
    let mut bobs = site.sign_in(&client, &bob).await;
    let done = add(&mut bobs, &wallets[0]).await.expect(303);
    assert!(done.location().starts_with("/account/identities?done=notice-identity-taken&told="), "{done:?}");

    for _ in 0..2 {
        let page = browser.get(SECTION).await.expect(200);
        let _ = browser.submit(&page, &[("action", "remove")]).await.expect(303);
    }
    assert!(browser.get(SECTION).await.expect(200).body.contains("identities-none"));
    let answer = enter(&mut site.browser(), &client, &wallets[0]).await;
    assert_ne!(told(&client, &answer).await["sub"], serde_json::json!(ada.subject));
}

#[tokio::test]
async fn a_signature_adds_nothing_to_the_account_of_another_person() {
    let (h, _) = with_chain(&[("SVC_SESSION_COOKIE__ACCOUNTS_PER_BROWSER", "1")]).await;
    let site = h.tenant("main").await;
    let (client, ada, bob) = (site.app("first").await, site.user("ada").await, site.user("bob").await);
    let wallet = Wallet::new(1);
    let mut browser = site.sign_in(&client, &ada).await;
    let page = browser.get(SECTION).await.expect(200);
    let page = browser.get(&page.link("identity-add-ethereum")).await.expect(200);
    let page = browser.submit(&page, &[("address", &wallet.address())]).await.expect(200);
    let form = browser.get(&client.authorize_path("v", &[("prompt", "login")])).await.expect(200);
    let typed = [("username", bob.username.as_str()), ("password", bob.password.as_str())];
    assert!(browser.submit(&form, &typed).await.is_signed_in());
    let signature = wallet.sign(&message(&page));
    let _ = send(&mut browser, &page, &signature).await.expect(403);
    // A wrong signature adds nothing either.
    let mut again = site.sign_in(&client, &ada).await;
    let page = again.get(SECTION).await.expect(200);
    let page = again.get(&page.link("identity-add-ethereum")).await.expect(200);
    let page = again.submit(&page, &[("address", &wallet.address())]).await.expect(200);
    let wrong = Wallet::new(2).sign(&message(&page));
    is_refused(&send(&mut again, &page, &wrong).await, super::FAILED);
    assert!(again.get(SECTION).await.expect(200).body.contains("identities-none"));
}

#[tokio::test]
async fn the_wallet_that_is_the_last_way_in_stays() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let wallet = Wallet::new(1);
    let mut browser = site.browser();
    let answer = enter(&mut browser, &client, &wallet).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    let page = browser.get(SECTION).await.expect(200);
    let refused = browser.submit(&page, &[("action", "remove")]).await;
    assert!(refused.body.contains("identity-remove-0") && refused.body.contains("last way"), "{refused:?}");
}

#[tokio::test]
async fn the_api_lists_wallets_and_takes_them_away() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    give(&site, ada.id, &Wallet::new(1).address()).await;
    let listed = own(&site, &ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    let identity = listed["data"].as_array().unwrap().iter().find(|one| one["kind"] == "identity").unwrap();
    assert!(identity["name"].as_str().unwrap().starts_with("0x"), "{identity}");
    let one = format!("/credentials/{}", identity["id"].as_str().unwrap());
    let _ = own(&site, &ada, (Method::DELETE, &one), None).await.expect(204);
    let listed = own(&site, &ada, (Method::GET, "/credentials"), None).await.expect(200).json();
    assert_eq!(listed["data"], Value::Array(Vec::new()));
}
