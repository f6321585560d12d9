//! PostgreSQL plans a statement once for every tenant: for a thousand that have one row each, and for the one that has a million.

use svc_db::{Engine, SystemSql, args};

use crate::harness::Harness;
use crate::statements::{Found, statements};

/// A thousand tenants with one row of each kind.
const SMALL: [&str; 8] = [
    "INSERT INTO tenants (id, slug, name, status, settings, created_at, updated_at, version) \
     SELECT 't' || g, 's' || g, 'Small', 'active', '{}', 1, 1, 1 FROM generate_series(1, 1000) g",
    "INSERT INTO accounts (id, status, email_verified, profile, credentials_changed_at, created_at, updated_at) \
     SELECT 'a' || g, 'active', true, '{}', 1, 1, 1 FROM generate_series(1, 1000) g",
    "INSERT INTO tenant_users (tenant_id, id, account_id, subject, status, roles, metadata, created_at, updated_at, version) \
     SELECT 't' || g, 'u' || g, 'a' || g, 's' || g, 'active', '[]', '{}', 1, 1, 1 FROM generate_series(1, 1000) g",
    "INSERT INTO apps (tenant_id, id, handle, enabled, configuration, created_at, updated_at, version) \
     SELECT 't' || g, 'p' || g, 'web', true, '{}', 1, 1, 1 FROM generate_series(1, 1000) g",
    "INSERT INTO sessions (tenant_id, id, digest, tenant_user_id, auth_time, amr, acr, user_agent, client_ip, created_at, \
     last_seen_at, expires_at) SELECT 't' || g, 'x' || g, sha256(g::text::bytea), 'u' || g, 1, '[]', '', '', '', 1, 1, 9 \
     FROM generate_series(1, 1000) g",
    "INSERT INTO refresh_families (tenant_id, id, app_id, tenant_user_id, session_id, authorization_grant, state, created_at, \
     expires_at) SELECT 't' || g, 'f' || g, 'p' || g, 'u' || g, 'x' || g, '{}', 'live', 1, 9 FROM generate_series(1, 1000) g",
    "INSERT INTO refresh_tokens (tenant_id, digest, family_id, state, expires_at) \
     SELECT 't' || g, sha256(g::text::bytea), 'f' || g, 'live', 9 FROM generate_series(1, 1000) g",
    "INSERT INTO codes (tenant_id, digest, app_id, tenant_user_id, session_id, family_id, authorization_grant, state, \
     expires_at) SELECT 't' || g, sha256(g::text::bytea), 'p' || g, 'u' || g, 'x' || g, 'f' || g, '{}', 'live', 9 \
     FROM generate_series(1, 1000) g",
];

/// The tables that have these rows.
const FILLED: [&str; 6] = ["apps", "codes", "refresh_families", "refresh_tokens", "sessions", "tenant_users"];

/// What names one row.
const KEYS: [&str; 5] = [" id = $", ".id = $", " digest = $", ".digest = $", " subject = $"];

/// The steps of a plan that read all rows of a tenant in a table that is filled, and throw away all but one.
fn whole_tenants(plan: &str) -> Vec<&str> {
    let steps: Vec<&str> = plan.lines().map(str::trim).collect();
    let reads_filled = |step: &str| {
        let table = step.split(" on ").nth(1).and_then(|rest| rest.split(' ').next());
        table.is_some_and(|table| FILLED.iter().any(|filled| table.starts_with(filled)))
    };
    let is_of_tenant_alone =
        |step: &str| step.starts_with("Index Cond: (tenant_id = ") && !step.contains(" AND ");
    let pairs = steps.windows(2).filter(|pair| reads_filled(pair[0]) && is_of_tenant_alone(pair[1]));
    pairs.map(|pair| pair[0]).collect()
}

fn names_a_key(found: &Found) -> bool {
    found.is_tenants && KEYS.iter().any(|key| found.text.contains(key))
}

#[tokio::test]
async fn what_names_a_key_is_looked_up_by_it_where_most_tenants_have_one_row() {
    let h = Harness::new().await;
    if h.app().db.engine() == Engine::Sqlite {
        return;
    }
    let mut tx = h.app().db.begin_system().await.unwrap();
    for text in SMALL.into_iter().chain(["ANALYZE"]) {
        tx.execute(SystemSql::new(text), args![]).await.unwrap();
    }
    tx.commit().await.unwrap();
    let keyed: Vec<_> = statements().into_iter().filter(names_a_key).collect();
    assert!(keyed.len() > 40, "only {} statements name a key", keyed.len());
    let mut wrong = Vec::new();
    for found in &keyed {
        let plan = h.app().db.explain(&found.text).await.unwrap();
        if !whole_tenants(&plan).is_empty() {
            wrong.push(format!("{}: {}\n{plan}", found.place(), found.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn a_step_that_reads_a_whole_tenant_is_seen() {
    let plan = "Nested Loop\n  ->  Index Scan using k on tenant_users u\n        Index Cond: (tenant_id = $1)\n  \
                ->  Index Scan using k on codes c\n        Index Cond: ((tenant_id = $1) AND (digest = $2))";
    assert_eq!(whole_tenants(plan), ["->  Index Scan using k on tenant_users u"]);
}

/// Where something else is asked of what a statement takes: of entries the month, and of the streams there are few.
const TAKEN_BY_MORE: [&str; 2] = ["log/chain/retention.rs", "audit_streams/batch.rs"];

/// What a statement asks of the rows that it takes, next to that a choice of so many has them.
fn asked_of_what_is_taken(text: &str) -> Option<&str> {
    let is_meant =
        ["UPDATE ", "DELETE "].iter().any(|start| text.starts_with(start)) && text.contains(" LIMIT $");
    let (before, _) = text.split_once(" IN (SELECT ").filter(|_| is_meant)?;
    let (_, condition) = before.split_once(" WHERE ")?;
    condition.rsplit_once(" AND ").map(|(asked, _)| asked)
}

#[test]
fn what_takes_some_of_what_waits_asks_nothing_of_it_that_its_choice_has_not_asked() {
    let statements = statements();
    let takes: Vec<_> = statements.iter().filter(|found| found.text.contains(" IN (SELECT ")).collect();
    assert!(takes.len() > 40, "only {} statements choose", takes.len());
    let wrong: Vec<_> = takes
        .iter()
        .filter(|found| !found.is_tenants && !TAKEN_BY_MORE.iter().any(|file| found.file.ends_with(file)))
        .filter_map(|found| Some(format!("{}: {}", found.place(), asked_of_what_is_taken(&found.text)?)))
        .collect();
    assert!(wrong.is_empty(), "a plan may read all that waits for each row of it: {wrong:#?}");
}

#[test]
fn a_condition_next_to_a_choice_is_seen() {
    let old = "UPDATE jobs SET due_at = $2 WHERE state = 'due' AND (id, due_at) IN (SELECT id, due_at FROM jobs LIMIT $1)";
    assert_eq!(asked_of_what_is_taken(old), Some("state = 'due'"));
    for sound in [
        "UPDATE jobs SET due_at = $2 WHERE (id, due_at) IN (SELECT id, due_at FROM jobs WHERE a AND b LIMIT $1)",
        "DELETE FROM jobs WHERE state = 'due' AND id IN (SELECT id FROM old)",
        "SELECT id FROM jobs WHERE state = 'due' AND id IN (SELECT id FROM jobs LIMIT $1)",
    ] {
        assert_eq!(asked_of_what_is_taken(sound), None, "{sound}");
    }
}
