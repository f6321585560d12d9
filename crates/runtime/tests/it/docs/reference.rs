//! The reference pages that follow from the code: the command line, the classes of errors.

use std::collections::BTreeSet;

use clap::Command;
use svc_core::Class;

use super::{same_as_committed, same_part_as_committed};

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
