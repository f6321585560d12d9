//! The documentation: its links lead somewhere, and what can be generated is what the code says.
//!
//! `SVC_REWRITE_DOCS=1 cargo test -p svc-runtime --test it docs` writes what follows from the code.

mod apply_keys;
mod events;
mod guides;
mod links;
mod methods;
mod metrics;
mod monitoring;
mod reference;
mod security;

use std::path::{Path, PathBuf};

/// The files of a folder and of those in it (or the one file), without what was built, fetched or is hidden.
pub fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let is_ours = |entry: &PathBuf| {
        let name = entry.file_name().unwrap().to_string_lossy();
        !entry.is_dir() || (!name.starts_with('.') && name != "target" && name != "node_modules")
    };
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(is_ours).flat_map(|entry| files(&entry)).collect()
}

/// The files below `path` whose names end in one of these.
pub fn files_of(path: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let is_wanted =
        |file: &PathBuf| extensions.iter().any(|kind| file.extension().is_some_and(|is| is == *kind));
    let mut found: Vec<_> = files(path).into_iter().filter(is_wanted).collect();
    found.sort();
    found
}

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
