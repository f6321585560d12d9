//! The documentation: its links lead somewhere, and what can be generated is what the code says.
//!
//! `SVC_REWRITE_DOCS=1 cargo test -p svc-runtime --test it docs` writes what follows from the code.

mod apply_keys;
mod events;
mod guides;
mod links;
mod metrics;
mod reference;

use std::path::{Path, PathBuf};

/// A file of the repository.
pub fn root(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

/// Compares a committed page with what the code says, or writes it where that is asked for.
pub fn same_as_committed(name: &str, expected: &str) {
    let file = root("docs").join(name);
    if std::env::var_os("SVC_REWRITE_DOCS").is_some() {
        std::fs::write(&file, expected).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        committed == expected,
        "docs/{name} is not what the code says: run `SVC_REWRITE_DOCS=1 cargo test -p svc-runtime --test it docs`"
    );
}

/// Compares the generated part of a committed page, or writes it.
pub fn same_part_as_committed(name: &str, part: &str, expected: &str) {
    let page = std::fs::read_to_string(root("docs").join(name)).unwrap();
    let begin = format!("<!-- generated: {part} -->\n");
    let (before, rest) = page.split_once(&begin).unwrap();
    let (_, after) = rest.split_once("<!-- end -->").unwrap();
    same_as_committed(name, &format!("{before}{begin}\n{expected}\n<!-- end -->{after}"));
}
