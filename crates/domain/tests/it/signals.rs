//! Causes become events once, also when several nodes take them; a stream that is not emptied is paused.

use serde_json::json;
use svc_core::{AppId, Class, Error, Secret, SeededEntropy, StreamId, TenantId};
use svc_db::{SystemSql, args};
use svc_domain::delivery::signals::{
    self, Authorization, Delivery, MOST_STREAMS, MOST_WAITING, SUPPORTED, SecurityEvent, Status, Stream,
    Wanted,
};
use svc_domain::delivery::{self, New, Outcome};
use svc_domain::people::tenant_users::{self, Person};
use svc_keys::keyring::Sealer;
use svc_keys::{Keyring, Purpose};

use crate::world::{World, meanwhile, rules};

fn credentials(world: &World) -> Sealer {
    Keyring::ephemeral(&SeededEntropy::new(1), world.cx.now).sealer(Purpose::Credentials)
}

const ISSUER: Option<&str> = Some("https://id.example");

async fn receiver(world: &World, tenant: TenantId) -> AppId {
    let mut tx = world.db.begin(tenant).await.unwrap();
    let configuration = json!({ "name": "gate", "first_party": true });
    let configuration = serde_json::from_value(configuration).unwrap();
    let digest = Some(svc_keys::digest("secret"));
    let app = svc_domain::apps::create(
        &mut tx,
        &world.cx,
        &rules(),
        "gate",
        svc_domain::apps::NewApp { configuration: &configuration, secret: digest },
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    app.id
}

fn pushed() -> Wanted {
    Wanted {
        delivery: Delivery::Push {
            endpoint_url: "https://receiver.example/".to_owned(),
            authorization_header: None,
        },
        events_requested: SUPPORTED.iter().map(|event| (*event).to_owned()).collect(),
        description: None,
    }
}

async fn stream(world: &World, tenant: TenantId, app: AppId) -> Stream {
    let mut tx = world.db.begin(tenant).await.unwrap();
    let stream = signals::create(&mut tx, &world.cx, &credentials(world), app, pushed()).await.unwrap();
    tx.commit().await.unwrap();
    stream
}

async fn cause(world: &World, tenant: TenantId, person: &Person) {
    let mut tx = world.db.begin(tenant).await.unwrap();
    tenant_users::end_access(&mut tx, &world.cx, person).await.unwrap();
    tx.commit().await.unwrap();
}

async fn fan_out(world: &World, tenant: TenantId) -> u64 {
    let mut tx = world.db.begin(tenant).await.unwrap();
    let done = signals::fan_out(&mut tx, &world.cx, ISSUER).await.unwrap();
    tx.commit().await.unwrap();
    done
}

async fn count(world: &World, statement: &'static str) -> i64 {
    let mut tx = world.db.read_system().await.unwrap();
    tx.one(SystemSql::new(statement), args![]).await.unwrap().int("count").unwrap()
}

async fn found(world: &World, tenant: TenantId, app: AppId, id: StreamId) -> Stream {
    let mut tx = world.db.read(tenant).await.unwrap();
    signals::find(&mut tx, app, id).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_nodes_take_causes_each_is_told_once_to_each_stream() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    stream(&world, tenant, app).await;
    stream(&world, tenant, app).await;
    let person = world.person(tenant, "ada").await;
    for _ in 0..20 {
        cause(&world, tenant, &person).await;
    }
    let mut nodes = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let (db, cx) = (world.db.clone(), world.cx.clone());
        nodes.spawn(async move {
            let mut tx = db.begin(tenant).await.unwrap();
            let done = signals::fan_out(&mut tx, &cx, ISSUER).await.unwrap();
            tx.commit().await.unwrap();
            done
        });
    }
    assert_eq!(nodes.join_all().await.iter().sum::<u64>(), 20);
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM deliveries").await, 40);
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM outbox WHERE type = 'signal'").await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_streams_that_are_made_at_once_one_is_the_last_for_which_there_is_room() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    for _ in 1..MOST_STREAMS {
        stream(&world, tenant, app).await;
    }
    let mut tx = world.db.begin(tenant).await.unwrap();
    signals::create(&mut tx, &world.cx, &credentials(&world), app, pushed()).await.unwrap();
    let (db, cx, sealer) = (world.db.clone(), world.cx.clone(), credentials(&world));
    let second = async move {
        let mut tx = db.begin(tenant).await?;
        signals::create(&mut tx, &cx, &sealer, app, pushed()).await?;
        tx.commit().await
    };
    let refused = meanwhile(&world.db, tx, second).await;
    assert_eq!(refused.as_ref().map_err(Error::class), Err(Class::Conflict), "{refused:?}");
}

