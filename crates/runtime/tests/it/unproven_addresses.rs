//! A tenant that wants addresses proven: who has not proven theirs gets in behind a mailed link, and by nothing that was set before.

use serde_json::json;
use svc_http::Method;

use crate::harness::{Answer, Browser, Client, Harness, Site};
use crate::without_passwords::state_of;

const GIVEN: &str = "compiler nanosecond moth";
const CHOSEN: &str = "relay tangerine lighthouse";
const ADDRESS: &str = "nell@main.example";

/// An application, and Nell, whose address and password an administrator has set.
async fn world(h: &Harness) -> (Site<'_>, Client<'_>) {
    let site = h.tenant("main").await;
    let (web, token) = (site.app("web").await, site.mint(|_| ()));
    let new = Some(json!({ "username": "nell", "email": ADDRESS }));
    let made = site.call(Method::POST, "/api/v1/tenant-users", Some(&token), new).await.expect(201).json();
    let path = format!("/api/v1/tenant-users/{}/password", made["id"].as_str().unwrap());
    let password = Some(json!({ "password": GIVEN }));
    let _ = site.call(Method::PUT, &path, Some(&token), password).await.expect(204);
    h.advance(1);
    (site, web)
}

async fn demand(site: &Site<'_>) {
    let change = Some(json!({ "settings": { "verified_email_required": true } }));
    let path = "/api/v1/tenant-settings";
    let _ = site.call(Method::PATCH, path, Some(&site.mint(|_| ())), change).await.expect(200);
    let _ = site.harness.informed_app().await;
}

/// Types Nell's name and a password on the page of the application.
async fn typed(browser: &mut Browser<'_>, web: &Client<'_>, password: &str) -> Answer {
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    browser.submit(&page, &[("username", "nell"), ("password", password)]).await
}

/// The links to prove the address that were mailed to it, the newest last.
async fn links(site: &Site<'_>) -> Vec<String> {
    let mut mails = site.harness.mails().await;
    mails.retain(|mail| mail.to == ADDRESS);
    mails.sort_by_key(|mail| (mail.sent_at, mail.id));
    let links = mails.iter().flat_map(|mail| mail.text.split_whitespace());
    let links = links.filter(|word| word.contains("/auth/verify?token="));
    links.map(|link| link.strip_prefix(site.issuer()).unwrap().to_owned()).collect()
}

#[tokio::test]
async fn who_has_not_proven_the_address_gets_in_behind_a_mailed_link_with_a_password_of_their_own() {
    let h = Harness::new().await;
    let (site, web) = world(&h).await;
    demand(&site).await;
    let mut browser = site.browser();
    let wrong = typed(&mut browser, &web, "not the password").await.expect(200);
    assert!(!wrong.body.contains(ADDRESS) && links(&site).await.is_empty(), "{wrong:?}");
    let sent = typed(&mut browser, &web, GIVEN).await.expect(200);
    assert!(!sent.begins_session() && sent.body.contains(ADDRESS), "{sent:?}");
    assert!(sent.body.contains("to confirm that this is your address; then you can go on."), "{sent:?}");
    let mails = h.mails().await;
    let mail = mails.iter().find(|mail| mail.text.contains("/auth/verify?token=")).unwrap();
    assert!(mail.text.contains("wants to sign in at") && !mail.text.contains("creating"), "{}", mail.text);
    h.advance(1);
    let again = browser.submit(&sent, &[]).await.expect(200);
    assert!(!again.begins_session() && again.body.contains(ADDRESS), "{again:?}");
    let links = links(&site).await;
    assert_eq!(links.len(), 2, "{links:?}");
    let page = browser.get(&links[1]).await.expect(200);
    let entered = browser.submit(&page, &[("password", CHOSEN)]).await;
    assert!(entered.is_signed_in(), "{entered:?}");
    h.advance(1);
    let refused = typed(&mut site.browser(), &web, GIVEN).await.expect(200);
    assert!(!refused.begins_session() && !refused.body.contains(ADDRESS), "{refused:?}");
    let entered = typed(&mut site.browser(), &web, CHOSEN).await;
    assert!(entered.is_signed_in(), "{entered:?}");
}

#[tokio::test]
async fn a_sign_in_that_waits_for_its_address_goes_on_by_no_other_form() {
    let h = Harness::new().await;
    let (site, web) = world(&h).await;
    demand(&site).await;
    let mut browser = site.browser();
    let flow = state_of(&typed(&mut browser, &web, GIVEN).await.expect(200));
    for path in ["/auth/join", "/auth/sign-in"] {
        let answer = browser.post(path, &[("flow", flow.as_str()), ("method", "password")]).await;
        assert!(!answer.begins_session() && !answer.is_signed_in(), "{path}: {answer:?}");
    }
    let silently = web.authorize_path(&web.verifier(), &[("prompt", "none")]);
    let answer = browser.get(&silently).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"), "{answer:?}");
}

#[tokio::test]
async fn a_session_from_before_the_demand_signs_in_again_and_who_has_proven_the_address_goes_on() {
    let h = Harness::new().await;
    let (site, web) = world(&h).await;
    let ada = site.user("ada").await;
    let (mut earlier, mut proven) = (site.browser(), site.sign_in(&web, &ada).await);
    assert!(typed(&mut earlier, &web, GIVEN).await.is_signed_in());
    demand(&site).await;
    let silently = web.authorize_path(&web.verifier(), &[("prompt", "none")]);
    let answer = earlier.get(&silently).await;
    assert_eq!(answer.redirect_param("error").as_deref(), Some("login_required"), "{answer:?}");
    let page = earlier.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    assert!(page.body.contains("id=\"login-submit\""), "{page:?}");
    let sent = typed(&mut earlier, &web, GIVEN).await.expect(200);
    assert!(!sent.begins_session() && sent.body.contains(ADDRESS), "{sent:?}");
    assert!(proven.get(&silently).await.is_signed_in());
}
