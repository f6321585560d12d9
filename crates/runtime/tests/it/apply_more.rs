//! `svc-runtime apply` of own texts, of the trusted issuers of organizations and of SCIM targets.

use svc_core::TenantId;
use svc_db::{SystemSql, args};
use svc_domain::claims::profile::Profile;
use svc_domain::delivery::scim_targets::{self, ScimTarget};
use svc_domain::federation::trusted_issuers;
use svc_domain::organizations::{self, looks};
use svc_domain::people::accounts::NewAccount;
use svc_domain::people::tenant_users::{NewMember, Status};
use svc_domain::people::{accounts, groups, tenant_users};
use svc_domain::tenancy::tenants::{find_by_slug, records};
use svc_domain::tenancy::texts;
use svc_runtime::apply::{Mode, Outcome, Unlisted, Verb, export};

use crate::apply::{CUSTOMERS, apply_as, apply_by, apply_text, changed};
use crate::harness::Harness;

const TENANT: &str = "[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n";

const TEXTS: &str = r#"
[tenant.texts.de]
signin-title = "Willkommen zurück"

[tenant.texts.en]
signin-title = "Welcome back"
signin-to = "on the way to {app}"
"#;

const PEOPLE: &str = r#"
[[tenant.role]]
name = "staff"

[[tenant.group]]
name = "editors"

[[tenant.user]]
username = "grace"
"#;

const ORGANIZATION: &str = r#"
[[tenant.organization]]
slug = "initech"
name = "Initech"
owner = "grace"
"#;

const ORGANIZATION_TEXTS: &str = "texts.en.signin-title = \"Welcome, Initech\"\n";

const OTHERS: &str = r#"
[[tenant.trusted_issuer]]
issuer = "https://partner.example"
name = "Partner"
jwks_uri = "https://partner.example/jwks.json"

[[tenant.trusted_issuer]]
issuer = "https://tokens.initech.example"
organization = "initech"
name = "Initech"
jwks_uri = "https://tokens.initech.example/jwks.json"

[[tenant.scim_target]]
name = "Wiki"
base_url = "https://wiki.example/scim/v2"
secret = "token-of-the-wiki"
push_groups = true
people = { organizations = ["initech"], roles = ["staff"], groups = ["editors"] }
"#;

const KINDS: [&str; 4] = ["texts", "organization_texts", "trusted_issuer", "scim_target"];

const EVERYTHING: [&str; 5] = [
    "texts acme",
    "organization_texts initech",
    "trusted_issuer https://partner.example",
    "trusted_issuer https://tokens.initech.example",
    "scim_target Wiki",
];

const PRUNE: Mode = Mode { dry_run: false, unlisted: Unlisted::Removed, keeps_secrets: false };

fn file() -> String {
    [TENANT, TEXTS, PEOPLE, ORGANIZATION, ORGANIZATION_TEXTS, OTHERS].concat()
}

/// The same with another value of everything that can change.
fn other_file() -> String {
    file()
        .replace("Welcome back", "Good to see you")
        .replace("signin-to = \"on the way to {app}\"\n", "")
        .replace("Welcome, Initech", "Hello, Initech")
        .replace(
            "organization = \"initech\"\nname = \"Initech\"",
            "organization = \"initech\"\nname = \"Tokens\"",
        )
        .replace("push_groups = true", "active = false")
        .replace("groups = [\"editors\"]", "groups = []")
        .replace("token-of-the-wiki", "another-token-of-the-wiki")
}

