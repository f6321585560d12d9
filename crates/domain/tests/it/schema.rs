//! Every table with a tenant's rows is fenced off by the engine, and is swept or kept for a stated reason.

use std::collections::BTreeSet;

use svc_db::{Engine, SystemSql, args};
use svc_domain::{deletion, sweep};

use crate::world::World;

/// Tables whose rows no sweep removes, and why.
const KEPT: &[(&str, &str)] = &[
    ("apis", "until an administrator removes it"),
    ("app_origins", "goes with its application"),
    ("apps", "until an administrator removes it; those that registered themselves are swept when unused"),
    ("audit_chains", "where the audit log of a tenant begins and ends"),
    ("audit_checkpoints", "goes with the entries that it covers"),
    ("audit_streams", "until an administrator removes it"),
    ("audit_log", "as long as `audit_log.retention_days` says, from the beginning of the chain on"),
    ("connector_sets", "the counter of a tenant's changes of connectors"),
    ("connectors", "until an administrator removes it"),
    ("consents", "until the person takes it back, or the application goes"),
    ("custom_domains", "until an administrator removes it"),
    ("event_positions", "the counter of a tenant's events"),
    ("group_members", "until an administrator takes the person out"),
    ("group_nesting", "until an administrator takes the group out"),
    ("group_roles", "goes with its group"),
    ("guardian_rules", "goes with the membership"),
    ("hook_sets", "the counter of a tenant's changes of hooks"),
    ("intake_sets", "the counter of a tenant's changes of terms and of sign-up fields"),
    ("look_sets", "the counter of a tenant's changes of how organizations look"),
    ("hook_modules", "until an administrator removes it"),
    ("hooks", "until an administrator removes it"),
    ("import_chunks", "goes with its import"),
    ("imported_people", "goes with the membership"),
    ("organization_domains", "until an administrator removes it"),
    ("organization_members", "until an administrator takes the person out"),
    ("organization_roles", "goes with the member of the organization"),
    ("organization_sizes", "goes with the organization, whose members it counts"),
    ("organization_subjects", "goes with its issuer or the member"),
    ("organizations", "until an administrator removes it"),
    ("pairwise_subjects", "a subject names the same person for ever"),
    ("policies", "until an administrator removes it"),
    ("policy_sets", "the counter of a tenant's changes of policies"),
    ("policy_shadows", "goes with its policy"),
    ("policy_versions", "goes with its policy, and the oldest with the two hundredth after it"),
    ("recovery_answers", "goes with its case"),
    ("recovery_browsers", "goes with its case"),
    ("registrations", "goes with its application"),
    ("role_members", "goes with its membership, whose roles it repeats"),
    ("roles", "until an administrator removes it"),
    ("scim_group_members", "goes with its group"),
    ("scim_group_roles", "goes with its group"),
    ("scim_groups", "until its directory removes it"),
    ("scim_links", "goes with its target, or when the account at the application is removed"),
    ("scim_schemas", "until an administrator removes it"),
    ("scim_target_people", "goes with its target"),
    ("scim_targets", "until an administrator removes it"),
    ("scim_user_emails", "goes with its person"),
    ("scim_user_values", "goes with its person"),
    ("scim_users", "goes with the membership of the organization"),
    ("session_clients", "goes with its session"),
    ("sign_up_field_asks", "goes with the membership"),
    ("sign_up_fields", "until an administrator removes it"),
    ("signal_streams", "until its receiver removes it"),
    ("sso_connections", "until an administrator removes it"),
    ("sso_identities", "goes with its connection or its person"),
    ("sso_sessions", "goes with its session"),
    ("tenant_keys", "the id of a destroyed key is not used again"),
    ("tenant_user_names", "goes when its membership is removed, whose names it repeats"),
    ("tenant_users", "a removed membership keeps its subject from being given again"),
    ("terms", "until an administrator removes it"),
    ("terms_acceptances", "evidence of what a person accepted, as long as the tenant is there"),
    ("trusted_issuers", "until an administrator removes it"),
    ("user_groups", "until an administrator removes it"),
    ("trusted_subjects", "goes with its issuer or its person"),
    ("webhook_attempts", "goes with its delivery"),
    ("webhooks", "until an administrator removes it"),
];

