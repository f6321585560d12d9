//! Migrating twice, or from two places at once, is migrating once.

use svc_db::{Engine, Migration, SchemaState, SystemSql, args};
use svc_domain::MIGRATIONS;

use crate::world::{Database, World};

#[tokio::test]
async fn a_second_migration_finds_nothing_to_do() {
    let world = World::new().await;
    assert_eq!(world.db.migrate(MIGRATIONS).await.unwrap(), 0);
    assert_eq!(world.db.schema_state(MIGRATIONS).await.unwrap(), SchemaState::Current);
}

#[tokio::test]
async fn an_older_binary_sees_that_the_database_is_ahead_and_does_not_migrate() {
    let world = World::new().await;
    let (newest, older) = MIGRATIONS.split_last().unwrap();
    let state = world.db.schema_state(older).await.unwrap();
    assert_eq!(state, SchemaState::Ahead { version: newest.version });
    assert!(world.db.migrate(older).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_do_not_wait_behind_a_migration_that_waits_for_a_backup() {
    let database = Database::pooled().await;
    if database.db.engine() == Engine::Sqlite {
        return;
    }
    // As `pg_dump` holds every table until it has ended.
    let mut backup = database.db.begin_system().await.unwrap();
    backup.execute(SystemSql::new("LOCK TABLE tenants IN ACCESS SHARE MODE"), args![]).await.unwrap();
    let (version, name) = (MIGRATIONS.last().unwrap().version + 1, "later");
    let sql = "ALTER TABLE tenants ADD COLUMN of_a_later_version BIGINT";
    let mut later = MIGRATIONS.to_vec();
    later.push(Migration { version, name, sql, pg: "", sqlite: "" });
    let db = database.db.clone();
    let migrating = tokio::spawn(async move { db.migrate(&later).await.unwrap() });
    let waiting =
        "SELECT COUNT(*) AS count FROM pg_locks WHERE relation = CAST('tenants' AS regclass) AND NOT granted";
    let mut request = database.db.read_system().await.unwrap();
    while !migrating.is_finished() {
        let found = request.one(SystemSql::new(waiting), args![]).await.unwrap().int("count").unwrap();
        if found > 0 {
            break;
        }
    }
    request.all(SystemSql::new("SELECT id FROM tenants"), args![]).await.unwrap();
    drop(request);
    assert!(!migrating.is_finished());
    backup.rollback().await.unwrap();
    assert_eq!(migrating.await.unwrap(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_has_added_a_member_goes_on_to_the_organization_while_a_migration_waits_for_both() {
    let database = Database::empty().await;
    if database.db.engine() == Engine::Sqlite {
        return;
    }
    let before = MIGRATIONS.iter().position(|migration| migration.name == "sizes of organizations").unwrap();
    database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let mut adding = database.db.begin_system().await.unwrap();
    let member = "LOCK TABLE organization_members IN ROW EXCLUSIVE MODE";
    adding.execute(SystemSql::new(member), args![]).await.unwrap();
    let db = database.db.clone();
    let migrating = tokio::spawn(async move { db.migrate(MIGRATIONS).await.unwrap() });
    let waiting = "SELECT COUNT(*) AS count FROM pg_locks \
         WHERE relation = CAST('organization_members' AS regclass) AND NOT granted";
    while !migrating.is_finished() {
        let found = adding.one(SystemSql::new(waiting), args![]).await.unwrap().int("count").unwrap();
        if found > 0 {
            break;
        }
    }
    assert!(!migrating.is_finished());
    let organization = "LOCK TABLE organizations IN ROW EXCLUSIVE MODE";
    adding.execute(SystemSql::new(organization), args![]).await.unwrap();
    adding.commit().await.unwrap();
    assert_eq!(migrating.await.unwrap(), MIGRATIONS.len() - before);
}

#[test]
fn versions_rise() {
    assert!(MIGRATIONS.windows(2).all(|pair| pair[0].version < pair[1].version));
}

/// A tenant with a person, an application and a family, as a version before the copy of its tokens stored them.
const BEFORE: [&str; 6] = [
    "INSERT INTO tenants (id, slug, name, status, settings, created_at, updated_at, version) \
     VALUES ('t', 'acme', 'Acme', 'active', '{}', 1, 1, 1)",
    "INSERT INTO accounts (id, status, email_verified, profile, credentials_changed_at, created_at, updated_at) \
     SELECT 'a', 'active', 1 = 1, '{}', 1, 1, 1",
    "INSERT INTO tenant_users (tenant_id, id, account_id, subject, status, roles, metadata, created_at, updated_at, version) \
     VALUES ('t', 'u', 'a', 's', 'active', '[]', '{}', 1, 1, 1)",
    "INSERT INTO apps (tenant_id, id, handle, enabled, configuration, created_at, updated_at, version) \
     SELECT 't', 'p', 'web', 1 = 1, '{}', 1, 1, 1",
    "INSERT INTO refresh_families (tenant_id, id, app_id, tenant_user_id, session_id, authorization_grant, state, created_at, \
     expires_at) VALUES ('t', 'f', 'p', 'u', 'x', '{}', 'live', 1, 9)",
    "INSERT INTO refresh_tokens (tenant_id, digest, family_id, state, successor, spent_at, spent_for, expires_at) \
     VALUES ('t', $1, 'f', 'spent', $2, 5, '- - -', 8), ('t', $2, 'f', 'live', NULL, NULL, NULL, 9)",
];

#[tokio::test]
async fn tokens_that_stood_in_the_table_before_it_was_copied_are_still_there() {
    let database = Database::empty().await;
    let before = MIGRATIONS.iter().position(|migration| migration.name == "lean writes").unwrap();
    database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let mut tx = database.db.begin_system().await.unwrap();
    let digests = args![vec![1_u8], vec![2_u8]];
    for (number, text) in BEFORE.into_iter().enumerate() {
        let digests = if number + 1 == BEFORE.len() { &digests[..] } else { &[] };
        tx.execute(SystemSql::new(text), digests).await.unwrap();
    }
    tx.commit().await.unwrap();

    database.db.migrate(MIGRATIONS).await.unwrap();

    let mut tx = database.db.read_system().await.unwrap();
    let kept =
        "SELECT digest, state, successor, spent_at, expires_at FROM refresh_tokens ORDER BY expires_at";
    let rows = tx.all(SystemSql::new(kept), args![]).await.unwrap();
    let [spent, live] = rows.as_slice() else { panic!("there were two tokens") };
    assert_eq!((spent.bytes("digest").unwrap(), spent.bytes("successor").unwrap()), (vec![1], vec![2]));
    assert_eq!((spent.text("state").unwrap().as_str(), spent.int("spent_at").unwrap()), ("spent", 5));
    assert_eq!((live.bytes("digest").unwrap(), live.text("state").unwrap().as_str()), (vec![2], "live"));
}

#[tokio::test]
async fn roles_that_members_had_by_name_become_records_and_every_tenant_has_administrators() {
    let database = Database::empty().await;
    let before = MIGRATIONS.iter().position(|migration| migration.name == "roles").unwrap();
    database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let mut tx = database.db.begin_system().await.unwrap();
    for text in &BEFORE[..3] {
        tx.execute(SystemSql::new(text), &[]).await.unwrap();
    }
    let given = "UPDATE tenant_users SET roles = '[\"editor\",\"admin\"]'";
    tx.execute(SystemSql::new(given), &[]).await.unwrap();
    tx.commit().await.unwrap();

    database.db.migrate(MIGRATIONS).await.unwrap();

    let mut tx = database.db.begin_system().await.unwrap();
    let names = async |tx: &mut svc_db::Tx<svc_db::System>, text: &'static str| {
        let rows = tx.all(SystemSql::new(text), &[]).await.unwrap();
        rows.iter().map(|row| row.text("name").unwrap()).collect::<Vec<_>>()
    };
    let roles = "SELECT name FROM roles WHERE tenant_id = 't' ORDER BY name";
    let members = "SELECT role AS name FROM role_members WHERE tenant_user_id = 'u' ORDER BY role";
    assert_eq!(names(&mut tx, roles).await, ["admin", "editor"]);
    assert_eq!(names(&mut tx, members).await, ["admin", "editor"]);
    let ids = tx.all(SystemSql::new("SELECT id FROM roles"), &[]).await.unwrap();
    assert!(ids.iter().all(|row| row.parse::<svc_core::RoleId>("id").is_ok()));
    // A version that knows no roles goes on writing memberships.
    tx.execute(SystemSql::new("UPDATE tenant_users SET roles = '[\"reader\"]'"), &[]).await.unwrap();
    assert_eq!(names(&mut tx, members).await, ["reader"]);
}

#[tokio::test]
async fn members_of_an_earlier_version_are_counted_as_those_are_who_join_or_leave_by_it() {
    const ORGANIZATION: &str = "INSERT INTO organizations (tenant_id, id, slug, status, owner_id, configuration, created_at, updated_at, \
         version) VALUES ('t', 'o', 'o', 'active', 'u', '{}', 1, 1, 1)";
    const JOINS: &str = "INSERT INTO organization_members (tenant_id, organization_id, tenant_user_id, created_at, updated_at, version) \
         VALUES ('t', 'o', 'u', 1, 1, 1)";
    const LEAVES: &str = "DELETE FROM organization_members WHERE tenant_user_id = 'u'";
    const ENDS: &str = "DELETE FROM organizations WHERE id = 'o'";
    let database = Database::empty().await;
    let before = MIGRATIONS.iter().position(|migration| migration.name == "sizes of organizations").unwrap();
    database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let mut tx = database.db.begin_system().await.unwrap();
    for text in BEFORE[..3].iter().chain([&ORGANIZATION, &JOINS]) {
        tx.execute(SystemSql::new(text), &[]).await.unwrap();
    }
    tx.commit().await.unwrap();

    database.db.migrate(MIGRATIONS).await.unwrap();

    let mut tx = database.db.begin_system().await.unwrap();
    for (statement, left) in
        [(None, Some(1)), (Some(LEAVES), Some(0)), (Some(JOINS), Some(1)), (Some(ENDS), None)]
    {
        if let Some(statement) = statement {
            tx.execute(SystemSql::new(statement), &[]).await.unwrap();
        }
        let select = SystemSql::new("SELECT members FROM organization_sizes WHERE organization_id = 'o'");
        let size = tx.optional(select, &[]).await.unwrap().map(|size| size.int("members").unwrap());
        assert_eq!(size, left, "{statement:?}");
    }
}

#[tokio::test]
async fn deliveries_of_an_earlier_version_are_found_by_the_type_of_their_event() {
    let database = Database::empty().await;
    let before = MIGRATIONS.iter().position(|migration| migration.name == "event filters").unwrap();
    database.db.migrate(&MIGRATIONS[..before]).await.unwrap();
    let mut tx = database.db.begin_system().await.unwrap();
    let insert = "INSERT INTO deliveries (tenant_id, id, queue, receiver, topic, is_notice, payload, state, failures, happened_at, \
         created_at) VALUES ('t', $1, $2, 'r', '', $3, $4, $5, 0, 1, 1)";
    let stored = r#"{"event_id":"e","event_type":"auth.logout","body":"{\"text\":\"\\u0000\"}"}"#;
    for (id, queue, payload, state) in [
        ("a", "webhooks", stored, "due"),
        ("b", "webhooks", stored, "taken"),
        ("c", "webhooks", "", "failed"),
        ("d", "mails", "", "taken"),
    ] {
        tx.execute(SystemSql::new(insert), args![id, queue, false, payload, state]).await.unwrap();
    }
    tx.commit().await.unwrap();

    database.db.migrate(MIGRATIONS).await.unwrap();

    let mut tx = database.db.read_system().await.unwrap();
    let types = SystemSql::new("SELECT event_type FROM deliveries ORDER BY id");
    let rows = tx.all(types, args![]).await.unwrap();
    let types: Vec<_> = rows.iter().map(|row| row.maybe_text("event_type").unwrap()).collect();
    let logout = Some("auth.logout".to_owned());
    assert_eq!(types, [logout.clone(), logout, None, None]);
}
