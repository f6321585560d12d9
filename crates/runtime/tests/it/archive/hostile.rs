//! Archives that were changed, cut off, or written by someone who means harm: they are refused, and nothing of them stays.

use serde_json::json;
use svc_db::{SystemSql, args};
use svc_domain::archive::{ArchiveKey, Heading, LONGEST_LINE, Writer};

use super::*;

/// The archive with other contents, written again by someone who has the passphrase.
pub fn rewritten(bytes: &[u8], change: impl Fn(&str, &mut Vec<String>, &mut Vec<Vec<Value>>)) -> Vec<u8> {
    let lines = lines(bytes);
    let heading: Heading = serde_json::from_value(lines[0].clone()).unwrap();
    let key = ArchiveKey::new(heading.passphrase.as_ref().unwrap(), PASSPHRASE, &heading.id).unwrap();
    let mut out = Vec::new();
    let mut writer = Writer::new(&mut out, &heading).unwrap();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line["part"].is_string()) {
        let name = line["part"].as_str().unwrap();
        let mut columns: Vec<String> = serde_json::from_value(line["columns"].clone()).unwrap();
        let rows = lines[at + 1..].iter().take_while(|line| line.is_array());
        let mut rows: Vec<Vec<Value>> = rows.map(|row| row.as_array().unwrap().clone()).collect();
        change(name, &mut columns, &mut rows);
        let columns: Vec<_> = columns.iter().map(String::as_str).collect();
        writer.begin(name, &columns).unwrap();
        for row in &rows {
            writer.row(row).unwrap();
        }
        writer.end().unwrap();
    }
    writer.finish(Some(&key)).unwrap();
    out
}

/// Sets a column of a row of a part.
pub fn set(bytes: &[u8], (part, row): (&str, usize), column: &str, value: &Value) -> Vec<u8> {
    rewritten(bytes, |name, columns, rows| {
        if name == part {
            let at = columns.iter().position(|known| known == column).unwrap();
            rows[row][at] = value.clone();
        }
    })
}

async fn counts(there: &Harness) -> Vec<i64> {
    let mut tx = there.app().db.read_system().await.unwrap();
    let mut counts = Vec::new();
    for text in [
        "SELECT count(*) AS n FROM tenants",
        "SELECT count(*) AS n FROM accounts",
        "SELECT count(*) AS n FROM audit_log",
        "SELECT count(*) AS n FROM apps",
        "SELECT count(*) AS n FROM tenant_keys",
    ] {
        counts.push(tx.one(SystemSql::new(text), args![]).await.unwrap().int("n").unwrap());
    }
    counts
}

async fn refused(there: &Harness, bytes: &[u8], passphrase: Option<&str>, why: &str) {
    let before = counts(there).await;
    let failure = brought(there, bytes, &options(None), passphrase).await.err();
    let failure = failure.unwrap_or_else(|| panic!("it was brought: {why}")).to_string();
    assert!(failure.contains(why), "{why}: {failure}");
    assert_eq!(counts(there).await, before, "{why}");
}

async fn small(h: &Harness) -> Vec<u8> {
    let site = h.tenant("acme").await;
    let (ada, app) = (site.user("ada").await, site.app("shop").await);
    site.sign_in(&app, &ada).await;
    site.second_factor(ada.id).await;
    let group = site.group("staff", &[]).await;
    site.add(&group, ada.id).await;
    archive(&site).await
}

#[tokio::test]
async fn a_changed_archive_is_refused() {
    let h = Harness::with(OFFERED).await;
    let bytes = small(&h).await;
    let there = elsewhere().await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let changed = text.replacen("ada@acme.example", "eve@acme.example", 1);
    refused(&there, changed.as_bytes(), Some(PASSPHRASE), "accounts is not as it was written").await;
    // With the digests of the changed rows, but without the passphrase.
    let forged = set(&bytes, ("accounts", 0), "email", &json!("eve@acme.example"));
    let proof = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().lines().last().unwrap().to_owned();
    let own = String::from_utf8(forged.clone()).unwrap().replace(&proof(&forged), &proof(&bytes));
    refused(&there, own.as_bytes(), Some(PASSPHRASE), "or the archive was changed").await;
    let unproven = own.replace(&proof(&bytes), "{\"proof\":null}");
    refused(&there, unproven.as_bytes(), Some(PASSPHRASE), "or the archive was changed").await;
    for (passphrase, why) in [
        (Some("another passphrase altogether"), "the passphrase is another"),
        (None, "--passphrase-file: the archive was written with a passphrase"),
        (Some("short"), "16 characters or more"),
    ] {
        refused(&there, &bytes, passphrase, why).await;
    }
    let more = [&bytes[..], b"[]\n"].concat();
    refused(&there, &more, Some(PASSPHRASE), "something follows the end").await;
    let (checked, _) = brought(&there, &bytes, &options(None), Some(PASSPHRASE)).await.unwrap();
    assert_eq!((checked.people, checked.linked), (1, 0));
}

#[tokio::test]
async fn an_archive_that_is_cut_off_is_refused_wherever_that_is() {
    let h = Harness::with(OFFERED).await;
    let bytes = small(&h).await;
    let there = elsewhere().await;
    let ends: Vec<_> =
        bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect();
    for end in ends.iter().step_by(9).chain(ends.iter().rev().skip(1).take(2)) {
        refused(&there, &bytes[..=*end], Some(PASSPHRASE), "the archive is cut off").await;
        refused(&there, &bytes[..*end], Some(PASSPHRASE), "the archive is cut off").await;
    }
    refused(&there, b"", None, "line 1: the archive is cut off").await;
    refused(&there, b"PK\x03\x04\n", None, "not an archive of a tenant").await;
    let endless = vec![b'['; LONGEST_LINE + 1];
    let bomb = [&bytes[..=ends[1]], &endless].concat();
    refused(&there, &bomb, Some(PASSPHRASE), "line 3 is longer than a line of an archive may be").await;
}

