//! How a logout token is delivered: again where a receiver cannot take it now, and to no other address.

use serde_json::{Value, json};

use super::{LOOPBACK, Party, sid, sign_out};
use crate::harness::publisher::Publisher;
use crate::harness::{Harness, Site};

/// Signs a person in and out again at a party that answers like this; the first attempt is made.
async fn attempted<'h>(site: &Site<'h>, server: &'h Publisher, head: &str) -> Party<'h> {
    let (party, ada) = (Party::new(site, server, "web").await, site.user("ada").await);
    server.answer_with(&party.path, head, "");
    let mut browser = site.browser();
    let tokens = party.tokens_in(&mut browser, &ada).await;
    sign_out(&mut browser, &tokens).await;
    site.harness.run_jobs().await;
    assert_eq!(server.fetched(&party.path), 1);
    party
}

#[tokio::test]
async fn a_receiver_in_trouble_is_told_again_on_the_schedule_of_webhooks() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let party = attempted(&site, &server, "500 Internal Server Error").await;
    // Each wait varies by a fifth; past the longest it counts from the attempt that was made then.
    for (attempt, planned) in [(2, 5), (3, 30), (4, 120), (5, 900)] {
        let shortest = planned * 4 / 5;
        h.advance(shortest - 1);
        h.run_jobs().await;
        assert_eq!(server.fetched(&party.path), attempt - 1, "sooner than {planned} s");
        h.advance(planned * 6 / 5 - shortest + 1);
        h.run_jobs().await;
        assert_eq!(server.fetched(&party.path), attempt, "after {planned} s");
    }
    server.answer_with(&party.path, "204 No Content", "");
    h.advance(3_600 * 6 / 5);
    h.run_jobs().await;
    h.advance(86_400 * 2);
    h.run_jobs().await;
    let told = party.told().await;
    assert_eq!(told.len(), 6, "taken is taken");
    assert_eq!(told.iter().filter(|token| token["jti"] == told[0]["jti"]).count(), 6);
    assert_eq!(told[0]["iat"], json!(crate::harness::START.as_secs()));
    assert!(told[5]["iat"].as_i64() > told[0]["exp"].as_i64(), "each attempt has a fresh token: {told:?}");
}

#[tokio::test]
async fn a_receiver_may_say_when_to_come_back() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let party = attempted(&site, &server, "503 Service Unavailable\r\nretry-after: 600").await;
    h.advance(599);
    h.run_jobs().await;
    assert_eq!(server.fetched(&party.path), 1);
    h.advance(1);
    h.run_jobs().await;
    assert_eq!(server.fetched(&party.path), 2);
}

#[tokio::test]
async fn a_refusal_is_final_and_a_redirect_is_one() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let elsewhere = format!("302 Found\r\nlocation: {}", server.url("/elsewhere"));
    server.answer_with("/elsewhere", "200 OK", "");
    for (number, head) in ["400 Bad Request", "404 Not Found", "410 Gone", &elsewhere].into_iter().enumerate()
    {
        let site = h.tenant(&format!("t{number}")).await;
        let party = attempted(&site, &server, head).await;
        for _ in 0..3 {
            h.advance(86_400);
            h.run_jobs().await;
        }
        assert_eq!(server.fetched(&party.path), 1, "{head}");
    }
    assert_eq!(server.fetched("/elsewhere"), 0);
}

#[tokio::test]
async fn a_slow_receiver_holds_up_no_other() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let ada = site.user("ada").await;
    let mut browser = site.browser();
    let mut parties = Vec::new();
    for handle in ["slow", "quick", "slower"] {
        parties.push(Party::new(&site, &server, handle).await);
    }
    // Answers come only when all have been asked.
    for (path, other) in [("slow", "slower"), ("quick", "slower"), ("slower", "quick")] {
        server.answer_after(&format!("/main/{path}"), &format!("/main/{other}"));
    }
    let mut tokens = Vec::new();
    for party in &parties {
        tokens.push(party.tokens_in(&mut browser, &ada).await);
    }
    sign_out(&mut browser, &tokens[0]).await;
    h.run_jobs().await;
    h.advance(86_400);
    h.run_jobs().await;
    for party in &parties {
        assert_eq!(party.told().await.len(), 1, "{}", party.path);
    }
}

#[tokio::test]
async fn a_receiver_that_never_answers_is_tried_again() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let site = h.tenant("main").await;
    let (party, ada) = (Party::new(&site, &server, "web").await, site.user("ada").await);
    let mut browser = site.browser();
    let tokens = party.tokens_in(&mut browser, &ada).await;
    // No status line: the connection ends without an answer.
    server.answer_with(&party.path, "", "");
    sign_out(&mut browser, &tokens).await;
    h.run_jobs().await;
    server.answer_with(&party.path, "200 OK", "");
    h.advance(6);
    h.run_jobs().await;
    let told = party.told().await;
    assert_eq!(told.iter().map(|token| token["sid"].clone()).collect::<Vec<Value>>(), vec![sid(&tokens); 2]);
}

#[tokio::test]
async fn tenants_are_told_of_their_own_sessions() {
    let server = Publisher::start().await;
    let h = Harness::with(&[LOOPBACK]).await;
    let (acme, globex) = (h.tenant("acme").await, h.tenant("globex").await);
    let theirs = Party::new(&globex, &server, "web").await;
    let _ = theirs.tokens_in(&mut globex.browser(), &globex.user("ada").await).await;
    let ours = attempted(&acme, &server, "200 OK").await;
    assert_eq!((ours.told().await.len(), theirs.told().await.len()), (1, 0));
    assert_eq!(ours.told().await[0]["iss"], json!(acme.issuer()));
}