#[tokio::test]
async fn a_cause_that_only_a_newer_version_understands_waits_for_it_and_stops_no_other() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    stream(&world, tenant, app).await;
    let person = world.person(tenant, "ada").await;
    let newer =
        json!({ "at": 0, "initiating_entity": null, "reason": "", "what": { "of_a_newer_version": {} } });
    let mut tx = world.db.begin_system().await.unwrap();
    for (id, kind) in [("evt_1", "signal"), ("evt_2", "signal_everywhere")] {
        let insert =
            "INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, $3, $4, $5)";
        let arguments = args![tenant, id, kind, newer.to_string(), world.cx.now];
        tx.execute(SystemSql::new(insert), arguments).await.unwrap();
    }
    assert_eq!(signals::spread(&mut tx, &world.cx).await.unwrap(), 0);
    tx.commit().await.unwrap();
    cause(&world, tenant, &person).await;
    assert_eq!(fan_out(&world, tenant).await, 1);
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM deliveries").await, 1);
    let left = "SELECT COUNT(*) AS count FROM outbox WHERE id IN ('evt_1', 'evt_2')";
    assert_eq!(count(&world, left).await, 2);
}

#[tokio::test]
async fn a_cause_that_commits_late_is_told_all_the_same() {
    let world = World::new().await;
    if world.db.engine() == svc_db::Engine::Sqlite {
        return; // One writer at a time: nothing commits late.
    }
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    stream(&world, tenant, app).await;
    let (ada, bob) = (world.person(tenant, "ada").await, world.person(tenant, "bob").await);
    let mut late = world.db.begin(tenant).await.unwrap();
    tenant_users::end_access(&mut late, &world.cx, &ada).await.unwrap();
    cause(&world, tenant, &bob).await;
    assert_eq!(fan_out(&world, tenant).await, 1);
    late.commit().await.unwrap();
    assert_eq!(fan_out(&world, tenant).await, 1);
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM deliveries").await, 2);
}

#[tokio::test]
async fn a_tenant_without_an_issuer_notifies_no_one_and_keeps_nothing() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    stream(&world, tenant, app).await;
    cause(&world, tenant, &world.person(tenant, "ada").await).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    assert_eq!(signals::fan_out(&mut tx, &world.cx, None).await.unwrap(), 1);
    tx.commit().await.unwrap();
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM deliveries").await, 0);
    assert_eq!(fan_out(&world, tenant).await, 0);
}

#[tokio::test]
async fn a_stream_that_is_full_is_paused_and_says_so() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    let full = stream(&world, tenant, app).await;
    let person = world.person(tenant, "ada").await;
    cause(&world, tenant, &person).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin_system().await.unwrap();
    let copy = SystemSql::new(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) \
         INSERT INTO deliveries (tenant_id, id, queue, app_id, receiver, topic, payload, is_notice, state, failures, \
         happened_at, due_at, created_at) SELECT e.tenant_id, e.id || n.i, e.queue, e.app_id, e.receiver, e.topic, \
         e.payload, e.is_notice, e.state, e.failures, e.happened_at, e.due_at, e.created_at FROM deliveries e, n",
    );
    tx.execute(copy, args![]).await.unwrap();
    tx.commit().await.unwrap();
    for _ in 0..3 {
        cause(&world, tenant, &person).await;
        assert_eq!(fan_out(&world, tenant).await, 1);
    }
    let stream = found(&world, tenant, app, full.id).await;
    assert_eq!(stream.status, Status::Paused);
    assert!(stream.reason.unwrap().starts_with("10000 events wait"));
    assert_eq!(
        count(&world, "SELECT COUNT(*) AS count FROM deliveries").await,
        MOST_WAITING + 1,
        "nothing but the notice came in"
    );
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<SecurityEvent>(&mut tx, world.cx.now, 10).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(due.len(), 1, "only the notice goes out");
    let payload = serde_json::to_value(due[0].payload().unwrap()).unwrap();
    let expected = json!({
        "sub_id": { "format": "opaque", "id": full.id },
        "events": { "https://schemas.openid.net/secevent/ssf/event-type/stream-updated": {
            "status": "paused", "reason": "10000 events wait; later ones are not kept.",
        } },
    });
    assert_eq!(payload, expected);
}

#[tokio::test]
async fn a_stream_that_goes_takes_what_waits_along() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let app = receiver(&world, tenant).await;
    let (gone, kept) = (stream(&world, tenant, app).await, stream(&world, tenant, app).await);
    cause(&world, tenant, &world.person(tenant, "ada").await).await;
    fan_out(&world, tenant).await;
    let mut tx = world.db.begin(tenant).await.unwrap();
    signals::delete(&mut tx, &world.cx, app, gone.id).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<SecurityEvent>(&mut tx, world.cx.now, 10).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(due.iter().map(|due| due.receiver.clone()).collect::<Vec<_>>(), [kept.id.to_string()]);
    let mut tx = world.db.begin(tenant).await.unwrap();
    svc_domain::apps::delete(&mut tx, &world.cx, app).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(count(&world, "SELECT COUNT(*) AS count FROM deliveries").await, 0);
}

