//! `svc-runtime apply` and `import users` within a pipeline: the file comes on standard input, and the outcome is for programs.

use std::io::Write as _;
use std::process::{Output, Stdio};

use serde_json::{Value, json};

use super::Place;

const FILE: &str = "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n\n[[tenant.application]]\nhandle = \"backend\"\n\
                    name = \"Backend\"\ngrant_types = [\"client_credentials\"]\n";

fn piped(place: &Place, arguments: &[&str], file: &str) -> Output {
    let mut command = place.command(arguments);
    let mut process =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(file.as_bytes()).unwrap();
    process.wait_with_output().unwrap()
}

/// What happened to the records that the file names.
fn actions(told: &Value) -> Vec<(&str, &str)> {
    let records = told["records"].as_array().unwrap().iter();
    let named = records.filter(|record| record["kind"] != "api");
    named.map(|record| (record["name"].as_str().unwrap(), record["action"].as_str().unwrap())).collect()
}

#[tokio::test]
async fn a_file_on_standard_input_is_applied_and_told_in_one_document() {
    let place = Place::migrated().await;
    let arguments = ["apply", "-", "--json", "--show-secrets"];
    for (verb, secrets) in [("created", 1), ("unchanged", 0)] {
        let ended = piped(&place, &arguments, FILE);
        assert!(ended.status.success(), "{ended:?}");
        let told: Value = serde_json::from_slice(&ended.stdout).unwrap();
        assert_eq!(told["dry_run"], json!(false));
        assert_eq!(actions(&told), [("main", verb), ("backend", verb)]);
        assert_eq!(told["secrets"].as_array().unwrap().len(), secrets, "{told}");
    }
}

