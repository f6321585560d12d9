//! The one delivery queue: each delivery is claimed once, and what earlier versions queued is moved to it whole.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::{Cx, DeliveryKind, Id, MailId, Seconds, SetId, TenantId, Timestamp};
use svc_db::{Engine, System, SystemSql, Tx, Value, args, system_sql};
use svc_domain::delivery::logouts::Logout;
use svc_domain::delivery::mails::{self, Mail, NewMail};
use svc_domain::delivery::signals::{self, SecurityEvent, Wanted};
use svc_domain::delivery::{self, Delivery, New, Order, Queue, Schedule};
use svc_domain::people::standing;
use svc_keys::keyring::{Cell, Sealed, Sealer};
use svc_keys::{Keyring, Purpose};

use crate::world::World;

fn sealer(world: &World) -> Sealer {
    Keyring::ephemeral(&*world.cx.entropy, world.cx.now).sealer(Purpose::Messages)
}

fn mail(subject: &str) -> NewMail {
    NewMail {
        to: "ada@example.com".to_owned(),
        sender_name: None,
        subject: subject.to_owned(),
        text: format!("text of {subject}"),
        html: format!("<p>{subject}</p>"),
    }
}

async fn claim<Q: Queue>(world: &World, limit: u32) -> Vec<Delivery<Q>> {
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim(&mut tx, world.cx.now, limit).await.unwrap();
    tx.commit().await.unwrap();
    due
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_nodes_that_claim_at_once_each_gets_deliveries_of_its_own() {
    let world = World::new().await;
    let (tenant, sealer) = (world.tenant("acme").await, sealer(&world));
    let mut tx = world.db.begin(tenant).await.unwrap();
    for number in 0..40 {
        mails::enqueue(&mut tx, &world.cx, &sealer, mail(&number.to_string())).unwrap();
    }
    tx.commit().await.unwrap();
    let mut nodes = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (db, now) = (world.db.clone(), world.cx.now);
        nodes.spawn(async move {
            let mut tx = db.begin_system().await.unwrap();
            let due = delivery::claim::<Mail>(&mut tx, now, 10).await.unwrap();
            tx.commit().await.unwrap();
            due.into_iter().map(|due| due.id).collect::<Vec<_>>()
        });
    }
    let claimed = nodes.join_all().await;
    let mut sizes: Vec<_> = claimed.iter().map(Vec::len).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [0, 0, 0, 0, 10, 10, 10, 10], "none waits for another in vain");
    assert_eq!(claimed.iter().flatten().collect::<BTreeSet<_>>().len(), 40);
}

/// How much waits of each queue in a test of what a claim costs.
const WAITING: i64 = 300;

/// How many rows of a table the statements of this transaction have looked at.
async fn looked_at(tx: &mut Tx<System>, table: &str) -> i64 {
    let counted = system_sql!(
        "SELECT CAST(COALESCE(idx_tup_fetch, 0) + seq_tup_read AS BIGINT) AS rows FROM pg_stat_xact_user_tables \
         WHERE relname = $1 AND schemaname = current_schema()"
    );
    tx.one(counted, args![table]).await.unwrap().int("rows").unwrap()
}

/// How many deliveries a claim takes, and how many rows of a table it looks at for that.
async fn cost<Q: Queue>(world: &World, table: &str) -> (usize, i64) {
    let mut tx = world.db.begin_system().await.unwrap();
    let before = looked_at(&mut tx, table).await;
    let due = delivery::claim::<Q>(&mut tx, world.cx.now, 100).await.unwrap();
    (due.len(), looked_at(&mut tx, table).await - before)
}

#[tokio::test]
async fn a_claim_looks_at_what_waits_a_few_times_and_not_for_each_that_it_takes() {
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let (tenant, sealer) = (world.tenant("acme").await, sealer(&world));
    let app = world.app(tenant, "web").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    for number in 0..WAITING {
        mails::enqueue(&mut tx, &world.cx, &sealer, mail("Hello")).unwrap();
        let logout = Logout { app: app.id, sid: number.to_string(), subject: "ada".to_owned() };
        delivery::enqueue(&mut tx, &New::of(&world.cx, world.cx.id(), logout)).unwrap();
        let event = New::of(&world.cx, world.cx.id(), SecurityEvent::default());
        let (receiver, topic) = ((number % 2).to_string(), number.to_string());
        delivery::enqueue(&mut tx, &New { receiver, topic, ..event }).unwrap();
    }
    tx.commit().await.unwrap();
    for (queue, (taken, looked), expected) in [
        (Mail::QUEUE, cost::<Mail>(&world, "deliveries").await, 100),
        (Logout::QUEUE, cost::<Logout>(&world, "deliveries").await, 100),
        (SecurityEvent::QUEUE, cost::<SecurityEvent>(&world, "deliveries").await, 2),
    ] {
        assert_eq!(taken, expected, "{queue}");
        assert!(looked <= 16 * WAITING, "{queue}: {looked} rows for {taken}");
    }
}

