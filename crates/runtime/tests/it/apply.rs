//! `svc-runtime apply`: makes it so, and a second run changes nothing.

use svc_core::Cx;
use svc_domain::organizations;
use svc_domain::people::tenant_users;
use svc_domain::tenancy::tenants::find_by_slug;
use svc_runtime::apply::{self, Mode, Outcome, Seed, Target, Unlisted, Verb};

use crate::harness::Harness;

const FILE: &str = r##"
[[tenant]]
slug = "acme"
name = "Acme"
settings = { registration = true, accent = "#0f766e" }

[[tenant.api]]
identifier = "https://orders.acme.example"
name = "Orders"
resource_servers = ["backend"]
scopes = [{ name = "orders:read", description = "See orders" }, { name = "orders:write", roles = ["admin"] }]

[[tenant.application]]
handle = "backend"
name = "Backend"
secret = "a-secret-of-the-operator"
grant_types = ["client_credentials"]
scope = "orders:read"

[[tenant.application]]
handle = "shop"
name = "Shop"
type = "spa"
redirect_uris = ["https://shop.acme.example/callback"]

[[tenant.user]]
username = "grace"
email = "grace@acme.example"
email_verified = true
initial_password = "compiler nanosecond moth"
roles = ["admin"]
claims = { name = "Grace Hopper", address = { country = "US" } }
"##;

pub async fn apply_text(h: &Harness, text: &str) -> Result<Outcome, String> {
    apply_by(h, text, Mode { keeps_secrets: true, ..Mode::default() }).await
}

pub async fn apply_by(h: &Harness, text: &str, mode: Mode) -> Result<Outcome, String> {
    apply_as(h, text, mode, &h.operator()).await
}

pub async fn apply_as(h: &Harness, text: &str, mode: Mode, cx: &Cx) -> Result<Outcome, String> {
    let app = h.app();
    let seed = Seed::parse(text).map_err(|failure| failure.to_string())?;
    let services = &app.services;
    let (tenants, rules) = (&services.tenants, h.rules());
    let (passwords, breached) = (&services.passwords, &app.breached);
    let (outbound, sealers) = (&app.outbound, Some(&services.sealers));
    let pages = Some(app.part().unwrap());
    let target = Target {
        config: &app.config,
        db: &app.db,
        tenants,
        passwords,
        breached,
        rules,
        pages,
        outbound,
        sealers,
        mode,
        cx,
        clock: &*app.clock,
    };
    let outcome = apply::apply(&target, &seed).await.map_err(|failure| failure.to_string())?;
    Ok(outcome)
}

pub fn changed(outcome: &Outcome) -> Vec<String> {
    let records = outcome.records().iter().filter(|record| record.verb != Verb::Unchanged);
    records.map(|record| format!("{:?} {} {}", record.verb, record.kind, record.name)).collect()
}

#[tokio::test]
async fn a_second_run_changes_nothing() {
    let h = Harness::new().await;
    let first = apply_text(&h, FILE).await.unwrap();
    assert_eq!(changed(&first).len(), 6, "{first}");
    assert_eq!(changed(&first)[1], "Created api urn:svc:management-api");
    h.advance(60);
    let second = apply_text(&h, FILE).await.unwrap();
    assert!(second.is_unchanged(), "{second}");
}

#[tokio::test]
async fn drift_is_mended_and_reported() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    h.advance(60);
    let edited = FILE
        .replace("name = \"Shop\"", "name = \"Webshop\"")
        .replace("See orders", "Look at orders")
        .replace("a-secret-of-the-operator", "another-secret-of-the-operator")
        .replace("roles = [\"admin\"]\nclaims", "roles = []\nclaims");
    let outcome = apply_text(&h, &edited).await.unwrap();
    let expected = [
        "Updated application backend",
        "Updated application shop",
        "Updated api https://orders.acme.example",
        "Updated user grace",
    ];
    assert_eq!(changed(&outcome), expected);
    assert!(apply_text(&h, &edited).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn the_ways_to_sign_in_that_an_application_accepts_are_made_so_and_lifted() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let shop = "type = \"spa\"\n";
    let narrowed = FILE.replace(shop, &format!("{shop}sign_in_methods = [\"passkey\", \"sso\"]\n"));
    for (text, told) in
        [(narrowed.as_str(), "sign_in_methods: null → [\"passkey\",\"sso\"]"), (FILE, "sign_in_methods: ")]
    {
        let outcome = apply_text(&h, text).await.unwrap();
        assert_eq!(changed(&outcome), ["Updated application shop"]);
        assert!(outcome.to_string().contains(told), "{outcome}");
        assert!(apply_text(&h, text).await.unwrap().is_unchanged());
    }
    let refused = apply_text(&h, &narrowed.replace("\"sso\"", "\"s so\"")).await.unwrap_err();
    assert!(refused.contains("sign_in_methods: name at most 20"), "{refused}");
}

