//! The families of metrics: what sources count is what the table of families and the page have.

use std::collections::BTreeSet;

use svc_http::{FAMILIES, FamilyKind};

use super::{files, root, same_part_as_committed};

/// The names that sources count under, by macro or by method.
fn counted() -> BTreeSet<String> {
    const CALLS: &[&str] = &[
        "counter!(\"",
        "gauge!(\"",
        "histogram!(\"",
        ".count_one(\"",
        ".set(\"",
        ".reach(\"",
        "Key::from_parts(\"",
    ];
    let mut names = BTreeSet::new();
    for package in ["async", "auth", "control", "domain", "http", "runtime"] {
        for file in files(&root("crates").join(package).join("src")) {
            let text = std::fs::read_to_string(&file).unwrap();
            let code: String = text.split_whitespace().collect();
            for call in CALLS {
                let named = code.split(call).skip(1).filter_map(|rest| rest.split('"').next());
                names.extend(named.filter(|name| name.contains('_')).map(str::to_owned));
            }
        }
    }
    names
}

#[test]
fn every_family_that_is_counted_is_described_and_every_described_one_is_counted() {
    let described: BTreeSet<_> = FAMILIES.iter().map(|family| family.name.to_owned()).collect();
    assert_eq!(described.len(), FAMILIES.len());
    assert_eq!(counted(), described);
}

#[test]
fn the_page_has_every_family() {
    let rows = FAMILIES.iter().map(|family| {
        let kind = match family.kind {
            FamilyKind::Counter => "counter",
            FamilyKind::Gauge => "gauge",
            FamilyKind::Histogram => "histogram",
        };
        let labels: Vec<_> = family.labels.iter().map(|label| format!("`{label}`")).collect();
        format!("| `{}` | {kind} | {} | {} |\n", family.name, labels.join(", "), family.help)
    });
    let rows: String = rows.collect();
    let table = format!("| metric | kind | labels | meaning |\n|---|---|---|---|\n{rows}");
    same_part_as_committed("reference/operations.md", "families of metrics", &table);
}
