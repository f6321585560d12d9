//! `svc-runtime apply` within a pipeline: the file comes on standard input, and the outcome is printed for programs.

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
async fn a_fault_on_standard_input_is_told_at_its_line_and_no_document_is() {
    let place = Place::migrated().await;
    let file = FILE.replace("\"client_credentials\"", "\"client_credential\"");
    let ended = piped(&place, &["apply", "-", "--json"], &file);
    assert!(!ended.status.success() && ended.stdout.is_empty(), "{ended:?}");
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("line 8: tenant \"main\": application \"backend\": grant_types"), "{told}");
}
