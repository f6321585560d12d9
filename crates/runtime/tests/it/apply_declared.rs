//! `svc-runtime apply` of webhooks, trusted issuers, hooks, SSO connections and streams of the audit log; and that every resource
//! of a tenant is covered or says why not.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use svc_db::{SystemSql, args};
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::find_by_slug;
use svc_domain::{apps, organizations};
use svc_runtime::apply::{Mode, Outcome, Seed, Unlisted, Verb, export};

use crate::apply::{CUSTOMERS, apply_by, apply_text, changed};
use crate::harness::Harness;

const SECRET: &str = "5f0c8a7be2d94c61b3e7a8f4c0d1927ee4a6b8d2f90c1735ab6d4e8f70913c2b";
const OTHER: &str = "9d1e4b7f03c8a6529fe0b3d7c5a1846207e9f2b4d8c6103ea5b7f9d1c3e80642";

fn file(secret: &str) -> String {
    format!(
        r#"
[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.application]]
handle = "backend"
name = "Backend"
secret = "a-secret-of-the-operator"
grant_types = ["client_credentials"]

[[tenant.user]]
username = "grace"
email = "grace@acme.example"

[[tenant.organization]]
slug = "initech"
name = "Initech"
owner = "grace"

[[tenant.trusted_issuer]]
issuer = "https://partner.example"
name = "Partner"
jwks_uri = "https://partner.example/jwks.json"

[[tenant.webhook]]
url = "https://receiver.example/events"
event_types = ["auth.*"]
secret = "{secret}"

[[tenant.hook]]
point = "pre_token"
url = "https://receiver.example/hook"
on_failure = "allow"
applications = ["backend"]
secret = "{secret}"

[[tenant.connector]]
name = "github"
preset = "github"
client_id = "svc"
client_secret = "{secret}"
enabled = true

[[tenant.sso_connection]]
organization = "initech"
issuer = "https://login.initech.example"
display_name = "Initech"
client_id = "svc"
client_secret = "{secret}"
enabled = true

[[tenant.audit_stream]]
name = "Security"
destination = {{ webhook = {{ url = "https://receiver.example/audit" }} }}
secret = "{secret}"

[[tenant.scim_schema]]
urn = "urn:example:params:scim:schemas:hr:2.0:User"
name = "hr"
attributes = [{{ name = "badge", uniqueness = "server" }}]

[[tenant.terms]]
key = "privacy"
label = "2026-12"
language = "en"
effective_at = "2026-12-01T00:00:00Z"
documents = {{ en = {{ title = "Privacy policy", url = "https://acme.example/privacy" }} }}
organizations = ["initech"]

[[tenant.sign_up_field]]
name = "company"
type = "text"
language = "en"
applications = ["backend"]
organizations = ["initech"]
texts = {{ en = {{ label = "Company" }} }}
"#
    )
}

const KINDS: [&str; 9] = [
    "trusted_issuer",
    "webhook",
    "hook",
    "connector",
    "sso_connection",
    "audit_stream",
    "scim_schema",
    "terms",
    "sign_up_field",
];

const TABLES: [&str; 9] = [
    "webhooks",
    "hooks",
    "trusted_issuers",
    "connectors",
    "sso_connections",
    "audit_streams",
    "scim_schemas",
    "terms",
    "sign_up_fields",
];

fn of_kinds(outcome: &Outcome) -> Vec<(&'static str, Verb)> {
    let records = outcome.records().iter().filter(|record| KINDS.contains(&record.kind));
    records.map(|record| (record.kind, record.verb)).collect()
}

async fn count(h: &Harness, table: &'static str) -> i64 {
    let mut tx = h.app().db.read_system().await.unwrap();
    let text: &'static str = Box::leak(format!("SELECT count(*) AS count FROM {table}").into_boxed_str());
    tx.one(SystemSql::new(text), args![]).await.unwrap().int("count").unwrap()
}

