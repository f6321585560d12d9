//! Events get their positions after their commit: without gaps, each once, and none is passed over.

use svc_core::events::RolesChanged;
use svc_core::{Cx, EventId, Seconds, TenantId, Timestamp};
use svc_db::Tx;
use svc_domain::log::positions::{self, BATCH, Filter, Positioned};
use svc_domain::log::{Action, Meaning, record};

use crate::world::World;

/// Records an event whose role is its name, at an instant of its own.
pub fn happen(tx: &mut Tx<svc_db::Tenant>, cx: &Cx, name: &str, at: i64) {
    let cx = Cx { now: cx.now + Seconds(at), ..cx.clone() };
    let event = RolesChanged { tenant_user_id: cx.id(), roles: vec![name.to_owned()] };
    record(tx, &cx, Meaning::done(Action::RolesChanged, "x").telling(event));
}

pub async fn sequence(world: &World) -> u64 {
    let mut tx = world.db.begin_system().await.unwrap();
    let done = positions::sequence(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    done
}

async fn after(world: &World, tenant: TenantId, position: i64) -> Vec<Positioned> {
    positions::after(&mut world.db.read(tenant).await.unwrap(), position, 1_000).await.unwrap()
}

fn names(events: &[Positioned]) -> Vec<(i64, String)> {
    let name = |event: &Positioned| {
        let envelope: serde_json::Value = serde_json::from_str(&event.envelope).unwrap();
        assert_eq!(envelope["id"], event.id.to_string());
        (event.position, envelope["data"]["roles"][0].as_str().unwrap_or(&event.event_type).to_owned())
    };
    events.iter().map(name).collect()
}

#[tokio::test]
async fn an_event_that_commits_late_is_not_passed_over() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    let start = after(&world, tenant, 0).await.last().unwrap().position;
    let mut late = world.db.begin(tenant).await.unwrap();
    happen(&mut late, &world.cx, "late", 1);
    let mut early = world.db.begin(tenant).await.unwrap();
    happen(&mut early, &world.cx, "early", 2);
    early.commit().await.unwrap();
    assert_eq!(sequence(&world).await, 1);
    assert_eq!(names(&after(&world, tenant, start).await), [(start + 1, "early".to_owned())]);
    late.commit().await.unwrap();
    assert_eq!(sequence(&world).await, 1);
    assert_eq!(names(&after(&world, tenant, start + 1).await), [(start + 2, "late".to_owned())]);
}

#[tokio::test]
async fn events_have_the_order_in_which_they_were_written_whenever_their_requests_came() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    let start = after(&world, tenant, 0).await.last().unwrap().position;
    let mut tx = world.db.begin(tenant).await.unwrap();
    (0..20).for_each(|number| happen(&mut tx, &world.cx, &number.to_string(), 5));
    tx.commit().await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    happen(&mut tx, &world.cx, "20", 1);
    tx.commit().await.unwrap();
    sequence(&world).await;
    let expected: Vec<_> = (0..=20).map(|number| (start + 1 + number, number.to_string())).collect();
    assert_eq!(names(&after(&world, tenant, start).await), expected);
}

#[tokio::test]
async fn what_was_written_first_comes_first_also_where_much_waits_and_the_clock_of_its_process_is_ahead() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    let start = after(&world, tenant, 0).await.last().unwrap().position;
    for (name, count, ahead) in [("first", 1, 60), ("later", BATCH + 1, 0)] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        (0..count).for_each(|_| happen(&mut tx, &world.cx, name, ahead));
        tx.commit().await.unwrap();
    }
    while sequence(&world).await > 0 {}
    let found = names(&after(&world, tenant, start).await);
    assert_eq!(found.len(), usize::try_from(BATCH).unwrap() + 2);
    assert_eq!(found[0], (start + 1, "first".to_owned()));
}

#[tokio::test]
async fn what_happened_since_a_time_is_found_though_a_later_event_was_committed_before() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    for (name, at) in [("later", 20), ("late", 10), ("before", 5), ("last", 9_000)] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        happen(&mut tx, &world.cx, name, at);
        tx.commit().await.unwrap();
        assert_eq!(sequence(&world).await, 1);
    }
    for (since, position, expected) in [
        (6, 0, &["later", "late", "last"][..]),
        (11, 0, &["later", "last"]),
        (5, 0, &["later", "late", "before", "last"]),
        (21, 0, &["last"]),
        (9_001, 0, &[]),
        (6, i64::MAX, &[]),
    ] {
        let filter = Filter { since: Some(world.cx.now + Seconds(since)), ..Filter::default() };
        let mut tx = world.db.read(tenant).await.unwrap();
        let (found, _) = positions::page(&mut tx, filter, (position, 100)).await.unwrap();
        let found: Vec<_> = names(&found).into_iter().map(|(_, name)| name).collect();
        assert_eq!(found, expected, "{since} {position}");
    }
}

