//! The folders of `domain` only look down: who may use whom, from the lowest to the highest.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folders of `crates/domain/src`; each may use those before it.
const ORDER: &[&str] = &[
    "log",
    "tenancy",
    "claims",
    "keys",
    "tokens",
    "coordination",
    "apis",
    "grants",
    "apps",
    "people",
    "organizations",
    "policies",
    "scim",
    "federation",
    "delivery",
    "hooks",
    "archive",
];

/// What still looks up. This table may only shrink.
const STILL_UP: &[(&str, &str, &str)] = &[
    ("grants", "people", "a credential is read with the person whom it stands for"),
    (
        "people",
        "delivery",
        "the end of a session queues logout tokens and notes the causes of signals, that of a guardian a mail",
    ),
];

#[test]
fn folders_of_the_domain_only_look_down() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../domain/src");
    let used = uses_between_folders(&source);
    assert_eq!(used.keys().map(String::as_str).collect::<BTreeSet<_>>(), ORDER.iter().copied().collect());
    let rank = |folder: &str| ORDER.iter().position(|name| *name == folder).unwrap();
    let upward = used.iter().flat_map(|(from, to)| to.iter().map(move |to| (from.as_str(), to.as_str())));
    let upward: BTreeSet<_> = upward.filter(|(from, to)| rank(from) < rank(to)).collect();
    let known = STILL_UP.iter().map(|(from, to, _)| (*from, *to)).collect();
    assert_eq!(upward, known);
}

/// Which folders of a crate's source use which others.
fn uses_between_folders(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let entries = std::fs::read_dir(source).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let names: BTreeSet<_> = folders.iter().map(|folder| name(folder)).collect();
    let mut used = BTreeMap::new();
    for folder in &folders {
        let mut modules = BTreeSet::new();
        for text in texts(folder) {
            assert!(!text.contains("super::super"), "{}: name the module from the crate", folder.display());
            modules.extend(modules_of_the_crate(&text));
        }
        modules.remove(&name(folder));
        used.insert(name(folder), modules.intersection(&names).cloned().collect());
    }
    used
}

/// The sources of a folder without their comments and tests.
fn texts(folder: &Path) -> Vec<String> {
    let mut texts = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            texts.extend(texts_below(&path));
        } else if !path.ends_with("tests.rs") {
            let whole = std::fs::read_to_string(&path).unwrap();
            let code = whole.split("#[cfg(test)]\nmod tests {").next().unwrap();
            texts.push(code.lines().filter(|line| !line.trim_start().starts_with("//")).collect());
        }
    }
    texts
}

fn texts_below(folder: &Path) -> Vec<String> {
    if folder.ends_with("tests") { Vec::new() } else { texts(folder) }
}

/// The names that follow `crate::` in a text, also inside braces.
fn modules_of_the_crate(text: &str) -> BTreeSet<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = BTreeSet::new();
    for (at, prefix) in text.match_indices("crate::") {
        let rest = &text[at + prefix.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(word(rest));
            continue;
        };
        let mut depth = 0;
        let mut item = String::new();
        for char in group.chars() {
            match char {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    names.insert(word(item.trim()));
                    item.clear();
                }
                other if depth == 0 => item.push(other),
                _ => {}
            }
        }
        names.insert(word(item.trim()));
    }
    names
}

#[test]
fn the_scan_sees_paths_and_groups() {
    let text = "use crate::a::{x, y}; use crate::{b::{c, d}, e, f::g}; crate::h::i();";
    let expected = ["a", "b", "e", "f", "h"].map(str::to_owned).into();
    assert_eq!(modules_of_the_crate(text), expected);
}
