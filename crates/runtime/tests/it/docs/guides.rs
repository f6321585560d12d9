//! The framework guides: every application and API that they show is taken as it stands, and every program is one that a
//! test runs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{files_of, root};
use crate::apply::apply_text;
use crate::harness::Harness;

/// Programs that a test compiles: page, language of its blocks, the files that have the same text in this order. Other tests
/// read the code from the page.
const PROGRAMS: [(&str, &str, &[&str]); 4] = [
    ("go", "go", &["go/main.go"]),
    ("nextjs", "ts", &["nextjs/auth.ts", "nextjs/app/api/auth/[...nextauth]/route.ts"]),
    ("nextjs", "tsx", &["nextjs/app/page.tsx"]),
    ("spring", "yaml", &["java/src/main/resources/application.yml"]),
];

/// What a page says whose client no test runs.
const NOT_RUN: &str = "is not run by";

/// The pages by their names.
fn pages() -> Vec<(String, String)> {
    let folder = std::fs::read_dir(root("docs/frameworks")).unwrap();
    let pages = folder.map(|entry| entry.unwrap().path());
    let named = pages.map(|page| {
        let text = std::fs::read_to_string(&page).unwrap();
        (page.file_stem().unwrap().to_string_lossy().into_owned(), text)
    });
    named.filter(|(name, _)| name != "README").collect()
}

/// The blocks of a page in one language, one after another.
fn code(page: &str, language: &str) -> String {
    let opening = format!("```{language}\n");
    page.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The sources of the tests of foreign clients.
fn sources() -> Vec<PathBuf> {
    files_of(&root("tests"), &["js", "py", "go"])
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[tokio::test]
async fn the_applications_of_every_guide_can_be_applied() {
    let h = Harness::new().await;
    let pages = pages();
    let names: BTreeSet<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.is_superset(&["django", "go", "mcp", "nextjs", "spring"].into()), "{names:?}");
    for (name, page) in &pages {
        let file = format!("[[tenant]]\nslug = \"guides\"\nname = \"Guides\"\n{}", code(page, "toml"));
        let outcome = apply_text(&h, &file).await;
        assert!(outcome.is_ok(), "{name}: {outcome:?}");
    }
}

#[test]
fn the_program_of_a_guide_is_the_one_that_its_test_compiles() {
    for (name, language, files) in PROGRAMS {
        let page = read(&root(&format!("docs/frameworks/{name}.md")));
        let compiled: String = files.iter().map(|file| read(&root("tests/clients").join(file))).collect();
        assert_eq!(code(&page, language), compiled, "docs/frameworks/{name}.md and {files:?}");
    }
}

#[test]
fn every_guide_is_read_by_a_test_or_says_that_its_client_is_not_run() {
    let tests: String = sources().iter().map(|file| read(file)).collect();
    for (name, page) in pages() {
        let is_compiled = PROGRAMS.iter().any(|(program, ..)| *program == name);
        let is_tested = is_compiled
            || tests.contains(&format!("frameworks/{name}.md'"))
            || tests.contains(&format!("frameworks/{name}.md\""));
        assert_ne!(is_tested, page.contains(NOT_RUN), "docs/frameworks/{name}.md");
    }
}