#[tokio::test]
async fn a_password_that_its_person_has_changed_is_left_alone() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let password = async || {
        let id = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
        let mut tx = h.app().db.read(id).await.unwrap();
        tenant_users::find_by_identifier(&mut tx, "grace").await.unwrap().unwrap().password
    };
    let first = password().await;
    for text in [FILE.to_owned(), FILE.replace("compiler nanosecond moth", "relay nanosecond moth")] {
        assert!(apply_text(&h, &text).await.unwrap().is_unchanged());
        assert_eq!(password().await, first);
    }
}

#[tokio::test]
async fn a_dry_run_tells_each_change_and_writes_nothing() {
    let h = Harness::new().await;
    let rehearsal = Mode { dry_run: true, ..Mode::default() };
    let planned = apply_by(&h, FILE, rehearsal).await.unwrap();
    assert_eq!(changed(&planned).len(), 6, "{planned}");
    assert_eq!(changed(&apply_text(&h, FILE).await.unwrap()).len(), 6, "the dry run made nothing");
    let edited = FILE.replace("name = \"Shop\"", "name = \"Webshop\"").replace("#0f766e", "#0f7600");
    let planned = apply_by(&h, &edited, rehearsal).await.unwrap();
    assert_eq!(changed(&planned), ["Updated tenant acme", "Updated application shop"]);
    let told = planned.to_string();
    assert!(told.contains("name: \"Shop\" → \"Webshop\"") && told.contains("nothing was written"), "{told}");
    assert!(told.contains("settings.accent: \"#0f766e\" → \"#0f7600\""), "{told}");
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn what_the_file_no_longer_mentions_is_told_and_removed_on_demand() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let start = FILE.find("[[tenant.application]]\nhandle = \"shop\"").unwrap();
    let end = FILE.find("[[tenant.user]]").unwrap();
    let shorter = format!("{}{}", &FILE[..start], &FILE[end..]);
    let told = apply_text(&h, &shorter).await.unwrap();
    assert_eq!(changed(&told), ["Unlisted application shop"]);
    assert!(told.is_unchanged());
    let prune = Mode { unlisted: Unlisted::Removed, ..Mode::default() };
    assert_eq!(
        changed(&apply_by(&h, &shorter, Mode { dry_run: true, ..prune }).await.unwrap()),
        ["Pruned application shop"]
    );
    assert_eq!(changed(&apply_by(&h, &shorter, prune).await.unwrap()), ["Pruned application shop"]);
    assert_eq!(changed(&apply_by(&h, &shorter, prune).await.unwrap()), Vec::<String>::new());
}

#[tokio::test]
async fn a_chosen_client_id_is_kept_and_cannot_be_changed() {
    let h = Harness::new().await;
    let with =
        |id: &str| FILE.replace("handle = \"shop\"", &format!("handle = \"shop\"\nclient_id = \"{id}\""));
    let chosen = "app_01m7yepz0sfj8kq0w3v5t1h2aa";
    let outcome = apply_text(&h, &with(chosen)).await.unwrap();
    assert!(outcome.to_string().contains(&format!("application shop (client_id {chosen})")), "{outcome}");
    assert!(apply_text(&h, &with(chosen)).await.unwrap().is_unchanged());
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
    let other = apply_text(&h, &with("app_01m7yepz0sfj8kq0w3v5t1h2ab")).await.unwrap_err();
    assert!(other.contains("client_id: it is app_01m7yepz0sfj8kq0w3v5t1h2aa already"), "{other}");
    let foreign = apply_text(&h, &with("shop")).await.unwrap_err();
    assert!(foreign.contains("application \"shop\"") && foreign.contains("client_id"), "{foreign}");
}

#[tokio::test]
async fn a_secret_is_generated_once_and_only_where_it_has_a_place_to_go() {
    let h = Harness::new().await;
    let without = FILE.replace("secret = \"a-secret-of-the-operator\"\n", "");
    let refused = apply_by(&h, &without, Mode::default()).await.unwrap_err();
    assert!(refused.contains("application \"backend\"") && refused.contains("--secrets-file"), "{refused}");
    let first = apply_text(&h, &without).await.unwrap();
    let made: Vec<_> = first.secrets().iter().map(|made| made.application.as_str()).collect();
    assert_eq!(made, ["backend"]);
    assert!(!first.to_string().contains("svc_cs_") && !first.document().to_string().contains("svc_cs_"));
    assert!(apply_text(&h, &without).await.unwrap().secrets().is_empty());
}

