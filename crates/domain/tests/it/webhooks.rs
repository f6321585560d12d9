//! Subscriptions get each event once, also when several nodes lead them along; what one has not got is not deleted.

use std::collections::BTreeSet;

use svc_core::{Cx, Seconds, SeededEntropy, TenantId, Timestamp, WebhookId};
use svc_db::{SystemSql, args};
use svc_domain::delivery::webhooks::{
    self, AT_ONCE, Attempted, Configuration, MOST_READY, NewWebhook, Noted, Webhook, WebhookDelivery,
};
use svc_domain::delivery::{self, Delivery, Held, Outcome, Room};
use svc_domain::sweep;
use svc_keys::keyring::Sealer;
use svc_keys::{Keyring, Purpose};

use crate::positions::{happen, sequence};
use crate::world::World;

const MONTH: Seconds = Seconds(30 * 86_400);

fn credentials(world: &World) -> Sealer {
    Keyring::ephemeral(&SeededEntropy::new(1), world.cx.now).sealer(Purpose::Credentials)
}

/// A subscription to what happens from now on.
async fn subscribe(world: &World, tenant: TenantId, event_type: &str) -> Webhook {
    while sequence(world).await > 0 {}
    subscribe_at_once(world, tenant, event_type).await
}

/// The same, while events may still wait for their positions.
async fn subscribe_at_once(world: &World, tenant: TenantId, event_type: &str) -> Webhook {
    let configuration = Configuration {
        url: "https://receiver.example/".to_owned(),
        event_types: vec![event_type.to_owned()],
        description: None,
    };
    let new = NewWebhook { configuration: &configuration, active: true, secret: None };
    let mut tx = world.db.begin(tenant).await.unwrap();
    let (webhook, secret) = webhooks::create(&mut tx, &world.cx, &credentials(world), new).await.unwrap();
    tx.commit().await.unwrap();
    assert!(secret.unwrap().starts_with("svc_whsec_"));
    webhook
}

/// Events happen to the tenant, and are put in order.
async fn happened(world: &World, tenant: TenantId, count: i64) {
    let mut tx = world.db.begin(tenant).await.unwrap();
    (0..count).for_each(|number| happen(&mut tx, &world.cx, &number.to_string(), number));
    tx.commit().await.unwrap();
    while sequence(world).await > 0 {}
}

async fn fan_out(world: &World, tenant: TenantId) -> u64 {
    let mut total = 0;
    loop {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let done = webhooks::fan_out(&mut tx, &world.cx).await.unwrap().events;
        tx.commit().await.unwrap();
        total += done;
        if done == 0 {
            return total;
        }
    }
}

async fn waiting(world: &World, webhook: WebhookId) -> i64 {
    let select = "SELECT COUNT(*) AS count FROM deliveries WHERE receiver = $1 AND state = 'due'";
    let mut tx = world.db.read_system().await.unwrap();
    tx.one(SystemSql::new(select), args![webhook]).await.unwrap().int("count").unwrap()
}

async fn events(world: &World) -> i64 {
    let select = "SELECT COUNT(*) AS count FROM events";
    let mut tx = world.db.read_system().await.unwrap();
    tx.one(SystemSql::new(select), args![]).await.unwrap().int("count").unwrap()
}

#[tokio::test]
async fn what_happened_before_a_subscription_is_not_its_own_although_it_gets_its_position_later() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    happen(&mut tx, &world.cx, "before", -1);
    tx.commit().await.unwrap();
    let webhook = subscribe_at_once(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, 1).await;
    fan_out(&world, tenant).await;
    assert_eq!(waiting(&world, webhook.id).await, 1);
}

#[tokio::test]
async fn a_range_of_time_is_sent_again_without_what_happened_at_other_times_and_was_committed_in_between() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    for at in [100, 40, 101, 160, 102] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        happen(&mut tx, &world.cx, "x", at);
        tx.commit().await.unwrap();
        while sequence(&world).await > 0 {}
    }
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    let range = (world.cx.now + Seconds(100), world.cx.now + Seconds(103));
    for replayed in [3, 6] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let events = webhooks::replay_range(&mut tx, &world.cx, &webhook, range).await.unwrap();
        tx.commit().await.unwrap();
        fan_out(&world, tenant).await;
        assert_eq!((events, waiting(&world, webhook.id).await), (3, replayed));
    }
}

