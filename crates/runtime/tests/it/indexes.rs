//! Lists of what is rare among many rows of a tenant are led to it by an index, on both engines.

use svc_db::{Engine, SystemSql, args};

use crate::harness::Harness;
use crate::statements::{Found, statements};

/// A tenant with a few thousand rows, so that PostgreSQL does not take one index for as good as another.
const ROWS: [&str; 9] = [
    "INSERT INTO tenants (id, slug, name, status, settings, created_at, updated_at, version) \
     VALUES ('t', 't', 'T', 'active', '{}', 1, 1, 1)",
    "INSERT INTO accounts (id, status, email_verified, profile, credentials_changed_at, created_at, updated_at) \
     SELECT 'a' || g, 'active', true, '{}', 1, 1, 1 FROM generate_series(0, 99) g",
    "INSERT INTO tenant_users (tenant_id, id, account_id, subject, status, roles, metadata, created_at, updated_at, version) \
     SELECT 't', 'u' || g, 'a' || g, 's' || g, 'active', '[]', '{}', 1, 1, 1 FROM generate_series(0, 99) g",
    "INSERT INTO apps (tenant_id, id, handle, enabled, configuration, created_at, updated_at, version) \
     SELECT 't', 'p' || g, 'h' || g, true, '{}', 1, 1, 1 FROM generate_series(0, 19) g",
    "INSERT INTO delegations (tenant_id, id, family_id, tenant_user_id, actor_app_id, source_client_id, source_jti, audience, \
     scope, actor, purpose, state, created_at, expires_at) SELECT 't', 'd' || (10000 + g), 'f' || g, 'u' || (g % 100), \
     'p' || (g % 20), 'c' || (g % 50), 'j' || g, 'a', '', 'null', '', CASE g % 2 WHEN 0 THEN 'live' ELSE 'revoked' END, 1, 9 \
     FROM generate_series(0, 3999) g",
    "INSERT INTO impersonations (tenant_id, id, tenant_user_id, staff_id, reason, minutes, state, created_at, expires_at) \
     SELECT 't', 'i' || (10000 + g), 'u' || (g % 100), 'u' || (g % 50), 'r', 15, CASE g % 5 WHEN 0 THEN 'waiting' \
     WHEN 1 THEN 'ready' WHEN 2 THEN 'refused' WHEN 3 THEN 'active' ELSE 'ended' END, 1, 9 FROM generate_series(0, 3999) g",
    "INSERT INTO event_positions (tenant_id, last) VALUES ('t', 4000)",
    "INSERT INTO events (tenant_id, position, id, type, payload, created_at) \
     SELECT 't', g, 'e' || g, 'y' || (g % 20), '{}', g FROM generate_series(1, 4000) g",
    "INSERT INTO deliveries (tenant_id, id, queue, receiver, topic, is_notice, payload, state, failures, happened_at, due_at, \
     created_at, event_type) SELECT 't', 'v' || (10000 + g), 'webhooks', 'w' || (g % 4), 'o' || (g % 50), false, '{}', \
     CASE WHEN g % 50 = 0 THEN 'due' WHEN g % 5 = 1 THEN 'failed' ELSE 'taken' END, 0, g, g, g, 'y' || (g % 20) \
     FROM generate_series(0, 3999) g",
];

const DELEGATIONS: &str = "grants/delegations.rs";
const IMPERSONATIONS: &str = "impersonations/list.rs";
const EVENTS: &str = "log/positions.rs";
const HISTORY: &str = "webhooks/history.rs";

