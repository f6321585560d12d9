//! The reference page of the commands is their help.

use std::fmt::Write as _;

use clap::Command;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/svc-kms.md");

#[test]
fn the_command_reference_is_the_help_of_the_program() {
    let mut page = String::from(
        "# svc-kms\n\nWhat `svc-kms --help` says, command by command. Results go to standard output, logs and complaints to \
         standard error. A\ncommand that failed ends with 1, a wrong use with 2.\n",
    );
    let mut command = svc_kms::command_line().term_width(110);
    command.build();
    describe(&command, "##", &mut page);
    if std::env::var_os("SVC_REWRITE_DOCS").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let committed = std::fs::read_to_string(PAGE).unwrap_or_default();
    assert_eq!(committed, page, "rewrite it: SVC_REWRITE_DOCS=1 cargo test -p svc-kms");
}

/// Appends the help of a command and of those below it.
fn describe(command: &Command, level: &str, page: &mut String) {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name()).to_owned();
    let help = command.clone().render_long_help().to_string();
    let lines: Vec<_> = help.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    write!(page, "\n{level} {name}\n\n```text\n{}\n```\n", text.trim_end()).unwrap();
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        describe(below, "###", page);
    }
}