#[tokio::test]
async fn a_claim_finds_the_receivers_once_also_where_little_waits_among_much_that_was_taken() {
    const RECEIVERS: i64 = 10;
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let tenant = world.tenant("acme").await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    for number in 0..700 {
        let (receiver, topic) = ((number % RECEIVERS).to_string(), format!("{number:03}"));
        let event = New::of(&world.cx, world.cx.id(), SecurityEvent::default());
        let event = New { receiver: receiver.clone(), topic: topic.clone(), ..event };
        delivery::enqueue(&mut tx, &event).unwrap();
        let event = New { receiver, topic, ..New::of(&world.cx, world.cx.id(), ByTopic) };
        delivery::enqueue(&mut tx, &event).unwrap();
    }
    tx.commit().await.unwrap();
    let take = "UPDATE deliveries SET state = 'taken', due_at = NULL WHERE topic < '600'";
    for text in [take, "ANALYZE deliveries"] {
        run(&world, text, &[]).await;
    }
    for (queue, (taken, looked), expected) in [
        (SecurityEvent::QUEUE, cost::<SecurityEvent>(&world, "tenants").await, 10),
        (ByTopic::QUEUE, cost::<ByTopic>(&world, "tenants").await, 80),
    ] {
        assert_eq!(taken, expected, "{queue}");
        assert!(looked <= RECEIVERS, "{queue}: {looked} tenants");
    }
}

#[tokio::test]
async fn what_is_claimed_together_comes_in_the_order_in_which_it_was_made() {
    let world = World::new().await;
    let (tenant, sealer) = (world.tenant("acme").await, sealer(&world));
    for number in [3, 1, 4, 0, 2] {
        let cx = Cx { now: world.cx.now - Seconds(number), ..world.cx.clone() };
        let mut tx = world.db.begin(tenant).await.unwrap();
        mails::enqueue(&mut tx, &cx, &sealer, mail(&number.to_string())).unwrap();
        tx.commit().await.unwrap();
    }
    let claimed = claim::<Mail>(&world, 10).await;
    let subjects: Vec<_> = claimed.iter().map(|due| mails::open(due, &sealer).unwrap().subject).collect();
    assert_eq!(subjects, ["4", "3", "2", "1", "0"]);
}

#[tokio::test]
async fn a_worker_gets_deliveries_of_its_own_queue_only() {
    let world = World::new().await;
    let (tenant, sealer) = (world.tenant("acme").await, sealer(&world));
    let app = world.app(tenant, "web").await;
    let logout = Logout { app: app.id, sid: "sid".to_owned(), subject: "ada".to_owned() };
    let mut tx = world.db.begin(tenant).await.unwrap();
    mails::enqueue(&mut tx, &world.cx, &sealer, mail("Hello")).unwrap();
    delivery::enqueue(&mut tx, &New::of(&world.cx, world.cx.id(), logout.clone())).unwrap();
    tx.commit().await.unwrap();
    assert!(claim::<SecurityEvent>(&world, 10).await.is_empty());
    let logouts = claim::<Logout>(&world, 10).await;
    assert_eq!(logouts.iter().map(|due| due.payload().unwrap()).collect::<Vec<_>>(), [logout]);
    assert_eq!(claim::<Mail>(&world, 10).await.len(), 1);
}

/// What goes by topic.
#[derive(Serialize, Deserialize)]
struct ByTopic;

impl Queue for ByTopic {
    type Kind = DeliveryKind;
    const QUEUE: &'static str = "by topic";
    const SCHEDULE: Schedule = Schedule::DAYS;
    const ORDER: Order = Order::ByTopic { at_once: 8 };
}

#[tokio::test]
async fn what_waits_for_a_suspended_tenant_is_claimed_when_it_is_active_again() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    for tenant in [acme, other] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        let event = New::of(&world.cx, world.cx.id(), SecurityEvent::default());
        delivery::enqueue(&mut tx, &New { receiver: "stream".to_owned(), ..event }).unwrap();
        let event = New::of(&world.cx, world.cx.id(), ByTopic);
        delivery::enqueue(&mut tx, &New { receiver: "hook".to_owned(), ..event }).unwrap();
        tx.commit().await.unwrap();
    }
    for (is_active, expected) in [(false, other), (true, acme)] {
        let mut tx = world.db.begin_system().await.unwrap();
        assert!(standing::set_tenant_active(&mut tx, &world.cx, acme, is_active).await.unwrap());
        tx.commit().await.unwrap();
        let in_turn = claim::<SecurityEvent>(&world, 10).await;
        let by_topic = claim::<ByTopic>(&world, 10).await;
        assert_eq!(in_turn.iter().map(|due| due.tenant).collect::<Vec<_>>(), [expected]);
        assert_eq!(by_topic.iter().map(|due| due.tenant).collect::<Vec<_>>(), [expected]);
    }
}

#[tokio::test]
async fn a_delivery_cannot_go_with_another_tenants_application() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let theirs = world.app(other, "web").await;
    let logout = Logout { app: theirs.id, sid: "sid".to_owned(), subject: "ada".to_owned() };
    let mut tx = world.db.begin(acme).await.unwrap();
    let new = New { app: Some(theirs.id), ..New::of(&world.cx, world.cx.id(), logout) };
    delivery::enqueue(&mut tx, &new).unwrap();
    assert!(tx.commit().await.is_err());
    assert!(claim::<Logout>(&world, 10).await.is_empty());
}