#[tokio::test]
async fn a_fault_names_its_place_and_leaves_the_tenant_as_it_was() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let broken = FILE
        .replace("name = \"Shop\"", "name = \"Webshop\"")
        .replace("\"grace@acme.example\"", "\"other@acme.example\"");
    let failure = apply_text(&h, &broken).await.unwrap_err();
    assert!(failure.contains("tenant \"acme\"") && failure.contains("user \"grace\""), "{failure}");
    let bad_uri =
        FILE.replace("name = \"Backend\"", "name = \"Server\"").replace("https://shop", "ftp://shop");
    let failure = apply_text(&h, &bad_uri).await.unwrap_err();
    assert!(failure.contains("application \"shop\"") && failure.contains("redirect_uris"), "{failure}");
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn every_fault_of_every_table_is_told_at_its_line() {
    let h = Harness::new().await;
    let addresses = "[\"ftp://shop.example/\", \"https://shop.example/\", \"https://shop.example/#a\"]";
    let first = FILE
        .replace("https://orders.acme.example", "orders")
        .replace("name = \"Backend\"", "name = \"\"")
        .replace("[\"client_credentials\"]", "[\"client_credentials\", \"magic\"]")
        .replace("[\"https://shop.acme.example/callback\"]", addresses)
        .replace("grace@acme.example", "grace")
        .replace("compiler nanosecond moth", "password");
    let second = FILE
        .replace("acme", "second")
        .replace("\"#0f766e\"", "\"teal\", logo_uri = \"logo\"")
        .replace("scope = \"orders:read\"", "scope = \"orders:raed\"");
    let file = format!("{first}\n{second}");
    let line_of = |text: &str| file.lines().position(|line| line.contains(text)).unwrap() + 1;
    let (backend, shop) =
        ("tenant \"acme\": application \"backend\"", "tenant \"acme\": application \"shop\"");
    let (second, grace) = ("tenant \"second\"", "tenant \"acme\": user \"grace\"");
    let expected = [
        (
            "identifier = \"orders\"",
            "tenant \"acme\": api \"orders\"",
            "identifier: give an absolute URI without a fragment",
        ),
        ("name = \"\"", backend, "name: use 1 to 120 characters without control characters"),
        ("magic", backend, "grant_types: \"magic\" is not a grant that this deployment offers"),
        (
            "ftp:",
            shop,
            "redirect_uris[0]: use https, or for native applications a scheme such as com.example.app",
        ),
        ("ftp:", shop, "redirect_uris[2]: a fragment is not allowed"),
        ("email = \"grace\"", grace, "email: give an address such as name@example.com"),
        ("\"password\"", grace, "initial_password: this is easily guessed; use more words or characters"),
        ("teal", second, "accent: write a colour as #rrggbb"),
        ("teal", second, "logo_uri: give an https URL"),
        (
            "orders:raed",
            "tenant \"second\": application \"backend\"",
            "scope: no API has \"orders:raed\"; did you mean \"orders:read\"?",
        ),
    ];
    let expected = expected.map(|(text, place, fault)| format!("line {}: {place}: {fault}", line_of(text)));
    let failure = apply_text(&h, &file).await.unwrap_err();
    assert_eq!(failure.lines().collect::<Vec<_>>(), expected, "{failure}");
    assert_eq!(changed(&apply_text(&h, FILE).await.unwrap()).len(), 6, "the file with faults made nothing");
}

#[tokio::test]
async fn what_ends_the_run_is_told_with_the_faults_before_it() {
    let h = Harness::new().await;
    let with_domain = FILE.replace("name = \"Acme\"", "name = \"Acme\"\ncustom_domain = \"login.localhost\"");
    let first = with_domain.replace("#0f766e", "teal").replace("https://shop", "ftp://shop");
    let failure =
        apply_text(&h, &format!("{first}\n{}", with_domain.replace("\"acme\"", "\"second\""))).await;
    let failure = failure.unwrap_err();
    let told: Vec<_> = failure.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    assert_eq!(told, ["tenant \"acme\"", "tenant \"acme\"", "tenant \"second\""], "{failure}");
}

