//! A receiver that takes nothing is left alone, and its subscription is deactivated in the end.

use serde_json::json;

use svc_http::Method;

use super::{Subscription, WEBHOOKS, suspend, with_receiver, with_receiver_and};
use crate::changes::left_by;

#[tokio::test]
async fn a_receiver_that_fails_is_asked_rarely_and_gets_all_when_it_is_back() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    server.answer_with("/events", "503 Service Unavailable\r\nretry-after: 86400", "");
    for number in 0..16 {
        suspend(&site, &format!("p{number}")).await;
    }
    h.run_jobs().await;
    let first = server.fetched("/events");
    // Eight are on their way at once, and others take the places of those that are written down before the fourth failure is.
    assert!(
        (4..=11).contains(&first),
        "after four failures it gets no more than what is on its way: {first}"
    );
    h.advance(4);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), first);
    h.advance(1);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), first + 1, "one delivery finds out whether it is back");
    h.advance(9);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), first + 1, "each pause is twice as long");
    server.answer_with("/events", "200 OK", "");
    h.advance(1);
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 16, "all that was held back");
    assert_eq!(webhook.read(&site).await["failing_since"], json!(null));
    h.advance(86_400 * 6 / 5);
    h.run_jobs().await;
    let ids: std::collections::BTreeSet<_> =
        webhook.received(&server, "/events").iter().map(|event| event["id"].to_string()).collect();
    assert_eq!(ids.len(), 16, "nothing is lost");
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_deactivated_at_once_with_an_entry_and_an_event() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    let watcher = Subscription::new(&site, &server.url("/watch"), "admin.webhook.*").await;
    server.answer_with("/watch", "200 OK", "");
    server.answer_with("/events", "410 Gone", "");
    suspend(&site, "ada").await;
    let [actions, events] = left_by(&h, h.run_jobs()).await;
    assert_eq!(
        (actions, events),
        (vec!["webhook.deactivated".to_owned()], vec!["admin.webhook.deactivated".to_owned()])
    );
    let read = webhook.read(&site).await;
    assert_eq!((&read["active"], &read["deactivated_because"]), (&json!(false), &json!("gone")));
    suspend(&site, "bob").await;
    h.run_jobs().await;
    assert_eq!(server.fetched("/events"), 1);
    let told = watcher.received(&server, "/watch");
    let last = told.last().unwrap();
    assert_eq!(last["data"], json!({ "webhook_id": webhook.id, "reason": "gone" }));
}

#[tokio::test]
async fn the_person_who_made_a_subscription_is_mailed_once_when_the_service_deactivates_it() {
    for (answer, days, reason) in
        [("410 Gone", 0, "gone for good (410)"), ("500 Internal Server Error", 5, "taken no event for days")]
    {
        let (h, server) = with_receiver().await;
        let site = h.tenant("main").await;
        let ada = site.user("ada").await;
        let token = site
            .mint(|claims| (claims["subject_type"], claims["sub"]) = (json!("human"), json!(ada.subject)));
        let body = json!({ "url": server.url("/events"), "event_types": ["tenant_user.suspended"] });
        let made = site.call(Method::POST, WEBHOOKS, Some(&token), Some(body)).await.expect(201).json();
        server.answer_with("/events", answer, "");
        for day in 0..days {
            suspend(&site, &format!("p{day}")).await;
            assert!(h.mails().await.is_empty(), "day {day}");
            h.advance(86_400);
        }
        suspend(&site, "last").await;
        for _ in 0..3 {
            h.run_jobs().await;
        }
        let mails = h.mails().await;
        assert_eq!(mails.len(), 1, "{mails:?}");
        assert_eq!(
            (mails[0].to.as_str(), mails[0].subject.as_str()),
            (ada.email.as_str(), "A webhook was deactivated")
        );
        for part in [made["id"].as_str().unwrap(), &server.url("/events"), reason] {
            assert!(mails[0].text.contains(part), "{part}: {}", mails[0].text);
        }
    }
}

#[tokio::test]
async fn a_receiver_that_takes_nothing_for_days_is_deactivated() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    // No status line: the connection ends without an answer.
    server.answer_with("/events", "", "");
    suspend(&site, "ada").await;
    h.run_jobs().await;
    let since = webhook.read(&site).await["failing_since"].clone();
    assert!(since.is_string());
    for day in 1..=4 {
        h.advance(86_400);
        suspend(&site, &format!("p{day}")).await;
        h.run_jobs().await;
        assert_eq!(webhook.read(&site).await["active"], json!(true), "day {day}");
    }
    h.advance(86_400);
    suspend(&site, "last").await;
    h.run_jobs().await;
    let read = webhook.read(&site).await;
    assert_eq!((&read["active"], &read["deactivated_because"]), (&json!(false), &json!("failing")));
    assert_eq!(read["failing_since"], since);
    let states: Vec<_> = webhook.deliveries(&site).await.iter().map(|one| one["state"].clone()).collect();
    assert!(states.iter().all(|state| state == "failed"), "{states:?}");
}

#[tokio::test]
async fn the_failures_of_an_address_are_not_counted_against_the_one_that_takes_its_place() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    for path in ["/events", "/other"] {
        server.answer_with(path, "500 Internal Server Error", "");
    }
    for day in 0..5 {
        suspend(&site, &format!("p{day}")).await;
        h.run_jobs().await;
        h.advance(86_400);
    }
    let before = webhook.read(&site).await["failing_since"].clone();
    webhook.move_to(&site, &server.url("/other")).await;
    assert_eq!((before.is_string(), &webhook.read(&site).await["failing_since"]), (true, &json!(null)));
    suspend(&site, "last").await;
    h.run_jobs().await;
    let read = webhook.read(&site).await;
    assert_eq!((&read["active"], read["failing_since"] == before), (&json!(true), false), "{read}");
}

#[tokio::test]
async fn what_was_held_back_from_an_address_goes_to_the_one_that_takes_its_place_at_once() {
    let (h, server) = with_receiver().await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    server.answer_with("/events", "503 Service Unavailable", "");
    server.answer_with("/other", "200 OK", "");
    for number in 0..12 {
        suspend(&site, &format!("p{number}")).await;
    }
    h.run_jobs().await;
    let tried = server.fetched("/events");
    webhook.move_to(&site, &server.url("/other")).await;
    h.run_jobs().await;
    assert_eq!((server.fetched("/events"), server.fetched("/other")), (tried, 12 - tried));
}

#[tokio::test]
async fn a_receiver_is_given_up_after_the_days_of_the_deployment() {
    let (h, server) = with_receiver_and(&[("SVC_WEBHOOKS__DEACTIVATE_AFTER_DAYS", "1")]).await;
    let site = h.tenant("main").await;
    let webhook = Subscription::new(&site, &server.url("/events"), "tenant_user.suspended").await;
    server.answer_with("/events", "500 Internal Server Error", "");
    for (name, wait, is_active) in [("ada", 0, true), ("bob", 80_000, true), ("cy", 86_400, false)] {
        h.advance(wait);
        suspend(&site, name).await;
        let [_, events] = left_by(&h, h.run_jobs()).await;
        let is_told = events.contains(&"admin.webhook.deactivated".to_owned());
        assert_eq!(
            (&webhook.read(&site).await["active"], is_told),
            (&json!(is_active), !is_active),
            "{name}"
        );
    }
}
