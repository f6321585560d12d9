//! A process that is killed while it delivers events to a webhook: every event arrives, and what arrives twice has the same delivery id.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use svc_db::{SystemSql, args};

use super::{Ledger, rounds};
use crate::harness::publisher::Publisher;
use crate::process::person::SEED;
use crate::process::{Place, eventually};
use crate::webhooks::{header, verified};

const SECRET: &str = "5f0c8a7be2d94c61b3e7a8f4c0d1927ee4a6b8d2f90c1735ab6d4e8f70913c2b";
const PATH: &str = "/events";
/// What the receiver waits for before it answers anything.
const ANSWER: &str = "/answer";

/// The ids of the events that the subscription asks for.
async fn happened(place: &Place) -> BTreeSet<String> {
    let select = SystemSql::new(
        "SELECT payload FROM (SELECT type, payload FROM outbox UNION ALL SELECT type, payload FROM events) recorded \
         WHERE type LIKE 'auth.%'",
    );
    let mut tx = place.database.db.read_system().await.unwrap();
    let rows = tx.all(select, args![]).await.unwrap();
    let id =
        |payload: String| serde_json::from_str::<Value>(&payload).unwrap()["id"].as_str().unwrap().to_owned();
    rows.iter().map(|row| id(row.text("payload").unwrap())).collect()
}

/// The delivery ids with which each event came.
fn arrived(receiver: &Publisher) -> BTreeMap<String, BTreeSet<String>> {
    let mut arrived = BTreeMap::<_, BTreeSet<_>>::new();
    for posted in receiver.requests(PATH) {
        let event = verified(&posted, &[SECRET])["id"].as_str().unwrap().to_owned();
        arrived.entry(event).or_default().insert(header(&posted, "x-svc-delivery").to_owned());
    }
    arrived
}

/// How many deliveries wait.
async fn waiting(place: &Place) -> i64 {
    let select =
        SystemSql::new("SELECT count(*) AS n FROM deliveries WHERE queue = 'webhooks' AND state = 'due'");
    let mut tx = place.database.db.read_system().await.unwrap();
    tx.one(select, args![]).await.unwrap().int("n").unwrap()
}

/// What a process had claimed when it died is claimed again, as after its lease.
async fn leases_end(place: &Place) {
    let update = SystemSql::new(
        "UPDATE deliveries SET due_at = 1 WHERE queue = 'webhooks' AND state = 'due' AND due_at IS NOT NULL",
    );
    let mut tx = place.database.db.begin_system().await.unwrap();
    tx.execute(update, args![]).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn no_event_is_lost_and_no_delivery_changes_its_id_when_the_process_dies_while_it_delivers() {
    let receiver = Publisher::start().await;
    receiver.answer_with(PATH, "204 No Content", "");
    receiver.answer_with(ANSWER, "204 No Content", "");
    receiver.answer_after(PATH, ANSWER);
    let mut place = Place::migrated().await;
    place.set("SVC_SECURITY__OUTBOUND_ALLOW_LOOPBACK", "true");
    let webhook = format!(
        "[[tenant.webhook]]\nurl = \"{}\"\nevent_types = [\"auth.*\"]\nsecret = \"{SECRET}\"\n",
        receiver.url(PATH)
    );
    place.populate(&format!("{SEED}\n{webhook}")).await;
    let mut ledger = Ledger::of("The process is killed while events are delivered");
    let mut service = place.serve().await;
    for _ in 0..rounds(4) {
        let mut ada = place.ada(service.address).await;
        for _ in 0..6 {
            let _ = ada.refresh_token().await;
        }
        // What concerns one person is delivered one by one.
        let before = receiver.requests(PATH).len();
        eventually("a delivery is under way", || async { receiver.requests(PATH).len() > before }).await;
        service.kill().await;
        leases_end(&place).await;
        service = place.serve().await;
        ledger.add("times", 1);
    }
    receiver.ask(ANSWER);
    eventually("everything has arrived", || async {
        let (happened, arrived) = (happened(&place).await, arrived(&receiver));
        happened.iter().all(|event| arrived.contains_key(event)) && waiting(&place).await == 0
    })
    .await;
    let (happened, arrived) = (happened(&place).await, arrived(&receiver));
    assert!(happened.len() > 6, "{happened:?}");
    assert!(
        arrived.keys().all(|event| happened.contains(event)),
        "an event that did not happen: {arrived:?}"
    );
    for (event, deliveries) in &arrived {
        assert_eq!(deliveries.len(), 1, "{event} came with other delivery ids: {deliveries:?}");
    }
    ledger.add("events delivered", arrived.len());
    ledger.add("deliveries repeated with the same id", receiver.requests(PATH).len() - arrived.len());
    ledger.add("events lost", 0);
}