#[tokio::test]
async fn a_new_tenant_gets_everything_and_a_second_run_changes_nothing() {
    let h = Harness::new().await;
    let first = apply_text(&h, &file(SECRET)).await.unwrap();
    assert_eq!(of_kinds(&first), KINDS.map(|kind| (kind, Verb::Created)), "{first}");
    assert!(first.secrets().is_empty(), "each secret was given");
    h.advance(60);
    let second = apply_text(&h, &file(SECRET)).await.unwrap();
    assert!(second.is_unchanged(), "{second}");
    // The key under which the secrets stand is the one that the service uses.
    let mut system = h.app().db.read_system().await.unwrap();
    let id = find_by_slug(&mut system, "acme").await.unwrap().unwrap();
    drop(system);
    let cx = h.operator();
    let sealer = h.app().services.sealers.of(id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = h.app().db.read(id).await.unwrap();
    let webhooks = svc_domain::delivery::webhooks::list(&mut tx, None, (None, 10)).await.unwrap();
    let holds = svc_domain::delivery::webhooks::holds_secret;
    assert!(holds(&webhooks[0], SECRET, id.reference(), &sealer));
    assert!(!holds(&webhooks[0], OTHER, id.reference(), &sealer));
}

#[tokio::test]
async fn a_dry_run_tells_each_key_and_writes_nothing() {
    let h = Harness::new().await;
    let dry = Mode { dry_run: true, ..Mode::default() };
    let before = count(&h, "tenant_keys").await;
    let planned = apply_by(&h, &file(SECRET), dry).await.unwrap();
    assert_eq!(of_kinds(&planned), KINDS.map(|kind| (kind, Verb::Created)), "{planned}");
    for table in TABLES {
        assert_eq!(count(&h, table).await, 0, "{table}");
    }
    assert_eq!(count(&h, "tenant_keys").await, before);
    apply_text(&h, &file(SECRET)).await.unwrap();
    let changed_file = file(OTHER)
        .replace("event_types = [\"auth.*\"]", "event_types = [\"auth.*\", \"admin.*\"]")
        .replace("name = \"Partner\"", "name = \"Partners\"");
    let planned = apply_by(&h, &changed_file, dry).await.unwrap().to_string();
    for told in [
        "event_types: [\"auth.*\"] → [\"auth.*\",\"admin.*\"]",
        "name: \"Partner\" → \"Partners\"",
        "secret: \"…\"",
    ] {
        assert!(planned.contains(told), "{told} in {planned}");
    }
    assert!(!planned.contains(OTHER) && !planned.contains(SECRET), "{planned}");
    assert!(apply_text(&h, &file(SECRET)).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn a_secret_that_differs_is_replaced_and_one_that_is_left_out_stays() {
    let h = Harness::new().await;
    apply_text(&h, &file(SECRET)).await.unwrap();
    let renewed = apply_text(&h, &file(OTHER)).await.unwrap();
    let updated: Vec<_> = of_kinds(&renewed).into_iter().filter(|(_, verb)| *verb == Verb::Updated).collect();
    assert_eq!(updated.len(), 5, "all but the issuer: {renewed}");
    assert!(apply_text(&h, &file(OTHER)).await.unwrap().is_unchanged());
    // Twice within the day: the receiver is told at once.
    apply_text(&h, &file(SECRET)).await.unwrap();
    let without: String =
        file(SECRET).lines().filter(|line| !line.contains(SECRET)).map(|line| format!("{line}\n")).collect();
    let kept = apply_text(&h, &without).await.unwrap();
    assert!(of_kinds(&kept).iter().all(|(_, verb)| *verb == Verb::Unchanged), "{kept}");
    assert!(apply_text(&h, &file(SECRET)).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn a_secret_that_is_made_goes_where_the_operator_says_or_nowhere() {
    let h = Harness::new().await;
    let without: String = file(SECRET)
        .replace("client_secret = ", "client_secret_kept = ")
        .lines()
        .filter(|line| !line.starts_with("secret = \"5f"))
        .map(|line| format!("{}\n", line.replace("client_secret_kept", "client_secret")))
        .collect();
    let refused = apply_by(&h, &without, Mode::default()).await.unwrap_err();
    assert!(
        refused.contains("webhook \"https://receiver.example/events\"") && refused.contains("--secrets-file"),
        "{refused}"
    );
    assert_eq!(count(&h, "webhooks").await, 0);
    let made = apply_text(&h, &without).await.unwrap();
    let named: BTreeSet<_> = made.secrets().iter().map(|made| made.application.as_str()).collect();
    let expected = [
        "webhook https://receiver.example/events",
        "hook pre_token https://receiver.example/hook",
        "audit_stream Security",
    ];
    assert_eq!(named, BTreeSet::from(expected));
    assert!(apply_text(&h, &without).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn what_the_file_does_not_mention_is_told_and_pruned() {
    let h = Harness::new().await;
    apply_text(&h, &file(SECRET)).await.unwrap();
    let (base, _) = file(SECRET)
        .split_once("[[tenant.trusted_issuer]]")
        .map(|(base, rest)| (base.to_owned(), rest.to_owned()))
        .unwrap();
    let told = apply_text(&h, &base).await.unwrap();
    let mut unlisted = of_kinds(&told);
    unlisted.sort_by_key(|(kind, _)| *kind);
    let mut expected = KINDS.map(|kind| (kind, Verb::Unlisted)).to_vec();
    expected.sort_by_key(|(kind, _)| *kind);
    assert_eq!(unlisted, expected, "{told}");
    let prune = Mode { unlisted: Unlisted::Removed, ..Mode::default() };
    let dry = apply_by(&h, &base, Mode { dry_run: true, ..prune }).await.unwrap();
    assert_eq!(changed(&dry).len(), KINDS.len(), "{dry}");
    assert_eq!(count(&h, "webhooks").await, 1);
    let pruned = apply_by(&h, &base, prune).await.unwrap();
    assert!(of_kinds(&pruned).iter().all(|(_, verb)| *verb == Verb::Pruned), "{pruned}");
    for table in TABLES {
        assert_eq!(count(&h, table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn an_export_has_them_without_secrets_and_changes_nothing() {
    let h = Harness::new().await;
    apply_text(&h, &file(SECRET)).await.unwrap();
    let exported =
        export(&h.app().db, &h.app().services.tenants, "acme", true).await.unwrap().to_text().unwrap();
    assert!(!exported.contains(SECRET), "{exported}");
    for kind in KINDS {
        assert!(exported.contains(&format!("[[tenant.{kind}]]")), "{kind} in {exported}");
    }
    assert!(exported.contains("applications = [\"backend\"]"), "{exported}");
    let named = exported.matches("organizations = [\"initech\"]").count();
    assert_eq!((named, exported.contains("organization_ids")), (2, false), "{exported}");
    let again = apply_text(&h, &exported).await.unwrap();
    assert!(again.is_unchanged(), "{again}");
}

#[tokio::test]
async fn an_export_never_turns_what_is_for_some_applications_into_what_is_for_all() {
    let h = Harness::new().await;
    apply_text(&h, &file(SECRET)).await.unwrap();
    let id = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    // As one goes that unregisters itself: lists still name it.
    let mut tx = h.app().db.begin(id).await.unwrap();
    let gone = apps::find_by_handle(&mut tx, "backend").await.unwrap().unwrap().id;
    apps::delete(&mut tx, &h.operator(), gone).await.unwrap();
    tx.commit().await.unwrap();
    let exported =
        export(&h.app().db, &h.app().services.tenants, "acme", true).await.unwrap().to_text().unwrap();
    assert!(!exported.contains("applications = ["), "{exported}");
    assert_eq!(exported.matches(&format!("application_ids = [\"{gone}\"]")).count(), 2, "{exported}");
    let again = apply_text(&h, &exported).await.unwrap();
    assert!(again.is_unchanged(), "{again}");
}

#[tokio::test]
async fn what_a_file_declares_twice_is_refused() {
    let h = Harness::new().await;
    let webhook =
        "[[tenant.webhook]]\nurl = \"https://receiver.example/events\"\nevent_types = [\"org.*\"]\n";
    let failure = apply_text(&h, &format!("{}\n{webhook}", file(SECRET))).await.unwrap_err();
    let fault = "tenant \"acme\": webhook \"https://receiver.example/events\": line ";
    assert!(failure.contains(fault) && failure.ends_with("has it already; keep one of the two"), "{failure}");
}

#[tokio::test]
async fn what_cannot_be_is_refused_at_its_line_and_leaves_nothing_behind() {
    let h = Harness::new().await;
    let good = file(SECRET);
    let before = (count(&h, "tenants").await, count(&h, "tenant_keys").await);
    for (from, to, fault) in [
        (
            "https://receiver.example/events",
            "http://10.0.0.1/events",
            "webhook \"http://10.0.0.1/events\": url: ",
        ),
        (
            "https://receiver.example/hook",
            "https://127.0.0.1/hook",
            "hook \"pre_token https://127.0.0.1/hook\": url: ",
        ),
        (
            "https://login.initech.example",
            "http://login.initech.example",
            "sso_connection \"initech http://login.initech.example\": issuer: ",
        ),
        (
            "https://receiver.example/audit",
            "https://169.254.169.254/",
            "audit_stream \"Security\": destination.webhook.url: ",
        ),
        (
            "applications = [\"backend\"]",
            "applications = [\"shop\"]",
            "applications: there is no application \"shop\"",
        ),
        (
            "organizations = [\"initech\"]",
            "organizations = [\"umbrella\"]",
            "organizations: there is no organization \"umbrella\"",
        ),
        (
            "organization = \"initech\"",
            "organization = \"umbrella\"",
            "organization: there is no organization \"umbrella\"",
        ),
        (
            "event_types = [\"auth.*\"]",
            "event_types = []",
            "webhook \"https://receiver.example/events\": event_types",
        ),
        (
            "name = \"badge\"",
            "name = \"the badge\"",
            "scim_schema \"urn:example:params:scim:schemas:hr:2.0:User\": attributes",
        ),
        (
            "https://acme.example/privacy",
            "http://acme.example/privacy",
            "terms \"privacy 2026-12\": documents.en.url: ",
        ),
        ("type = \"text\"", "type = \"choice\"", "sign_up_field \"company\": choices: "),
        ("jwks_uri = ", "jwk_uri = ", "jwk_uri is not a key here; did you mean jwks_uri?"),
    ] {
        let refused = apply_text(&h, &good.replace(from, to)).await.unwrap_err();
        assert!(refused.contains(fault) && refused.starts_with("line "), "{fault} in {refused}");
    }
    let weak = apply_text(&h, &file("too-weak")).await.unwrap_err();
    assert!(weak.contains("secret: give at least 32 random bytes") && !weak.contains("too-weak"), "{weak}");
    assert_eq!((count(&h, "tenants").await, count(&h, "tenant_keys").await), before);
    assert_eq!(count(&h, "webhooks").await, 0);
}

#[tokio::test]
async fn sign_in_rules_of_an_organization_are_made_so_and_left_alone_where_the_file_is_silent() {
    let h = Harness::new().await;
    apply_text(&h, CUSTOMERS).await.unwrap();
    let id = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let rules = async || {
        let mut tx = h.app().db.read(id).await.unwrap();
        organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap().sign_in
    };
    let mut wanted = organizations::SignInRules {
        methods: ["passkey", "sso"].into_iter().collect(),
        second_factor: organizations::Demand::Required,
        sso: organizations::Demand::Optional,
        session_max_age_secs: Some(28800),
    };
    assert_eq!(rules().await, wanted);

    let silent: String =
        CUSTOMERS.lines().filter(|line| !line.starts_with("sign_in")).collect::<Vec<_>>().join("\n");
    assert!(apply_text(&h, &silent).await.unwrap().is_unchanged());
    let weaker = CUSTOMERS.replace("second_factor = \"required\"", "second_factor = \"optional\"");
    let outcome = apply_text(&h, &weaker).await.unwrap();
    assert_eq!(changed(&outcome), ["Updated organization initech"]);
    assert!(outcome.to_string().contains("sign_in.second_factor: \"required\" → \"optional\""), "{outcome}");
    wanted.second_factor = organizations::Demand::Optional;
    assert_eq!(rules().await, wanted);

    let faulty = CUSTOMERS.replace("session_max_age_secs = 28800", "session_max_age_secs = 1");
    let refused = apply_text(&h, &faulty).await.unwrap_err();
    assert!(refused.contains("sign_in.session_max_age_secs") && refused.contains("line "), "{refused}");
}

#[tokio::test]
async fn metadata_that_toml_does_not_have_keep_no_tenant_from_its_export_and_stay_as_they_are() {
    let h = Harness::new().await;
    apply_text(&h, CUSTOMERS).await.unwrap();
    let db = &h.app().db;
    let id = find_by_slug(&mut db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let mut tx = db.begin(id).await.unwrap();
    let alan = tenant_users::find_by_identifier(&mut tx, "alan").await.unwrap().unwrap();
    let noted = json!({ "private": { "places": [null, "Bletchley"] } });
    let noted = serde_json::from_value(noted).unwrap();
    tenant_users::set_metadata(&mut tx, &h.operator(), alan.id, (&alan.metadata, &noted)).await.unwrap();
    tx.commit().await.unwrap();
    let exported = export(db, &h.app().services.tenants, "acme", true).await.unwrap().to_text().unwrap();
    assert!(exported.contains("public_metadata") && !exported.contains("private_metadata"), "{exported}");
    assert!(apply_text(&h, &exported).await.unwrap().is_unchanged());
    let mut tx = db.read(id).await.unwrap();
    let alan = tenant_users::find_by_identifier(&mut tx, "alan").await.unwrap().unwrap();
    assert_eq!(alan.metadata, noted);
}

/// The table of a file that covers each resource of the management API, or why none does.
const COVERAGE: &[(&str, Result<&str, &str>)] = &[
    ("api-keys", Err("shown once to the person who makes one")),
    ("apis", Ok("api")),
    ("applications", Ok("application")),
    ("audit-streams", Ok("audit_stream")),
    ("branding", Ok("settings")),
    ("connectors", Ok("connector")),
    ("consents", Err("what people allow")),
    ("custom-domains", Ok("custom_domain")),
    ("delegations", Err("what people allow")),
    ("groups", Ok("group")),
    ("hooks", Ok("hook")),
    ("identity", Err("what people do themselves")),
    ("impersonations", Err("what happens")),
    ("imports", Err("what happens")),
    ("organizations", Ok("organization")),
    ("policies", Ok("policy")),
    ("registration-tokens", Err("shown once to the administrator who makes one")),
    ("roles", Ok("role")),
    ("scim-schemas", Ok("scim_schema")),
    ("scim-targets", Ok("scim_target")),
    ("scim-tokens", Err("shown once to the administrator who makes one")),
    ("sessions", Err("what happens")),
    ("sign-up-fields", Ok("sign_up_field")),
    ("sso-connections", Ok("sso_connection")),
    ("tenant-settings", Ok("settings")),
    ("tenant-users", Ok("user")),
    ("terms", Ok("terms")),
    ("texts", Ok("texts")),
    ("trusted-issuers", Ok("trusted_issuer")),
    // The former word for people.
    ("users", Ok("user")),
    ("webhooks", Ok("webhook")),
];

#[test]
fn every_resource_of_a_tenant_is_covered_by_files_or_says_why_not() {
    let scopes = svc_control::scopes();
    let declared: BTreeSet<_> = scopes.iter().filter_map(|(name, _)| name.strip_suffix(":write")).collect();
    let listed: BTreeMap<_, _> = COVERAGE.iter().copied().collect();
    assert_eq!(listed.keys().copied().collect::<BTreeSet<_>>(), declared);
    // The keys that a tenant of a file has, as the reader tells them.
    let told = Seed::parse("[[tenant]]\nslug = 'a'\nname = 'A'\nunknown = 1\n").unwrap_err().to_string();
    for (resource, covered) in listed {
        match covered {
            Ok(key) => assert!(told.contains(&format!("`{key}`")), "{resource}: {key} in {told}"),
            Err(reason) => assert!(reason.len() > 10, "{resource}"),
        }
    }
}