#[tokio::test]
async fn a_stream_cannot_belong_to_another_tenants_application() {
    let world = World::new().await;
    let (acme, other) = (world.tenant("acme").await, world.tenant("other").await);
    let theirs = receiver(&world, other).await;
    let wanted = Wanted { delivery: Delivery::Poll, events_requested: Vec::new(), description: None };
    let mut tx = world.db.begin(acme).await.unwrap();
    assert!(signals::create(&mut tx, &world.cx, &credentials(&world), theirs, wanted).await.is_err());
    drop(tx);
    let stream = stream(&world, other, theirs).await;
    let mut tx = world.db.begin(acme).await.unwrap();
    assert!(signals::find(&mut tx, theirs, stream.id).await.unwrap().is_none());
    assert!(signals::delete(&mut tx, &world.cx, theirs, stream.id).await.is_err());
}

/// Both columns of the only stream.
async fn stored_header(world: &World) -> (Option<String>, Option<Vec<u8>>) {
    let mut tx = world.db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT authorization_header, sealed_authorization FROM signal_streams");
    let row = tx.one(select, args![]).await.unwrap();
    (row.maybe_text("authorization_header").unwrap(), row.maybe_bytes("sealed_authorization").unwrap())
}

#[tokio::test]
async fn the_authorization_of_a_receiver_is_sealed_at_rest_also_where_an_earlier_version_left_it_readable() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let (app, sealer) = (receiver(&world, tenant).await, credentials(&world));
    let given = Authorization::Given(Secret::new("Bearer of-the-receiver"));
    let push = |header| Delivery::Push {
        endpoint_url: "https://receiver.example/".to_owned(),
        authorization_header: header,
    };
    let wanted = Wanted { delivery: push(Some(given)), ..pushed() };
    let mut tx = world.db.begin(tenant).await.unwrap();
    let made = signals::create(&mut tx, &world.cx, &sealer, app, wanted).await.unwrap();
    tx.commit().await.unwrap();
    assert_sealed(&stored_header(&world).await);
    assert_eq!(header_sent(&world, tenant, made.id, &sealer).await, "Bearer of-the-receiver");

    let mut tx = world.db.begin_system().await.unwrap();
    let as_earlier =
        "UPDATE signal_streams SET authorization_header = 'Bearer earlier', sealed_authorization = NULL";
    tx.execute(SystemSql::new(as_earlier), args![]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(header_sent(&world, tenant, made.id, &sealer).await, "Bearer earlier");
    for streams in [1, 0] {
        let waiting =
            signals::tenants_with_readable(&mut world.db.read_system().await.unwrap()).await.unwrap();
        assert_eq!(waiting.len(), usize::try_from(streams).unwrap());
        let mut tx = world.db.begin(tenant).await.unwrap();
        assert_eq!(signals::seal_readable(&mut tx, &world.cx, &sealer).await.unwrap(), streams);
        tx.commit().await.unwrap();
    }
    assert_sealed(&stored_header(&world).await);
    assert_eq!(header_sent(&world, tenant, made.id, &sealer).await, "Bearer earlier");

    let present = found(&world, tenant, app, made.id).await;
    let renamed = Wanted { description: Some("gate".to_owned()), ..present.wanted.clone() };
    let mut tx = world.db.begin(tenant).await.unwrap();
    signals::replace(&mut tx, &world.cx, &sealer, &present, renamed).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(header_sent(&world, tenant, made.id, &sealer).await, "Bearer earlier");
}

fn assert_sealed((readable, sealed): &(Option<String>, Option<Vec<u8>>)) {
    assert_eq!(*readable, None);
    let sealed = String::from_utf8_lossy(sealed.as_ref().unwrap()).into_owned();
    assert!(!sealed.contains("Bearer") && !sealed.contains("receiver"), "{sealed}");
}

/// What a push of a fresh verification event would carry.
async fn header_sent(world: &World, tenant: TenantId, stream: StreamId, sealer: &Sealer) -> String {
    let mut tx = world.db.begin(tenant).await.unwrap();
    let event = SecurityEvent::default();
    let new = New { receiver: stream.to_string(), ..New::of(&world.cx, world.cx.id(), event) };
    delivery::enqueue(&mut tx, &new).unwrap();
    tx.commit().await.unwrap();
    let mut tx = world.db.begin_system().await.unwrap();
    let due = delivery::claim::<SecurityEvent>(&mut tx, world.cx.now, 1).await.unwrap().remove(0);
    delivery::settle(&mut tx, &world.cx, &due, Outcome::Taken);
    tx.commit().await.unwrap();
    let mut tx = world.db.read(tenant).await.unwrap();
    let receiver = signals::receiver(&mut tx, sealer, &due).await.unwrap().unwrap();
    receiver.authorization_header.unwrap().expose().to_owned()
}
