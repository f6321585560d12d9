//! What a person has allowed, and taking it back.

use super::*;

#[tokio::test]
async fn a_person_sees_what_they_allowed_and_takes_it_back() {
    let world = World::with(|configuration| configuration.first_party = false).await;
    let mut browser = world.browser();
    browser.get("/auth/access").await.is_page(200, "purpose");
    let page = browser.sign_in().await;
    page.is_page(200, "access-link");
    browser.post("/auth/consent", &[("flow", page.flow()), ("decision", "allow")]).await.code();
    let list = browser.get("/auth/access").await;
    list.is_page(200, "access-remove-0");
    assert!(list.body.contains("data-scope=\"profile\""), "{list:?}");
    let app = world.shop.id.to_string();
    let fields = [("flow", list.flow()), ("app", app.as_str())];
    let answer = browser.post("/auth/access", &fields).await;
    assert_eq!((answer.status, answer.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/auth/access"));
    browser.get("/auth/access").await.is_page(200, "access-none");
    browser.get(&world.authorize(&[])).await.is_page(200, "consent-allow");
    let mut stranger = world.browser();
    stranger.post("/auth/access", &fields).await.is_error(403, "forbidden");
}
