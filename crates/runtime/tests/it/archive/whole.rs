//! A tenant with one of everything arrives as it was, and works.

use serde_json::json;
use svc_db::{Db, PoolSettings, SystemSql, Value as Bound, args};
use svc_domain::MIGRATIONS;
use svc_domain::archive::{CARRIED, LEFT, Of, RECORDS};
use svc_keys::Purpose;

use super::everything::everything;
use super::*;
use crate::harness::Client;

/// What is sealed in a database, opened: table, record, column and plain text.
async fn secrets(site: &Site<'_>) -> Vec<(String, String, String, String)> {
    let (app, cx) = (site.harness.app(), site.harness.operator());
    let sealer = app.services.sealers.of(site.tenant.id, Purpose::Credentials, &cx).await.unwrap();
    let tenant = site.tenant.id.to_string();
    let mut found = Vec::new();
    let mut tx = app.db.read_system().await.unwrap();
    for table in CARRIED {
        for column in table.columns {
            let (Of::Sealed(place) | Of::MaybeSealed(place)) = column.of else { continue };
            let (key, name) = (table.key[0], table.name);
            let text =
                format!("SELECT {key} AS record, {} AS sealed FROM {name} WHERE tenant_id = $1", column.name);
            for row in tx.all(SystemSql::new(text.leak()), args![site.tenant.id]).await.unwrap() {
                let Some(sealed) = row.maybe_bytes("sealed").unwrap() else { continue };
                let record = row.text("record").unwrap();
                let plain = sealer.open_own(&[name, place, &tenant, &record], &sealed).unwrap();
                found.push((
                    name.to_owned(),
                    record,
                    column.name.to_owned(),
                    String::from_utf8(plain).unwrap(),
                ));
            }
        }
    }
    found.sort();
    found
}

/// The rows of an archive but for what is stated: nonces, and what this deployment does not believe of another.
fn stated(bytes: &[u8], table: &str) -> Vec<Value> {
    let mut rows = part(bytes, table);
    for row in &mut rows {
        let row = row.as_object_mut().unwrap();
        row.retain(|column, _| !column.starts_with("sealed"));
        let own: &[&str] = match table {
            // The address has not been proven to this deployment.
            "accounts" => &["email_verified"],
            // Found in this tenant alone; a number stands in the document.
            "account_credentials" => &["lookup", "document"],
            _ => &[],
        };
        row.retain(|column, _| !own.contains(&column.as_str()));
    }
    rows
}

#[tokio::test]
async fn a_tenant_with_one_of_everything_arrives_as_it_was() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    everything(&site).await;
    let before = archive(&site).await;
    let there = elsewhere().await;
    let moved = moved(&there, &before).await;
    assert_eq!(moved.issuer(), site.issuer());
    let after = archive(&moved).await;
    for table in ["tenants", "accounts", "account_credentials"]
        .into_iter()
        .chain(CARRIED.iter().map(|table| table.name))
    {
        let rows = stated(&before, table);
        assert!(!rows.is_empty(), "the tenant with one of everything has no {table}");
        assert_eq!(stated(&after, table), rows, "{table}");
    }
    for table in RECORDS {
        assert!(!part(&before, table.name).is_empty(), "{}", table.name);
    }
    let kept = secrets(&site).await;
    assert!(kept.len() >= 5, "{kept:?}");
    assert_eq!(secrets(&moved).await, kept);
    let named = |bytes: &[u8]| {
        lines(bytes).iter().filter_map(|line| line["part"].as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert!(LEFT.iter().all(|(table, _)| !named(&before).contains(&(*table).to_owned())));
}

#[tokio::test]
async fn people_and_applications_go_on_with_the_secrets_that_they_have() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let (ada, app) = (site.user("ada").await, site.app("shop").await);
    let before = app.tokens(&ada).await;
    site.second_factor(ada.id).await;
    let bytes = archive(&site).await;
    let there = elsewhere().await;
    let moved = moved(&there, &bytes).await;
    let grace = moved.user("grace").await;
    let here = Client { site: moved.clone(), ..app.clone() };
    assert!(here.tokens(&grace).await.response["access_token"].is_string(), "the client's secret counts");
    let mut browser = moved.browser();
    let page = browser.get(&here.authorize_path(&here.verifier(), &[])).await.expect(200);
    let wrong = browser.submit(&page, &[("username", "ada"), ("password", "another")]).await;
    assert!(wrong.body.contains("login-submit"), "{wrong:?}");
    let page = browser.submit(&wrong, &[("username", "ada"), ("password", &ada.password)]).await;
    assert!(
        page.body.contains("totp-submit") && !page.begins_session(),
        "the second factor is asked for: {page:?}"
    );
    let refresh = before.response["refresh_token"].as_str().unwrap();
    let spent = here.refresh(refresh).await;
    let _ = spent.expect_problem(400, "invalid_grant");
    let subject = part(&archive(&moved).await, "tenant_users");
    assert!(subject.iter().any(|row| row["subject"] == json!(ada.subject)), "{subject:?}");
}

