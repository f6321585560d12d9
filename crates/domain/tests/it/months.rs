//! PostgreSQL keeps the audit log and the outbox by months: rows stand in theirs, and months go as a whole.

use svc_core::events::TokenIssued;
use svc_core::{AuditId, Cx, EventId, Seconds, TenantId, Timestamp};
use svc_db::{Engine, SystemSql, args};
use svc_domain::MIGRATIONS;
use svc_domain::access::{self, Names, Role};
use svc_domain::log::{Meaning, record};
use svc_domain::sweep::{self, Swept};

use crate::world::{Database, World};

const JANUARY: Timestamp = Timestamp::from_secs(2_208_988_800);
const FEBRUARY: Timestamp = Timestamp::from_secs(2_211_667_200);
/// Thirty days after the end of January.
const LATER: Timestamp = Timestamp::from_secs(2_211_667_200 + 30 * 86_400);
const TABLES: [&str; 2] = ["audit_log", "outbox"];

fn is_postgres(world: &World) -> bool {
    world.db.engine() == Engine::Postgres
}

/// A change of that time.
async fn happens(world: &World, tenant: TenantId, now: Timestamp) {
    let cx = Cx { now, ..world.cx.clone() };
    let issued = TokenIssued {
        client_id: cx.id(),
        sub: "ada".to_owned(),
        tenant_user_id: None,
        aud: "https://api.example".to_owned(),
        scope: None,
        grant_type: None,
        count: None,
    };
    let mut tx = world.db.begin(tenant).await.unwrap();
    record(&mut tx, &cx, Meaning::issued(issued));
    tx.commit().await.unwrap();
}

async fn texts(world: &World, statement: String) -> Vec<String> {
    let statement = SystemSql::new(Box::leak(statement.into_boxed_str()));
    let rows = world.db.read_system().await.unwrap().all(statement, args![]).await.unwrap();
    rows.iter().map(|row| row.text("text").unwrap()).collect()
}

/// When the changes of a table happened that are still there.
async fn times(world: &World, table: &str) -> Vec<Timestamp> {
    let (time, of_ours) = match table {
        "audit_log" => ("at", "action = 'token.issued'"),
        _ => ("created_at", "type = 'auth.token.issued'"),
    };
    let select = format!("SELECT CAST({time} AS TEXT) AS text FROM {table} WHERE {of_ours} ORDER BY {time}");
    let times = texts(world, select).await;
    times.iter().map(|micros| Timestamp::from_micros(micros.parse().unwrap())).collect()
}

/// The parts in which they stand.
async fn parts(world: &World, table: &str) -> Vec<String> {
    let time = if table == "audit_log" { "at" } else { "created_at" };
    let select = format!(
        "SELECT CAST(CAST(tableoid AS regclass) AS TEXT) AS text FROM {table} WHERE {time} >= {} ORDER BY {time}",
        JANUARY.as_micros()
    );
    texts(world, select).await
}

async fn sweep(world: &World, settled: Timestamp) -> Swept {
    let cx = Cx { now: settled, ..world.cx.clone() };
    sweep::run(&world.db, &cx, settled, Seconds(30 * 86_400)).await.unwrap()
}

#[tokio::test]
async fn each_row_stands_in_the_part_of_its_month() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    let last = Timestamp::from_micros(FEBRUARY.as_micros() - 1);
    assert_eq!(world.db.make_months(last).await.unwrap(), if is_postgres(&world) { 4 } else { 0 });
    assert_eq!(world.db.make_months(last).await.unwrap(), 0, "they are there");
    for now in [JANUARY, last, FEBRUARY] {
        happens(&world, tenant, now).await;
    }
    for table in TABLES {
        assert_eq!(times(&world, table).await, [JANUARY, last, FEBRUARY], "{table}");
        if is_postgres(&world) {
            let expected = ["01", "01", "02"].map(|month| format!("{table}_2040_{month}"));
            assert_eq!(parts(&world, table).await, expected);
        }
    }
    let next = world.db.make_months(FEBRUARY).await.unwrap();
    assert_eq!(next, if is_postgres(&world) { 2 } else { 0 }, "March is made in February");
}

