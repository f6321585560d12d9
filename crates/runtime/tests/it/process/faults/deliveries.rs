//! A process that is killed while it delivers events: each that was acknowledged reaches its receiver, and comes again only as the
//! same delivery (F1).

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use serde_json::json;
use svc_db::SystemSql;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::{Ledger, rounds};
use crate::backchannel_logout::LOOPBACK;
use crate::harness::Answer;
use crate::harness::publisher::Publisher;
use crate::process::person::{MACHINE, SEED, machine_token};
use crate::process::{Place, eventually, request};
use crate::webhooks::{header, verified};

const AT_ONCE: usize = 8;

#[tokio::test]
async fn an_event_that_was_acknowledged_is_delivered_whenever_the_process_dies() {
    let receiver = Publisher::start().await;
    receiver.answer_with("/events", "200 OK", "");
    let mut place = Place::migrated().await;
    place.set(LOOPBACK.0, LOOPBACK.1);
    let manages =
        "type = \"machine\"\naudience = \"urn:svc:management-api\"\nscope = \"groups:write webhooks:write\"";
    place.populate(&[SEED, &MACHINE.replace("type = \"machine\"", manages)].concat()).await;
    let mut ledger = Ledger::of("The process is killed while events are delivered");
    let mut service = place.serve().await;
    let token = machine_token(service.address).await;
    let subscription = json!({ "url": receiver.url("/events"), "event_types": ["admin.group.created"] });
    let made =
        post(service.address, &token, "/api/v1/webhooks", &subscription).await.unwrap().expect(201).json();
    let secret = made["secret"].as_str().unwrap();
    let mut acknowledged = BTreeSet::new();
    for round in 0..rounds(5) {
        let (sender, mut answered) = mpsc::unbounded_channel();
        let creators = create(service.address, &token, (round, &sender));
        for _ in 0..AT_ONCE + round % 10 * 7 {
            answered.recv().await;
        }
        service.kill().await;
        acknowledged.extend(creators.join_all().await.into_iter().flatten());
        let_leases_end(&place).await;
        service = place.serve().await;
        ledger.add("times", 1);
    }
    eventually("every event that was acknowledged is delivered", || async {
        received(&receiver, secret).keys().cloned().collect::<BTreeSet<_>>().is_superset(&acknowledged)
    })
    .await;
    let received = received(&receiver, secret);
    for (group, deliveries) in &received {
        assert_eq!(deliveries.iter().collect::<BTreeSet<_>>().len(), 1, "{group} came as several deliveries");
        ledger.add("deliveries repeated under their id", deliveries.len() - 1);
    }
    ledger.add("events acknowledged", acknowledged.len());
    ledger.add("acknowledged and lost", 0);
}

/// Posts a document to an API; nothing where the answer was lost.
pub async fn post(address: SocketAddr, token: &str, path: &str, body: &serde_json::Value) -> Option<Answer> {
    let bearer = format!("Bearer {token}");
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    request(address, &format!("POST {path}"), &headers, &body.to_string()).await
}

/// Each creates groups until the process is gone; the ids of those that were acknowledged.
fn create(
    address: SocketAddr,
    token: &str,
    (round, answered): (usize, &mpsc::UnboundedSender<()>),
) -> JoinSet<Vec<String>> {
    let mut creators = JoinSet::new();
    for creator in 0..AT_ONCE {
        let (token, answered) = (token.to_owned(), answered.clone());
        creators.spawn(async move {
            let mut ids = Vec::new();
            loop {
                let name = format!("Group {round} {creator} {}", ids.len());
                let body = json!({ "name": name, "roles": [] });
                let Some(answer) = post(address, &token, "/api/v1/groups", &body).await else { return ids };
                let created = answer.expect(201).json();
                ids.push(created["id"].as_str().unwrap().to_owned());
                let _ = answered.send(());
            }
        });
    }
    creators
}

/// The ids of the deliveries that came, by the group whose creation they tell; each was signed.
fn received(receiver: &Publisher, secret: &str) -> BTreeMap<String, Vec<String>> {
    let mut received = BTreeMap::<_, Vec<_>>::new();
    for posted in receiver.requests("/events") {
        let event = verified(&posted, &[secret]);
        let group = event["data"]["group_id"].as_str().unwrap().to_owned();
        received.entry(group).or_default().push(header(&posted, "x-svc-delivery").to_owned());
    }
    received
}

/// As if the two minutes were over for which the process that died had claimed what it was delivering.
async fn let_leases_end(place: &Place) {
    let mut tx = place.database.db.begin_system().await.unwrap();
    let update = SystemSql::new(
        "UPDATE deliveries SET due_at = created_at WHERE state = 'due' AND due_at IS NOT NULL",
    );
    tx.execute(update, &[]).await.unwrap();
    tx.commit().await.unwrap();
}
