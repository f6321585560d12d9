//! Checkpoints, and the recipe of the documentation: an export is verified with it alone.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use svc_db::SystemSql;
use svc_http::Method;

use super::{read, roles};
use crate::harness::{Harness, Site};
use crate::workspace::root;

/// The program that the guide has.
fn recipe() -> String {
    let guide = std::fs::read_to_string(root().join("docs/how-to/audit-log.md")).unwrap();
    let code = guide.split("```python\n").nth(1).unwrap();
    code.split("```").next().unwrap().to_owned()
}

/// What it says of an export.
fn verified(site: &Site<'_>, export: &str) -> (bool, String) {
    let mut command = Command::new("python3");
    let command = command
        .args(["-c", &recipe(), &site.tenant.id.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut process = command.spawn().unwrap();
    process.stdin.take().unwrap().write_all(export.as_bytes()).unwrap();
    let ended = process.wait_with_output().unwrap();
    (ended.status.success(), String::from_utf8_lossy(&[ended.stdout, ended.stderr].concat()).into_owned())
}

async fn checkpoint(site: &Site<'_>) -> Value {
    read(site, "/checkpoints").await.expect(200).json()["data"][0].clone()
}

#[tokio::test]
async fn an_export_is_verified_by_the_recipe_and_ends_where_the_checkpoint_says() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let _ = roles(&h, &site, ("role", 3)).await;
    // Numbers that other languages write otherwise.
    let odd = json!({ "username": "odd", "public_metadata": { "n": [1e-7, 1e22, -0.0, 1.0, u64::MAX] } });
    let made = site.call(Method::POST, "/api/v1/tenant-users", Some(&site.mint(|_| ())), Some(odd)).await;
    let _ = made.expect(201);
    h.run_jobs().await;
    h.run_jobs().await;
    let checkpoint = checkpoint(&site).await;
    let claims = crate::harness::client::claims(checkpoint["jws"].as_str().unwrap());
    assert_eq!((&claims["iss"], &claims["position"]), (&Value::from(site.issuer()), &checkpoint["position"]));

    let export = read(&site, "/export").await.expect(200).body;
    let (is_whole, told) = verified(&site, &export);
    assert!(is_whole, "{told}");
    let position = claims["position"].as_i64().unwrap();
    let entries: Vec<Value> = export.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let signed = entries.iter().find(|entry| entry["position"] == position).unwrap();
    assert_eq!(signed["hash"], claims["hash"]);

    let altered = export.replacen("role1", "role9", 1);
    let (is_whole, told) = verified(&site, &altered);
    assert!(!is_whole && told.contains("was altered"), "{told}");
    let lines: Vec<_> = export.lines().collect();
    let without = [&lines[..2], &lines[3..]].concat().join("\n");
    let (is_whole, told) = verified(&site, &without);
    assert!(!is_whole && told.contains("is missing"), "{told}");
}

#[tokio::test]
async fn what_was_added_is_signed_as_often_as_the_deployment_says() {
    let h = Harness::with(&[("SVC_AUDIT_LOG__CHECKPOINT_INTERVAL_SECS", "60")]).await;
    let site = h.tenant("main").await;
    let signed = async || {
        for _ in 0..2 {
            h.run_jobs().await;
            h.advance(11);
        }
        read(&site, "/checkpoints").await.expect(200).json()["data"].as_array().unwrap().len()
    };
    let _ = roles(&h, &site, ("role", 1)).await;
    let before = signed().await;
    let _ = roles(&h, &site, ("later", 1)).await;
    assert_eq!(signed().await, before);
    h.advance(60);
    assert_eq!(signed().await, before + 1);
}

#[tokio::test]
async fn entries_are_kept_for_the_days_of_the_deployment() {
    let h = Harness::with(&[("SVC_AUDIT_LOG__RETENTION_DAYS", "1")]).await;
    let site = h.tenant("main").await;
    let _ = roles(&h, &site, ("role", 2)).await;
    let kept = async || {
        for _ in 0..3 {
            h.run_jobs().await;
            h.advance(11);
        }
        let select = "SELECT COUNT(*) AS count FROM audit_log WHERE action = 'role.created'";
        let mut tx = h.app().db.read_system().await.unwrap();
        tx.one(SystemSql::new(select), &[]).await.unwrap().int("count").unwrap()
    };
    let all = kept().await;
    assert!(all >= 2, "{all}");
    // PostgreSQL drops a month when its last entry is older.
    h.advance(70 * 86_400);
    assert_eq!(kept().await, 0);
}
