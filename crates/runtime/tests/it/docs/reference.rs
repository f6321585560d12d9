//! The reference pages that follow from the code: the command line, the classes of errors.

use std::collections::BTreeSet;

use clap::Command;
use svc_core::Class;

use super::{files_of, root, same_as_committed, same_part_as_committed};

#[test]
fn the_command_reference_is_the_help_of_the_program() {
    let mut page = String::from(COMMANDS);
    let mut command = svc_runtime::command_line().term_width(110);
    command.build();
    describe(&command, "##", &mut page);
    same_as_committed("reference/cli.md", &page);
}

/// Appends the help of a command and of those below it.
fn describe(command: &Command, level: &str, page: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let help = command.clone().render_long_help().to_string();
    let lines: Vec<_> = help.lines().map(str::trim_end).collect();
    *page += &format!("\n{level} {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        describe(below, "###", page);
    }
}

#[test]
fn the_error_reference_names_every_class_and_what_to_do() {
    let rows: BTreeSet<_> = Class::ALL
        .iter()
        .map(|class| {
            let advice = svc_http::advice(*class).replace("<code>", "`").replace("</code>", "`");
            format!("| `{}` | {} | {} | {advice} |\n", class.code(), class.status(), class.title())
        })
        .collect();
    let rows: String = rows.into_iter().collect();
    let table = format!("| `error` | status | title | what to do |\n|---|---|---|---|\n{rows}");
    same_part_as_committed("reference/errors.md", "classes of errors", &table);
}

/// The cells of a section's tables, row by row.
fn rows(page: &str, section: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root("docs").join(page)).unwrap();
    let section = text.split_once(&format!("\n## {section}\n")).unwrap().1;
    let section = section.split_once("\n## ").map_or(section, |(section, _)| section);
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(str::to_owned).collect()).collect()
}

/// What the programs may say, with the lines of each literal joined.
fn sources() -> String {
    let folders = std::fs::read_dir(root("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let files = folders.flat_map(|folder| files_of(&folder, &["rs"]));
    let texts = files.map(|file| std::fs::read_to_string(file).unwrap());
    let joined = texts.map(|text| {
        let mut pieces = text.split("\\\n");
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |text, piece| text + piece.trim_start())
    });
    joined.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_message_that_a_page_quotes_is_said_by_a_program() {
    let guards = rows("reference/operations.md", "What must hold before it starts");
    let troubles = rows("how-to/troubleshooting.md", "It does not start");
    let cells: Vec<_> = guards.iter().map(|row| &row[1]).chain(troubles.iter().map(|row| &row[0])).collect();
    let (sources, mut unknown, mut seen) = (sources(), Vec::new(), 0);
    for message in cells.iter().flat_map(|cell| cell.split('`').skip(1).step_by(2)) {
        seen += 1;
        // What stands in capitals or as dots is filled in.
        let mut fixed =
            message.split(['…', '?']).flat_map(|part| part.split("KEY")).flat_map(|part| part.split("VALUE"));
        let is_said = fixed.all(|part| part.split(" N ").all(|part| sources.contains(part.trim())));
        unknown.extend((!is_said).then_some(message));
    }
    assert!(seen > 50, "{seen}");
    assert!(unknown.is_empty(), "no program says:\n{}", unknown.join("\n"));
}

const COMMANDS: &str = "\
# Command line

What `svc-runtime --help` says, command by command. Results go to standard output, logs and complaints to standard error. A
command that failed ends with 1, a wrong use with 2.
";

#[test]
fn the_page_of_operations_names_the_keys_that_are_taken_over() {
    let keys: Vec<_> = svc_config::RELOADED.iter().map(|key| format!("`{key}`")).collect();
    same_part_as_committed("reference/operations.md", "reloaded keys", &format!("{}.", keys.join(", ")));
}