#[tokio::test]
async fn two_workers_at_once_queue_each_event_once_for_each_subscription_that_asks_for_it() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (all, none) = (
        subscribe(&world, tenant, "tenant_user.*").await,
        subscribe(&world, tenant, "tenant_user.suspended").await,
    );
    happened(&world, tenant, MOST_READY).await;
    tokio::join!(fan_out(&world, tenant), fan_out(&world, tenant));
    assert_eq!((waiting(&world, all.id).await, waiting(&world, none.id).await), (MOST_READY, 0));
    let mut tx = world.db.read_system().await.unwrap();
    assert!(webhooks::tenants_behind(&mut tx, world.cx.now).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_a_receiver_does_not_take_waits_in_the_log_and_is_not_deleted_before_it_has_it() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, MOST_READY + 50).await;
    fan_out(&world, tenant).await;
    assert_eq!(waiting(&world, webhook.id).await, MOST_READY);
    let sweep = async || {
        loop {
            let later = world.cx.now + MONTH + Seconds(86_400);
            let swept = sweep::run(&world.db, &world.cx, later, MONTH).await.unwrap();
            if !swept.has_more {
                return;
            }
        }
    };
    sweep().await;
    assert_eq!(events(&world).await, 50, "what it has not got");
    // It takes what waits, and gets the rest.
    loop {
        let mut tx = world.db.begin_system().await.unwrap();
        let due = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now + Seconds(1), 64).await.unwrap();
        for delivery in &due {
            delivery::settle(&mut tx, &world.cx, delivery, Outcome::Taken);
        }
        tx.commit().await.unwrap();
        if due.is_empty() && fan_out(&world, tenant).await == 0 {
            break;
        }
    }
    assert_eq!(waiting(&world, webhook.id).await, 0);
    sweep().await;
    assert_eq!(events(&world).await, 0);
}

#[tokio::test]
async fn a_subscription_goes_on_at_once_only_where_it_has_room_for_what_is_left() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let lead = async || {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let led = webhooks::fan_out(&mut tx, &world.cx).await.unwrap();
        tx.commit().await.unwrap();
        (led.events, led.goes_on)
    };
    let _ = subscribe(&world, tenant, "tenant_user.suspended").await;
    happened(&world, tenant, 250).await;
    assert_eq!(lead().await, (200, true), "none of them was asked for");
    let (rest, goes_on) = lead().await;
    assert!(rest >= 50 && !goes_on, "{rest}");
    let _ = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, MOST_READY + 50).await;
    let (both, goes_on) = lead().await;
    assert!(both > 0 && !goes_on, "what is full waits until some is taken: {both}");
    assert_eq!(lead().await, (0, false));
}

#[tokio::test]
async fn many_subscriptions_are_led_along_in_few_flights() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let mut subscriptions = Vec::new();
    for _ in 0..8 {
        subscriptions.push(subscribe(&world, tenant, "tenant_user.*").await);
    }
    let lead = async || {
        happened(&world, tenant, 1).await;
        let before = world.db.counts().flights;
        let mut tx = world.db.begin(tenant).await.unwrap();
        let led = webhooks::fan_out(&mut tx, &world.cx).await.unwrap();
        tx.commit().await.unwrap();
        assert!(led.events >= 8 && !led.goes_on, "{led:?}");
        world.db.counts().flights - before
    };
    // Each began at another place of the log.
    let _ = lead().await;
    let flights = lead().await;
    assert!(flights < 8, "{flights}");
    for webhook in subscriptions {
        assert_eq!(waiting(&world, webhook.id).await, 2);
    }
}

#[tokio::test]
async fn a_receiver_has_few_places_and_what_is_about_one_subject_goes_out_in_order() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, 10).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let first = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    let second = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((first.len(), second.len()), (usize::try_from(AT_ONCE).unwrap(), 0));
    let mut tx = world.db.begin_system().await.unwrap();
    let same = SystemSql::new("UPDATE deliveries SET topic = 'one', due_at = created_at WHERE receiver = $1");
    tx.execute(same, args![webhook.id]).await.unwrap();
    let first = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(first.len(), 1);
    assert!(first[0].payload().unwrap().body.contains("\"roles\":[\"0\"]"));
}

/// The number of an event that happened to a tenant.
fn number(due: &Delivery<WebhookDelivery>) -> i64 {
    let body: serde_json::Value = serde_json::from_str(&due.payload().unwrap().body).unwrap();
    body["data"]["roles"][0].as_str().unwrap().parse().unwrap()
}

/// What four workers claim at once.
async fn claimed_at_once(world: &World, now: Timestamp) -> Vec<Delivery<WebhookDelivery>> {
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let db = world.db.clone();
        workers.spawn(async move {
            let mut tx = db.begin_system().await.unwrap();
            let due = delivery::claim::<WebhookDelivery>(&mut tx, now, 64).await.unwrap();
            tx.commit().await.unwrap();
            due
        });
    }
    workers.join_all().await.into_iter().flatten().collect()
}