/// What waits in the tables of an earlier version.
struct Earlier {
    sealed: MailId,
    readable: MailId,
    event: SetId,
}

async fn run(world: &World, text: &'static str, arguments: &[Value]) {
    let mut tx = world.db.begin_system().await.unwrap();
    tx.execute(SystemSql::new(text), arguments).await.unwrap();
    tx.commit().await.unwrap();
}

async fn queue_as_earlier(world: &World, tenant: TenantId, sealer: &Sealer) -> Earlier {
    let cx = &world.cx;
    let earlier = Earlier { sealed: cx.id(), readable: cx.id(), event: cx.id() };
    let (text, record) = (tenant.to_string(), earlier.sealed.to_string());
    let cell = Cell { table: "mails", column: "content", tenant: &text, record: &record };
    let content = Sealed::new(&json!({ "text": "sealed", "html": "<p>" }), &cell, sealer, cx).unwrap();
    let mail = "INSERT INTO mails (tenant_id, id, recipient, subject, body_text, body_html, content, state, attempts, \
                due_at, created_at) VALUES ($1, $2, 'ada@example.com', 'Say \"hi\"', $3, '', $4, 'due', 1, $5, $5)";
    let made = cx.now - Seconds(60);
    run(world, mail, args![tenant, earlier.sealed, "", content.into_column(), made]).await;
    run(world, mail, args![tenant, earlier.readable, "readable", None::<Vec<u8>>, made]).await;
    let app = world.app(tenant, "web").await;
    let logout = "INSERT INTO logout_deliveries (tenant_id, id, app_id, sid, subject, state, failures, due_at, created_at) \
                  VALUES ($1, $2, $3, 'sid', 'ada', $4, 1, $5, $5)";
    run(world, logout, args![tenant, id::<DeliveryKind>(world), app.id, "due", made]).await;
    run(world, logout, args![tenant, id::<DeliveryKind>(world), app.id, "sent", made]).await;
    let wanted = Wanted {
        delivery: signals::Delivery::Push {
            endpoint_url: "https://receiver.example/".to_owned(),
            authorization_header: None,
        },
        events_requested: Vec::new(),
        description: None,
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    let stream = signals::create(&mut tx, cx, sealer, app.id, wanted).await.unwrap();
    tx.commit().await.unwrap();
    let event = "INSERT INTO signal_events (tenant_id, id, stream_id, about, payload, is_notice, state, failures, \
                 happened_at, due_at, created_at) VALUES ($1, $2, $3, 'ada', '{\"events\":{}}', $4, 'due', 1, $5, $5, $5)";
    run(world, event, args![tenant, earlier.event, stream.id, false, made]).await;
    earlier
}

fn id<K: svc_core::Kind>(world: &World) -> Id<K> {
    world.cx.id()
}

#[tokio::test]
async fn what_earlier_versions_queued_is_moved_whole_and_once() {
    let world = World::new().await;
    let (tenant, other, sealer) = (world.tenant("acme").await, world.tenant("other").await, sealer(&world));
    let earlier = queue_as_earlier(&world, tenant, &sealer).await;
    queue_as_earlier(&world, other, &sealer).await;
    let waiting = async || {
        let mut tx = world.db.read_system().await.unwrap();
        delivery::tenants_with_earlier(&mut tx).await.unwrap().into_iter().collect::<BTreeSet<_>>()
    };
    assert_eq!(waiting().await, [tenant, other].into());
    for moved in [4, 0] {
        let mut tx = world.db.begin(tenant).await.unwrap();
        assert_eq!(delivery::adopt(&mut tx, &world.cx, &sealer).await.unwrap(), moved);
        tx.commit().await.unwrap();
    }
    assert_eq!(waiting().await, [other].into());

    let mails: BTreeSet<_> = claim::<Mail>(&world, 10)
        .await
        .iter()
        .map(|due| {
            let mail = mails::open(due, &sealer).unwrap();
            (due.id, mail.to, mail.subject, mail.text)
        })
        .collect();
    let as_sent =
        |id, text: &str| (id, "ada@example.com".to_owned(), "Say \"hi\"".to_owned(), text.to_owned());
    assert_eq!(mails, [as_sent(earlier.sealed, "sealed"), as_sent(earlier.readable, "readable")].into());
    let logouts = claim::<Logout>(&world, 10).await;
    assert_eq!(logouts.len(), 1, "what was sent stays where it is");
    assert_eq!(logouts[0].payload().unwrap().subject, "ada");
    let events = claim::<SecurityEvent>(&world, 10).await;
    let made: Timestamp = world.cx.now - Seconds(60);
    assert_eq!(
        events.iter().map(|due| (due.id, due.created_at)).collect::<Vec<_>>(),
        [(earlier.event, made)]
    );
    let payload = serde_json::to_value(events[0].payload().unwrap()).unwrap();
    assert_eq!(payload, json!({ "events": {} }));
}