#[tokio::test]
async fn an_archive_of_a_newer_version_is_refused_and_one_of_an_older_version_is_read() {
    let h = Harness::with(OFFERED).await;
    let bytes = small(&h).await;
    let there = elsewhere().await;
    let text = String::from_utf8(bytes.clone()).unwrap();
    let newer = text.replacen("\"svc_tenant_archive\":1", "\"svc_tenant_archive\":2", 1);
    refused(&there, newer.as_bytes(), Some(PASSPHRASE), "the archive has version 2").await;
    let with_column = rewritten(&bytes, |name, columns, rows| {
        if name == "apps" {
            columns.push("colour".to_owned());
            for row in rows {
                row.push(json!("red"));
            }
        }
    });
    refused(&there, &with_column, Some(PASSPHRASE), "does not know the column colour of apps").await;
    let with_table = text.replacen("\"part\":\"apps\"", "\"part\":\"colours\"", 1);
    refused(&there, with_table.as_bytes(), Some(PASSPHRASE), "does not know the table colours").await;
    let without = |column: &'static str| {
        rewritten(&bytes, |name, columns, rows| {
            if name == "apps" {
                let at = columns.iter().position(|known| known == column).unwrap();
                columns.remove(at);
                for row in rows {
                    row.remove(at);
                }
            }
        })
    };
    refused(&there, &without("handle"), Some(PASSPHRASE), "apps: the column handle is missing").await;
    let moved = moved(&there, &without("secret_used_at")).await;
    let apps = part(&archive(&moved).await, "apps");
    assert!(apps.iter().all(|app| app["secret_used_at"].is_null()), "{apps:?}");
}

#[tokio::test]
async fn the_passphrase_opens_no_account_and_no_tenant_of_others() {
    let h = Harness::with(OFFERED).await;
    let bytes = small(&h).await;
    let there = elsewhere().await;
    let other = there.tenant("globex").await;
    let eve = other.user("eve").await;
    let mut tx = there.app().db.read_system().await.unwrap();
    let select = SystemSql::new("SELECT account_id FROM tenant_users WHERE id = $1");
    let account = tx.one(select, args![eve.id]).await.unwrap().text("account_id").unwrap();
    drop(tx);
    let greedy =
        "$argon2id$v=19$m=4194304,t=1000,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g";
    let cases = [
        (("tenant_users", 0), "account_id", json!(account), "is no account of the archive"),
        (("account_credentials", 0), "account_id", json!(account), "is no account of the archive"),
        (("accounts", 0), "id", json!("acc"), "an id is none of this kind"),
        (("accounts", 0), "status", json!("root"), "status: expected active or disabled"),
        (("accounts", 0), "profile", json!("no document"), "profile: it cannot be read"),
        (("accounts", 0), "password", json!(greedy), "accounts: password: "),
        (("accounts", 0), "email", json!("a@b@c.d"), "accounts: email: give an address"),
        (("account_credentials", 0), "kind", json!("trusted_browser"), "do not travel"),
        (("account_credentials", 0), "sealed", json!("AAAA"), "does not open: the archive was changed"),
        (("tenants", 0), "slug", json!("globex"), "slug \"globex\": another tenant has it here"),
        (("tenants", 0), "slug", json!("a.b"), "slug: use 1 to 63"),
        (("tenants", 0), "id", json!(other.tenant.id.to_string()), "the heading names another tenant"),
        (("tenants", 0), "settings", json!("no document"), "settings: they cannot be read"),
        (("apps", 0), "enabled", json!("yes"), "apps: enabled: expected true or false"),
        (("apps", 0), "handle", json!(null), "apps: handle: expected a value"),
        (("group_members", 0), "tenant_user_id", json!("usr_0"), "group_members: a row has what another has"),
    ];
    for (place, column, value, why) in cases {
        refused(&there, &set(&bytes, place, column, &value), Some(PASSPHRASE), why).await;
    }
    let own = part(&bytes, "accounts")[0]["id"].clone();
    let with_its_id = rewritten(&bytes, |_, _, rows| {
        for value in rows.iter_mut().flatten().filter(|value| **value == own) {
            *value = json!(account);
        }
    });
    refused(&there, &with_its_id, Some(PASSPHRASE), "an account of another address has this id here").await;
    let twice = rewritten(&bytes, |name, _, rows| {
        if name == "accounts" {
            rows.push(rows[0].clone());
        }
    });
    refused(&there, &twice, Some(PASSPHRASE), "is there twice").await;
}

#[tokio::test]
async fn an_archive_takes_no_host_from_a_tenant_that_is_here() {
    let h = Harness::with(OFFERED).await;
    let bytes = small(&h).await;
    let there = elsewhere().await;
    for slug in ["main", "globex"] {
        let other = there.tenant(slug).await;
        let taking = set(&bytes, ("tenants", 0), "custom_domain", &json!(other.host));
        refused(&there, &taking, Some(PASSPHRASE), &format!("the tenant {slug:?} answers at")).await;
    }
}