/// The file of a statement, what it alone of that file has, and the index that leads to its rows.
const LED: [(&str, &str, &str); 15] = [
    (DELEGATIONS, "AND tenant_user_id = $4", "delegations_of_people"),
    (DELEGATIONS, "AND actor_app_id = $4", "delegations_of_actors"),
    (DELEGATIONS, "AND state = 'live' ORDER", "delegations_live"),
    (DELEGATIONS, "AND state = 'revoked' ORDER", "delegations_revoked"),
    (IMPERSONATIONS, "AND tenant_user_id = $6", "impersonations_of_people"),
    (IMPERSONATIONS, "AND staff_id = $6", "impersonations_of_staff"),
    (IMPERSONATIONS, "AND state IN ('waiting', 'ready') AND", "impersonations_not_begun"),
    (IMPERSONATIONS, "AND state = 'refused'", "impersonations_refused"),
    (IMPERSONATIONS, "AND state IN ('active', 'ended')", "impersonations_begun_or_ended"),
    (EVENTS, "created_at FROM events WHERE tenant_id = $1 AND position > $2 AND type = $4", "events_of_type"),
    (
        EVENTS,
        "SELECT position FROM events WHERE tenant_id = $1 AND position > $2 AND type = $4",
        "events_of_type",
    ),
    (HISTORY, "AND state = 'taken' ORDER", "deliveries_of_webhooks_taken"),
    (HISTORY, "AND state = 'failed' ORDER", "deliveries_of_webhooks_failed"),
    (HISTORY, "AND state = 'taken' AND state <> 'due' AND event_type", "deliveries_of_webhooks_by_type"),
    (HISTORY, "AND state = 'failed' AND state <> 'due' AND event_type", "deliveries_of_webhooks_by_type"),
];

/// What ends the delegations that one thing led to looks for them by that thing.
const ENDED: [&str; 5] = ["source_jti", "source_client_id", "tenant_user_id", "session_id", "parent_id"];

/// A service whose PostgreSQL has these rows, and knows it.
async fn filled() -> Harness {
    let h = Harness::new().await;
    if h.app().db.engine() == Engine::Postgres {
        let mut tx = h.app().db.begin_system().await.unwrap();
        for text in ROWS.into_iter().chain(["ANALYZE"]) {
            tx.execute(SystemSql::new(text), args![]).await.unwrap();
        }
        tx.commit().await.unwrap();
    }
    h
}

/// The one statement that has what it alone has.
fn only<'a>(
    found: impl IntoIterator<Item = &'a Found>,
    what: &str,
    is_meant: impl Fn(&str) -> bool,
) -> &'a Found {
    let meant: Vec<_> = found.into_iter().filter(|found| is_meant(&found.text)).collect();
    let [one] = meant[..] else { panic!("{} statements have {what}", meant.len()) };
    one
}

#[tokio::test]
async fn a_list_of_one_person_one_actor_one_state_or_one_type_is_read_by_its_index() {
    let h = filled().await;
    let statements = statements();
    for (file, part, index) in LED {
        let of_file = statements.iter().filter(|found| found.file.ends_with(file));
        let one = only(of_file, part, |text| text.starts_with("SELECT ") && text.contains(part));
        let plan = h.app().db.explain(&one.text).await.unwrap();
        assert!(plan.contains(index), "{}: {}\n{plan}", one.place(), one.text);
    }
}

#[tokio::test]
async fn what_ends_delegations_reads_those_of_its_cause_and_not_all_that_are_live() {
    let h = filled().await;
    let statements = statements();
    for column in ENDED {
        let part = format!("WHERE tenant_id = $1 AND {column} = $2 AND ");
        let is_meant = |text: &str| text.starts_with("UPDATE delegations ") && text.contains(&part);
        let found: Vec<_> = statements.iter().filter(|found| is_meant(&found.text)).collect();
        assert!(!found.is_empty(), "{column}");
        for one in found {
            let plan = h.app().db.explain(&one.text).await.unwrap();
            assert!(!plan.contains("delegations_live"), "{}: {}\n{plan}", one.place(), one.text);
        }
    }
}

#[tokio::test]
async fn what_holds_a_delegation_reads_no_other_with_and_without_statistics() {
    let statements = statements();
    let one = only(&statements, "a delegation to hold", |text| {
        text.starts_with("UPDATE delegations SET state = 'live'")
    });
    for h in [Harness::new().await, filled().await] {
        let plan = h.app().db.explain(&one.text).await.unwrap();
        assert!(!plan.contains("delegations_live"), "{}\n{plan}", one.text);
    }
}