/// Every column of bytes, or of a name that speaks of secrets, and how it keeps them.
const SECRETS: &[(&str, &str)] = &[
    ("account_attempts.subject", "digest"),
    ("account_credentials.lookup", "the id of a passkey, or a digest"),
    ("account_credentials.sealed", "sealed under the deployment's key"),
    (
        "accounts.password",
        "Argon2id hash, or until the first sign-in the hash of the system that the person came from",
    ),
    ("api_keys.digest", "digest"),
    ("api_keys.former_digest", "digest"),
    ("apps.former_secret_digest", "digest"),
    ("apps.secret_digest", "digest"),
    ("audit_chains.last_hash", "hash of what the log tells"),
    ("audit_chains.removed_hash", "hash of what the log told"),
    ("audit_log.hash", "hash of what the log tells"),
    ("ciba_requests.digest", "digest"),
    ("ciba_requests.hint", "digest"),
    ("codes.digest", "digest"),
    ("deliveries.payload", "mails have their content as a `Sealed` member; the others carry none"),
    ("device_codes.digest", "digest"),
    ("events.payload", "events have no secret"),
    ("connectors.sealed_secret", "sealed under the tenant's key"),
    ("hooks.sealed_former_secret", "sealed under the tenant's key"),
    ("hook_modules.module", "WebAssembly of the tenant, which has no secret"),
    ("hooks.sealed_secret", "sealed under the tenant's key"),
    ("idempotency_keys.body_digest", "digest"),
    ("idempotency_keys.key_digest", "digest"),
    ("idempotency_keys.response", "sealed under the tenant's key"),
    ("impersonations.link_digest", "digest"),
    ("import_chunks.digest", "digest"),
    ("imported_people.sealed_factors", "sealed under the tenant's key"),
    ("links.digest", "digest"),
    ("links.payload", "what the link is about; its secret is in the mail"),
    ("mails.content", "sealed, by an earlier version"),
    ("organization_invitations.digest", "digest"),
    ("outbox.payload", "events have no secret"),
    ("par_requests.digest", "digest"),
    ("recovery_answers.browser_digest", "digest"),
    ("recovery_browsers.code_digest", "digest"),
    ("recovery_browsers.digest", "digest"),
    ("refresh_tokens.digest", "digest"),
    ("refresh_tokens.successor", "sealed under the predecessor, which is not stored"),
    ("registration_tokens.digest", "digest"),
    ("registrations.digest", "digest"),
    ("scim_targets.sealed_secret", "sealed under the tenant's key"),
    ("scim_tokens.digest", "digest"),
    ("scim_tokens.former_digest", "digest"),
    ("scim_user_values.value_digest", "digest"),
    ("sessions.digest", "digest"),
    ("signal_events.payload", "events have no secret; of an earlier version"),
    ("signal_streams.authorization_header", "of an earlier version; sealed into the next by a job"),
    ("signal_streams.sealed_authorization", "sealed under the tenant's key"),
    ("signing_keys.wrapped_key", "wrapped by the root"),
    ("spent_assertions.digest", "digest"),
    ("sso_connections.sealed_secret", "sealed under the tenant's key"),
    ("tenant_keys.wrapped_key", "wrapped by the root"),
    ("audit_streams.sealed_secret", "sealed under the tenant's key"),
    ("webhooks.sealed_former_secret", "sealed under the tenant's key"),
    ("webhooks.sealed_secret", "sealed under the tenant's key"),
];

/// Names of columns that are looked at whatever their type is.
const SPEAKING: &[&str] =
    &["secret", "password", "token", "header", "content", "payload", "response", "private_key"];

async fn names(world: &World, text: &'static str) -> BTreeSet<String> {
    let mut tx = world.db.read_system().await.unwrap();
    let rows = tx.all(SystemSql::new(text), args![]).await.unwrap();
    rows.iter().map(|row| row.text("name").unwrap()).collect()
}

/// Tables as statements name them; the months of one are its own affair.
async fn tables_of_tenants(world: &World) -> BTreeSet<String> {
    let text = match world.db.engine() {
        Engine::Sqlite => {
            "SELECT DISTINCT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND c.name = 'tenant_id'"
        }
        Engine::Postgres => {
            "SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
             AND a.attname = 'tenant_id'"
        }
    };
    names(world, text).await
}