/// The records of these kinds to which this happened, in the order in which they are told.
fn done(outcome: &Outcome, verb: Verb) -> Vec<String> {
    let records = outcome.records().iter();
    let ours = records.filter(|record| KINDS.contains(&record.kind) && record.verb == verb);
    ours.map(|record| format!("{} {}", record.kind, record.name)).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

fn everything() -> Vec<String> {
    EVERYTHING.map(str::to_owned).to_vec()
}

async fn tenant(h: &Harness) -> TenantId {
    find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap().unwrap()
}

/// The title of the sign-in page in English: that of the tenant, and that of the organization.
async fn titles(h: &Harness) -> [Option<String>; 2] {
    let id = tenant(h).await;
    let mut system = h.app().db.read_system().await.unwrap();
    let record = records::find(&mut system, id.reference()).await.unwrap().unwrap();
    let own = texts::find(&mut system, &record).await.unwrap();
    drop(system);
    let mut tx = h.app().db.read(id).await.unwrap();
    let initech = organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap();
    let theirs = looks::texts(&mut tx, &initech).await.unwrap();
    [own, theirs].map(|texts| texts.text("en", "signin-title").map(str::to_owned))
}

/// The only target, with its secret.
async fn target(h: &Harness) -> (ScimTarget, String) {
    let (id, cx) = (tenant(h).await, h.operator());
    let sealer = h.app().services.sealers.of(id, svc_keys::Purpose::Credentials, &cx).await.unwrap();
    let mut tx = h.app().db.read(id).await.unwrap();
    let found = scim_targets::list(&mut tx, (None, 10)).await.unwrap();
    let [target] = found.as_slice() else { panic!("{} targets", found.len()) };
    let secret = scim_targets::access(&tx, target, &sealer).unwrap().secret;
    (target.clone(), secret.expose().to_owned())
}

async fn exported(h: &Harness) -> String {
    let app = h.app();
    export(&app.db, &app.services.tenants, "acme", true).await.unwrap().to_text().unwrap()
}

#[tokio::test]
async fn texts_issuers_and_targets_are_made_and_a_second_run_changes_nothing() {
    let h = Harness::new().await;
    let made = apply_text(&h, &file()).await.unwrap();
    assert_eq!(done(&made, Verb::Created), everything(), "{made}");
    assert_eq!(titles(&h).await, [Some("Welcome back".to_owned()), Some("Welcome, Initech".to_owned())]);
    let (target, secret) = target(&h).await;
    assert_eq!(secret, "token-of-the-wiki");
    let mut tx = h.app().db.read(tenant(&h).await).await.unwrap();
    let initech = organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap();
    let editors = groups::find_by_name(&mut tx, "editors").await.unwrap().unwrap();
    let people = &target.configuration.people;
    assert_eq!(people.organization_ids, [initech.id]);
    assert_eq!(people.group_ids, [editors.id]);
    assert_eq!(people.roles, ["staff"]);
    let issuers = trusted_issuers::list_of_organization(&mut tx, initech.id, (None, 10)).await.unwrap();
    assert_eq!(issuers.len(), 1);
    assert_eq!(issuers[0].issuer, "https://tokens.initech.example");
    drop(tx);
    h.advance(60);
    let again = apply_text(&h, &file()).await.unwrap();
    assert!(again.is_unchanged(), "{again}");
    assert_eq!(done(&again, Verb::Unchanged), everything(), "{again}");
}

#[tokio::test]
async fn a_dry_run_tells_what_becomes_of_texts_issuers_and_targets_and_writes_nothing() {
    let h = Harness::new().await;
    let dry = Mode { dry_run: true, ..Mode::default() };
    let planned = apply_by(&h, &file(), dry).await.unwrap();
    assert_eq!(done(&planned, Verb::Created), everything(), "{planned}");
    let found = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap();
    assert!(found.is_none());
    apply_text(&h, &file()).await.unwrap();
    let planned = apply_by(&h, &other_file(), dry).await.unwrap().to_string();
    for told in [
        "texts.en.signin-title: \"Welcome back\" → \"Good to see you\"",
        "texts.en.signin-to: \"on the way to {app}\" → null",
        "texts.en.signin-title: \"Welcome, Initech\" → \"Hello, Initech\"",
        "name: \"Initech\" → \"Tokens\"",
        "push_groups: true → false",
        "active: true → false",
        "secret: \"…\"",
    ] {
        assert!(planned.contains(told), "{told} in {planned}");
    }
    assert!(!planned.contains("token-of-the-wiki"), "{planned}");
    let kept = apply_text(&h, &file()).await.unwrap();
    assert!(kept.is_unchanged(), "{kept}");
}

#[tokio::test]
async fn texts_issuers_and_targets_that_differ_are_changed() {
    let h = Harness::new().await;
    apply_text(&h, &file()).await.unwrap();
    let changed = apply_text(&h, &other_file()).await.unwrap();
    let untouched = "trusted_issuer https://partner.example";
    let expected: Vec<_> = everything().into_iter().filter(|name| name != untouched).collect();
    assert_eq!(done(&changed, Verb::Updated), expected, "{changed}");
    assert_eq!(titles(&h).await, [Some("Good to see you".to_owned()), Some("Hello, Initech".to_owned())]);
    let (target, secret) = target(&h).await;
    assert!(!target.active && target.configuration.people.group_ids.is_empty());
    assert_eq!(secret, "another-token-of-the-wiki");
    assert!(apply_text(&h, &other_file()).await.unwrap().is_unchanged());
    // The file may lose its secret; the one that is there stays.
    let silent = other_file().replace("secret = \"another-token-of-the-wiki\"\n", "");
    assert!(apply_text(&h, &silent).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn texts_issuers_and_targets_that_the_file_does_not_mention_are_told_and_pruned() {
    let h = Harness::new().await;
    apply_text(&h, &file()).await.unwrap();
    let silent = [TENANT, PEOPLE, ORGANIZATION].concat();
    let told = apply_text(&h, &silent).await.unwrap();
    let all = sorted(everything());
    assert_eq!(sorted(done(&told, Verb::Unlisted)), all, "{told}");
    assert!(told.is_unchanged(), "{told}");
    let planned = apply_by(&h, &silent, Mode { dry_run: true, ..PRUNE }).await.unwrap();
    assert_eq!(sorted(done(&planned, Verb::Pruned)), all, "{planned}");
    assert!(apply_text(&h, &file()).await.unwrap().is_unchanged(), "the dry run removed nothing");
    let pruned = apply_by(&h, &silent, PRUNE).await.unwrap();
    assert_eq!(sorted(done(&pruned, Verb::Pruned)), all, "{pruned}");
    assert_eq!(titles(&h).await, [None, None]);
    assert_eq!(changed(&apply_by(&h, &silent, PRUNE).await.unwrap()), Vec::<String>::new());
}

#[tokio::test]
async fn an_organization_that_is_pruned_takes_its_issuers_and_texts_along() {
    let h = Harness::new().await;
    let whole = file();
    let (whole, _) = whole.split_once("[[tenant.scim_target]]").unwrap();
    apply_text(&h, whole).await.unwrap();
    let without = [TENANT, TEXTS, PEOPLE].concat();
    let pruned = apply_by(&h, &without, PRUNE).await.unwrap();
    let gone = [
        "Pruned trusted_issuer https://partner.example",
        "Pruned trusted_issuer https://tokens.initech.example",
        "Pruned organization initech",
    ];
    assert_eq!(sorted(changed(&pruned)), sorted(gone.map(str::to_owned).to_vec()), "{pruned}");
}

#[tokio::test]
async fn an_organization_is_pruned_together_with_the_role_that_its_members_have() {
    let h = Harness::new().await;
    apply_text(&h, CUSTOMERS).await.unwrap();
    let people = "[[tenant.user]]\nusername = \"grace\"\n[[tenant.user]]\nusername = \"alan\"\n";
    let pruned = apply_by(&h, &format!("{TENANT}{people}"), PRUNE).await.unwrap();
    let gone = ["Pruned policy readers", "Pruned organization initech", "Pruned role editor"];
    assert_eq!(changed(&pruned), gone, "{pruned}");
}

#[tokio::test]
async fn a_member_whom_no_file_can_name_stays_where_an_export_is_applied() {
    let h = Harness::new().await;
    apply_text(&h, CUSTOMERS).await.unwrap();
    let (id, cx) = (tenant(&h).await, h.operator());
    let mut tx = h.app().db.begin(id).await.unwrap();
    let new = NewAccount { email: None, email_verified: false, password: None, profile: Profile::default() };
    let account = accounts::create_managed(&mut tx, &cx, &new).await.unwrap();
    let nameless = tenant_users::create(&mut tx, &cx, NewMember::of(account)).await.unwrap();
    let nameless = tenant_users::find(&mut tx, nameless).await.unwrap().unwrap();
    let initech = organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap();
    organizations::add(&mut tx, &cx, (&initech, 10), (&nameless, None, &[])).await.unwrap();
    tx.commit().await.unwrap();
    let outcome = apply_text(&h, &exported(&h).await).await.unwrap();
    assert!(outcome.is_unchanged(), "{outcome}");
}

#[tokio::test]
async fn an_export_hands_an_organization_over_to_no_one_who_has_the_user_name_of_a_removed_owner() {
    let h = Harness::new().await;
    apply_text(&h, CUSTOMERS).await.unwrap();
    h.advance(1);
    let (id, cx) = (tenant(&h).await, h.operator());
    let mut tx = h.app().db.begin(id).await.unwrap();
    let owner = tenant_users::find_by_identifier(&mut tx, "grace").await.unwrap().unwrap();
    tenant_users::set_status(&mut tx, &cx, &owner, Status::Removed).await.unwrap();
    tx.commit().await.unwrap();
    let another = format!("{TENANT}[[tenant.user]]\nusername = \"grace\"\n");
    apply_text(&h, &another).await.unwrap();
    let outcome = apply_text(&h, &exported(&h).await).await.unwrap();
    assert!(outcome.is_unchanged(), "{outcome}");
    let mut tx = h.app().db.read(id).await.unwrap();
    let initech = organizations::find_by_slug(&mut tx, "initech").await.unwrap().unwrap();
    assert_eq!(initech.owner_id, owner.id);
}

#[tokio::test]
async fn an_export_has_texts_issuers_and_targets_without_secrets_and_changes_nothing() {
    let h = Harness::new().await;
    apply_text(&h, &file()).await.unwrap();
    let text = exported(&h).await;
    for part in [
        "signin-title = \"Willkommen zurück\"",
        "signin-title = \"Welcome, Initech\"",
        "organization = \"initech\"",
        "organizations = [\"initech\"]",
        "groups = [\"editors\"]",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for hidden in ["token-of-the-wiki", "organization_ids", "group_ids"] {
        assert!(!text.contains(hidden), "{hidden} in {text}");
    }
    let again = apply_by(&h, &text, PRUNE).await.unwrap();
    assert!(again.is_unchanged(), "{again}");

    let there = Harness::new().await;
    let refused = apply_text(&there, &text).await.unwrap_err();
    assert!(refused.contains("scim_target \"Wiki\": secret: give secret or secret_env"), "{refused}");
    let complete = text.replace("name = \"Wiki\"\n", "name = \"Wiki\"\nsecret = \"token-of-the-wiki\"\n");
    apply_text(&there, &complete).await.unwrap();
    let again = apply_text(&there, &exported(&there).await).await.unwrap();
    assert!(again.is_unchanged(), "{again}");
    assert!(apply_text(&h, &exported(&there).await).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn what_cannot_be_is_refused_at_its_line() {
    let h = Harness::new().await;
    for (from, to, fault) in [
        ("to {app}", "nowhere", "texts.en.signin-to: use the values of the message"),
        ("signin-title = \"Will", "signin-titel = \"Will", "texts.de.signin-titel: there is no such message"),
        ("texts.de]", "texts.tlh]", "texts.tlh: this language is not on offer"),
        (
            "Welcome, Initech",
            "see https://x.example",
            "organization \"initech\": texts.en.signin-title: leave out web addresses",
        ),
        (
            "organization = \"initech\"",
            "organization = \"umbrella\"",
            "organization: there is no organization \"umbrella\"",
        ),
        ("https://tokens.initech.example/jwks", "http://10.0.0.1/jwks", "jwks_uri: the address is not https"),
        ("r = \"https://tokens.", "r = \"http://tokens.", "issuer: give an https URL without query"),
        ("[\"initech\"]", "[\"umbrella\"]", "people.organizations: there is no organization \"umbrella\""),
        ("[\"editors\"]", "[\"readers\"]", "people.groups: there is no group \"readers\""),
        ("[\"staff\"]", "[\"stuff\"]", "people.roles: no role is \"stuff\""),
        ("people = {", "people = { everyone = true,", "people: say `everyone`"),
        ("https://wiki.example", "https://169.254.169.254", "base_url: the address is not https"),
        ("token-of-the-wiki", "two words", "secret: give the bearer token of the application"),
        ("push_groups", "push_group", "push_group is not a key here; did you mean push_groups?"),
    ] {
        let text = file().replace(from, to);
        let line = text.lines().position(|line| line.contains(to)).unwrap() + 1;
        let refused = apply_text(&h, &text).await.unwrap_err();
        let told = refused.lines().find(|told| told.contains(fault));
        let told = told.unwrap_or_else(|| panic!("{fault} in {refused}"));
        assert!(told.starts_with(&format!("line {line}: tenant \"acme\"")), "{line} in {told}");
        assert!(!refused.contains("two words"), "{refused}");
    }
    let found = find_by_slug(&mut h.app().db.read_system().await.unwrap(), "acme").await.unwrap();
    assert!(found.is_none());
}

#[tokio::test]
async fn an_issuer_stays_with_whom_it_is_trusted_by() {
    let h = Harness::new().await;
    apply_text(&h, &file()).await.unwrap();
    let of_the_tenant = file().replace("organization = \"initech\"\n", "");
    let partner = "issuer = \"https://partner.example\"\n";
    let of_the_organization = file().replace(partner, &format!("{partner}organization = \"initech\"\n"));
    for moved in [of_the_tenant, of_the_organization] {
        let refused = apply_text(&h, &moved).await.unwrap_err();
        assert!(refused.contains("organization: the issuer is trusted elsewhere"), "{refused}");
    }
    assert!(apply_text(&h, &file()).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn an_organization_has_at_most_twenty_issuers_by_a_file_too() {
    let h = Harness::new().await;
    let issuers: String = (0..21)
        .map(|n| {
            format!(
                "[[tenant.trusted_issuer]]\nissuer = \"https://{n}.example\"\norganization = \"initech\"\nname = \"{n}\"\n\
                 jwks_uri = \"https://{n}.example/jwks.json\"\n"
            )
        })
        .collect();
    let many = [TENANT, PEOPLE, ORGANIZATION, &issuers].concat();
    let refused = apply_text(&h, &many).await.unwrap_err();
    assert!(refused.contains("trusted_issuer \"https://20.example\": "), "{refused}");
    assert!(refused.contains("the organization has 20 trusted issuers"), "{refused}");
}

#[tokio::test]
async fn an_organization_has_no_more_members_by_a_file_than_its_tenant_lets_it() {
    let h = Harness::new().await;
    let narrowed = |most: u32| {
        let limits = format!("settings.limits.organizations.max_members = {most}");
        CUSTOMERS.replace("name = \"Acme\"\n", &format!("name = \"Acme\"\n{limits}\n"))
    };
    let refused = apply_text(&h, &narrowed(1)).await.unwrap_err();
    assert!(refused.contains("the organization has 1 members (organizations.max_members)"), "{refused}");
    apply_text(&h, &narrowed(2)).await.unwrap();
    let another = narrowed(2)
        .replace("username = \"alan\"\n", "username = \"alan\"\n\n[[tenant.user]]\nusername = \"edith\"\n")
        .replace("user = \"alan\"", "user = \"edith\"");
    let outcome = apply_text(&h, &another).await.unwrap();
    assert!(changed(&outcome).contains(&"Updated organization initech".to_owned()), "{outcome}");
}

#[tokio::test]
async fn the_token_of_a_target_goes_to_another_address_only_where_the_file_gives_it() {
    let h = Harness::new().await;
    apply_text(&h, &file()).await.unwrap();
    let moved = file().replace("https://wiki.example/", "https://wiki.acme.example/");
    let silent = moved.replace("secret = \"token-of-the-wiki\"\n", "");
    let refused = apply_text(&h, &silent).await.unwrap_err();
    assert!(refused.contains("scim_target \"Wiki\": secret: give it with another `base_url`"), "{refused}");
    let done = apply_text(&h, &moved).await.unwrap();
    assert_eq!(changed(&done), ["Updated scim_target Wiki"]);
    let (target, secret) = target(&h).await;
    assert_eq!(target.configuration.base_url, "https://wiki.acme.example/scim/v2");
    assert_eq!(secret, "token-of-the-wiki");
    assert!(apply_text(&h, &silent).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn a_first_password_has_to_be_replaced_where_the_file_says_so() {
    let h = Harness::new().await;
    let person = |name: &str, more: &str| format!("\n[[tenant.user]]\nusername = \"{name}\"\n{more}");
    let (first, replaced) =
        ("initial_password = \"compiler nanosecond moth\"\n", "initial_password_must_change = true\n");
    let lone = format!("{TENANT}{}", person("grace", replaced));
    let refused = apply_text(&h, &lone).await.unwrap_err();
    let fault =
        "line 7: tenant \"acme\": user \"grace\": initial_password_must_change: there is no initial_password";
    assert_eq!(refused, fault);
    let (given, own) = (person("grace", &format!("{first}{replaced}")), person("alan", first));
    let file = format!("{TENANT}{given}{own}");
    assert!(changed(&apply_text(&h, &file).await.unwrap()).contains(&"Created user grace".to_owned()));
    h.advance(1);
    // Later it is the person's own, and what the file says of it changes nothing.
    for text in [file.as_str(), &file.replace(replaced, "")] {
        assert!(apply_text(&h, text).await.unwrap().is_unchanged());
        let mut tx = h.app().db.read(tenant(&h).await).await.unwrap();
        for (name, has_to) in [("grace", true), ("alan", false)] {
            let person = tenant_users::find_by_identifier(&mut tx, name).await.unwrap().unwrap();
            let must = accounts::must_change_password(&mut tx, person.account_id).await.unwrap();
            assert_eq!(must, has_to, "{name}");
        }
    }
    let exported = exported(&h).await;
    assert!(!exported.contains("initial_password"), "{exported}");
}

#[tokio::test]
async fn what_a_file_declares_is_stamped_when_it_is_written_and_not_when_the_command_began() {
    let h = Harness::new().await;
    let begun = h.operator();
    // As long as the hashes of very many passwords take.
    h.advance(600);
    apply_as(&h, TENANT, Mode::default(), &begun).await.unwrap();
    let mut tx = h.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT MAX(updated_at) AS latest FROM tenants");
    let latest = tx.one(select, args![]).await.unwrap().time("latest").unwrap();
    assert_eq!(latest, h.operator().now);
}
