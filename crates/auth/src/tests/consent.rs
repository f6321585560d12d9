//! Consent (N66): asked of third parties, remembered, and never for more than was shown.

use super::*;

async fn third_party() -> World {
    World::with(|configuration| configuration.first_party = false).await
}

#[tokio::test]
async fn consent_is_asked_once_and_remembered() {
    let world = third_party().await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    page.is_page(200, "consent-allow");
    assert!(page.body.contains("data-scope=\"profile\"") && page.body.contains("ada@example.com"));
    let fields = [("flow", page.flow()), ("decision", "allow")];
    browser.post("/auth/consent", &fields).await.code();
    browser.get(&world.authorize(&[])).await.code();
    browser.get(&world.authorize(&[("prompt", "none")])).await.code();
    let more = [("scope", "openid profile email")];
    browser.get(&world.authorize(&[more[0], ("prompt", "none")])).await.is_refusal("consent_required");
    let page = browser.get(&world.authorize(&more)).await;
    assert!(page.body.contains("data-scope=\"email\"") && !page.body.contains("data-scope=\"profile\""));
}

#[tokio::test]
async fn an_application_that_asks_for_no_scope_is_not_told_silently_who_is_signed_in() {
    let world = third_party().await;
    let mut browser = world.browser();
    browser.sign_in().await.is_page(200, "consent-allow");
    let nothing = ("scope", " ");
    let silent = ("prompt", "none");
    browser.get(&world.authorize(&[nothing, silent])).await.is_refusal("consent_required");
    let page = browser.get(&world.authorize(&[nothing])).await;
    page.is_page(200, "consent-allow");
    assert!(page.body.contains("data-scope=\"openid\""), "the person reads what it learns: {page:?}");
    browser.post("/auth/consent", &[("flow", page.flow()), ("decision", "allow")]).await.code();
    browser.get(&world.authorize(&[nothing, silent])).await.code();
    browser.get(&world.authorize(&[silent])).await.is_refusal("consent_required");
}

#[tokio::test]
async fn a_refusal_is_told_and_nothing_is_remembered() {
    let world = third_party().await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    browser
        .post("/auth/consent", &[("flow", page.flow()), ("decision", "deny")])
        .await
        .is_refusal("access_denied");
    browser.get(&world.authorize(&[])).await.is_page(200, "consent-allow");
    browser
        .post("/auth/consent", &[("flow", page.flow()), ("decision", "maybe")])
        .await
        .is_error(400, "invalid_request");
}

#[tokio::test]
async fn a_flow_without_a_consent_page_allows_nothing() {
    let world = third_party().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let flow = page.link("/auth/forgot?flow=").split_once('=').unwrap().1.to_owned();
    browser
        .post("/auth/consent", &[("flow", &flow), ("decision", "allow")])
        .await
        .is_page(200, "login-submit");
    browser.fill(&page, "ada", PASSWORD).await.is_page(200, "consent-allow");
    browser
        .post("/auth/consent", &[("flow", &flow), ("decision", "allow")])
        .await
        .is_page(200, "consent-allow");
}

#[tokio::test]
async fn prompt_consent_asks_even_first_parties_again() {
    let world = World::new().await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let page =
        browser.get(&world.authorize(&[("prompt", "consent"), ("scope", "openid offline_access")])).await;
    page.is_page(200, "consent-allow");
    browser.post("/auth/consent", &[("flow", page.flow()), ("decision", "allow")]).await.code();
}

#[tokio::test]
async fn another_person_may_sign_in_from_the_consent_page() {
    let world = third_party().await;
    let mut browser = world.browser();
    let page = browser.sign_in().await;
    let switch = browser.get(&page.link("/auth/continue")).await;
    switch.is_page(200, "login-submit");
}