/// The events of two subjects, the even and the odd ones, as a receiver takes them that refuses every third of them at first.
async fn taken_in_order(world: &World, webhook: &Webhook) -> Vec<i64> {
    let subjects = "UPDATE deliveries SET topic = CASE WHEN happened_at % 2 = 0 THEN 'even' ELSE 'odd' END \
                    WHERE receiver = $1 AND state = 'due'";
    let mut tx = world.db.begin_system().await.unwrap();
    tx.execute(SystemSql::new(subjects), args![webhook.id]).await.unwrap();
    tx.commit().await.unwrap();
    let (mut now, mut taken) = (world.cx.now, Vec::new());
    while waiting(world, webhook.id).await > 0 {
        // The longest wait after a first failure, and a lease.
        now = now + Seconds(300);
        let claimed = claimed_at_once(world, now).await;
        let about: BTreeSet<_> = claimed.iter().map(|due| number(due) % 2).collect();
        assert!(!claimed.is_empty() && about.len() == claimed.len(), "one of each subject at a time");
        let mut tx = world.db.begin_system().await.unwrap();
        for due in &claimed {
            let fails = number(due) % 3 == 0 && due.failures == 0;
            let cx = Cx { now, ..world.cx.clone() };
            delivery::settle(&mut tx, &cx, due, if fails { Outcome::Busy(None) } else { Outcome::Taken });
            taken.extend((!fails).then(|| number(due)));
        }
        tx.commit().await.unwrap();
    }
    taken
}

#[tokio::test(flavor = "multi_thread")]
async fn events_of_one_subject_come_in_their_order_with_retries_several_workers_and_a_replay() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, 12).await;
    let of = |taken: &[i64], subject: i64| -> Vec<i64> {
        taken.iter().copied().filter(|number| number % 2 == subject).collect()
    };
    for is_replay in [false, true] {
        if is_replay {
            let range = (world.cx.now - Seconds(1), world.cx.now + Seconds(60));
            let mut tx = world.db.begin(tenant).await.unwrap();
            webhooks::replay_range(&mut tx, &world.cx, &webhook, range).await.unwrap();
            tx.commit().await.unwrap();
        }
        fan_out(&world, tenant).await;
        let taken = taken_in_order(&world, &webhook).await;
        assert_eq!(of(&taken, 0), [0, 2, 4, 6, 8, 10], "{is_replay}");
        assert_eq!(of(&taken, 1), [1, 3, 5, 7, 9, 11], "{is_replay}");
    }
}

#[tokio::test]
async fn where_there_is_little_room_each_receiver_gets_as_much_of_it_however_long_others_have_waited() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let slow = subscribe(&world, tenant, "tenant_user.*").await;
    let other = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, AT_ONCE).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let earlier = SystemSql::new("UPDATE deliveries SET due_at = due_at - 1 WHERE receiver = $1");
    tx.execute(earlier, args![slow.id]).await.unwrap();
    let claimed = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 4).await.unwrap();
    let of = |webhook: &Webhook| claimed.iter().filter(|due| due.receiver == webhook.id.to_string()).count();
    assert_eq!((of(&slow), of(&other)), (2, 2));
    // What is under way keeps its places: the next are those of the receiver with less of it.
    let more =
        SystemSql::new("UPDATE deliveries SET due_at = created_at, leased_until = NULL WHERE receiver = $1");
    tx.execute(more, args![other.id]).await.unwrap();
    let claimed = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 2).await.unwrap();
    assert!(claimed.iter().all(|due| due.receiver == other.id.to_string()));
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_tenant_gets_its_share_of_the_room_and_what_has_enough_under_way_gets_nothing() {
    let world = World::new().await;
    let (loud, quiet) = (world.tenant("loud").await, world.tenant("quiet").await);
    let mut of_loud = Vec::new();
    for _ in 0..4 {
        of_loud.push(subscribe(&world, loud, "tenant_user.*").await);
    }
    let of_quiet = subscribe(&world, quiet, "tenant_user.*").await;
    for (tenant, count) in [(loud, AT_ONCE), (quiet, 2)] {
        happened(&world, tenant, count).await;
        fan_out(&world, tenant).await;
    }
    let busy = of_loud[0].id;
    let enough = format!("{loud}/{busy} ");
    let mut tx = world.db.begin_system().await.unwrap();
    for (of_one, without, expected) in
        [(8, String::new(), [8, 2]), (16, format!("{loud} "), [0, 0]), (16, enough, [16, 0])]
    {
        let room = Room { most: 16, of_one, without: without.clone() };
        let claimed = delivery::claim_within::<WebhookDelivery>(&mut tx, world.cx.now, &room).await.unwrap();
        let of = |tenant: TenantId| claimed.iter().filter(|due| due.tenant == tenant).count();
        assert_eq!([of(loud), of(quiet)], expected, "{without}");
        assert!(without.is_empty() || claimed.iter().all(|due| due.receiver != busy.to_string()));
    }
    tx.commit().await.unwrap();
    assert_eq!(waiting(&world, of_quiet.id).await, 2);
}

