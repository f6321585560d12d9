//! The relative links of packed pages, which have to lead to packed files.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::launch;

/// What only the repository has: pages lead to it for those who have a clone.
const SOURCES: [&str; 7] = ["Cargo.toml", "crates", "deny.toml", "fuzz", "sdks", "tests", "xtask"];
/// Pages for those who have the programs alone.
const FIRST: [&str; 2] = ["CHANGELOG.md", "README.md"];

/// The links of the pages among these files that lead to none of them, as `PAGE: PATH`. The files are called as in the repository, where
/// the pages are read.
pub fn dead(packed: &BTreeSet<String>) -> BTreeSet<String> {
    let pages = packed.iter().filter(|file| Path::new(file).extension() == Some(OsStr::new("md")));
    let of_page = |page: &String| {
        let text = fs::read_to_string(launch::root().join(page)).unwrap();
        let folder = Path::new(page).parent().unwrap();
        let paths = targets(&text).into_iter().map(|target| resolved(&folder.join(target)));
        let may_be_source = !FIRST.contains(&page.as_str());
        let dead = paths.filter(|path| !(leads(packed, path) || may_be_source && is_source(path)));
        dead.map(|path| format!("{page}: {path}")).collect::<Vec<_>>()
    };
    pages.flat_map(of_page).collect()
}

/// Where the relative links and pictures of a page lead, without headings.
fn targets(page: &str) -> Vec<&str> {
    // Every other part is a block of code.
    let prose = page.split("```").step_by(2);
    let links = prose.clone().flat_map(|text| text.split("](").skip(1));
    let links = links.filter_map(|rest| rest.split([')', ' ']).next());
    let pictures = prose.flat_map(|text| text.split("src=\"").skip(1));
    let pictures = pictures.filter_map(|rest| rest.split('"').next());
    let relative = links.chain(pictures).filter(|target| !target.contains(':'));
    relative.filter_map(|target| target.split('#').next()).filter(|path| !path.is_empty()).collect()
}

/// A path without the steps upwards in it.
fn resolved(path: &Path) -> String {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            resolved.pop();
        } else {
            resolved.push(part);
        }
    }
    resolved.to_string_lossy().into_owned()
}

/// Whether a path is a packed file, or a folder of some.
fn leads(packed: &BTreeSet<String>, path: &str) -> bool {
    packed.contains(path) || packed.iter().any(|file| Path::new(file).starts_with(path))
}

fn is_source(path: &str) -> bool {
    SOURCES.iter().any(|source| Path::new(path).starts_with(source))
}

#[test]
fn a_link_to_what_is_not_packed_is_dead_and_one_to_a_source_on_the_first_pages_alone() {
    let dead_of = |page: &str| dead(&BTreeSet::from([page.to_owned()]));
    for (page, path) in [("README.md", "docs/deploy.md"), ("CHANGELOG.md", "sdks/go/CHANGELOG.md")] {
        let found = dead_of(page);
        assert!(found.contains(&format!("{page}: {path}")), "{found:?}");
    }
    // It leads to `crates/db/README.md` too.
    assert_eq!(dead_of("CONTRIBUTING.md"), ["CONTRIBUTING.md: ARCHITECTURE.md".to_owned()].into());
}