/// The values of one engine mean the same to the other.
#[tokio::test]
async fn a_tenant_moves_between_the_engines_and_back() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    everything(&site).await;
    let before = archive(&site).await;
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("other.db").display());
    let other = Db::open(&url, &PoolSettings::default()).unwrap();
    other.migrate(MIGRATIONS).await.unwrap();
    let app = h.app();
    let here = Here { db: &other, ..here(app) };
    let read = || Ok(Cursor::new(before.clone()));
    let (_, imported) = bring(here, &h.operator(), &options(None), Some(PASSPHRASE), read).await.unwrap();
    let mut tx = other.read_system().await.unwrap();
    let tenants = svc_domain::tenancy::tenants::Tenants::new(other.clone(), &app.config).unwrap();
    let tenant = tenants.read(&mut tx, imported.id).await.unwrap();
    let mut between = Vec::new();
    let about = (&*tenant, &h.operator());
    write(&other, &app.services.custody, about, (Some(PASSPHRASE), false), &mut between).await.unwrap();
    other.close().await;
    let there = elsewhere().await;
    let after = archive(&moved(&there, &between).await).await;
    let sorted = |bytes: &[u8], table: &str| {
        let mut rows: Vec<_> = stated(bytes, table).iter().map(ToString::to_string).collect();
        rows.sort();
        rows
    };
    for table in CARRIED {
        for bytes in [&between, &after] {
            assert_eq!(sorted(bytes, table.name), sorted(&before, table.name), "{}", table.name);
        }
    }
}

#[tokio::test]
async fn the_log_of_audit_stays_in_the_archive_and_a_new_one_names_where_it_ended() {
    let h = Harness::with(OFFERED).await;
    let site = h.tenant("acme").await;
    let _ = site.user("ada").await;
    h.run_jobs().await;
    let bytes = archive(&site).await;
    let (kept, chain) = (part(&bytes, "audit_log"), part(&bytes, "audit_chains"));
    assert!(kept.iter().any(|entry| entry["action"] == "tenant.exported"), "{kept:?}");
    let there = elsewhere().await;
    let moved = moved(&there, &bytes).await;
    let mut tx = there.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT action, detail FROM audit_log WHERE tenant_id = $1 ORDER BY id");
    let rows = tx.all(select, &[Bound::from(moved.tenant.id)]).await.unwrap();
    let first: Value = serde_json::from_str(&rows[0].text("detail").unwrap()).unwrap();
    assert_eq!((rows.len(), rows[0].text("action").unwrap().as_str()), (1, "tenant.imported"));
    assert_eq!(first["archive"], lines(&bytes)[0]["id"]);
    assert_eq!(first["audit"], json!({ "last": chain[0]["last"], "last_hash": chain[0]["last_hash"] }));
}
