//! Checkpoints, and the recipe of the documentation: an export is verified with it alone.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::Value;

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