#[tokio::test]
async fn what_ends_the_delegations_of_a_family_or_an_application_finds_them_by_what_names_it() {
    let h = Harness::new().await;
    // So few rows PostgreSQL reads as a whole.
    if h.app().db.engine() == Engine::Postgres {
        return;
    }
    let statements = statements();
    for (part, indexes) in [
        ("AND family_id = $2 UNION ALL ", ["sqlite_autoindex_delegations", "delegations_by_source_family"]),
        ("AND actor_app_id = $2 UNION ALL ", ["delegations_of_actors", "delegations_by_source"]),
    ] {
        let one =
            only(&statements, part, |text| text.starts_with("UPDATE delegations ") && text.contains(part));
        let plan = h.app().db.explain(&one.text).await.unwrap();
        let is_led = indexes.iter().all(|index| plan.contains(index));
        assert!(is_led && !plan.contains("delegations_live (tenant_id=?)"), "{}\n{plan}", one.text);
    }
}

#[tokio::test]
async fn deliveries_that_wait_are_found_among_those_of_their_receiver_that_do() {
    let h = filled().await;
    let statements = statements();
    let is_meant = |text: &str| text.starts_with("WITH waiting ") && text.contains("state = 'due'");
    let found: Vec<_> =
        statements.iter().filter(|found| found.file.ends_with(HISTORY) && is_meant(&found.text)).collect();
    assert_eq!(found.len(), 2);
    for one in found {
        let plan = h.app().db.explain(&one.text).await.unwrap();
        let is_led = ["deliveries_waiting", "deliveries_by_topic"].iter().any(|index| plan.contains(index));
        assert!(is_led && !plan.contains("deliveries_of_webhooks"), "{}: {}\n{plan}", one.place(), one.text);
    }
}

#[tokio::test]
async fn deliveries_that_wait_are_looked_for_among_those_alone_and_not_with_all_that_were_taken() {
    let h = filled().await;
    let statements = statements();
    let is_meant = |text: &str| text.contains("deliveries ") && text.contains("state = 'due'");
    // What goes to directories has a queue of its own.
    let statements = statements.iter().filter(|found| !found.file.contains("scim_targets"));
    let found: Vec<_> = statements.filter(|found| is_meant(&found.text)).collect();
    assert!(found.len() > 20, "{}", found.len());
    let is_embedded = h.app().db.engine() == Engine::Sqlite;
    for one in found {
        let text = if is_embedded { of_webhooks(&one.text) } else { one.text.clone() };
        let plan = h.app().db.explain(&text).await.unwrap();
        let is_read = plan.lines().any(|line| {
            line.contains("deliveries_of_webhooks ") || line.contains("deliveries_of_webhooks_by_type")
        });
        assert!(!is_read, "{}: {text}\n{plan}", one.place());
    }
}

/// A statement as SQLite plans it, which is for the values that are bound.
fn of_webhooks(text: &str) -> String {
    let of = |text: String, place: &str| text.replace(&format!("queue = {place}"), "queue = 'webhooks'");
    ["$1", "$2"].into_iter().fold(text.to_owned(), of)
}

#[tokio::test]
async fn deliveries_that_are_too_old_are_found_by_time_among_those_that_have_ended() {
    let h = Harness::new().await;
    // So few rows PostgreSQL reads as a whole.
    if h.app().db.engine() == Engine::Postgres {
        return;
    }
    let statements = statements();
    let of_file = statements.iter().filter(|found| found.file.ends_with(HISTORY));
    let one = only(of_file, "what is old", |text| text.starts_with("DELETE FROM deliveries "));
    let plan = h.app().db.explain(&one.text).await.unwrap();
    assert!(plan.contains("deliveries_of_webhooks_ended (created_at<?)"), "{}\n{plan}", one.text);
}

#[tokio::test]
async fn sessions_of_which_something_is_still_to_be_ended_are_found_among_those_alone() {
    let h = Harness::new().await;
    // So few rows PostgreSQL reads as a whole.
    if h.app().db.engine() == Engine::Postgres {
        return;
    }
    let statements = statements();
    let one = only(&statements, "what is withdrawn", |text| {
        text.contains("WHERE withdrawn_at IS NOT NULL ORDER BY ")
    });
    let plan = h.app().db.explain(&one.text).await.unwrap();
    assert!(plan.contains("sessions_withdrawn") && !plan.contains("TEMP B-TREE"), "{}\n{plan}", one.text);
}

