//! Whom a signature means: a new account, a known one, or nothing before the person's own credential.

use serde_json::json;
use svc_domain::claims::assurance::Level;
use svc_testkit::Wallet;

use super::{asked, enter, form, is_refused, message, send, told, with_chain};
use crate::changes::left_by;
use crate::harness::Harness;

#[tokio::test]
async fn the_holder_of_a_key_registers_and_is_known_the_next_time() {
    let (h, node) = with_chain(&[("SVC_SIWE__STATEMENT", "Sign in to Acme.")]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let wallet = Wallet::new(1);
    let mut browser = site.browser();
    let page = asked(&mut browser, &client, &wallet.address()).await;
    let text = message(&page);
    let nonce = text.split("Nonce: ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
    assert!(nonce.len() == 32 && nonce.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{nonce}");
    let expected = format!(
        "id.test wants you to sign in with your Ethereum account:\n{}\n\nSign in to Acme.\n\n\
         URI: https://id.test\nVersion: 1\nChain ID: 1\nNonce: {nonce}\n\
         Issued At: 2027-01-15T08:00:00Z\nExpiration Time: 2027-01-15T08:05:00Z",
        wallet.address()
    );
    assert_eq!(text, expected);
    let mut answer = None;
    let signature = wallet.sign(&text);
    let [actions, events] =
        left_by(&h, async { answer = Some(send(&mut browser, &page, &signature).await) }).await;
    let answer = answer.unwrap();
    assert!(answer.is_signed_in(), "{answer:?}");
    for action in ["account.created", "tenant_user.created", "account.credential_added", "session.created"] {
        assert!(actions.iter().any(|done| done == action), "{action} in {actions:?}");
    }
    assert!(events.iter().any(|told| told == "auth.login.success"), "{events:?}");
    let first = told(&client, &answer).await;
    assert_eq!((&first["amr"], &first["acr"]), (&json!(["pop"]), &json!(Level::Aal1.acr())));

    let mut other = site.browser();
    let page = asked(&mut other, &client, &wallet.address().to_lowercase()).await;
    let (signature, mut answer) = (wallet.sign(&message(&page)), None);
    let [actions, _] = left_by(&h, async { answer = Some(send(&mut other, &page, &signature).await) }).await;
    let answer = answer.unwrap();
    assert!(answer.is_signed_in(), "{answer:?}");
    assert!(!actions.iter().any(|done| done == "account.created"), "{actions:?}");
    assert_eq!(told(&client, &answer).await["sub"], first["sub"]);
    assert_eq!(node.calls(), 0, "a key is judged here");

    let stranger = enter(&mut site.browser(), &client, &Wallet::new(2)).await;
    assert_ne!(told(&client, &stranger).await["sub"], first["sub"]);
}

#[tokio::test]
async fn a_holder_joins_another_tenant_with_the_account_that_they_have() {
    let (h, _) = with_chain(&[]).await;
    let (here, there) = (h.tenant("main").await, h.tenant("other").await);
    let wallet = Wallet::new(1);
    let client = here.app("first").await;
    assert!(enter(&mut here.browser(), &client, &wallet).await.is_signed_in());
    let client = there.app("second").await;
    let mut browser = there.browser();
    let page = enter(&mut browser, &client, &wallet).await;
    assert!(!page.begins_session() && page.body.contains("0x"), "{page:?}");
    let joined = browser.submit(&page, &[]).await;
    assert!(joined.is_signed_in(), "{joined:?}");
}

#[tokio::test]
async fn where_people_cannot_register_a_holder_shows_first_which_account_is_theirs() {
    let (h, _) = with_chain(&[("SVC_USER_SELF_SERVICE__REGISTRATION_ENABLED", "false")]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let wallet = Wallet::new(1);
    let mut browser = site.browser();
    let page = enter(&mut browser, &client, &wallet).await;
    is_refused(&page, (200, "No account here is connected with that address yet"));
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    assert!(browser.submit(&page, &typed).await.is_signed_in());
    assert!(h.mails().await.iter().any(|mail| mail.to == ada.email), "its owner is told");
    let answer = enter(&mut site.browser(), &client, &wallet).await;
    assert_eq!(told(&client, &answer).await["sub"], json!(ada.subject));
}

#[tokio::test]
async fn where_a_second_factor_is_demanded_a_key_goes_together_with_a_password_only() {
    let (h, _) = with_chain(&[("SVC_TWO_FACTOR__REQUIRED", "true")]).await;
    let site = h.tenant("main").await;
    let (client, ada) = (site.app("first").await, site.user("ada").await);
    let mut browser = site.browser();
    let page = enter(&mut browser, &client, &Wallet::new(1)).await;
    is_refused(&page, (200, "No account here is connected with that address yet"));
    super::linked::give(&site, ada.id, &Wallet::new(2).address()).await;
    let mut browser = site.browser();
    let page = enter(&mut browser, &client, &Wallet::new(2)).await;
    assert!(!page.begins_session() && page.body.contains("name=\"password\""), "{page:?}");
    assert!(!page.body.contains("siwe-link"), "{page:?}");
    let typed = [("username", ada.username.as_str()), ("password", ada.password.as_str())];
    let answer = browser.submit(&page, &typed).await;
    assert!(answer.is_signed_in(), "{answer:?}");
    let claims = told(&client, &answer).await;
    assert_eq!((&claims["amr"], &claims["acr"]), (&json!(["pop", "pwd", "mfa"]), &json!(Level::Aal2.acr())));
}

#[tokio::test]
async fn registrations_from_one_network_address_are_few() {
    let (h, _) = with_chain(&[("SVC_AUTH__REGISTRATION_RATE_LIMIT_MAX", "1")]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    assert!(enter(&mut site.browser(), &client, &Wallet::new(1)).await.is_signed_in());
    is_refused(&enter(&mut site.browser(), &client, &Wallet::new(2)).await, (429, "Too many attempts"));
    assert!(enter(&mut site.browser(), &client, &Wallet::new(1)).await.is_signed_in());
}

#[tokio::test]
async fn sign_in_with_ethereum_is_there_where_it_was_switched_on() {
    let without = ("SVC_OIDC__DISABLED_CAPABILITIES", "[\"siwe\"]");
    for h in [Harness::new().await, with_chain(&[without]).await.0] {
        let site = h.tenant("main").await;
        let client = site.app("first").await;
        let mut browser = site.browser();
        let page = browser.get(&client.authorize_path("v", &[])).await.expect(200);
        assert!(!page.body.contains("siwe-link"), "{page:?}");
        let more =
            [("method", "siwe"), ("begin", "yes"), ("address", &Wallet::new(1).address()), ("chain_id", "1")];
        let _ = browser.submit(&page, &more).await.expect(404);
        let _ = browser.get("/account/identities").await.expect(404);
    }
}

#[tokio::test]
async fn what_is_typed_wrong_is_said_and_can_be_typed_again() {
    let (h, _) = with_chain(&[]).await;
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let address = Wallet::new(1).address();
    let wrong_case: String = address
        .chars()
        .map(|letter| {
            if letter.is_ascii_lowercase() {
                letter.to_ascii_uppercase()
            } else {
                letter.to_ascii_lowercase()
            }
        })
        .collect::<String>()
        .replacen("0X", "0x", 1);
    let mut browser = site.browser();
    for typed in ["vitalik.eth", "0x1", &wrong_case] {
        let page = form(&mut browser, &client).await;
        let again = browser.submit(&page, &[("address", typed)]).await;
        is_refused(&again, (200, "That is no Ethereum address"));
        assert!(again.body.contains("id=\"siwe-address\""), "{again:?}");
    }
    let page = form(&mut browser, &client).await;
    for id in ["5", "0", "-1", "x"] {
        let again = browser.submit(&page, &[("address", &address), ("chain_id", id)]).await;
        is_refused(&again, (200, "Choose one of the chains"));
    }
}
