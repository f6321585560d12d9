//! Passkeys in the account centre: added, named and removed by their owner, and the last way in stays.

use serde_json::Value;
use svc_domain::people::credentials::passkeys::Use;
use svc_testkit::Authenticator;

use super::passkeys::{LATE, ORIGIN, UNKNOWN, answer, first, give, is_refused, opened, verify};
use super::*;

const SECTION: &str = "/account/passkeys";

/// A challenge for another key, from the section of passkeys.
async fn more(browser: &mut Browser<'_>, page: &Answer, purpose: &str) -> (Value, String) {
    let fields = [("flow", page.flow()), ("action", "add"), ("use", purpose), ("answer", "")];
    let answer = browser.post(SECTION, &fields).await;
    let challenge: Value = serde_json::from_str(&answer.body).unwrap_or_else(|_| panic!("{answer:?}"));
    (challenge["shown"].clone(), challenge["flow"].as_str().unwrap().to_owned())
}

/// Adds what the device has made, and opens the page that says so.
async fn add(browser: &mut Browser<'_>, flow: &str, made: &Value) -> Answer {
    let answer = made.to_string();
    let fields = [("flow", flow), ("action", "add"), ("use", "passkey"), ("answer", &answer)];
    let answer = browser.post(SECTION, &fields).await;
    match answer.header(header::LOCATION).to_owned() {
        next if next.starts_with(SECTION) => browser.get(&next).await,
        _ => answer,
    }
}

/// The value of the input `credential` of a key in the section.
fn credential(page: &Answer, nth: usize) -> String {
    let after = page.body.split("name=\"credential\" value=\"").nth(nth + 1);
    after.unwrap_or_else(|| panic!("{page:?}")).split('"').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_person_adds_names_and_removes_keys_and_is_told_by_mail() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.centre(SECTION).await;
    page.is_page(200, "passkeys-none");
    let (mut phone, mut stick) = (Authenticator::synced(1), Authenticator::touched(2));
    for (device, purpose) in [(&mut phone, "passkey"), (&mut stick, "security_key")] {
        let (shown, flow) = more(&mut browser, &page, purpose).await;
        let made = device.create(&shown, ORIGIN).unwrap();
        let page = add(&mut browser, &flow, &made).await;
        page.is_page(200, "notice");
        assert_eq!(world.mails().await.len(), 1);
        // Answered again, it adds nothing.
        assert!(add(&mut browser, &flow, &made).await.body.contains(LATE));
    }
    let page = browser.get(SECTION).await;
    for said in ["Copied to your other devices", "Security key, after the password", "value=\"Passkey\""] {
        assert!(page.body.contains(said), "{said}: {page:?}");
    }
    // A device that has one is asked for no second.
    let (shown, _) = more(&mut browser, &page, "passkey").await;
    assert!(phone.create(&shown, ORIGIN).is_none());
    let (first, second) = (credential(&page, 0), credential(&page, 1));
    let renamed = [("action", "rename"), ("credential", first.as_str()), ("name", "My phone")];
    let page = browser.change(SECTION, &page, &renamed).await;
    assert!(page.body.contains("value=\"My phone\""), "{page:?}");
    for bad in ["", " ", "a\u{7}b"] {
        let fields = [("action", "rename"), ("credential", first.as_str()), ("name", bad)];
        let page = browser.change(SECTION, &page, &fields).await;
        assert!(page.body.contains("role=\"alert\""), "{page:?}");
    }
    for key in [&first, &second] {
        let page = browser.get(SECTION).await;
        let page = browser.change(SECTION, &page, &[("action", "remove"), ("credential", key)]).await;
        page.is_page(200, "notice");
        assert_eq!(world.mails().await.len(), 1);
    }
    browser.get(SECTION).await.is_page(200, "passkeys-none");
    assert_eq!(world.events("account.credential_added").await, 2);
    assert_eq!(world.events("account.credential_removed").await, 2);
}

#[tokio::test]
async fn the_last_passkey_of_a_person_without_a_password_stays() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = opened(&world, &mut browser).await;
    let mut device = Authenticator::new(1);
    let (shown, flow) = first(&mut browser, &page).await;
    let made = device.create(&shown, ORIGIN).unwrap();
    verify(&mut browser, &flow, &made).await.code();
    let page = browser.get(SECTION).await;
    let only = credential(&page, 0);
    // A security key opens nothing by itself.
    let (shown, flow) = more(&mut browser, &page, "security_key").await;
    let made = Authenticator::touched(2).create(&shown, ORIGIN).unwrap();
    add(&mut browser, &flow, &made).await.is_page(200, "notice");
    let remove = [("action", "remove"), ("credential", only.as_str())];
    let page = browser.get(SECTION).await;
    let refused = browser.change(SECTION, &page, &remove).await;
    assert!(refused.body.contains("This is the last way to sign in"), "{refused:?}");
    let (shown, flow) = more(&mut browser, &page, "passkey").await;
    let made = Authenticator::new(3).create(&shown, ORIGIN).unwrap();
    add(&mut browser, &flow, &made).await.is_page(200, "notice");
    let page = browser.get(SECTION).await;
    browser.change(SECTION, &page, &remove).await.is_page(200, "notice");
    let mut other = world.browser();
    let page = other.open(&[]).await;
    is_refused(&answer(&mut other, &page, &mut device).await, UNKNOWN);
}

#[tokio::test]
async fn keys_of_another_person_are_neither_shown_nor_changed() {
    let world = World::new().await;
    world.account("eve@example.com", true, Some(PASSWORD), true).await;
    let mut device = Authenticator::new(1);
    give(&world, "ada", &mut device, Use::Passkey).await;
    let mut ada = world.browser();
    let hers = ada.centre(SECTION).await;
    let key = credential(&hers, 0);
    let mut eve = world.browser();
    let page = eve.open(&[]).await;
    eve.fill(&page, "eve@example.com", PASSWORD).await.code();
    let page = eve.get(SECTION).await;
    page.is_page(200, "passkeys-none");
    for action in ["rename", "remove"] {
        let fields = [("action", action), ("credential", key.as_str()), ("name", "Eve's")];
        eve.change(SECTION, &page, &fields).await;
    }
    // Ada's challenge is bound to her browser and session.
    let (shown, flow) = more(&mut ada, &hers, "passkey").await;
    let made = Authenticator::new(2).create(&shown, ORIGIN).unwrap();
    add(&mut eve, &flow, &made).await.is_error(403, "forbidden");
    // What one account has is added to no other.
    let (shown, flow) = more(&mut eve, &page, "passkey").await;
    let made = Authenticator::new(1).create(&shown, ORIGIN).unwrap();
    let refused = add(&mut eve, &flow, &made).await;
    assert!(refused.body.contains("This passkey could not be added"), "{refused:?}");
    let page = ada.get(SECTION).await;
    assert!(page.body.contains("value=\"Key\"") && page.body.contains(&key), "{page:?}");
}