#[tokio::test]
async fn attempts_that_failed_are_written_down_together_with_the_commit() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, AT_ONCE).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let failed = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    let before = world.db.counts().flights;
    for due in &failed {
        delivery::settle(&mut tx, &world.cx, due, Outcome::Busy(None));
    }
    tx.commit().await.unwrap();
    assert_eq!(
        world.db.counts().flights - before,
        1,
        "the receiver is held for no longer than for one of them"
    );
    let again =
        SystemSql::new("SELECT COUNT(*) AS count FROM deliveries WHERE receiver = $1 AND failures = 1");
    let mut tx = world.db.read_system().await.unwrap();
    assert_eq!(tx.one(again, args![webhook.id]).await.unwrap().int("count").unwrap(), AT_ONCE);
}

#[tokio::test]
async fn what_comes_again_has_few_places_too_and_takes_none_while_it_waits() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, 3 * AT_ONCE).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let failed =
        SystemSql::new("UPDATE deliveries SET failures = 1, due_at = created_at WHERE receiver = $1");
    tx.execute(failed, args![webhook.id]).await.unwrap();
    let places = usize::try_from(AT_ONCE).unwrap();
    let first = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    let more = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    assert_eq!((first.len(), more.len()), (places, 0));
    // Those that have failed once more wait for minutes, and the next have their places.
    for due in &first[1..] {
        delivery::settle(&mut tx, &world.cx, due, Outcome::Busy(None));
    }
    let next = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    assert_eq!(next.len(), places - 1);
    let more = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    assert_eq!(more.len(), 0);
    // A worker that died has them no longer when their lease is over.
    let later = world.cx.now + Seconds(3_600);
    let all = delivery::claim::<WebhookDelivery>(&mut tx, later, 64).await.unwrap();
    assert_eq!(all.len(), places);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_attempt_whose_subscription_was_deleted_meanwhile_has_nothing_to_be_written_down_at() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, 1).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    assert_eq!(webhooks::hold(&mut tx, &due[0]).await.unwrap(), Held::Well);
    tx.commit().await.unwrap();
    let mut tx = world.db.begin(tenant).await.unwrap();
    webhooks::delete(&mut tx, &world.cx, webhook.id).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.db.begin_system().await.unwrap();
    assert_eq!(webhooks::hold(&mut tx, &due[0]).await.unwrap(), Held::Gone);
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn what_is_taken_together_is_over_and_nothing_else_is() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (one, other) =
        (subscribe(&world, tenant, "tenant_user.*").await, subscribe(&world, tenant, "tenant_user.*").await);
    happened(&world, tenant, AT_ONCE).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(due.len(), 16);
    let due: Vec<_> = due.iter().collect();
    for (taken, left) in [(0..0, 16), (0..9, 7), (9..10, 6), (9..10, 6), (10..16, 0)] {
        let mut tx = world.db.begin_system().await.unwrap();
        delivery::taken(&mut tx, &due[taken]);
        tx.commit().await.unwrap();
        assert_eq!(waiting(&world, one.id).await + waiting(&world, other.id).await, left);
    }
}

#[tokio::test]
async fn a_failure_after_a_long_silence_is_the_first_of_its_days() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let webhook = subscribe(&world, tenant, "tenant_user.*").await;
    happened(&world, tenant, 1).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<WebhookDelivery>(&mut tx, world.cx.now, 64).await.unwrap();
    let hour = 3_600;
    for (at, since) in [(0, 0), (29 * hour, 0), (60 * hour, 60 * hour), (80 * hour, 60 * hour)] {
        let cx = Cx { now: world.cx.now + Seconds(at), ..world.cx.clone() };
        let attempted = Attempted {
            at: cx.now,
            took_ms: 1,
            status: Some(503),
            answer: String::new(),
            signatures: None,
            answer_headers: None,
        };
        let noted = Noted { due: &due[0], outcome: Outcome::Busy(None), attempted: &attempted };
        let held = webhooks::hold(&mut tx, &due[0]).await.unwrap();
        assert_eq!(held, if at == 0 { Held::Well } else { Held::Failing });
        let deactivated = webhooks::note(&mut tx, &cx, (held, &[noted]), Seconds(5 * 86_400)).await.unwrap();
        assert_eq!(deactivated, None);
        let failing = SystemSql::new("SELECT failing_since FROM webhooks WHERE id = $1");
        let row = tx.one(failing, args![webhook.id]).await.unwrap();
        assert_eq!(row.time("failing_since").unwrap(), world.cx.now + Seconds(since), "{at}");
    }
}
