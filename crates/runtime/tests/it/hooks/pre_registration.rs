//! Hooks before a registration: what they are told, and what they keep from being written.

use serde_json::{Value, json};
use svc_testkit::Wallet;

use super::{answer, asked, entries, hook, with_receiver, with_receiver_and};
use crate::harness::publisher::Publisher;
use crate::harness::{Answer, Client, Site};

async fn register(web: &Client<'_>, email: &str) -> Answer {
    let mut browser = web.site.browser();
    let path = web.authorize_path(&web.verifier(), &[("prompt", "create")]);
    let page = browser.get(&path).await.expect(200);
    browser.submit(&page, &[("email", email)]).await
}

async fn before_registration(
    site: &Site<'_>,
    server: &Publisher,
    path: &str,
    more: Value,
) -> super::CreatedHook {
    let mut members = json!({ "point": "pre_registration" });
    members.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    hook(site, server, path, members).await
}

#[tokio::test]
async fn a_hook_is_told_the_address_and_nothing_is_written_where_it_refuses() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    answer(&server, "/hook", &json!({ "verdict": "deny", "message": "Unknown domain" }));
    let made = before_registration(&site, &server, "/hook", json!({})).await;
    let _ = h.informed_app().await;

    let page = register(&web, "grace@elsewhere.example").await.expect(200);
    assert!(page.body.contains("You cannot register here with this address"), "{page:?}");
    assert!(page.body.contains("value=\"grace@elsewhere.example\""), "{page:?}");
    assert!(h.mails().await.is_empty());
    let told = asked(&server.requests("/hook")[0], &[&made.secret]);
    assert_eq!(told["point"], "pre_registration");
    assert_eq!(told["subject"], json!({ "type": "registration", "email": "grace@elsewhere.example" }));
    assert_eq!([&told["application"]["id"], &told["grant_type"]], [&json!(web.id), &json!(null)]);
    let denied = entries(&site, "hook.denied").await;
    assert_eq!((denied.len(), &denied[0]["detail"]["point"]), (1, &json!("pre_registration")));

    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    let _ = register(&web, "grace@elsewhere.example").await.expect(200);
    assert_eq!(h.mails().await.len(), 1);
}

#[tokio::test]
async fn a_hook_refuses_a_registration_by_a_code_as_one_by_a_link() {
    let (h, server) = with_receiver_and(&[("SVC_EMAIL_OTP__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    let web = site.app("web").await;
    answer(&server, "/hook", &json!({ "verdict": "deny", "message": "Unknown domain" }));
    let _ = before_registration(&site, &server, "/hook", json!({})).await;
    let _ = h.informed_app().await;
    let mut browser = site.browser();
    let path = web.authorize_path(&web.verifier(), &[("prompt", "create")]);
    let page = browser.get(&path).await.expect(200);
    let by_code = [("email", "grace@elsewhere.example"), ("by", "code")];
    let refused = browser.submit(&page, &by_code).await.expect(200);
    assert!(refused.body.contains("You cannot register here with this address"), "{refused:?}");
    assert!(h.mails().await.is_empty());
    // Nor does a new code get past it.
    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    let asked = browser.submit(&page, &by_code).await.expect(200);
    assert_eq!(h.mails().await.len(), 1);
    answer(&server, "/hook", &json!({ "verdict": "deny", "message": "Unknown domain" }));
    let again = browser.submit(&asked, &[("begin", "yes")]).await.expect(200);
    assert!(again.body.contains("You cannot register here with this address"), "{again:?}");
    assert_eq!(h.mails().await.len(), 1);
}

#[tokio::test]
async fn a_hook_is_told_the_account_of_ethereum_that_wants_an_account() {
    let chains = r#"[{ "name": "main", "chain_id": 1, "rpc_url": "http://127.0.0.1:9" }]"#;
    let (h, server) = with_receiver_and(&[crate::siwe::ON, ("SVC_CHAINS", chains)]).await;
    let site = h.tenant("main").await;
    let (web, wallet) = (site.app("web").await, Wallet::new(1));
    answer(&server, "/hook", &json!({ "verdict": "deny", "message": "Unknown wallet" }));
    let made = before_registration(&site, &server, "/hook", json!({})).await;
    let _ = h.informed_app().await;
    let page = crate::siwe::enter(&mut site.browser(), &web, &wallet).await.expect(200);
    assert!(!page.begins_session() && page.body.contains("You cannot register here"), "{page:?}");
    let told = asked(&server.requests("/hook")[0], &[&made.secret]);
    let chain_account = format!("eip155:0:{}", wallet.address());
    assert_eq!(told["subject"], json!({ "type": "registration", "chain_account": chain_account }));
    answer(&server, "/hook", &json!({ "verdict": "allow" }));
    assert!(crate::siwe::enter(&mut site.browser(), &web, &wallet).await.is_signed_in());
}

#[tokio::test]
async fn where_a_hook_does_not_answer_the_tenant_has_said_whether_people_register() {
    let (h, server) = with_receiver().await;
    let (open, closed) = (h.tenant("open").await, h.tenant("closed").await);
    server.answer_with("/hook", "500 Oops", "");
    // Claims are for tokens.
    answer(&server, "/claims", &json!({ "verdict": "allow", "claims": { "access_token": { "tier": 1 } } }));
    before_registration(&open, &server, "/hook", json!({ "on_failure": "allow" })).await;
    before_registration(&closed, &server, "/claims", json!({})).await;
    let _ = h.informed_app().await;
    let page = register(&closed.app("web").await, "grace@new.example").await.expect(503);
    assert!(page.body.contains("Registration is not possible right now"), "{page:?}");
    assert!(h.mails().await.is_empty());
    let _ = register(&open.app("web").await, "grace@new.example").await.expect(200);
    assert_eq!(h.mails().await.len(), 1);
}

#[tokio::test]
async fn a_hook_before_tokens_is_not_asked_about_registrations() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    hook(&site, &server, "/allow", json!({})).await;
    let _ = register(&site.app("web").await, "grace@new.example").await.expect(200);
    assert_eq!((server.requests("/allow").len(), h.mails().await.len()), (0, 1));
}
