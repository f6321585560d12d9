//! The package against `docs/openapi.json`: the paths that it names, and where it trusts the server to know repetitions.

use serde_json::Value;

const GENERATED: &str = include_str!("../../src/management/generated.rs");

fn document() -> Value {
    let path = format!("{}/../../docs/openapi.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// A template without the names of its parameters.
fn plain(template: &str) -> String {
    let part = |part: &str| if part.starts_with('{') { "{}".to_owned() } else { part.to_owned() };
    template.split('/').map(part).collect::<Vec<_>>().join("/")
}

#[test]
fn every_named_path_and_method_is_in_the_openapi_document() {
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    let operations = |wanted: &str| paths.iter().find(|(path, _)| plain(path) == wanted).map(|(_, of)| of);
    let mut named = 0;
    for line in GENERATED.lines().filter_map(|line| line.trim().strip_prefix("/// The records at `")) {
        let (path, can) = line.split_once("`: ").unwrap();
        let (list, record) = (plain(path), format!("{}/{{}}", plain(path)));
        for name in can.trim_end_matches('.').split(", ") {
            let (at, method) = match name.trim_matches('`') {
                "all" => (&list, "get"),
                "create" => (&list, "post"),
                "find" => (&record, "get"),
                "replace" => (&record, "put"),
                "update" => (&record, "patch"),
                "delete" => (&record, "delete"),
                other => panic!("{path}: {other}"),
            };
            assert!(operations(at).is_some_and(|of| of.get(method).is_some()), "{method} {at}");
        }
        named += 1;
    }
    assert!(named > 50, "{named} collections are named");
}

#[test]
fn the_server_knows_repetitions_where_this_package_trusts_it_to() {
    for (path, operations) in document()["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let takes_key = parameters.into_iter().any(|one| one["name"] == "idempotency-key");
            let is_write = method != "get" && method != "head";
            assert_eq!(takes_key, is_write && path.starts_with("/api/v1/"), "{method} {path}");
        }
    }
}
