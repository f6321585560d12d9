//! The reference pages that follow from the code: the command line, the classes of errors, the types of events.

use std::collections::BTreeSet;

use clap::Command;
use svc_core::Class;
use svc_core::events::EventType;

use super::{root, same_as_committed, same_part_as_committed};

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

#[test]
fn the_event_reference_names_every_type_and_what_this_version_records() {
    let code = code();
    let row = |event: &EventType| {
        let is_recorded = code.contains(&format!("EventType::{event:?}"));
        format!("| `{event}` | {} |\n", if is_recorded { "yes" } else { "" })
    };
    let rows: String = EventType::ALL.iter().map(row).collect();
    let table = format!("| type | recorded by this version |\n|---|---|\n{rows}");
    same_part_as_committed("reference/events.md", "types of events", &table);
}

#[test]
fn the_audit_reference_names_every_action() {
    let code = code();
    let is_word =
        |text: &str| !text.is_empty() && text.chars().all(|char| char.is_ascii_lowercase() || char == '_');
    let is_action = |text: &&str| {
        let parts = text.split_once('.');
        parts.is_some_and(|(what, done)| is_word(what) && is_word(done) && !["html", "json"].contains(&done))
    };
    let actions: BTreeSet<_> = code.split('"').filter(is_action).collect();
    assert!(actions.contains("session.created") && actions.len() > 20, "{actions:?}");
    let rows: String = actions.iter().map(|action| format!("- `{action}`\n")).collect();
    same_part_as_committed("reference/events.md", "actions of the audit log", &rows);
}

/// The sources of what is done for people, clients and administrators, without their tests.
fn code() -> String {
    let mut folders: Vec<_> =
        ["auth", "domain", "http"].iter().map(|name| root(&format!("crates/{name}/src"))).collect();
    let mut code = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && !path.ends_with("tests.rs")
            {
                let text = std::fs::read_to_string(&path).unwrap();
                code += text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            }
        }
    }
    code
}

const COMMANDS: &str = "\
# Command line

What `svc-runtime --help` says, command by command. Results go to standard output, logs and complaints to standard error. A
command that failed ends with 1, a wrong use with 2.
";
