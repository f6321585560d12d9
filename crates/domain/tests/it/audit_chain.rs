//! The audit log is append-only and a chain: what is altered, deleted, reordered or inserted behind the service's back is found.

use svc_core::{Cx, Seconds, TenantId};
use svc_db::{Engine, SystemSql, args};
use svc_domain::log::chain::checkpoints::{self, Claims};
use svc_domain::log::chain::verify::{self, Report};
use svc_domain::log::chain::{self, BATCH, retention};
use svc_domain::log::{Action, Meaning, record};
use svc_keys::Algorithm;
use svc_keys::jose::{KeyRing, KeyState, SigningKey};

use crate::world::World;

/// What is done to a chain, by the position of its first entry.
type Tampering = Box<dyn Fn(i64) -> Vec<String>>;

const ISSUER: &str = "https://acme.example";
const DAY: i64 = 86_400;

fn statement(text: &str) -> SystemSql {
    SystemSql::new(Box::leak(text.to_owned().into_boxed_str()))
}

/// Entries of an instant each, one transaction for all.
async fn happens(world: &World, tenant: TenantId, targets: &[&str], at: i64) {
    let mut tx = world.db.begin(tenant).await.unwrap();
    for (number, target) in targets.iter().enumerate() {
        let now = world.cx.now + Seconds(at + i64::try_from(number).unwrap());
        record(&mut tx, &Cx { now, ..world.cx.clone() }, Meaning::done(Action::RoleUpdated, target));
    }
    tx.commit().await.unwrap();
}

async fn sequence(world: &World) -> u64 {
    let mut tx = world.db.begin_system().await.unwrap();
    let done = chain::sequence(&mut tx).await.unwrap();
    tx.commit().await.unwrap();
    done
}

fn ring() -> KeyRing {
    KeyRing::new(vec![(SigningKey::generate(Algorithm::Es256).unwrap(), KeyState::Active)]).unwrap()
}

/// Signs every chain that is due.
async fn sign(world: &World, ring: &KeyRing) -> usize {
    let due = {
        let mut tx = world.db.read_system().await.unwrap();
        checkpoints::due(&mut tx, world.cx.now, Seconds(60)).await.unwrap()
    };
    let mut signed = 0;
    for due in due {
        if !checkpoints::follows(&world.db, ring, &due).await.unwrap() {
            continue;
        }
        let jws = checkpoints::sign((ring, Algorithm::Es256), ISSUER, world.cx.now, &due).await.unwrap();
        let mut tx = world.db.begin_system().await.unwrap();
        checkpoints::keep(&mut tx, &due, world.cx.now, &jws).await.unwrap();
        tx.commit().await.unwrap();
        signed += 1;
    }
    signed
}

async fn verified(world: &World, ring: &KeyRing, tenant: TenantId, kept: Option<&Claims>) -> Report {
    let mut tx = world.db.read_system().await.unwrap();
    verify::chain(&mut tx, ring, (tenant.reference(), world.cx.now), kept).await.unwrap()
}

/// The targets of the entries that have positions, in their order.
async fn placed(world: &World, tenant: TenantId) -> Vec<(i64, String)> {
    let text = format!(
        "SELECT position, target FROM audit_log WHERE tenant_id = '{tenant}' AND position IS NOT NULL ORDER BY position"
    );
    let rows = world.db.read_system().await.unwrap().all(statement(&text), args![]).await.unwrap();
    rows.iter().map(|row| (row.int("position").unwrap(), row.text("target").unwrap())).collect()
}

