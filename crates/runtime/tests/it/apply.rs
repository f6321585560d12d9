//! `svc-runtime apply`: makes it so, and a second run changes nothing.

use svc_keys::{PasswordParams, PasswordPool};
use svc_runtime::apply::{self, Outcome, Seed, Target, Verb, Verified};

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
password = "compiler nanosecond moth"
roles = ["admin"]
claims = { name = "Grace Hopper", address = { country = "US" } }
"##;

async fn apply_text(h: &Harness, text: &str) -> Result<Outcome, String> {
    apply_knowing(h, text, &Verified::default(), &h.app().services.passwords).await
}

async fn apply_knowing(
    h: &Harness,
    text: &str,
    verified: &Verified,
    passwords: &PasswordPool,
) -> Result<Outcome, String> {
    let (app, cx) = (h.app(), h.operator());
    let seed = Seed::parse(text).map_err(|failure| failure.to_string())?;
    let services = &app.services;
    let target = Target { db: &app.db, tenants: &services.tenants, passwords, verified, cx: &cx };
    let outcome = apply::apply(&target, &seed).await.map_err(|failure| failure.to_string())?;
    services.sync(&app.db, cx.now, cx.now).await.unwrap();
    Ok(outcome)
}

fn changed(outcome: &Outcome) -> Vec<String> {
    let lines = outcome.lines().filter(|(verb, _)| *verb != Verb::Unchanged);
    // Which client_id an application got is another matter.
    let name = |what: &str| what.split(" (client_id app_").next().map(str::to_owned);
    lines.map(|(verb, what)| format!("{verb:?} {}", name(what).unwrap_or_default())).collect()
}

#[tokio::test]
async fn a_second_run_changes_nothing() {
    let h = Harness::new().await;
    let first = apply_text(&h, FILE).await.unwrap();
    assert_eq!(changed(&first).len(), 5, "{first}");
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
        .replace("compiler nanosecond moth", "relay nanosecond moth")
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
async fn a_password_that_is_known_to_fit_is_hashed_again_only_after_it_was_changed() {
    let h = Harness::new().await;
    let (verified, passwords) = (Verified::default(), &h.app().services.passwords);
    // Takes no work at all.
    let params = PasswordParams { memory_kib: 64, iterations: 1, parallelism: 1, max_concurrent: 0 };
    let closed = PasswordPool::new(params).unwrap();
    apply_knowing(&h, FILE, &verified, passwords).await.unwrap();
    assert!(apply_knowing(&h, FILE, &verified, &closed).await.unwrap().is_unchanged());

    let other = FILE.replace("compiler nanosecond moth", "relay nanosecond moth");
    assert!(apply_knowing(&h, &other, &verified, &closed).await.is_err());
    assert_eq!(changed(&apply_text(&h, &other).await.unwrap()), ["Updated user grace"]);
    assert!(apply_knowing(&h, FILE, &verified, &closed).await.is_err(), "the stored hash is another");
    assert_eq!(
        changed(&apply_knowing(&h, FILE, &verified, passwords).await.unwrap()),
        ["Updated user grace"]
    );
}

#[tokio::test]
async fn a_generated_secret_is_shown_once() {
    let h = Harness::new().await;
    let without = FILE.replace("secret = \"a-secret-of-the-operator\"\n", "");
    let first = apply_text(&h, &without).await.unwrap();
    assert!(first.to_string().contains("svc_cs_"), "{first}");
    assert!(!apply_text(&h, &without).await.unwrap().to_string().contains("svc_cs_"));
}

#[tokio::test]
async fn a_fault_names_its_place_and_leaves_the_tenant_as_it_was() {
    let h = Harness::new().await;
    apply_text(&h, FILE).await.unwrap();
    let broken =
        FILE.replace("name = \"Shop\"", "name = \"Webshop\"").replace("compiler nanosecond moth", "password");
    let failure = apply_text(&h, &broken).await.unwrap_err();
    assert!(failure.contains("tenant \"acme\"") && failure.contains("user \"grace\""), "{failure}");
    let bad_uri =
        FILE.replace("name = \"Backend\"", "name = \"Server\"").replace("https://shop", "ftp://shop");
    let failure = apply_text(&h, &bad_uri).await.unwrap_err();
    assert!(failure.contains("application \"shop\"") && failure.contains("redirect_uris"), "{failure}");
    assert!(apply_text(&h, FILE).await.unwrap().is_unchanged());
}

#[tokio::test]
async fn the_example_of_the_guide_can_be_applied() {
    let h = Harness::new().await;
    let guide = include_str!("../../../../docs/apply.md");
    let example = guide.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let with_secrets = example
        .replace("secret_env = \"ACME_BACKEND_SECRET\"", "secret = \"a-secret-of-the-operator\"")
        .replace("password_env = \"GRACE_PASSWORD\"", "password = \"compiler nanosecond moth\"");
    assert_eq!(changed(&apply_text(&h, &with_secrets).await.unwrap()).len(), 5);
    assert!(apply_text(&h, &with_secrets).await.unwrap().is_unchanged());
}
