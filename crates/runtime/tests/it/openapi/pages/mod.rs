//! A reference page for each group of operations, made of the document.

mod operation;
mod schemas;

use std::collections::BTreeSet;

use serde_json::Value;

use self::schemas::Schemas;
use super::document;
use crate::docs::{files, root, same_as_committed};

/// Where the pages are, below `docs`.
const FOLDER: &str = "reference/api";

#[test]
fn every_group_of_operations_has_a_page_and_no_page_is_left_over() {
    let document = document();
    let mut index = format!("{INDEX}\n| page | what it is about |\n|---|---|\n");
    let mut expected = BTreeSet::from(["README.md".to_owned()]);
    std::fs::create_dir_all(root("docs").join(FOLDER)).unwrap();
    for group in document["tags"].as_array().unwrap() {
        let (name, about) = (group["name"].as_str().unwrap(), group["description"].as_str().unwrap());
        let file = format!("{}.md", slug(name));
        same_as_committed(&format!("{FOLDER}/{file}"), &page(&document, (name, about)));
        index += &format!("| [{name}]({file}) | {about} |\n");
        assert!(expected.insert(file), "{name}: the name of another page");
    }
    same_as_committed(&format!("{FOLDER}/README.md"), &index);
    let pages = files(&root("docs").join(FOLDER));
    let found: BTreeSet<_> =
        pages.iter().map(|page| page.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(found, expected, "remove the pages of groups that there are no more");
}

/// What a group is called in an address.
fn slug(name: &str) -> String {
    let words = name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-").to_lowercase()
}

/// Everything of one group: its operations first, then what they take and give.
fn page(document: &Value, (group, about): (&str, &str)) -> String {
    let of_group: Vec<(String, &Value)> = super::operations(document)
        .into_iter()
        .filter(|(_, operation)| operation["tags"][0] == group)
        .map(|(name, operation)| (operation::title(&name), operation))
        .collect();
    let mut schemas = Schemas::of(document);
    let parts: Vec<_> =
        of_group.iter().map(|(title, operation)| operation::part(&mut schemas, (title, operation))).collect();
    let contents = of_group.iter().map(|(title, operation)| {
        let summary = operation["summary"].as_str().unwrap();
        format!("| [`{title}`](#{}) | {summary} |\n", operation::anchor(title))
    });
    let contents: String = contents.collect();
    let head = format!(
        "# {group}\n\n{about} What holds for all operations is on [another page](../management-api.md)."
    );
    let operations = parts.join("\n");
    format!(
        "{head}\n\n| operation | what it does |\n|---|---|\n{contents}\n{operations}{}",
        schemas.described()
    )
}

/// A text as the cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

const INDEX: &str = "\
# Operations by resource

Every operation with its parameters, bodies, answers and scope, as [openapi.json](../../openapi.json) describes them: a page for each resource. What holds for all of
them, such as authorization, lists, changes by version and retries, is on the page of the [management API](../management-api.md).
";