/// Does what only the owner of the database can do: writes without the triggers.
async fn behind_its_back(world: &World, statements: &[String]) {
    let without = match world.db.engine() {
        Engine::Postgres => vec!["ALTER TABLE audit_log DISABLE TRIGGER USER"],
        Engine::Sqlite => {
            vec!["DROP TRIGGER audit_log_is_not_changed", "DROP TRIGGER audit_log_is_not_deleted"]
        }
    };
    let without = without.into_iter().map(str::to_owned);
    let mut tx = world.db.begin_system().await.unwrap();
    for text in without.chain(statements.iter().cloned()) {
        tx.execute(statement(&text), args![]).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn refused(world: &World, text: &str) -> String {
    let mut tx = world.db.begin_system().await.unwrap();
    format!("{:?}", tx.execute(statement(text), args![]).await.unwrap_err())
}

#[tokio::test]
async fn no_entry_is_changed_or_deleted_and_its_place_is_given_once() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    happens(&world, tenant, &["a"], 0).await;
    let changed = "an entry of the audit log is never changed";
    for set in ["detail = 'x'", "at = 1", "target = 'b', position = 1, hash = 'x'", "position = 1"] {
        let told = refused(&world, &format!("UPDATE audit_log SET {set}")).await;
        assert!(told.contains(changed), "{set}: {told}");
    }
    let kept = "not deleted before its retention is over";
    assert!(refused(&world, "DELETE FROM audit_log").await.contains(kept));
    assert!(sequence(&world).await > 0);
    for set in ["position = position + 1", "position = NULL, hash = NULL", "hash = 'x'", "outcome = 'denied'"]
    {
        let told = refused(&world, &format!("UPDATE audit_log SET {set}")).await;
        assert!(told.contains(changed), "{set}: {told}");
    }
    assert!(refused(&world, "DELETE FROM audit_log").await.contains(kept));
    if world.db.engine() == Engine::Postgres {
        assert!(refused(&world, "TRUNCATE audit_log").await.contains("never emptied"));
    }
}

#[tokio::test]
async fn an_entry_that_commits_late_gets_a_later_place_and_none_is_lost() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    sequence(&world).await;
    let start = placed(&world, tenant).await.len();
    let mut late = world.db.begin(tenant).await.unwrap();
    record(&mut late, &world.cx, Meaning::done(Action::RoleUpdated, "late"));
    happens(&world, tenant, &["early"], 5).await;
    assert_eq!(sequence(&world).await, 1);
    late.commit().await.unwrap();
    // A worker that dies before its commit leaves the entry to the next one.
    let mut dying = world.db.begin_system().await.unwrap();
    assert_eq!(chain::sequence(&mut dying).await.unwrap(), 1);
    dying.rollback().await.unwrap();
    assert_eq!(sequence(&world).await, 1);
    let placed = placed(&world, tenant).await;
    let end: Vec<_> = placed[start..].iter().map(|(_, target)| target.as_str()).collect();
    assert_eq!(end, ["early", "late"]);
    let positions: Vec<_> = placed.iter().map(|(position, _)| *position).collect();
    assert_eq!(positions, (1..=i64::try_from(placed.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(verified(&world, &ring(), tenant, None).await.fault, None);
}

#[tokio::test]
async fn many_entries_get_their_places_in_few_statements() {
    let world = World::new().await;
    let tenants = [world.tenant("acme").await, world.tenant("globex").await];
    while sequence(&world).await > 0 {}
    for tenant in tenants {
        happens(&world, tenant, &["x"; 20], 0).await;
    }
    let before = world.db.counts().statements;
    assert_eq!(sequence(&world).await, 40);
    let statements = world.db.counts().statements - before;
    assert!(statements <= 8, "{statements}");
    for tenant in tenants {
        let report = verified(&world, &ring(), tenant, None).await;
        assert_eq!((report.fault, report.waiting), (None, 0));
    }
}

#[tokio::test]
async fn of_several_sequencers_at_once_each_entry_gets_one_place() {
    let world = World::new().await;
    let (acme, globex) = (world.tenant("acme").await, world.tenant("globex").await);
    let targets = vec!["x"; usize::try_from(BATCH).unwrap() / 5];
    let writer = async {
        for at in 0..10 {
            happens(&world, acme, &targets, at).await;
            happens(&world, globex, &targets[..3], at).await;
        }
    };
    let sequencer = async || {
        for _ in 0..8 {
            sequence(&world).await;
        }
    };
    tokio::join!(writer, sequencer(), sequencer());
    while sequence(&world).await > 0 {}
    for tenant in [acme, globex] {
        let report = verified(&world, &ring(), tenant, None).await;
        assert_eq!((report.fault, report.waiting), (None, 0));
        let positions: Vec<_> = placed(&world, tenant).await.iter().map(|(position, _)| *position).collect();
        assert_eq!(positions, (1..=report.last).collect::<Vec<_>>());
    }
}

/// A tenant with six entries of its own, all of them signed; returns the position of the first of the six.
async fn six(world: &World, ring: &KeyRing) -> (TenantId, i64) {
    let tenant = world.tenant("acme").await;
    sequence(world).await;
    let start = i64::try_from(placed(world, tenant).await.len()).unwrap();
    happens(world, tenant, &["a", "b", "c", "d", "e", "f"], 1).await;
    sequence(world).await;
    assert_eq!(sign(world, ring).await, 1);
    let report = verified(world, ring, tenant, None).await;
    assert_eq!((report.fault, report.last, report.signed_until), (None, start + 6, Some(start + 6)));
    (tenant, start + 1)
}

#[tokio::test]
async fn what_was_done_behind_the_services_back_is_found_at_its_first_position() {
    let follows = "does not follow from the one before it";
    let missing = "the entry of this position is missing";
    let copy = "INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, \
                detail, position, hash) SELECT tenant_id, 'aud_zzz', at, actor_kind, actor_id, action, 'forged', outcome, \
                request_id, client_ip, detail";
    let cases: Vec<(&str, Tampering, i64, &str)> = vec![
        (
            "altered",
            Box::new(|first| {
                vec![format!("UPDATE audit_log SET target = 'z' WHERE position = {}", first + 2)]
            }),
            2,
            follows,
        ),
        (
            "deleted",
            Box::new(|first| vec![format!("DELETE FROM audit_log WHERE position = {}", first + 3)]),
            3,
            missing,
        ),
        (
            "deleted at the end",
            Box::new(|first| vec![format!("DELETE FROM audit_log WHERE position >= {}", first + 4)]),
            4,
            missing,
        ),
        (
            "reordered",
            Box::new(|first| {
                let (one, other) = (first + 1, first + 2);
                vec![format!(
                    "UPDATE audit_log SET position = {one} + {other} - position WHERE position IN ({one}, {other})"
                )]
            }),
            1,
            follows,
        ),
        (
            "inserted at a place that is taken",
            Box::new(move |first| {
                vec![format!("{copy}, position, hash FROM audit_log WHERE position = {}", first + 1)]
            }),
            1,
            "inserted",
        ),
        (
            "inserted after the end",
            Box::new(move |first| {
                vec![format!("{copy}, position + 1, hash FROM audit_log WHERE position = {}", first + 5)]
            }),
            6,
            "inserted outside the chain",
        ),
    ];
    for (what, change, offset, reason) in cases {
        let world = World::new().await;
        let ring = ring();
        let (tenant, first) = six(&world, &ring).await;
        behind_its_back(&world, &change(first)).await;
        let found = verified(&world, &ring, tenant, None).await.fault.unwrap();
        assert_eq!(found.position, first + offset, "{what}: {found:?}");
        assert!(found.reason.contains(reason), "{what}: {found:?}");
    }
}

/// Makes the chain again from its entries, as an attacker would who has the database but no key.
async fn forge(world: &World, tenant: TenantId, change: &str) {
    let undo = [
        change.to_owned(),
        format!("UPDATE audit_log SET position = NULL, hash = NULL WHERE tenant_id = '{tenant}'"),
        format!("UPDATE audit_chains SET last = 0, last_hash = removed_hash WHERE tenant_id = '{tenant}'"),
    ];
    behind_its_back(world, &undo).await;
    while sequence(world).await > 0 {}
}

#[tokio::test]
async fn a_rewritten_chain_contradicts_its_checkpoint() {
    let world = World::new().await;
    let ring = ring();
    let (tenant, first) = six(&world, &ring).await;
    let list = checkpoints::list(&mut world.db.read(tenant).await.unwrap(), None, 10).await.unwrap();
    let kept = checkpoints::read(&ring, &list[0].jws).unwrap();
    assert_eq!((kept.iss.as_str(), kept.tenant_id, kept.position), (ISSUER, tenant.reference(), first + 5));
    forge(&world, tenant, &format!("UPDATE audit_log SET target = 'z' WHERE position = {first}")).await;
    let found = verified(&world, &ring, tenant, None).await.fault.unwrap();
    assert_eq!(found.position, first + 5);
    assert!(found.reason.contains("another hash here than its checkpoint"), "{found:?}");

    // Nor does the service sign what does not follow from it.
    happens(&world, tenant, &["g"], 10).await;
    sequence(&world).await;
    let mut later = world;
    later.cx.now = later.cx.now + Seconds(DAY);
    assert_eq!(sign(&later, &ring).await, 0);

    // Without its checkpoints the forged chain is told by the one that was kept elsewhere.
    let mut tx = later.db.begin_system().await.unwrap();
    tx.execute(statement("DELETE FROM audit_checkpoints"), args![]).await.unwrap();
    tx.execute(statement("UPDATE audit_chains SET signed = 0"), args![]).await.unwrap();
    tx.commit().await.unwrap();
    let found = verified(&later, &ring, tenant, Some(&kept)).await.fault.unwrap();
    assert_eq!(found.position, first + 5);
    let beyond = Claims { position: kept.position + 100, ..kept };
    let found = verified(&later, &ring, tenant, Some(&beyond)).await.fault.unwrap();
    assert!(found.reason.contains("the checkpoint that was kept covers them"), "{found:?}");
    let found = verified(&later, &ring, tenant, None).await.fault.unwrap();
    assert!(found.reason.contains("no checkpoint since more than a day"), "{found:?}");
}

#[tokio::test]
async fn a_checkpoint_that_is_missing_or_forged_is_found() {
    for (change, reason) in [
        ("DELETE FROM audit_checkpoints", "the checkpoint of this position is missing"),
        ("UPDATE audit_checkpoints SET position = position - 1", "is forged"),
        ("UPDATE audit_chains SET removed = 2, removed_hash = last_hash", "removed without a checkpoint"),
    ] {
        let world = World::new().await;
        let ring = ring();
        let (tenant, _) = six(&world, &ring).await;
        let mut tx = world.db.begin_system().await.unwrap();
        tx.execute(statement(change), args![]).await.unwrap();
        tx.commit().await.unwrap();
        let found = verified(&world, &ring, tenant, None).await.fault.unwrap();
        assert!(found.reason.contains(reason), "{change}: {found:?}");
    }
    let world = World::new().await;
    let (tenant, _) = six(&world, &ring()).await;
    let found = verified(&world, &ring(), tenant, None).await.fault.unwrap();
    assert!(found.reason.contains("no published key"), "{found:?}");
}

#[tokio::test]
async fn what_an_active_stream_has_not_got_is_kept_for_a_quarter_longer() {
    let mut world = World::new().await;
    let tenant = world.tenant("acme").await;
    for at in [0, 20 * DAY] {
        world.db.make_months(world.cx.now + Seconds(at)).await.unwrap();
    }
    happens(&world, tenant, &["old"], 1).await;
    while sequence(&world).await > 0 {}
    let sent = placed(&world, tenant).await.len();
    happens(&world, tenant, &["older"], 2).await;
    happens(&world, tenant, &["young"], 20 * DAY).await;
    while sequence(&world).await > 0 {}
    let all = placed(&world, tenant).await.len();
    let insert = format!(
        "INSERT INTO audit_streams (tenant_id, id, configuration, active, sealed_secret, position, due_at, claimed_until, \
         failures, owner_to_be_told, tested_at, created_at, updated_at, version) \
         SELECT '{tenant}', 'aus_1', '{{}}', active, x, {sent}, 0, 0, 0, NOT active, 0, 0, 0, 1 FROM (SELECT $1 AS active, $2 AS x) given"
    );
    let mut tx = world.db.begin_system().await.unwrap();
    tx.execute(statement(&insert), args![true, vec![1_u8]]).await.unwrap();
    tx.commit().await.unwrap();
    let start = world.cx.now;
    let removed = async |days: i64| {
        let mut tx = world.db.read_system().await.unwrap();
        let cuts = retention::cuts(&mut tx, start + Seconds(days * DAY)).await.unwrap();
        cuts.first().map(|cut| cut.due.removed)
    };
    let count = |entries: usize| Some(i64::try_from(entries).unwrap());
    assert_eq!(removed(10).await, count(sent), "what it has may go");
    assert_eq!(removed(30).await, count(sent));
    assert_eq!(removed(91).await, count(sent + 1), "the older one has waited for a quarter");
    assert_eq!(removed(111).await, count(all));
    let mut tx = world.db.begin_system().await.unwrap();
    tx.execute(statement("UPDATE audit_streams SET active = $1"), args![false]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(removed(10).await, count(sent + 1), "a deactivated stream holds nothing");
    world.cx.now = start;
}

#[tokio::test]
async fn what_has_outlived_its_retention_goes_and_the_rest_can_still_be_proven() {
    let mut world = World::new().await;
    let ring = ring();
    let tenant = world.tenant("acme").await;
    // On PostgreSQL the young ones stand in the part of a later month.
    for at in [0, 70 * DAY] {
        world.db.make_months(world.cx.now + Seconds(at)).await.unwrap();
    }
    happens(&world, tenant, &["old", "older"], 1).await;
    happens(&world, tenant, &["young", "younger"], 70 * DAY).await;
    while sequence(&world).await > 0 {}
    let all = placed(&world, tenant).await.len();
    world.cx.now = world.cx.now + Seconds(100 * DAY);
    assert_eq!(sign(&world, &ring).await, 1);
    let horizon = retention::horizon(world.db.engine(), world.cx.now, Seconds(40 * DAY)).unwrap();
    retention::remove(&world.db, horizon).await.unwrap();
    assert_eq!(placed(&world, tenant).await.len(), all, "nothing is marked as removed yet");
    let cuts = retention::cuts(&mut world.db.read_system().await.unwrap(), horizon).await.unwrap();
    assert_eq!(cuts.len(), 1);
    for cut in &cuts {
        let jws = checkpoints::sign((&ring, Algorithm::Es256), ISSUER, world.cx.now, &cut.due).await.unwrap();
        let mut tx = world.db.begin_system().await.unwrap();
        retention::permit(&mut tx, cut).await.unwrap();
        checkpoints::keep(&mut tx, &cut.due, world.cx.now, &jws).await.unwrap();
        tx.commit().await.unwrap();
    }
    assert_eq!(verified(&world, &ring, tenant, None).await.fault, None, "between the cut and the removal");
    while retention::remove(&world.db, horizon).await.unwrap() > 0 {}
    if world.db.engine() == Engine::Postgres {
        let part = statement("SELECT to_regclass('audit_log_2027_01') IS NULL AS is_gone");
        let mut tx = world.db.read_system().await.unwrap();
        assert!(tx.one(part, args![]).await.unwrap().flag("is_gone").unwrap());
    }
    let left = placed(&world, tenant).await;
    let targets: Vec<_> = left.iter().map(|(_, target)| target.as_str()).collect();
    assert_eq!(targets, ["young", "younger"]);
    let report = verified(&world, &ring, tenant, None).await;
    let (all, removed) = (i64::try_from(all).unwrap(), i64::try_from(all - 2).unwrap());
    assert_eq!((report.fault, report.removed, report.last), (None, removed, all));
    let first = format!("DELETE FROM audit_log WHERE position = {}", removed + 1);
    assert!(refused(&world, &first).await.contains("before its retention is over"));
    behind_its_back(&world, &[first]).await;
    let found = verified(&world, &ring, tenant, None).await.fault.unwrap();
    assert_eq!((found.position, found.reason.contains("missing")), (removed + 1, true), "{found:?}");
}