#[tokio::test]
async fn accounts_with_other_credentials_are_found_before_the_people_of_any_tenant() {
    let h = Harness::new().await;
    let statements = statements();
    let one = only(&statements, "other credentials", |text| {
        text.contains("a.credentials_changed_at > a.created_at")
    });
    let plan = h.app().db.explain(&one.text).await.unwrap();
    assert!(plan.contains("accounts_by_changed_credentials"), "{}\n{plan}", one.text);
    assert!(plan.contains("tenant_users_by_account"), "{}\n{plan}", one.text);
}

#[tokio::test]
async fn events_of_a_time_are_found_by_time_among_those_of_their_tenant() {
    let h = filled().await;
    let statements = statements();
    let is_meant = |text: &str| text.contains("MIN(position + 0)");
    let found: Vec<_> =
        statements.iter().filter(|found| found.file.ends_with(EVENTS) && is_meant(&found.text)).collect();
    assert_eq!(found.len(), 2);
    for one in found {
        let plan = h.app().db.explain(&one.text).await.unwrap();
        let is_another =
            ["events_pkey", "autoindex", "events_expiring"].iter().any(|index| plan.contains(index));
        assert!(plan.contains("events_by_time") && !is_another, "{}: {}\n{plan}", one.place(), one.text);
    }
}

/// Each is the look-up of a directory, also in its references, and the indexes that may serve it.
const OF_DIRECTORIES: [(&str, &[&str]); 7] = [
    ("FROM scim_users WHERE {} AND id = $3", &["scim_users_pkey", "scim_users_tenant_id_id_key"]),
    ("FROM scim_users WHERE {} AND user_name_key = $3", &["scim_users_by_user_name"]),
    ("FROM scim_users WHERE {} AND external_id = $3", &["scim_users_by_external_id"]),
    ("FROM scim_user_emails WHERE {} AND value_key = $3", &["scim_user_emails_pkey"]),
    ("FROM scim_user_emails WHERE {} AND user_id = $3", &["scim_user_emails_by_user"]),
    ("FROM scim_group_members WHERE {} AND group_id = $3", &["scim_group_members_pkey"]),
    ("FROM scim_group_members WHERE {} AND user_id = $3", &["scim_group_members_by_user"]),
];

#[tokio::test]
async fn a_person_of_a_directory_is_found_without_statistics_by_the_index_that_has_all_that_is_asked_for() {
    let h = Harness::new().await;
    // SQLite takes the index of most columns.
    if h.app().db.engine() == Engine::Sqlite {
        return;
    }
    for (look_up, indexes) in OF_DIRECTORIES {
        let text = look_up.replace("{}", "tenant_id = $1 AND organization_id = $2");
        let plan = h.app().db.explain(&format!("SELECT * {text}")).await.unwrap();
        assert!(indexes.iter().any(|index| plan.contains(index)), "{text}\n{plan}");
    }
}

#[tokio::test]
async fn the_groups_that_a_directory_has_a_person_in_are_found_by_the_person() {
    let h = Harness::new().await;
    // So few rows PostgreSQL reads as a whole.
    if h.app().db.engine() == Engine::Postgres {
        return;
    }
    for text in [
        "SELECT group_list FROM scim_user_records WHERE tenant_id = $1 AND organization_id = $2 AND id = $3",
        "SELECT group_id FROM scim_group_members WHERE tenant_id = $1 AND organization_id = $2 AND user_id = $3",
    ] {
        let plan = h.app().db.explain(text).await.unwrap();
        assert!(plan.contains("scim_group_members_by_user"), "{text}\n{plan}");
    }
}

#[tokio::test]
async fn people_of_other_systems_with_one_id_are_found_by_the_id() {
    let h = Harness::new().await;
    // So few rows PostgreSQL reads as a whole.
    if h.app().db.engine() == Engine::Postgres {
        return;
    }
    let statements = statements();
    let found: Vec<_> =
        statements.iter().filter(|found| found.text.contains("o.source <> i.source")).collect();
    assert_eq!(found.len(), 1);
    for one in found {
        let plan = h.app().db.explain(&one.text).await.unwrap();
        assert!(plan.contains("imported_people_by_external_id"), "{}: {}\n{plan}", one.place(), one.text);
    }
}