#[tokio::test]
async fn an_export_that_the_disk_does_not_hold_ends_as_failed() {
    let place = Place::migrated().await;
    assert!(piped(&place, &["apply", "-", "--show-secrets"], FILE).status.success());
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ended = place.command(&["export", "main"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{complaint}");
    assert!(complaint.contains("standard output: the result could not be written"), "{complaint}");
}

#[tokio::test]
async fn a_fault_on_standard_input_is_told_at_its_line_and_no_document_is() {
    let place = Place::migrated().await;
    let file = FILE.replace("\"client_credentials\"", "\"client_credential\"");
    let ended = piped(&place, &["apply", "-", "--json"], &file);
    assert!(!ended.status.success() && ended.stdout.is_empty(), "{ended:?}");
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("-: line 8: tenant \"main\": application \"backend\": grant_types"), "{told}");
    place.write("main.toml", &file);
    let _ = place.refuses(&["apply", "main.toml"], "main.toml: line 8: tenant \"main\": application").await;
}

#[tokio::test]
async fn the_token_of_an_application_comes_from_the_environment_and_is_in_no_export() {
    let mut place = Place::migrated().await;
    place.write(
        "wiki.toml",
        "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n\n[[tenant.scim_target]]\nname = \"Wiki\"\n\
         base_url = \"https://wiki.example/scim/v2\"\npeople = { everyone = true }\nsecret_env = \"WIKI_TOKEN\"\n",
    );
    let refused = place.run(&["apply", "wiki.toml"]).await;
    let fault = "line 9: tenant \"main\": scim_target \"Wiki\": secret_env: the environment variable WIKI_TOKEN is not set";
    assert!(!refused.is_success && refused.stderr.contains(fault), "{refused:?}");
    for (token, told) in [
        ("token-of-the-wiki", "created   scim_target Wiki"),
        ("token-of-the-wiki", "unchanged scim_target Wiki"),
        ("another-token-of-the-wiki", "updated   scim_target Wiki"),
    ] {
        place.set("WIKI_TOKEN", token);
        let applied = place.run(&["apply", "wiki.toml"]).await;
        assert!(applied.is_success && applied.stdout.contains(told), "{told}: {applied:?}");
        assert!(!applied.stdout.contains(token) && !applied.stderr.contains(token), "{applied:?}");
    }
    let exported = place.run(&["export", "main"]).await;
    assert!(exported.stdout.contains("[[tenant.scim_target]]"), "{exported:?}");
    assert!(!exported.stdout.contains("token-of-the-wiki"), "{exported:?}");
    place.write("exported.toml", &exported.stdout);
    let again = place.run(&["apply", "exported.toml"]).await;
    assert!(again.is_success && again.stdout.contains("0 created, 0 updated"), "{again:?}");
}

#[tokio::test]
async fn a_dry_run_that_goes_on_says_that_nothing_was_changed() {
    let place = Place::migrated().await;
    assert!(piped(&place, &["apply", "-", "--show-secrets"], FILE).status.success());
    let people = include_str!("../imports/files/people.jsonl").lines().next().unwrap();
    let arguments = ["import", "users", "-", "--from", "jsonl", "--tenant", "main"];
    let tried = piped(&place, &[&arguments[..], &["--dry-run"][..]].concat(), people);
    let told = String::from_utf8(tried.stdout).unwrap();
    let (id, _) = told.split_once(':').unwrap();
    let resumed = piped(&place, &[&arguments[..], &["--resume", id][..]].concat(), people);
    let told = String::from_utf8(resumed.stdout).unwrap();
    assert!(told.starts_with(id) && told.contains("nothing was changed"), "{told}");
}

#[tokio::test]
async fn an_import_that_refused_a_record_ends_as_failed_after_its_summary() {
    let place = Place::migrated().await;
    assert!(piped(&place, &["apply", "-", "--show-secrets"], FILE).status.success());
    let people = include_str!("../imports/files/people.jsonl");
    let arguments = ["import", "users", "-", "--from", "jsonl", "--tenant", "main", "--dry-run"];
    for (file, status, summary) in [
        (people.lines().next().unwrap(), 0, ["1 people: 1 created", "0 failed; nothing was changed"]),
        (people, 1, ["3 people: 2 created", "1 failed; nothing was changed"]),
    ] {
        let ended = piped(&place, &arguments, file);
        let [told, complaint] = [&ended.stdout, &ended.stderr].map(|text| String::from_utf8_lossy(text));
        assert_eq!(ended.status.code(), Some(status), "{told}{complaint}");
        assert!(summary.iter().all(|part| told.contains(part)), "{told}");
        assert_eq!(complaint.contains("one record was refused"), status == 1, "{complaint}");
    }
}

#[tokio::test]
async fn a_tenant_needs_a_name_as_long_as_the_control_plane_takes() {
    let place = Place::migrated().await;
    let [right, empty, long] = ["Main".to_owned(), String::new(), "x".repeat(201)]
        .map(|name| format!("[[tenant]]\nslug = \"main\"\nname = \"{name}\"\n"));
    let refuses = |file: &str| {
        let ended = piped(&place, &["apply", "-"], file);
        let complaint = String::from_utf8_lossy(&ended.stderr);
        assert!(!ended.status.success(), "{complaint}");
        assert!(complaint.contains("name: use 1 to 200 characters"), "{complaint}");
    };
    for file in [&empty, &long] {
        refuses(file);
    }
    assert!(piped(&place, &["apply", "-"], &right).status.success());
    for file in [&empty, &long] {
        refuses(file);
    }
}

#[tokio::test]
async fn suspending_the_tenant_at_which_operators_sign_in_says_what_lets_them_in_again() {
    let place = Place::migrated().await;
    let both =
        "[[tenant]]\nslug = \"main\"\nname = \"Main\"\n\n[[tenant]]\nslug = \"acme\"\nname = \"Acme\"\n";
    assert!(piped(&place, &["apply", "-"], both).status.success());
    for (slug, is_operators) in [("acme", false), ("main", true)] {
        let done = place.run(&["admin", "suspend-tenant", slug]).await;
        assert!(done.is_success && done.stdout == format!("tenant {slug}: suspended\n"), "{done:?}");
        let says = done.stderr.contains("before `svc-runtime admin reactivate-tenant main`");
        assert_eq!(says, is_operators, "{done:?}");
    }
}
