//! Forgotten passwords (N61): one mailed proof, one new password, and everything older ends.

use super::*;

const NEW: &str = "tangerine lighthouse nine";

async fn forgot(browser: &mut Browser<'_>, username: &str) -> Answer {
    let page = browser.open(&[("prompt", "login")]).await;
    let form = browser.get(&page.link("/auth/forgot")).await;
    form.is_page(200, "forgot-submit");
    browser.post("/auth/forgot", &[("flow", form.flow()), ("username", username)]).await
}

async fn mailed(world: &World) -> String {
    let mails = world.mails().await;
    let link = mails[0].text.split_whitespace().find(|word| word.contains("?token=")).unwrap();
    link.strip_prefix("http://localhost:8080").unwrap().to_owned()
}

async fn reset(browser: &mut Browser<'_>, path: &str, password: &str) -> Answer {
    let page = browser.get(path).await;
    page.is_page(200, "reset-submit");
    browser.post("/auth/reset", &[("flow", page.flow()), ("password", password)]).await
}

fn is_dead(answer: &Answer) -> bool {
    answer.status == StatusCode::BAD_REQUEST && answer.body.contains("no longer works")
}

#[tokio::test]
async fn a_mailed_link_sets_one_new_password_and_ends_older_sessions() {
    let world = World::new().await;
    let (mut browser, mut other) = (world.browser(), world.browser());
    other.sign_in().await.code();
    world.advance(10);
    forgot(&mut browser, "ADA").await;
    let path = mailed(&world).await;
    world.browser().get(&path).await.is_page(200, "reset-submit");
    reset(&mut browser, &path, "password").await.is_page(200, "reset-submit");
    let page = reset(&mut browser, &path, NEW).await;
    page.is_page(200, "login-submit");
    assert!(page.body.contains("has been changed"));
    browser.fill(&page, "ada", PASSWORD).await.is_page(200, "login-submit");
    browser.fill(&page, "ada", NEW).await.code();
    other.get(&world.authorize(&[("prompt", "none")])).await.is_refusal("login_required");
    assert!(is_dead(&browser.get(&path).await));
    assert_eq!(world.mails().await[0].subject, "Acme: your password was changed");
}

#[tokio::test]
async fn the_page_does_not_know_who_exists() {
    let world = World::new().await;
    let mut browser = world.browser();
    let known = forgot(&mut browser, "ada@example.com").await;
    let unknown = forgot(&mut browser, "bob@example.com").await;
    assert_eq!((known.status, known.body.len()), (unknown.status, unknown.body.len()));
    assert_eq!(world.mails().await.len(), 1);
}

#[tokio::test]
async fn what_was_typed_goes_along_and_resending_is_one_action() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let page = browser.fill(&page, "ada@example.com", "wrong").await;
    let form = browser.get(&page.link("/auth/forgot")).await;
    assert!(form.body.contains("value=\"ada@example.com\""), "{form:?}");
    let sent = browser.post("/auth/forgot", &[("flow", form.flow()), ("username", "ada@example.com")]).await;
    sent.is_page(200, "resend-submit");
    let again = browser.get(&sent.link("/auth/forgot")).await;
    assert!(again.body.contains("value=\"ada@example.com\""), "{again:?}");
    assert!(sent.body.contains("name=\"username\" value=\"ada@example.com\""), "{sent:?}");
    assert_eq!(world.mails().await.len(), 1);
    world.advance(60);
    browser.post("/auth/forgot", &[("flow", sent.flow()), ("username", "ada@example.com")]).await;
    assert_eq!(world.mails().await.len(), 1);
}

#[tokio::test]
async fn a_link_dies_with_the_password_that_it_was_asked_for() {
    let world = World::new().await;
    let mut browser = world.browser();
    forgot(&mut browser, "ada").await;
    let first = mailed(&world).await;
    forgot(&mut browser, "ada").await;
    let second = mailed(&world).await;
    world.advance(1);
    reset(&mut browser, &second, NEW).await.is_page(200, "login-submit");
    assert!(is_dead(&reset(&mut browser, &first, "another lighthouse ten").await));
}

#[tokio::test]
async fn a_link_is_good_for_half_an_hour_and_for_its_purpose_only() {
    let world = World::new().await;
    let mut browser = world.browser();
    forgot(&mut browser, "ada").await;
    let path = mailed(&world).await;
    let token = path.split_once('=').unwrap().1;
    assert!(is_dead(&browser.get(&format!("/auth/verify?token={token}")).await));
    let page = browser.get(&path).await;
    browser.post("/auth/verify", &[("flow", page.flow())]).await.is_error(403, "forbidden");
    browser.post("/auth/sign-out", &[("flow", page.flow())]).await.is_error(403, "forbidden");
    world.advance(1800);
    assert!(is_dead(&browser.get(&path).await));
}

#[tokio::test]
async fn in_another_browser_the_password_changes_and_that_is_all() {
    let world = World::new().await;
    let mut browser = world.browser();
    forgot(&mut browser, "ada").await;
    let path = mailed(&world).await;
    let mut phone = world.browser();
    let done = reset(&mut phone, &path, NEW).await;
    assert!(done.status == StatusCode::OK && done.body.contains("Password changed"));
    done.leads_on_to("/");
    let dead = phone.get(&path).await;
    assert!(is_dead(&dead));
    dead.leads_on_to("/auth/forgot");
}

#[tokio::test]
async fn a_lock_ends_with_a_proven_reset() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    for _ in 0..5 {
        browser.fill(&page, "ada", "wrong").await;
    }
    world.mails().await;
    forgot(&mut browser, "ada").await;
    let path = mailed(&world).await;
    let page = reset(&mut browser, &path, NEW).await;
    browser.fill(&page, "ada", NEW).await.code();
}

#[tokio::test]
async fn the_form_stands_by_itself_too_and_links_ignore_the_request_s_host() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.get("/auth/forgot").await;
    page.is_page(200, "forgot-submit");
    browser.headers =
        vec![("x-forwarded-host", "evil.example".to_owned()), ("forwarded", "host=evil.example".to_owned())];
    let sent = browser.post("/auth/forgot", &[("flow", page.flow()), ("username", "ada")]).await;
    assert_eq!(sent.status, StatusCode::OK);
    assert!(mailed(&world).await.starts_with("/auth/reset?token="));
}

#[tokio::test]
async fn no_inbox_is_flooded() {
    let world = World::new().await;
    let mut browser = world.browser();
    for _ in 0..8 {
        forgot(&mut browser, "ada").await;
        world.advance(3600 / 8 - 1);
    }
    assert!(world.mails().await.len() <= 5);
}

#[tokio::test]
async fn what_another_person_prepared_in_an_unproven_account_ends_when_its_owner_proves_the_address() {
    let world = World::new().await;
    world.account("grace@example.com", false, Some(PASSWORD), true).await;
    second_factor::give(&world, "grace@example.com").await;
    let mut browser = world.browser();
    forgot(&mut browser, "grace@example.com").await;
    let link = mailed(&world).await;
    reset(&mut browser, &link, "a wholly different staple").await;
    assert_eq!(world.events("account.credential_removed").await, 1);
}
