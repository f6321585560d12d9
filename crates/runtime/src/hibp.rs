//! `svc-runtime hibp import`: makes the compact list of breached passwords that `hibp.list_path` names.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use svc_http::breached::list;

use crate::failure::Failure;
use crate::terminal;

/// Shown under `svc-runtime hibp --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime hibp import pwned-passwords.txt --to /var/lib/svc/breached     make the list of a file on this machine
  svc-runtime hibp import - --to /var/lib/svc/breached < pwned-passwords.txt the same of standard input
  svc-runtime hibp import pwned-passwords.txt --to breached --at-least 10    without passwords seen fewer than ten times

The file is the public list of Have I Been Pwned: SHA-1, ordered by hash, one `HASH:COUNT` a line, as its downloader
writes it. The list takes four bytes for each password and four megabytes in addition. Name it in hibp.list_path, give it
to every node, and restart; nothing about passwords then leaves the machine.";

/// What to do with lists of breached passwords.
#[derive(Debug, Subcommand)]
pub enum HibpCommand {
    /// Make the compact list from the public one.
    Import {
        /// The public list, or `-` for standard input.
        file: PathBuf,
        /// The list to write; one that is there is replaced when the new one is whole.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
        /// Leave out passwords that were seen fewer times.
        #[arg(long, value_name = "COUNT", default_value_t = 1)]
        at_least: u64,
    },
}

/// Does it.
pub fn run(command: &HibpCommand) -> Result<(), Failure> {
    let HibpCommand::Import { file, to, at_least } = command;
    let progress = |lines| terminal::complain(&format!("{} million lines read", lines / 1_000_000));
    let imported = list::import(opened(file)?, to, *at_least, progress)
        .map_err(|error| Failure::from(error).during(&file.display().to_string()))?;
    terminal::say(&format!(
        "Wrote {} passwords of {} lines to {}. Name it in hibp.list_path.",
        imported.entries,
        imported.lines,
        to.display()
    ));
    Ok(())
}

fn opened(file: &Path) -> Result<Box<dyn BufRead>, Failure> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin().lock()));
    }
    let opened = File::open(file);
    let opened =
        opened.map_err(|error| Failure::new(format!("{} cannot be read: {error}", file.display())))?;
    Ok(Box::new(BufReader::with_capacity(1 << 20, opened)))
}