#[tokio::test]
async fn a_failed_file_leaves_nothing_not_even_a_tenant() {
    let h = Harness::new().await;
    let broken = format!("{}\n{}", FILE.replace("acme", "first"), FILE.replace("https://shop", "ftp://shop"));
    let failure = apply_text(&h, &broken).await.unwrap_err();
    assert!(failure.contains("tenant \"acme\"") && failure.contains("redirect_uris"), "{failure}");
    for slug in ["first", "acme"] {
        let found = find_by_slug(&mut h.app().db.read_system().await.unwrap(), slug).await.unwrap();
        assert!(found.is_none(), "{slug} is there");
    }
}

#[tokio::test]
async fn scopes_and_audiences_that_no_api_has_are_all_refused_with_what_was_meant() {
    let h = Harness::new().await;
    let broken = FILE
        .replace(
            "scope = \"orders:read\"",
            "scope = \"orders:raed\"\naudience = \"https://order.acme.example\"",
        )
        .replace("type = \"spa\"", "type = \"spa\"\nscope = \"openid invoices:pay\"");
    let failure = apply_text(&h, &broken).await.unwrap_err();
    for expected in [
        "application \"backend\": scope: no API has \"orders:raed\"; did you mean \"orders:read\"?",
        "audience: no API is \"https://order.acme.example\"; did you mean \"https://orders.acme.example\"?",
        "application \"shop\": scope: no API has \"invoices:pay\"",
    ] {
        assert!(failure.contains(expected), "{failure}");
    }
}

#[tokio::test]
async fn an_exported_tenant_is_a_file_that_changes_nothing() {
    let h = Harness::new().await;
    let with_keys = FILE.replace(
        "type = \"spa\"",
        "type = \"spa\"\nenabled = false\nrequire_pkce = true\njwks = { keys = [{ kty = \"OKP\", crv = \"Ed25519\", \
         x = \"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\" }] }",
    );
    apply_text(&h, &with_keys).await.unwrap();
    let app = h.app();
    let export = async |has_users| {
        let exported = apply::export(&app.db, &app.services.tenants, "acme", has_users).await.unwrap();
        exported.to_text().unwrap()
    };
    let text = export(true).await;
    let prune = Mode { unlisted: Unlisted::Removed, ..Mode::default() };
    let again = apply_by(&h, &text, prune).await.unwrap();
    assert_eq!(changed(&again), Vec::<String>::new(), "{text}");
    assert_eq!(again.records().len(), 5, "{again}");
    assert_eq!(export(true).await, text);
    let without = export(false).await;
    for private in ["grace", "compiler nanosecond moth", "a-secret-of-the-operator"] {
        assert!(!without.contains(private), "{without}");
    }
    assert!(apply_by(&h, &without, prune).await.unwrap().is_unchanged());
    let unknown = apply::export(&app.db, &app.services.tenants, "nowhere", false).await.unwrap_err();
    assert!(unknown.to_string().contains("there is no tenant \"nowhere\""), "{unknown}");
}

#[tokio::test]
async fn the_example_of_the_guide_can_be_applied() {
    let h = Harness::new().await;
    let guide = include_str!("../../../../docs/reference/apply.md");
    let example = guide.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let with_secrets = example
        .replace("secret_env = \"ACME_BACKEND_SECRET\"", "secret = \"a-secret-of-the-operator\"")
        .replace(
            "initial_password_env = \"GRACE_PASSWORD\"",
            "initial_password = \"compiler nanosecond moth\"",
        )
        .replace("client_secret_env = \"INITECH_CLIENT_SECRET\"", "client_secret = \"a-secret-of-initech\"")
        .replace("client_secret_env = \"ACME_GITHUB_SECRET\"", "client_secret = \"a-secret-of-github\"");
    let random = "secret = \"5f0c8a7be2d94c61b3e7a8f4c0d1927ee4a6b8d2f90c1735ab6d4e8f70913c2b\"";
    let with_secrets = ["ACME_WEBHOOK_SECRET", "ACME_HOOK_SECRET", "ACME_AUDIT_SECRET", "ACME_WIKI_TOKEN"]
        .into_iter()
        .fold(with_secrets, |text, name| text.replace(&format!("secret_env = \"{name}\""), random));
    assert_eq!(changed(&apply_text(&h, &with_secrets).await.unwrap()).len(), 22);
    assert!(apply_text(&h, &with_secrets).await.unwrap().is_unchanged());
}

pub const CUSTOMERS: &str = r#"
[[tenant]]
slug = "acme"
name = "Acme"

[[tenant.role]]
name = "editor"

[[tenant.user]]
username = "grace"
public_metadata = { department = "compilers" }

[[tenant.user]]
username = "alan"

