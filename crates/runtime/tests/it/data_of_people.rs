//! What is kept of a person: each table stands in the person's own download and in the tenant's export, or says why not.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_core::Seconds;
use svc_db::{Engine, SystemSql, args};
use svc_domain::people::tenant_users;
use svc_domain::tokens::api_keys::{self, NewKey, Owner};
use svc_http::Method;
use svc_testkit::Authenticator;

use crate::account::own;
use crate::harness::{Harness, Person, Site};
use crate::isolation::records::records;

/// Where a document has it, or why it does not.
enum Place {
    In(&'static str),
    Not(&'static str),
}

use Place::{In, Not};

const MINUTES: &str = "a step under way, which ends within minutes";
const SECRETS: &str = "digests of tokens, which tell nothing";
const DIRECTORY: &str = "what the directory of an organization says of its member; SCIM gives it";
const NAMES: &str = "what single applications or issuers call the person; each knows its own";
const TENANTS: &str = "of the tenant, and not of the person; administrators see it by its own resource";
const SESSION: &str = "goes with the session";
const OF_A_SESSION: &str = "lasts as long as sign-ins do; `sessions` of the tenant's user gives it";

/// Every table that names a person: the member of the person's own download, and of the tenant's export.
const TABLES: &[(&str, Place, Place)] = &[
    (
        "account_attempts",
        Not("digests of what guesses were counted for"),
        Not("digests of what guesses were counted for"),
    ),
    ("account_credentials", In("/credentials"), In("/kept/credentials")),
    ("accounts", In("/profile"), In("/profile")),
    ("api_keys", In("/api_keys"), Not(TENANTS)),
    ("ciba_requests", Not(MINUTES), Not(MINUTES)),
    ("codes", Not(MINUTES), Not(MINUTES)),
    ("consented_details", Not("goes with the consent"), Not("goes with the consent")),
    ("consents", In("/consents"), Not("what the person allows applications; `consents` gives it")),
    ("delegations", In("/delegations"), Not("`delegations` gives it")),
    ("device_codes", Not(MINUTES), Not(MINUTES)),
    ("group_members", In("/groups"), In("/kept/groups")),
    ("guardian_rules", In("/guardians/rules/threshold"), In("/kept/guardians/threshold")),
    ("guardians", In("/guardians/people"), In("/kept/guardians/people")),
    ("impersonations", In("/impersonations"), Not(TENANTS)),
    ("imported_people", In("/imported/external_id"), In("/external_id")),
    ("links", Not(MINUTES), Not(MINUTES)),
    ("login_history", In("/login_history"), In("/kept/login_history")),
    ("organization_members", In("/organizations"), Not("members of organizations; their own list gives it")),
    ("organization_roles", In("/organizations"), Not("members of organizations; their own list gives it")),
    ("organization_subjects", Not(NAMES), Not(NAMES)),
    ("organizations", Not("an organization has an owner, who is one of its members"), Not(TENANTS)),
    ("pairwise_subjects", Not(NAMES), Not(NAMES)),
    (
        "recovery_answers",
        Not("what guardians confirmed is theirs"),
        Not("what guardians confirmed is theirs"),
    ),
    ("recovery_browsers", Not(MINUTES), Not(MINUTES)),
    ("recovery_cases", In("/recoveries"), Not("ends within days, and is the person's alone until then")),
    ("refresh_families", Not(SECRETS), Not(SECRETS)),
    ("role_members", In("/roles"), In("/roles")),
    ("scim_group_members", Not(DIRECTORY), Not(DIRECTORY)),
    ("scim_user_emails", Not(DIRECTORY), Not(DIRECTORY)),
    ("scim_user_values", Not(DIRECTORY), Not(DIRECTORY)),
    ("session_clients", Not(SESSION), Not(SESSION)),
    ("sessions", In("/sessions"), Not(OF_A_SESSION)),
    (
        "sign_up_field_asks",
        Not("when to ask again, and nothing of the person"),
        Not("when to ask again, and nothing of the person"),
    ),
    ("sso_identities", Not(NAMES), Not(NAMES)),
    ("sso_sessions", Not(SESSION), Not(SESSION)),
    ("tenant_user_names", In("/profile"), In("/profile")),
    ("tenant_users", In("/sub"), In("/kept/sub")),
    ("terms_acceptances", In("/terms"), In("/kept/terms")),
    ("trusted_subjects", Not(NAMES), Not(NAMES)),
];

/// Columns that name a person, or what is only one person's.
const NAMING: &str = "'tenant_user_id', 'account_id', 'guardian_id', 'staff_id', 'owner_id', 'user_id', 'case_id', 'session_id', 'hint'";

async fn tables(h: &Harness) -> BTreeSet<String> {
    let mut tx = h.app().db.read_system().await.unwrap();
    let text = match h.app().db.engine() {
        Engine::Sqlite => format!(
            "SELECT DISTINCT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND c.name IN ({NAMING})"
        ),
        Engine::Postgres => format!(
            "SELECT DISTINCT c.relname::text AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid \
             WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition \
             AND a.attname IN ({NAMING})"
        ),
    };
    let rows = tx.all(SystemSql::new(Box::leak(text.into_boxed_str())), args![]).await.unwrap();
    rows.iter().map(|row| row.text("name").unwrap()).collect()
}

#[tokio::test]
async fn every_table_that_names_a_person_is_exported_or_says_why_not() {
    let h = Harness::new().await;
    let listed: BTreeSet<_> = TABLES.iter().map(|(table, ..)| (*table).to_owned()).collect();
    let mut found = tables(&h).await;
    // The roots, which others name, and guesses that are counted by digests.
    found.extend(["accounts", "tenant_users", "account_attempts", "role_members"].map(str::to_owned));
    assert_eq!(listed, found);
}

/// A person of whom everything is kept, in a tenant that manages the account.
async fn person_with_everything(site: &Site<'_>) -> Person {
    let made = records(site).await;
    let id = made.of("tenant-users").parse().unwrap();
    let subject = made.of("{sub}").to_owned();
    let person =
        Person { id, subject, username: String::new(), email: String::new(), password: String::new() };
    site.identity(id).await;
    let begun = own(site, &person, (Method::POST, "/passkeys"), Some(json!({ "use": "passkey" }))).await;
    let begun = begun.expect(200).json();
    let answer = Authenticator::synced(1).create(&begun["options"], site.issuer()).unwrap();
    let proof = json!({ "flow": begun["flow"], "answer": answer, "name": "Laptop" });
    let _ = own(site, &person, (Method::POST, "/passkeys/confirm"), Some(proof)).await.expect(204);
    let mut tx = site.harness.app().db.begin_system().await.unwrap();
    for text in [
        "UPDATE accounts SET managed_by = $1 WHERE id = (SELECT account_id FROM tenant_users WHERE id = $2)",
        "INSERT INTO imported_people (tenant_id, tenant_user_id, source, external_id, document, updated_at) \
         VALUES ($1, $2, 'elsewhere', '4711', '{}', 0)",
    ] {
        tx.execute(SystemSql::new(text), args![site.tenant.id, id]).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut tx = site.harness.app().db.begin(site.tenant.id).await.unwrap();
    let member = tenant_users::find(&mut tx, id).await.unwrap().unwrap();
    let cx = site.harness.operator();
    tenant_users::set_roles(&mut tx, &cx, &member, &["editor".to_owned()]).await.unwrap();
    let scope = "identity:read".parse().unwrap();
    let digest = svc_keys::digest("a key of the person");
    let owner = Owner::Person(id);
    let new = NewKey { digest, name: "Script", scope: &scope, owner, lifetime: Seconds(60), most: 50 };
    api_keys::create(&mut tx, &cx, &new).await.unwrap();
    tx.commit().await.unwrap();
    person
}

fn assert_has(document: &Value, places: impl Iterator<Item = (&'static str, &'static Place)>) {
    for (table, place) in places {
        match place {
            In(pointer) => {
                let found = document.pointer(pointer);
                let is_empty =
                    found.is_none_or(|found| found.is_null() || found.as_array().is_some_and(Vec::is_empty));
                assert!(!is_empty, "{table} at {pointer}: {document:#}");
            }
            Not(reason) => assert!(reason.len() > 10, "{table}"),
        }
    }
}

#[tokio::test]
async fn a_person_takes_along_what_is_kept_of_them_and_nothing_that_proves_who_they_are() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let person = person_with_everything(&site).await;
    let data = own(&site, &person, (Method::GET, "/data"), None).await.expect(200).json();
    assert_has(&data, TABLES.iter().map(|(table, own, _)| (*table, own)));
    let kinds: BTreeSet<_> =
        data["credentials"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
    assert!(kinds.is_superset(&BTreeSet::from(["passkey", "phone", "identity"])), "{kinds:?}");
    assert!(!data.to_string().contains("argon2") && !data.to_string().contains("sealed"), "{data}");
}

#[tokio::test]
async fn a_tenant_exports_what_it_manages_and_the_file_can_be_imported() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let person = person_with_everything(&site).await;
    let token = site.mint(|_| ());
    let path = "/api/v1/tenant-users/export";
    let file = site.call(Method::GET, path, Some(&token), None).await.expect(200).body;
    let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let line = lines.iter().find(|line| line["kept"]["sub"] == person.subject.as_str()).unwrap();
    assert_has(line, TABLES.iter().map(|(table, _, export)| (*table, export)));
    assert_eq!(
        (line["passkeys"].as_array().unwrap().len(), line["identities"].as_array().unwrap().len()),
        (1, 1)
    );
    assert_eq!(line["passkeys"][0]["name"], "Laptop");
    assert_eq!(line["profile"]["phone_number_verified"], true);
    assert!(!file.contains("argon2") && !file.contains("sealed"), "{file}");
    // Of an account that the tenant does not manage, the export has what the API shows.
    let others: Vec<_> = lines.iter().filter(|line| line["kept"]["sub"] != person.subject.as_str()).collect();
    assert!(!others.is_empty());
    for other in others {
        assert!(other.get("passkeys").is_none() && other["kept"].get("credentials").is_none(), "{other}");
        assert!(other["kept"].get("guardians").is_none(), "{other}");
    }
}

#[tokio::test]
async fn an_exported_passkey_and_identity_are_imported_as_they_were() {
    let h = Harness::new().await;
    let (site, other) = (h.tenant("main").await, h.tenant("other").await);
    person_with_everything(&site).await;
    let path = "/api/v1/tenant-users/export";
    let file = site.call(Method::GET, path, Some(&site.mint(|_| ())), None).await.expect(200).body;
    let mut line: Value = file
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .find(|line| line.get("passkeys").is_some())
        .unwrap();
    line["email"] = json!("moved@other.example");
    line["roles"] = json!([]);
    let token = other.mint(|_| ());
    let begun = Some(json!({ "source": "svc" }));
    let import = other.call(Method::POST, "/api/v1/imports", Some(&token), begun).await.expect(201).json();
    let import = import["id"].as_str().unwrap().to_owned();
    let request = svc_http::Request::put(format!("/api/v1/imports/{import}/chunks/1"))
        .header("host", &other.host)
        .header("authorization", format!("Bearer {}", other.mint(|_| ())))
        .header("content-type", "application/x-ndjson");
    let outcome =
        h.send(request.body(svc_http::Body::from(line.to_string())).unwrap()).await.expect(200).json();
    assert_eq!(outcome["counts"]["created"], 1, "{outcome}");
    let file = other.call(Method::GET, path, Some(&other.mint(|_| ())), None).await.expect(200).body;
    let moved: Value =
        serde_json::from_str(file.lines().find(|line| line.contains("moved@")).unwrap()).unwrap();
    for member in ["passkeys", "identities", "profile"] {
        assert_eq!(moved[member], line[member], "{member}");
    }
}
