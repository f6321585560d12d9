//! Sign-in by a link sent by mail: spent once by its button, in the browser that asked for it, and silent about accounts.

use futures_util::future::join_all;
use serde_json::json;
use svc_domain::claims::assurance::Level;
use svc_http::Method;

use crate::account::own;
use crate::harness::client::claims;
use crate::harness::{Answer, Browser, Client, Code, Harness, Person, Site};

struct World<'h> {
    site: Site<'h>,
    client: Client<'h>,
    ada: Person,
}

async fn harness() -> Harness {
    Harness::with(&[("SVC_MAGIC_LINK__ENABLED", "true")]).await
}

async fn world(h: &Harness) -> World<'_> {
    let site = h.tenant("main").await;
    let client = site.app("first").await;
    let ada = site.user("ada").await;
    World { site, client, ada }
}

impl<'h> World<'h> {
    /// The page after asking for a link.
    async fn asked(&self, browser: &mut Browser<'h>, verifier: &str, address: &str) -> Answer {
        let page = browser.get(&self.client.authorize_path(verifier, &[])).await.expect(200);
        let form = browser.get(&page.link("magic-link-link")).await.expect(200);
        browser.submit(&form, &[("username", address)]).await
    }

    /// The path of the link in the newest mail.
    async fn link(&self) -> String {
        let newest = self.site.harness.newest_mail().await;
        let link = newest.links.iter().find(|link| link.contains("/auth/sign-in-link?token=")).unwrap();
        link.strip_prefix(self.site.issuer()).unwrap().to_owned()
    }
}

#[tokio::test]
async fn a_link_signs_in_once_by_its_button_and_counts_as_one_factor() {
    let h = harness().await;
    let home = world(&h).await;
    let (mut browser, verifier) = (home.site.browser(), home.client.verifier());
    let _ = home.asked(&mut browser, &verifier, &home.ada.email).await.expect(200);
    let link = home.link().await;
    for _ in 0..2 {
        let opened = browser.get(&link).await.expect(200);
        assert!(!opened.begins_session() && opened.body.contains("sign-in-link-submit"), "{opened:?}");
    }
    let page = browser.get(&link).await.expect(200);
    let mut other = browser.clone();
    let entered = browser.submit(&page, &[]).await;
    assert!(entered.begins_session(), "{entered:?}");
    let code = Code { code: entered.redirect_param("code").unwrap(), verifier };
    let claims = claims(home.client.exchange(&code).await.expect(200).json()["id_token"].as_str().unwrap());
    assert_eq!((&claims["amr"], &claims["acr"]), (&json!(["otp"]), &json!(Level::Aal1.acr())));
    assert!(!other.submit(&page, &[]).await.expect(400).begins_session());
    let _ = other.get(&link).await.expect(400);
}

#[tokio::test]
async fn the_page_of_a_way_that_was_chosen_can_be_had_in_another_language() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = browser.get(&home.client.authorize_path(&home.client.verifier(), &[])).await.expect(200);
    let link = page.link("magic-link-link");
    let form = browser.get(&link).await.expect(200);
    assert!(form.body.contains("id=\"languages\""), "{form:?}");
    assert!(form.body.contains("<input type=\"hidden\" name=\"method\" value=\"magic_link\">"), "{form:?}");
    let german = browser.get(&format!("{link}&lang=de")).await.expect(200);
    assert!(
        german.body.contains("<html lang=\"de\"") && german.body.contains("magic-link-send"),
        "{german:?}"
    );
}

#[tokio::test]
async fn of_many_who_press_the_button_at_once_one_enters() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let _ = home.asked(&mut browser, &home.client.verifier(), &home.ada.email).await.expect(200);
    let page = browser.get(&home.link().await).await.expect(200);
    let mut browsers: Vec<_> = (0..4).map(|_| browser.clone()).collect();
    let page = &page;
    let answers =
        join_all(browsers.iter_mut().map(|browser| async move { browser.submit(page, &[]).await })).await;
    assert_eq!(answers.iter().filter(|answer| answer.begins_session()).count(), 1, "{answers:?}");
}