[[tenant.organization]]
slug = "initech"
name = "Initech"
owner = "grace"
metadata = { region = "eu" }
sign_in = { methods = ["passkey", "sso"], second_factor = "required", session_max_age_secs = 28800 }

[[tenant.organization.member]]
user = "grace"
roles = ["editor"]

[[tenant.organization.member]]
user = "alan"

[[tenant.policy]]
name = "readers"
organization = "initech"
text = '''permit(principal, action == Action::"read", resource);'''
"#;

#[tokio::test]
async fn organizations_with_their_members_and_policies_are_made_so() {
    let h = Harness::new().await;
    let made = changed(&apply_text(&h, CUSTOMERS).await.unwrap());
    let customers = &made[made.len() - 2..];
    assert_eq!(customers, ["Created organization initech", "Created policy readers"]);
    h.advance(60);
    let again = apply_text(&h, CUSTOMERS).await.unwrap();
    assert!(again.is_unchanged(), "{again}");

    let id = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap().unwrap();
    let members = async || {
        let mut tx = h.app().db.read(id).await.unwrap();
        let initech = organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap();
        let owner = tenant_users::find(&mut tx, initech.owner_id).await.unwrap().unwrap().username.unwrap();
        let mut named = Vec::new();
        for member in organizations::list_members(&mut tx, initech.id, None, (None, 10)).await.unwrap() {
            let person = tenant_users::find(&mut tx, member.tenant_user_id).await.unwrap().unwrap();
            named.push(format!("{} {:?}", person.username.unwrap(), member.roles));
        }
        named.sort();
        (owner, named)
    };
    let both = vec!["alan []".to_owned(), "grace [\"editor\"]".to_owned()];
    assert_eq!(members().await, ("grace".to_owned(), both));

    let handed_over = CUSTOMERS
        .replace("owner = \"grace\"", "owner = \"alan\"")
        .replace("[[tenant.organization.member]]\nuser = \"grace\"\nroles = [\"editor\"]\n", "")
        .replace("\"read\"", "\"see\"");
    let outcome = apply_text(&h, &handed_over).await.unwrap();
    assert_eq!(changed(&outcome), ["Updated organization initech", "Updated policy readers"]);
    let people = "owner: \"grace\" → \"alan\"\n            member.grace: [\"editor\"] → null\n";
    assert!(outcome.to_string().contains(people), "{outcome}");
    assert_eq!(members().await, ("alan".to_owned(), vec!["alan []".to_owned()]));
    assert!(apply_text(&h, &handed_over).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn an_exported_tenant_is_the_same_in_another_deployment_and_pruned_where_the_file_is_silent() {
    let h = Harness::new().await;
    apply_text(&h, CUSTOMERS).await.unwrap();
    let services = &h.app().services;
    let exported =
        apply::export(&h.app().db, &services.tenants, "acme", true).await.unwrap().to_text().unwrap();
    assert!(apply_text(&h, &exported).await.unwrap().is_unchanged(), "{exported}");
    let other = Harness::new().await;
    apply_text(&other, &exported).await.unwrap();
    let tenants = &other.app().services.tenants;
    let there = apply::export(&other.app().db, tenants, "acme", true).await.unwrap().to_text().unwrap();
    assert!(apply_text(&other, &exported).await.unwrap().is_unchanged(), "{exported}");
    assert!(apply_text(&h, &there).await.unwrap().is_unchanged(), "{there}");

    let (silent, _) = CUSTOMERS.split_once("[[tenant.organization]]").unwrap();
    let pruned = apply_by(&h, silent, Mode { unlisted: Unlisted::Removed, ..Mode::default() }).await.unwrap();
    assert_eq!(changed(&pruned), ["Pruned policy readers", "Pruned organization initech"]);
}

#[tokio::test]
async fn a_customer_whose_people_or_policy_are_not_there_is_refused_at_its_line() {
    let h = Harness::new().await;
    for (from, to, fault) in [
        ("owner = \"grace\"", "owner = \"nell\"", "owner: the tenant has no user \"nell\""),
        ("user = \"alan\"", "user = \"nell\"", "member: the tenant has no user \"nell\""),
        ("organization = \"initech\"", "organization = \"hooli\"", "there is no organization \"hooli\""),
        ("permit(principal", "permit(nobody", "text"),
        ("slug = \"initech\"\n", "slug = \"initech\"\ncolour = \"red\"\n", "colour"),
    ] {
        let refused = apply_text(&h, &CUSTOMERS.replace(from, to)).await.unwrap_err();
        assert!(refused.contains(fault) && refused.contains("line "), "{to}: {refused}");
    }
}
