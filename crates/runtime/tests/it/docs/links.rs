//! Every relative link of every page leads to a file that is there, and to a heading of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{files_of, root};

/// The pages of the repository: those at its root, in `docs`, and the notes of crates and folders.
fn pages() -> Vec<PathBuf> {
    files_of(&root("").canonicalize().unwrap(), &["md"])
}

/// The lines that are not inside a code block.
fn prose(page: &Path) -> Vec<String> {
    let mut is_code = false;
    let text = std::fs::read_to_string(page).unwrap();
    let lines = text.lines().filter(|line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    });
    lines.map(str::to_owned).collect()
}

/// The anchors that a page's headings make.
fn anchors(page: &Path) -> BTreeSet<String> {
    let headings = prose(page).into_iter().filter(|line| line.starts_with('#'));
    let anchor = |heading: String| {
        let text = heading.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        text.chars().filter(|char| char.is_alphanumeric() || ['-', '_'].contains(char)).collect()
    };
    headings.map(anchor).collect()
}

/// The targets of links and pictures in a line.
fn targets(line: &str) -> Vec<&str> {
    let links = line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let pictures = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    links.chain(pictures).filter(|target| !target.contains(':')).collect()
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let (mut dead, mut seen) = (Vec::new(), 0);
    for page in pages() {
        for line in prose(&page) {
            for target in targets(&line) {
                seen += 1;
                let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
                let file = if path.is_empty() { page.clone() } else { page.parent().unwrap().join(path) };
                let leads = file.exists() && (anchor.is_empty() || anchors(&file).contains(anchor));
                dead.extend((!leads).then(|| format!("{}: {target}", page.display())));
            }
        }
    }
    assert!(seen > 100, "only {seen} links were found");
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn every_page_of_the_documentation_can_be_reached_from_its_index() {
    let docs = root("docs").canonicalize().unwrap();
    let (mut reached, mut open) = (BTreeSet::new(), vec![docs.join("README.md")]);
    while let Some(page) = open.pop() {
        if !reached.insert(page.clone()) || page.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        for line in prose(&page) {
            let paths = targets(&line).into_iter().filter_map(|target| target.split('#').next());
            let paths = paths.filter(|path| !path.is_empty()).map(|path| page.parent().unwrap().join(path));
            for path in paths.map(|path| path.canonicalize().unwrap()) {
                // A link to a folder leads to its pages.
                let inside = std::fs::read_dir(&path).into_iter().flatten();
                open.extend(inside.map(|entry| entry.unwrap().path()));
                open.push(path);
            }
        }
    }
    let is_hidden = |page: &PathBuf| page.starts_with(&docs) && !reached.contains(page);
    let hidden: Vec<_> = pages().into_iter().filter(is_hidden).collect();
    assert!(hidden.is_empty(), "docs/README.md does not lead to {hidden:?}");
}
