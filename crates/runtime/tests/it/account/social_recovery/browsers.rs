//! Several browsers that ask: a guardian confirms the one whose code they were told, and an attacker's is another.

use svc_http::Method;

use super::{Circle, HOUR, NEW_PASSWORD, ask, audited, choose, harness, subjects};
use crate::harness::Harness;

#[tokio::test]
async fn an_attacker_who_asks_first_neither_keeps_the_owner_out_nor_profits() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut attacker, theirs) = c.asked().await;
    h.advance(1);
    let (mut owner, hers) = c.asked().await;
    assert_ne!(theirs, hers);
    c.confirmed(&hers).await;
    let page = attacker.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("recovery-code") && !page.body.contains("have confirmed"), "{page:?}");
    let _ = attacker.submit(&page, &[("password", "velvet harbour onion")]).await.expect(303);
    let _ = choose(&mut owner).await.expect(200);
    assert!(c.signs_in(NEW_PASSWORD).await && !c.signs_in("velvet harbour onion").await);
    assert_eq!(audited(&h, "recovery.opened", "success").await, 1, "an account has one open case");
    assert_eq!(audited(&h, "recovery.joined", "success").await, 1);
}

#[tokio::test]
async fn asking_again_leaves_what_was_confirmed_and_another_code_moves_a_confirmation() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    let _ = c.confirm(&c.guardians[0], &code).await.expect(204);
    assert_eq!(ask(&mut browser, &c.ada.email.to_uppercase()).await, code, "the browser keeps its code");
    let (mut other, another) = c.asked().await;
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(page.body.contains("One guardian has confirmed"), "{page:?}");
    let _ = c.confirm(&c.guardians[0], &another).await.expect(204);
    let page = browser.get("/auth/guardians").await.expect(200);
    assert!(!page.body.contains("has confirmed"), "a guardian has one word: {page:?}");
    assert!(other.get("/auth/guardians").await.expect(200).body.contains("One guardian has confirmed"));
    let page = other.get("/auth/guardians").await.expect(200);
    let done = other.submit(&page, &[("action", "forget")]).await.expect(303);
    assert_eq!(done.location(), "/auth/guardians/ask");
    assert_eq!(other.get("/auth/guardians").await.expect(303).location(), "/auth/guardians/ask");
}

#[tokio::test]
async fn a_browser_that_has_not_asked_does_not_finish() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut browser, code) = c.asked().await;
    c.confirmed(&code).await;
    let page = browser.get("/auth/guardians").await.expect(200);
    let mut stranger = c.site.browser();
    let _ = stranger.submit(&page, &[("password", NEW_PASSWORD)]).await.expect(403);
    // Its own form, and the cookie of a recovery of its own, are worth nothing for another's.
    let eve = c.site.user("eve").await;
    let _ = ask(&mut stranger, &eve.email).await;
    let own_page = stranger.get("/auth/guardians").await.expect(200);
    let _ = stranger.submit(&own_page, &[("password", NEW_PASSWORD)]).await.expect(303);
    assert!(!c.signs_in(NEW_PASSWORD).await);
}

#[tokio::test]
async fn many_browsers_that_ask_push_out_no_confirmed_one_and_flood_no_inbox() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    let (mut owner, code) = c.asked().await;
    let _ = c.confirm(&c.guardians[0], &code).await.expect(204);
    for _ in 0..55 {
        let _ = c.asked().await;
    }
    let _ = c.confirm(&c.guardians[1], &code).await.expect(204);
    h.advance(48 * HOUR);
    let asked = subjects(&h, &c.guardians[2].email).await;
    let asked = asked.iter().filter(|subject| subject.contains("may need your help")).count();
    assert_eq!(asked, 1, "guardians are asked once for a case");
    let told = subjects(&h, &c.ada.email).await;
    let told = told.iter().filter(|subject| subject.contains("someone asks")).count();
    assert!(told <= 5, "one requester causes few mails: {told}");
    let browsers = c.chosen().await["recovery"]["browsers"].as_array().unwrap().len();
    assert_eq!(browsers, 51, "the latest fifty, and the one that was confirmed");
    let _ = choose(&mut owner).await.expect(200);
    assert!(c.signs_in(NEW_PASSWORD).await);
}

#[tokio::test]
async fn guardians_are_mailed_for_few_cases_a_day() {
    let h = harness().await;
    let c = Circle::of(&h).await;
    for _ in 0..4 {
        let _ = c.asked().await;
        let call = (Method::DELETE, "/recovery");
        let _ = super::own(&c.site, &c.ada, call, None).await.expect(204);
        h.advance(1);
    }
    let asked = subjects(&h, &c.guardians[0].email).await;
    assert_eq!(asked.iter().filter(|subject| subject.contains("may need your help")).count(), 3);
}

#[tokio::test]
async fn of_two_that_confirm_at_once_on_two_nodes_one_reaches_the_threshold() {
    let h: Harness = harness().await;
    let c = Circle::of(&h).await;
    let (_, code) = c.asked().await;
    let (a, b) = tokio::join!(c.confirm(&c.guardians[0], &code), c.confirm(&c.guardians[1], &code));
    let _ = (a.expect(204), b.expect(204));
    let told = subjects(&h, &c.ada.email).await;
    let reached = told.iter().filter(|subject| subject.contains("will be recovered")).count();
    assert_eq!(reached, 1, "{told:?}");
}