#[tokio::test]
async fn a_filter_that_finds_few_leads_past_what_was_looked_at_and_no_event_that_commits_late() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    (0..3).for_each(|number| happen(&mut tx, &world.cx, &number.to_string(), number));
    tx.commit().await.unwrap();
    let mut late = world.db.begin(tenant).await.unwrap();
    happen(&mut late, &world.cx, "late", 0);
    sequence(&world).await;
    let page = async |types: &[&str], since: Option<Timestamp>, from: (i64, u32)| {
        let mut tx = world.db.read(tenant).await.unwrap();
        positions::page(&mut tx, Filter { types, since }, from).await.unwrap()
    };
    let events = after(&world, tenant, 0).await;
    let last = events.last().unwrap();
    let later = Some(world.cx.now + Seconds(900));
    assert_eq!(page(&["auth.logout"], None, (0, 10)).await, (Vec::new(), last.position));
    assert_eq!(page(&[], later, (0, 10)).await, (Vec::new(), last.position));
    let ours = last.event_type.as_str();
    for ours in [&[ours][..], &["auth.logout", ours]] {
        let full = page(ours, None, (0, 2)).await;
        assert_eq!((full.0.len(), full.1), (2, last.position - 1), "a full page ends with its last event");
        assert_eq!(page(ours, None, (last.position - 1, 2)).await, (vec![last.clone()], last.position));
        assert_eq!(page(ours, later, (0, 2)).await, (Vec::new(), last.position));
        assert_eq!(page(ours, None, (last.position + 5, 2)).await, (Vec::new(), last.position + 5));
    }
    late.commit().await.unwrap();
    sequence(&world).await;
    for ours in [&[ours][..], &["auth.logout", ours]] {
        let (found, position) = page(ours, None, (last.position, 10)).await;
        let expected = vec![(last.position + 1, "late".to_owned())];
        assert_eq!((names(&found), position), (expected, last.position + 1));
    }
}

#[tokio::test]
async fn tenants_have_positions_of_their_own() {
    let world = World::new().await;
    let (acme, globex) = (world.tenant("acme").await, world.tenant("globex").await);
    for (tenant, count) in [(acme, 3), (globex, 2)] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        (0..count).for_each(|number| happen(&mut tx, &world.cx, "x", number));
        tx.commit().await.unwrap();
    }
    sequence(&world).await;
    for tenant in [acme, globex] {
        let events = after(&world, tenant, 0).await;
        let positions: Vec<_> = events.iter().map(|event| event.position).collect();
        let all = i64::try_from(events.len()).unwrap();
        assert_eq!(positions, (1..=all).collect::<Vec<_>>());
        assert_eq!(positions::last(&mut world.db.read(tenant).await.unwrap()).await.unwrap(), all);
        assert!(events.iter().all(|event| event.envelope.contains(&tenant.to_string())));
    }
    assert_eq!(after(&world, acme, 0).await.len(), after(&world, globex, 0).await.len() + 1);
}

#[tokio::test]
async fn many_events_of_several_tenants_get_their_positions_in_few_statements_and_flights() {
    let world = World::new().await;
    let tenants = [world.tenant("acme").await, world.tenant("globex").await];
    while sequence(&world).await > 0 {}
    let mut starts = Vec::new();
    for tenant in tenants {
        starts.push(after(&world, tenant, 0).await.last().unwrap().position);
        let mut tx = world.db.begin(tenant).await.unwrap();
        (0..20).for_each(|number| happen(&mut tx, &world.cx, &number.to_string(), number));
        tx.commit().await.unwrap();
    }
    let before = world.db.counts();
    assert_eq!(sequence(&world).await, 40);
    let counts = world.db.counts();
    let (statements, flights) = (counts.statements - before.statements, counts.flights - before.flights);
    assert!(statements <= 7 && flights <= 3, "{counts:?} {before:?}");
    for (tenant, start) in tenants.into_iter().zip(starts) {
        let expected: Vec<_> = (0..20).map(|number| (start + 1 + number, number.to_string())).collect();
        assert_eq!(names(&after(&world, tenant, start).await), expected);
    }
}

#[tokio::test]
async fn of_several_sequencers_at_once_each_event_gets_one_position() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    let start = after(&world, tenant, 0).await.len();
    let many = usize::try_from(BATCH).unwrap() * 2;
    let writer = async {
        for number in 0..10 {
            let mut tx = world.db.begin(tenant).await.unwrap();
            (0..many / 10).for_each(|_| happen(&mut tx, &world.cx, "x", number));
            tx.commit().await.unwrap();
        }
    };
    let sequencer = async || {
        for _ in 0..8 {
            sequence(&world).await;
        }
    };
    tokio::join!(writer, sequencer(), sequencer());
    while sequence(&world).await > 0 {}
    let events = after(&world, tenant, i64::try_from(start).unwrap()).await;
    let more = after(&world, tenant, events.last().unwrap().position).await;
    let events: Vec<_> = events.into_iter().chain(more).collect();
    assert_eq!(events.len(), many);
    let ids: std::collections::BTreeSet<EventId> = events.iter().map(|event| event.id).collect();
    assert_eq!(ids.len(), many, "an event has two positions");
    let expected = (start + 1..).map(|position| i64::try_from(position).unwrap());
    assert!(
        events.iter().zip(expected).all(|(event, position)| event.position == position),
        "there is a gap"
    );
}