/// PostgreSQL's tables with the parts that the months are kept in.
async fn tables_and_parts(world: &World) -> BTreeSet<String> {
    let parts = names(
        world,
        "SELECT c.relname::text AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace \
         AND c.relkind = 'r' AND c.relispartition",
    );
    let parts = parts.await;
    // Two tables, each with two months and the rest.
    assert_eq!(parts.len(), 6, "{parts:?}");
    &tables_of_tenants(world).await | &parts
}

#[tokio::test]
async fn every_table_of_tenants_is_swept_or_kept_for_a_reason() {
    let world = World::new().await;
    let found = tables_of_tenants(&world).await;
    assert!(found.len() > 20, "{found:?}");
    let swept: BTreeSet<_> = sweep::tables().map(str::to_owned).collect();
    let kept: BTreeSet<_> = KEPT.iter().map(|(table, _)| (*table).to_owned()).collect();
    assert_eq!(swept.intersection(&kept).collect::<Vec<_>>(), Vec::<&String>::new());
    let missing: Vec<_> =
        found.iter().filter(|table| !swept.contains(*table) && !kept.contains(*table)).collect();
    assert!(missing.is_empty(), "neither swept nor kept for a reason: {missing:?}");
    let gone: Vec<_> = kept.difference(&found).collect();
    assert!(gone.is_empty(), "no such table: {gone:?}");
}

#[tokio::test]
async fn every_table_of_tenants_ends_with_its_tenant_or_stays_for_a_reason() {
    let world = World::new().await;
    let removed: BTreeSet<_> = deletion::removed_tables().map(str::to_owned).collect();
    let kept: BTreeSet<_> = deletion::KEPT.iter().map(|(table, _)| (*table).to_owned()).collect();
    assert_eq!(&removed | &kept, tables_of_tenants(&world).await);
}

#[tokio::test]
async fn every_table_of_tenants_has_row_level_security_that_binds_its_owner_too() {
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let fenced = names(
        &world,
        "SELECT c.relname::text AS name FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid \
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relrowsecurity AND c.relforcerowsecurity \
         AND p.polcmd = '*' AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL",
    );
    assert_eq!(tables_and_parts(&world).await, fenced.await);
}

#[tokio::test]
async fn what_is_written_with_decisions_locks_no_row_of_its_tenant_on_postgresql() {
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let locking = names(
        &world,
        "SELECT t.relname::text AS name FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid \
         WHERE c.contype = 'f' AND c.confrelid = to_regclass('tenants') \
         AND t.relnamespace = current_schema()::regnamespace",
    );
    let locking = locking.await;
    assert!(locking.contains("apps"), "{locking:?}");
    let written = [
        "audit_log",
        "codes",
        "events",
        "idempotency_keys",
        "login_history",
        "outbox",
        "par_requests",
        "policy_decisions",
        "refresh_families",
        "refresh_tokens",
        "revocations",
        "sessions",
        "spent_assertions",
        "tenant_users",
    ];
    assert_eq!(written.into_iter().filter(|table| locking.contains(*table)).collect::<Vec<_>>(), [""; 0]);
}

#[tokio::test]
async fn postgresql_plans_every_table_of_tenants_as_for_the_largest_of_them() {
    let world = World::new().await;
    if world.db.engine() == Engine::Sqlite {
        return;
    }
    let told = names(
        &world,
        "SELECT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
         WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'tenant_id' \
         AND 'n_distinct=1' = ANY (a.attoptions)",
    );
    assert_eq!(tables_and_parts(&world).await, told.await);
}

#[tokio::test]
async fn every_column_that_may_hold_a_secret_says_how_it_keeps_it() {
    let world = World::new().await;
    let [bytes, texts] = match world.db.engine() {
        Engine::Sqlite => [
            "SELECT m.name || '.' || c.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND c.type = 'BYTEA'",
            "SELECT m.name || '.' || c.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND c.type = 'TEXT'",
        ],
        Engine::Postgres => [
            "SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
             AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'bytea'::regtype",
            "SELECT c.relname || '.' || a.attname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
             AND a.attnum > 0 AND NOT a.attisdropped AND a.atttypid = 'text'::regtype",
        ],
    };
    let speaks = |name: &String| SPEAKING.iter().any(|word| name.ends_with(word));
    let mut found = names(&world, bytes).await;
    found.extend(names(&world, texts).await.into_iter().filter(speaks));
    let known = SECRETS.iter().map(|(column, _)| (*column).to_owned()).collect();
    assert_eq!(found, known);
}