#[tokio::test]
async fn a_month_goes_when_its_last_row_may_and_what_is_younger_stays() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    world.db.make_months(JANUARY).await.unwrap();
    let (last, younger) = (FEBRUARY - Seconds(1), FEBRUARY + Seconds(1));
    for now in [JANUARY, last, younger] {
        happens(&world, tenant, now).await;
    }
    let _ = sweep(&world, LATER - Seconds(2)).await;
    let early = times(&world, "outbox").await;
    assert_eq!(early.last_chunk(), Some(&[last, younger]), "a row of the last day is kept for thirty days");

    let swept = sweep(&world, LATER).await;
    assert_eq!(swept.months, u64::from(is_postgres(&world)));
    assert_eq!(times(&world, "outbox").await, [younger]);
    if is_postgres(&world) {
        assert_eq!(parts(&world, "outbox").await, ["outbox_2040_02"]);
    }
    assert_eq!(times(&world, "audit_log").await, [JANUARY, last, younger], "the audit log has no end");
    assert_eq!(sweep(&world, LATER).await, Swept::default());
}

#[tokio::test]
async fn what_came_before_its_month_was_made_stands_apart_and_goes_row_by_row() {
    let world = World::new().await;
    let tenant = world.tenant("acme").await;
    happens(&world, tenant, JANUARY).await;
    // Only February can be made.
    assert_eq!(world.db.make_months(JANUARY).await.unwrap(), if is_postgres(&world) { 2 } else { 0 });
    happens(&world, tenant, JANUARY + Seconds(1)).await;
    for table in TABLES {
        assert_eq!(times(&world, table).await, [JANUARY, JANUARY + Seconds(1)], "{table}");
        if is_postgres(&world) {
            assert_eq!(parts(&world, table).await, vec![format!("{table}_rest"); 2]);
        }
    }
    let after = JANUARY + Seconds(30 * 86_400);
    let _ = sweep(&world, after).await;
    assert_eq!(times(&world, "outbox").await, [JANUARY + Seconds(1)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_make_and_drop_months_at_once_do_it_once() {
    let world = World::new().await;
    if !is_postgres(&world) {
        return;
    }
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let db = world.db.clone();
        workers.spawn(async move { db.make_months(JANUARY).await.unwrap() });
    }
    assert_eq!(workers.join_all().await.into_iter().sum::<u64>(), 4);
    let mut workers = tokio::task::JoinSet::new();
    for _ in 0..6 {
        let db = world.db.clone();
        workers.spawn(async move { db.drop_months("outbox", FEBRUARY, 1).await.unwrap().months });
    }
    // With January go the two months that were made with the schema.
    assert_eq!(workers.join_all().await.into_iter().sum::<u64>(), 3);
}

#[tokio::test]
async fn the_roles_that_remove_what_has_expired_may_drop_months_and_no_role_those_of_the_audit_log() {
    let database = Database::fresh().await;
    if database.db.engine() == Engine::Sqlite {
        return;
    }
    database.make_roles().await;
    for role in Role::ALL {
        let db = database.open_as(role);
        let removes = matches!(role, Role::Maintenance | Role::Identity);
        assert_eq!(db.make_months(JANUARY).await.is_ok(), removes, "{role:?}");
        assert_eq!(db.drop_months("outbox", JANUARY, 1).await.is_ok(), removes, "{role:?}");
        let refused = db.drop_months("audit_log", LATER, 1).await.unwrap_err();
        let expected = if removes { "no month of audit_log is ever dropped" } else { "permission denied" };
        assert!(format!("{refused:?}").contains(expected), "{role:?}: {refused:?}");
        db.close().await;
    }
}

#[tokio::test]
async fn what_names_a_time_reads_no_other_month() {
    let world = World::new().await;
    if !is_postgres(&world) {
        return;
    }
    world.db.make_months(JANUARY).await.unwrap();
    let cx = Cx { now: FEBRUARY - Seconds(1), ..world.cx.clone() };
    let (id, event): (AuditId, EventId) = (cx.id(), cx.id());
    let page =
        format!("SELECT id FROM audit_log WHERE tenant_id = 't' AND id < '{id}' ORDER BY id DESC LIMIT 9");
    let row = format!("SELECT id FROM outbox WHERE tenant_id = 't' AND id = '{event}'");
    for (statement, is_one) in [(page, false), (row, true)] {
        let client = format!("EXPLAIN (COSTS OFF) {statement}");
        let client = SystemSql::new(Box::leak(client.into_boxed_str()));
        let rows = world.db.read_system().await.unwrap().all(client, args![]).await.unwrap();
        let plan: Vec<_> = rows.iter().map(|row| row.text("QUERY PLAN").unwrap()).collect();
        let scans = plan.iter().filter(|line| line.contains("Scan") && line.contains("_2040_"));
        let scans: Vec<_> = scans.collect();
        assert!(!scans.is_empty() && scans.iter().all(|line| line.contains("_2040_01")), "{plan:#?}");
        let has_others = plan.iter().any(|line| line.contains("Scan") && !line.contains("_2040_01"));
        assert_eq!(has_others, !is_one, "{plan:#?}");
    }
}

/// What a version before the months had stored.
const BEFORE: [&str; 3] = [
    "INSERT INTO tenants (id, slug, name, status, settings, created_at, updated_at, version) \
     VALUES ('t', 'acme', 'Acme', 'active', '{}', 1, 1, 1)",
    "INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail) \
     VALUES ('t', 'aud_00000000000000000000000000', 1, '', '', 'token.issued', '', 'success', '', '', '{}')",
    "INSERT INTO outbox (tenant_id, id, type, payload, created_at) \
     VALUES ('t', 'evt_00000000000000000000000000', 'token.issued', '{}', 1)",
];

#[tokio::test]
async fn rows_from_before_the_months_stay_where_they_are_with_the_rights_of_their_table() {
    let database = Database::empty().await;
    let is_postgres = database.db.engine() == Engine::Postgres;
    let before = MIGRATIONS.iter().position(|migration| migration.name == "months").unwrap();
    database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let mut statements: Vec<String> = BEFORE.map(str::to_owned).to_vec();
    if is_postgres {
        // Tests that run at once make the same roles.
        statements.push("SELECT pg_advisory_xact_lock(5)::text".to_owned());
        statements.extend(access::creation(Names { schema: "public", prefix: "svc_test" }));
        statements.extend(TABLES.map(|table| format!("GRANT SELECT ON {table} TO svc_test_auth")));
    }
    let mut tx = database.db.begin_system().await.unwrap();
    for text in statements {
        tx.execute(SystemSql::new(Box::leak(text.into_boxed_str())), &[]).await.unwrap();
    }
    tx.commit().await.unwrap();

    database.db.migrate(MIGRATIONS).await.unwrap();

    for table in TABLES {
        let count =
            SystemSql::new(Box::leak(format!("SELECT COUNT(*) AS count FROM {table}").into_boxed_str()));
        let row = database.db.read_system().await.unwrap().one(count, args![]).await.unwrap();
        assert_eq!(row.int("count").unwrap(), 1, "{table}");
        if is_postgres {
            let may = format!(
                "SELECT has_table_privilege('svc_test_auth', '{table}', 'SELECT') AS whole, \
                 has_table_privilege('svc_test_auth', '{table}_first', 'SELECT') AS part"
            );
            let may = SystemSql::new(Box::leak(may.into_boxed_str()));
            let row = database.db.read_system().await.unwrap().one(may, args![]).await.unwrap();
            assert_eq!((row.flag("whole").unwrap(), row.flag("part").unwrap()), (true, false), "{table}");
        }
    }
    if is_postgres {
        let dropped = database.db.drop_months("outbox", JANUARY, 1).await.unwrap();
        assert_eq!((dropped.months, dropped.rows), (1, 0));
    }
}
