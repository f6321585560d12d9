//! Another e-mail address for an account (N63): after a recent sign-in, proven by a link, and told to the address before.

use serde_json::json;
use svc_http::{Body, Method, Request};

use super::{own, token_of};
use crate::changes::left_by;
use crate::harness::{Answer, Browser, Client, Harness, Person, Site};

const NEW: &str = "ada@new.example";
/// What a person reads whose session the link is not for.
const OF_ANOTHER: &str = "This link is for another account";

/// Asks for another address on the page of the account centre; the path of the mailed link.
async fn asked<'h>(site: &Site<'h>, browser: &mut Browser<'h>, email: &str) -> String {
    let page = browser.get("/account/email").await.expect(200);
    let _ = browser.submit(&page, &[("email", email)]).await.expect(303);
    mailed(site, email).await.expect("a link was mailed")
}

/// The path of the link in the newest mail to an address, if it has a token.
async fn mailed(site: &Site<'_>, to: &str) -> Option<String> {
    let mails = site.harness.mails().await;
    let mail = mails.iter().find(|mail| mail.to == to)?;
    let link = mail.links.iter().find(|link| link.contains("token="))?;
    Some(link.strip_prefix(site.issuer()).expect("links stay at the issuer").to_owned())
}

async fn subjects(h: &Harness, to: &str) -> Vec<String> {
    h.mails().await.into_iter().filter(|mail| mail.to == to).map(|mail| mail.subject).collect()
}

/// Whether a person signs in by this name.
async fn signs_in(web: &Client<'_>, site: &Site<'_>, name: &str, password: &str) -> bool {
    let mut browser = site.browser();
    let page = browser.get(&web.authorize_path(&web.verifier(), &[])).await.expect(200);
    browser.submit(&page, &[("username", name), ("password", password)]).await.status == 303
}

async fn email_of(site: &Site<'_>, person: &Person) -> (String, bool) {
    let read = own(site, person, (Method::GET, "/profile"), None).await.expect(200).json();
    (read["email"].as_str().unwrap().to_owned(), read["email_verified"].as_bool().unwrap())
}

#[tokio::test]
async fn an_address_counts_once_its_link_was_opened_by_the_person_and_the_one_before_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let (before, _) = email_of(&site, &ada).await;
    let mut browser = site.sign_in(&web, &ada).await;
    let link = asked(&site, &mut browser, NEW).await;
    assert_eq!(email_of(&site, &ada).await.0, before, "asking changes nothing");
    let stranger = site.browser().get(&link).await.expect(200);
    assert!(stranger.body.contains("login-submit"), "the link alone opens nothing: {stranger:?}");
    assert!(!stranger.body.contains(OF_ANOTHER), "{stranger:?}");
    let page = browser.get(&link).await.expect(200);
    assert!(page.body.contains("new-address-submit") && page.body.contains(NEW), "{page:?}");
    assert_eq!(email_of(&site, &ada).await.0, before, "opening the link changes nothing");
    h.advance(1);
    let mut done = None;
    let [_, events] = left_by(&h, async { done = Some(browser.submit(&page, &[]).await) }).await;
    assert!(events.contains(&"account.email_changed".to_owned()), "{events:?}");
    let done = done.unwrap().expect(200);
    assert!(done.body.contains("Email address changed"), "{done:?}");
    assert_eq!(email_of(&site, &ada).await, (NEW.to_owned(), true));
    assert!(signs_in(&web, &site, NEW, &ada.password).await);
    assert!(!signs_in(&web, &site, &before, &ada.password).await);
    let told = subjects(&h, &before).await;
    assert!(told.iter().any(|subject| subject.contains("another email address")), "{told:?}");
    let _ = browser.get(&link).await.expect(400);
    let _ = browser.submit(&page, &[]).await.expect(400);
}

#[tokio::test]
async fn a_link_gives_the_address_to_no_other_account_than_the_one_that_asked() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada, eve) = (site.app("web").await, site.user("ada").await, site.user("eve").await);
    let mut hers = site.sign_in(&web, &eve).await;
    // Eve types an address of Ada's, who opens the link while she is signed in.
    let link = asked(&site, &mut hers, "ada@second.example").await;
    let mut browser = site.sign_in(&web, &ada).await;
    let page = browser.get(&link).await.expect(200);
    assert!(!page.body.contains("new-address-submit"), "{page:?}");
    assert!(page.body.contains(OF_ANOTHER), "she learns why she is asked to sign in: {page:?}");
    let (before, _) = email_of(&site, &eve).await;
    let form = hers.get(&link).await.expect(200);
    // The form of one person, sent by the browser of another.
    let flow = form.body.split("name=\"flow\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    let _ = browser.post("/auth/new-address", &[("flow", flow)]).await.expect(403);
    assert_eq!(email_of(&site, &eve).await.0, before);
}

#[tokio::test]
async fn an_address_that_another_account_has_is_answered_alike_and_its_owner_is_told() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let bob = site.stranger("bob").await;
    let mut browser = site.sign_in(&web, &ada).await;
    let page = browser.get("/account/email").await.expect(200);
    let taken = browser.submit(&page, &[("email", &bob.email)]).await.expect(303);
    assert!(mailed(&site, &bob.email).await.is_none(), "the mail opens nothing");
    assert!(subjects(&h, &bob.email).await[0].contains("has an account already"));
    let page = browser.get("/account/email").await.expect(200);
    let free = browser.submit(&page, &[("email", NEW)]).await.expect(303);
    let told = |answer: &Answer| {
        let (notice, seal) = answer.location().split_once("&told=").unwrap();
        (notice.to_owned(), seal.len())
    };
    assert_eq!(told(&free), told(&taken));
    // Who registers with an address that was free when the link was sent keeps it.
    let link = mailed(&site, NEW).await.unwrap();
    let form = browser.get(&link).await.expect(200);
    let mut elsewhere = site.sign_in(&web, &site.user("cleo").await).await;
    let theirs = asked(&site, &mut elsewhere, NEW).await;
    let page = elsewhere.get(&theirs).await.expect(200);
    let _ = elsewhere.submit(&page, &[]).await.expect(200);
    let _ = browser.submit(&form, &[]).await.expect(400);
}

