//! What the account centre says was done: in the browser that did it, and not to who follows a link.

use crate::harness::Harness;

const PROFILE: &str = "/account/profile";
const SAVED: &str = "Your profile is saved.";
const SIGNED_OUT: &str = "You were signed out meanwhile, so nothing was changed.";

#[tokio::test]
async fn a_page_says_what_was_done_in_its_browser_and_nothing_that_a_link_makes_up() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada, bob) = (site.app("web").await, site.user("ada").await, site.user("bob").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let page = browser.get(PROFILE).await.expect(200);
    let done = browser.submit(&page, &[("name", "Ada King")]).await.expect(303);
    let told = done.location().to_owned();
    for _ in 0..2 {
        assert!(browser.get(&told).await.expect(200).body.contains(SAVED));
    }
    let made_up = ["?done=notice-profile-saved", "?done=notice-profile-saved&told=AAAA", "?told="];
    for query in made_up {
        let shown = browser.get(&format!("{PROFILE}{query}")).await.expect(200);
        assert!(!shown.body.contains("id=\"notice\""), "{query}");
    }
    let mut other = site.sign_in(&app, &bob).await;
    assert!(!other.get(&told).await.expect(200).body.contains(SAVED), "the link of another browser");
    h.advance(600);
    assert!(!browser.get(&told).await.expect(200).body.contains(SAVED), "the link of a while ago");
}

#[tokio::test]
async fn a_form_of_a_person_who_was_signed_out_meanwhile_says_that_nothing_was_changed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let (app, ada) = (site.app("web").await, site.user("ada").await);
    let mut browser = site.sign_in(&app, &ada).await;
    let page = browser.get(PROFILE).await.expect(200);
    browser.cookies.remove("__Host-svc_session");
    let asked = browser.submit(&page, &[("name", "Ada King")]).await.expect(200);
    assert!(asked.body.contains("login-submit") && asked.body.contains(SIGNED_OUT), "{asked:?}");
    let opened = browser.get(PROFILE).await.expect(200);
    assert!(opened.body.contains("login-submit") && !opened.body.contains(SIGNED_OUT), "{opened:?}");
}
