//! "Was this you?": what the owner of an account ends by saying no.

use svc_http::Method;

use super::{ELSEWHERE, HOME, RATED, World};
use crate::harness::{Harness, Site};

/// The path of the link in the newest mail.
async fn link(h: &Harness, site: &Site<'_>) -> String {
    let mails = h.mails().await;
    let newest = mails.iter().max_by_key(|mail| (mail.sent_at, mail.id)).expect("a mail");
    let link = newest.text.split_whitespace().find(|word| word.contains("/auth/was-this-you?token="));
    let link = link.unwrap_or_else(|| panic!("no link in {newest:?}"));
    assert!(newest.html.contains("was-this-you"), "{newest:?}");
    link.strip_prefix(site.issuer()).unwrap().to_owned()
}

#[tokio::test]
async fn no_ends_everything_under_way_and_leads_to_a_new_password() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let tokens = world.web.tokens(&world.ada).await;
    // What that is told by is not the mail in question.
    let _ = h.mails().await;
    h.advance(60);
    let mut thief = world.site.browser();
    let _ = world.enter(&mut thief, ELSEWHERE).await.expect(303);
    let path = link(&h, &world.site).await;
    h.advance(60);
    let mut owner = world.site.browser();
    let page = owner.get(&path).await.expect(200);
    assert!(page.body.contains("198.51.100.0/24") && page.body.contains("Firefox · Linux"), "{page:?}");
    let inside = thief.get("/account").await.expect(200);
    assert!(!inside.body.contains("login-submit"), "opening the link changes nothing: {inside:?}");
    let answer = owner.submit(&page, &[]).await.expect(303);
    let form = owner.get(answer.location()).await.expect(200);
    let outside = thief.get("/account").await.expect(200);
    assert!(outside.body.contains("login-submit"), "{outside:?}");
    let _ = world.web.refresh(tokens.refresh_token()).await.expect_problem(400, "invalid_grant");
    let refused = world.enter(&mut thief, ELSEWHERE).await.expect(200);
    assert!(refused.body.contains("not right"), "the old password is worth nothing: {refused:?}");
    let chosen = "compiler nanosecond moth";
    let done = owner.submit(&form, &[("password", chosen)]).await.expect(200);
    assert!(done.body.contains("Password changed"), "{done:?}");
    let entered = world.attempt(&mut owner, HOME, chosen).await;
    assert!(entered.redirect_param("code").is_some(), "{entered:?}");
    assert_eq!(world.recorded("sign_in.disowned").await.len(), 1);
}

#[tokio::test]
async fn a_link_works_once_and_not_after_the_password_was_changed() {
    let h = Harness::with(&RATED).await;
    let world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let _ = world.enter(&mut world.site.browser(), ELSEWHERE).await.expect(303);
    let path = link(&h, &world.site).await;
    h.advance(60);
    let mut owner = world.site.browser();
    let page = owner.get(&path).await.expect(200);
    let _ = owner.submit(&page, &[]).await.expect(303);
    let _ = owner.submit(&page, &[]).await.expect(400);
    let _ = owner.get(&path).await.expect(400);
    let unknown = owner.get("/auth/was-this-you?token=unknown").await.expect(400);
    assert!(unknown.body.contains("no longer works") || unknown.body.contains("link"), "{unknown:?}");
}

#[tokio::test]
async fn an_old_link_does_not_undo_a_password_that_was_chosen_since() {
    let h = Harness::with(&RATED).await;
    let mut world = World::new(&h).await;
    let _ = world.at_home(1).await;
    let _ = world.enter(&mut world.site.browser(), ELSEWHERE).await.expect(303);
    let path = link(&h, &world.site).await;
    h.advance(60);
    let chosen = "relay tangerine lighthouse";
    let body = serde_json::json!({ "password": chosen });
    let _ = world.own((Method::PUT, "/password"), Some(body)).await.expect(204);
    h.advance(60);
    let mut browser = world.site.browser();
    let page = browser.get(&path).await.expect(200);
    let _ = browser.submit(&page, &[]).await.expect(400);
    world.ada.password = chosen.to_owned();
    let entered = world.enter(&mut world.site.browser(), HOME).await;
    assert!(entered.redirect_param("code").is_some(), "{entered:?}");
}
