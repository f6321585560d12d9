//! What follows a form: a page at an address of its own, in the language that the person chose.

use super::*;

#[tokio::test]
async fn the_page_after_a_form_can_be_reloaded_in_its_browser_and_nowhere_else() {
    let world = World::new().await;
    let mut browser = world.browser();
    let page = browser.open(&[]).await;
    let form =
        crate::hosted::with_query("", [("flow", page.flow()), ("username", "ada"), ("password", "no")]);
    let form = form.trim_start_matches('?').to_owned();
    let moved = browser.exchange("POST", "/auth/sign-in", Some(form)).await;
    assert_eq!(moved.status, StatusCode::SEE_OTHER, "{moved:?}");
    let address = moved.header(header::LOCATION).to_owned();
    for _ in 0..2 {
        let page = browser.get(&address).await;
        page.is_page(200, "form-error");
        assert!(page.body.contains("name=\"username\"") && page.body.contains("value=\"ada\""), "{page:?}");
    }
    let again = browser.get(&address).await;
    browser.fill(&again, "ada", PASSWORD).await.code();
    world.browser().get(&address).await.is_error(403, "forbidden");
    world.advance(16 * 60);
    let late = browser.get(&address).await;
    late.is_error(400, "expired_token");
    assert!(late.body.contains("Please start again"), "{late:?}");
}

#[tokio::test]
async fn a_chosen_language_comes_before_the_application_s_and_stays() {
    let world = World::new().await;
    let mut browser = world.browser();
    let english = browser.open(&[]).await;
    assert!(english.body.contains("<button type=\"submit\" name=\"lang\" value=\"de\""), "{english:?}");
    let german = browser.get(&format!("{}&lang=de", world.authorize(&[("ui_locales", "fr")]))).await;
    assert!(german.body.contains("<html lang=\"de\""), "{german:?}");
    assert_eq!(browser.cookies.get("svc_language").map(String::as_str), Some("de"));
    let later = browser.open(&[("ui_locales", "fr")]).await;
    assert!(later.body.contains("<html lang=\"de\""), "{later:?}");
    let unknown = browser.get(&format!("{}&lang=tlh", world.authorize(&[]))).await;
    assert!(unknown.body.contains("<html lang=\"de\""), "{unknown:?}");
}

#[tokio::test]
async fn the_chooser_offers_the_people_who_have_signed_in_here() {
    let world = World::new().await;
    world.account("bob@example.com", true, Some(PASSWORD), true).await;
    let mut browser = world.browser();
    browser.sign_in().await.code();
    let page = browser.open(&[("prompt", "login")]).await;
    browser.fill(&page, "bob@example.com", PASSWORD).await.code();
    let both = browser.get(&world.authorize(&[("prompt", "select_account")])).await;
    assert!(both.body.contains("id=\"account-1\"") && !both.body.contains("Signed out"), "{both:?}");
    browser.cookies.remove("svc_session_others");
    let chooser = browser.get(&world.authorize(&[("prompt", "select_account")])).await;
    chooser.is_page(200, "account-1");
    assert!(chooser.body.contains("Signed out"), "{chooser:?}");
    let choice = [("flow", chooser.flow()), ("account", "ada@example.com")];
    let sign_in = browser.post("/auth/select-account", &choice).await;
    sign_in.is_page(200, "login-submit");
    assert!(sign_in.body.contains("value=\"ada@example.com\""), "{sign_in:?}");
    let stranger = world.browser().get(&world.authorize(&[("prompt", "select_account")])).await;
    assert!(!stranger.body.contains("@example.com"), "{stranger:?}");
}
