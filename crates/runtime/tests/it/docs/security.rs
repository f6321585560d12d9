//! The tables of requirements and threats: every test that they name exists, and nothing is called met without a proof.

use std::collections::BTreeSet;

use super::{files_of, root};

const PAGES: [&str; 6] = [
    "asvs.md",
    "rfc9700.md",
    "threat-model.md",
    "../security.md",
    "../reliability.md",
    "../adr/0049-answers-to-the-first-review.md",
];
const STATES: [&str; 5] = ["met", "partly", "open", "operator", "n/a"];

/// How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has; its numbers begin with them and have no gaps.
const REQUIREMENTS: &str = "\
    1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 \
    4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 \
    7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 \
    10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 \
    14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2";

/// The rows of a page's tables, cell by cell, without their headings.
fn rows(page: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root("docs/security").join(page)).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let is_row = |(at, line): &(usize, &&str)| {
        let heads_a_table = lines.get(at + 1).is_some_and(|next| next.starts_with("|---"));
        line.starts_with("| ") && !heads_a_table
    };
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines.iter().enumerate().filter(is_row).map(|(_, line)| cells(line)).collect()
}

/// The tests that a row names: the words in backticks of its last cell.
fn tests_of(row: &[String]) -> Vec<&str> {
    row.last().map(|cell| cell.split('`').skip(1).step_by(2).collect()).unwrap_or_default()
}

/// The names of all tests of the workspace.
fn all_tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for folder in ["crates", "testkit", "xtask"] {
        for file in files_of(&root(folder), &["rs"]) {
            let text = std::fs::read_to_string(&file).unwrap();
            for after in text.split("#[test]").skip(1).chain(text.split("#[tokio::test").skip(1)) {
                let name = after.split_once("fn ").and_then(|(_, rest)| rest.split(['(', '<']).next());
                names.extend(name.map(str::to_owned));
            }
        }
    }
    names
}

#[test]
fn every_test_that_a_table_of_requirements_names_exists() {
    let (known, mut unknown, mut seen) = (all_tests(), Vec::new(), 0);
    for page in PAGES {
        for row in rows(page).iter().filter(|row| row.len() > 2) {
            for test in tests_of(row) {
                seen += 1;
                unknown.extend((!known.contains(test)).then(|| format!("{page}: {test}")));
            }
        }
    }
    assert!(seen > 300, "only {seen} tests are named");
    assert!(unknown.is_empty(), "no such test:\n{}", unknown.join("\n"));
}

#[test]
fn a_requirement_that_is_met_has_a_test_or_a_document_and_any_other_says_why() {
    for (page, state) in [("asvs.md", 1), ("rfc9700.md", 2)] {
        for row in rows(page).iter().filter(|row| row.len() == state + 3) {
            let (is, how) = (row[state].as_str(), row[state + 1].as_str());
            assert!(STATES.contains(&is), "{page}: {row:?}");
            let is_proven = !tests_of(row).is_empty() || how.contains("](");
            assert!(is != "met" || is_proven, "{page}: nothing proves {row:?}");
            assert!(is == "met" || !how.is_empty(), "{page}: why is {row:?}");
        }
    }
}

#[test]
fn a_threat_is_held_by_a_test() {
    let threats: Vec<_> = rows("threat-model.md").into_iter().filter(|row| row.len() == 3).collect();
    assert!(threats.len() > 25, "{}", threats.len());
    for threat in threats {
        assert!(!tests_of(&threat).is_empty(), "{threat:?}");
    }
}

#[test]
fn every_requirement_of_asvs_level_2_has_its_row() {
    let mut expected = Vec::new();
    for section in REQUIREMENTS.split_whitespace() {
        let (section, count) = section.split_once(':').unwrap();
        expected.extend((1..=count.parse().unwrap()).map(|number: usize| format!("{section}.{number}")));
    }
    assert_eq!(expected.len(), 253);
    let listed = rows("asvs.md").into_iter().filter(|row| row.len() == 4);
    let mut listed: Vec<_> =
        listed.flat_map(|row| row[0].split(", ").map(str::to_owned).collect::<Vec<_>>()).collect();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected);
}