#[tokio::test]
async fn another_address_needs_a_recent_sign_in_and_links_are_counted() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&web, &ada).await;
    let page = browser.get("/account/email").await.expect(200);
    for _ in 0..5 {
        let _ = browser.submit(&page, &[("email", NEW)]).await.expect(303);
    }
    let sixth = browser.submit(&page, &[("email", "ada@third.example")]).await.expect(200);
    assert!(sixth.body.contains("Too many attempts"), "{sixth:?}");
    assert!(sixth.body.contains("value=\"ada@third.example\""), "what was typed stays: {sixth:?}");
    let refused = own(&site, &ada, (Method::POST, "/email"), Some(json!({ "email": NEW }))).await;
    assert!(!refused.expect_problem(429, "rate_limited").header("retry-after").is_empty());
    for bad in ["", "ada", "ada@localhost"] {
        let again = browser.submit(&page, &[("email", bad)]).await.expect(200);
        assert!(again.body.contains("Enter an email address"), "{again:?}");
    }
    h.advance(15 * 60 + 1);
    let late = browser.get("/account/email").await.expect(200);
    assert!(late.body.contains("login-submit"), "{late:?}");
    let late = browser.submit(&page, &[("email", NEW)]).await.expect(200);
    assert!(late.body.contains("login-submit"), "{late:?}");
}

/// Has a mail sent to an address, by a call from a network.
async fn sent_from(site: &Site<'_>, person: &Person, (path, network): (&str, &str), email: &str) -> Answer {
    let request = Request::post(format!("/api/v1/identity{path}"))
        .header("host", &site.host)
        .header("authorization", format!("Bearer {}", token_of(site, person, 0)))
        .header("content-type", "application/json");
    let body = Body::from(json!({ "email": email }).to_string());
    site.harness.send_from(network, request.body(body).unwrap()).await
}

#[tokio::test]
async fn what_is_sent_to_an_address_from_one_network_keeps_no_one_else_from_writing_to_it() {
    let h = Harness::with(&[("SVC_USER_SELF_SERVICE__SOCIAL_RECOVERY_ENABLED", "true")]).await;
    let (site, elsewhere) = (h.tenant("main").await, h.tenant("other").await);
    let ada = site.user("ada").await;
    let (eve, mallory) = (elsewhere.user("eve").await, elsewhere.user("mallory").await);
    for path in ["/email", "/guardians"] {
        let from_there = (path, "198.51.100.1");
        for _ in 0..5 {
            let sent = sent_from(&elsewhere, &eve, from_there, NEW).await;
            assert_ne!(sent.status, 429, "{path}: {sent:?}");
        }
        let more = sent_from(&elsewhere, &mallory, from_there, NEW).await;
        let _ = more.expect_problem(429, "rate_limited");
        let _ = sent_from(&site, &ada, (path, "203.0.113.7"), NEW).await.expect(204);
    }
    // Six were mailed: however many networks there are, an address gets no more than twenty.
    let mut mailed = 6;
    for number in 0..4 {
        let (person, network) = (elsewhere.user(&format!("eve{number}")).await, format!("192.0.2.{number}"));
        for _ in 0..5 {
            let sent = sent_from(&elsewhere, &person, ("/email", &network), NEW).await;
            mailed += i32::from(sent.status == 204);
        }
    }
    assert_eq!(mailed, 20);
}

#[tokio::test]
async fn a_link_to_the_address_before_changes_no_password_any_more() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let (before, _) = email_of(&site, &ada).await;
    let mut thief = site.browser();
    let form = thief.get("/auth/forgot").await.expect(200);
    let _ = thief.submit(&form, &[("username", &ada.username)]).await.expect(200);
    let reset = mailed(&site, &before).await.unwrap();
    h.advance(1);
    let mut browser = site.sign_in(&web, &ada).await;
    let link = asked(&site, &mut browser, NEW).await;
    let page = browser.get(&link).await.expect(200);
    let _ = browser.submit(&page, &[]).await.expect(200);
    let _ = thief.get(&reset).await.expect(400);
}

#[tokio::test]
async fn a_link_of_before_a_change_of_the_credentials_gives_no_other_address() {
    const CHOSEN: &str = "relay tangerine lighthouse";
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (web, ada) = (site.app("web").await, site.user("ada").await);
    let (before, _) = email_of(&site, &ada).await;
    let mut thief = site.sign_in(&web, &ada).await;
    let link = asked(&site, &mut thief, NEW).await;
    h.advance(1);
    let chosen = Some(json!({ "password": CHOSEN }));
    let _ = own(&site, &ada, (Method::PUT, "/password"), chosen).await.expect(204);
    h.advance(1);
    let ada = Person { password: CHOSEN.to_owned(), ..ada };
    let mut browser = site.sign_in(&web, &ada).await;
    let _ = browser.get(&link).await.expect(400);
    assert_eq!(email_of(&site, &ada).await.0, before);
}
