//! What others try with guests: an address that is another person's, a link in the wrong browser, a way around the hooks.

use super::{PASSWORD, access, asked, choose, enter, harness, link, silent, world};

#[tokio::test]
async fn an_address_that_is_registered_already_is_not_told_and_nothing_is_merged() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    let free = format!("x{}", &ada.email[1..]);
    let [taken, new] = [asked(&mut browser, &ada.email).await, asked(&mut browser, &free).await];
    assert_eq!((taken.status, taken.shown(&ada.email)), (new.status, new.shown(&free)));
    // The link that Ada gets signs in to her own account, also here; the guest stays what it is.
    let page = browser.get(&link(&site, &ada.email).await).await.expect(200);
    assert!(!page.body.contains("name=\"password\""), "{page:?}");
    let _ = browser.submit(&page, &[]).await;
    let tokens = silent(&mut browser, &client).await.unwrap();
    assert_eq!(access(&tokens)["subject_type"], "anonymous");
    assert_eq!(access(&tokens)["sub"], access(&before)["sub"]);
}

#[tokio::test]
async fn a_link_that_an_attacker_had_sent_to_a_victim_gives_the_victim_nothing_of_the_attackers() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut attacker = site.browser();
    enter(&mut attacker, &client).await;
    let _ = asked(&mut attacker, "victim@new.example").await;
    let path = link(&site, "victim@new.example").await;
    let mut victim = site.browser();
    let page = victim.get(&path).await.expect(200);
    assert!(page.body.contains("Open the link in the browser you used"), "{page:?}");
    assert!(!page.body.contains("verify-submit"), "{page:?}");
    // Nor where the victim is a guest of their own.
    let own = enter(&mut victim, &client).await;
    let page = victim.get(&path).await.expect(200);
    assert!(!page.body.contains("verify-submit"), "{page:?}");
    assert_eq!(access(&silent(&mut victim, &client).await.unwrap())["sub"], access(&own)["sub"]);
    // The page of the attacker's browser does not work in another one.
    let opened = attacker.get(&path).await.expect(200);
    let fields = [("name", "Grace Hopper"), ("password", PASSWORD)];
    assert!(!victim.submit(&opened, &fields).await.begins_session());
}

#[tokio::test]
async fn a_link_keeps_once_and_only_while_the_guest_is_signed_in() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let mut browser = site.browser();
    enter(&mut browser, &client).await;
    h.advance(60);
    let _ = asked(&mut browser, "grace@new.example").await;
    let path = link(&site, "grace@new.example").await;
    let (page, mut copy) = (browser.get(&path).await.expect(200), browser.clone());
    assert!(choose(&mut browser, &path).await.begins_session());
    let fields = [("name", "Eve"), ("password", PASSWORD)];
    for browser in [&mut copy, &mut browser] {
        assert!(!browser.submit(&page, &fields).await.expect(400).begins_session());
    }
}

#[tokio::test]
async fn a_known_person_who_signs_in_where_a_guest_was_is_themselves() {
    let h = harness().await;
    let (site, client) = world(&h).await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let before = enter(&mut browser, &client).await;
    client.code_with(&mut browser, &ada, &[("prompt", "login")]).await;
    let tokens = silent(&mut browser, &client).await.unwrap();
    assert_eq!(access(&tokens)["sub"], ada.subject.as_str());
    assert_ne!(access(&tokens)["sub"], access(&before)["sub"]);
}