#[tokio::test]
async fn another_browser_is_told_to_open_the_link_where_it_was_asked_for() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let _ = home.asked(&mut browser, &home.client.verifier(), &home.ada.email).await.expect(200);
    let link = home.link().await;
    let mut phone = home.site.browser();
    let opened = phone.get(&link).await.expect(200);
    assert!(opened.body.contains("Open the link where you asked for it"), "{opened:?}");
    assert!(
        !opened.body.contains("sign-in-link-submit") && !opened.body.contains(&home.ada.email),
        "{opened:?}"
    );
    // The form of the browser that asked does nothing in another one, and the link still works where it belongs.
    let page = browser.get(&link).await.expect(200);
    assert!(!phone.submit(&page, &[]).await.expect(403).begins_session());
    assert!(browser.submit(&page, &[]).await.begins_session());
}

#[tokio::test]
async fn asking_for_a_link_tells_nothing_about_accounts() {
    let h = harness().await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for address in [home.ada.email.as_str(), "eve@main.example"] {
        let page = home.asked(&mut home.site.browser(), &home.client.verifier(), address).await;
        seen.push(((page.status, page.shown(address)), page.body.len()));
    }
    assert_eq!(seen[0], seen[1]);
    let mails = h.mails().await;
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), [home.ada.email.as_str()]);
}

#[tokio::test]
async fn a_link_is_over_in_time() {
    let h =
        Harness::with(&[("SVC_MAGIC_LINK__ENABLED", "true"), ("SVC_MAGIC_LINK__LIFETIME_SECS", "60")]).await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let _ = home.asked(&mut browser, &home.client.verifier(), &home.ada.email).await.expect(200);
    let link = home.link().await;
    let page = browser.get(&link).await.expect(200);
    h.advance(61);
    let _ = browser.get(&link).await.expect(400);
    assert!(!browser.submit(&page, &[]).await.expect(400).begins_session());
}

#[tokio::test]
async fn a_link_is_over_with_the_credentials_of_the_time_when_it_was_asked_for() {
    let h = harness().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let _ = home.asked(&mut browser, &home.client.verifier(), &home.ada.email).await.expect(200);
    let page = browser.get(&home.link().await).await.expect(200);
    h.advance(1);
    let other = Some(json!({ "password": "relay tangerine lighthouse" }));
    let _ = own(&home.site, &home.ada, (Method::PUT, "/password"), other).await.expect(204);
    assert!(!browser.submit(&page, &[]).await.expect(400).begins_session());
}

#[tokio::test]
async fn who_has_a_second_factor_is_asked_for_password_and_factor_after_a_link() {
    let h = harness().await;
    let home = world(&h).await;
    home.site.second_factor(home.ada.id).await;
    let mut browser = home.site.browser();
    let _ = home.asked(&mut browser, &home.client.verifier(), &home.ada.email).await.expect(200);
    let page = browser.get(&home.link().await).await.expect(200);
    let next = browser.submit(&page, &[]).await.expect(200);
    assert!(!next.begins_session(), "{next:?}");
    assert!(["login-submit", "totp-submit"].iter().all(|id| next.body.contains(id)), "{next:?}");
}

#[tokio::test]
async fn an_inbox_is_not_flooded_with_links_and_the_page_does_not_say_so() {
    let h = harness().await;
    let home = world(&h).await;
    let mut seen = Vec::new();
    for _ in 0..7 {
        let page = home.asked(&mut home.site.browser(), &home.client.verifier(), &home.ada.email).await;
        seen.push((page.status, page.shown(&home.ada.email)));
    }
    assert_eq!(h.mails().await.len(), 5);
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:?}");
}

#[tokio::test]
async fn where_links_are_off_there_is_no_way_to_ask_for_one() {
    let h = Harness::new().await;
    let home = world(&h).await;
    let mut browser = home.site.browser();
    let page = browser.get(&home.client.authorize_path(&home.client.verifier(), &[])).await.expect(200);
    assert!(!page.body.contains("magic-link"), "{page:?}");
    let fields = [("method", "magic_link"), ("begin", "yes"), ("username", home.ada.email.as_str())];
    let refused = browser.submit(&page, &fields).await;
    assert_eq!((refused.status, h.mails().await.len()), (404, 0), "{refused:?}");
    let _ = browser.get("/auth/sign-in-link?token=x").await.expect(404);
}
