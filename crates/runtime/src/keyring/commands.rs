//! `svc-runtime keyring`: makes a keyring, adds a version to it, and shows what it has.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use svc_config::Config;
use svc_core::{Clock as _, Seconds, SystemClock, Timestamp};
use svc_keys::SystemEntropy;
use svc_keys::keyring::{Versions, file};

use crate::failure::Failure;
use crate::terminal;

/// Shown under `svc-runtime keyring --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime keyring init --path /etc/svc/keyring.json      make a keyring; give the same file to every node
  svc-runtime keyring rotate                                 add a version to the configured keyring, sealing in an hour
  svc-runtime keyring rotate --seals-after 60                the same, sealing in a minute
  svc-runtime keyring show                                   its versions and fingerprints, never its keys

Copy a rotated file to every node before its new version seals; running nodes read it within a minute. The file belongs
to every backup of the database: without it, what is sealed in the database cannot be opened.";

/// What to do with the keyring.
#[derive(Debug, Subcommand)]
pub enum KeyringCommand {
    /// Make a keyring in a new file that only its owner may read.
    Init {
        /// The file to write; it must not exist. By default the configured one.
        #[arg(long)]
        path: Option<PathBuf>,
    },
    /// Add a version, which seals after a while; what is sealed already stays readable.
    Rotate {
        /// The keyring. By default the configured one.
        #[arg(long)]
        path: Option<PathBuf>,
        /// Seconds until the new version seals: time to give the file to every node.
        #[arg(long, default_value_t = 3600, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=2_592_000))]
        seals_after: u32,
    },
    /// Show versions and fingerprints.
    Show {
        /// The keyring. By default the configured one.
        #[arg(long)]
        path: Option<PathBuf>,
    },
}

/// Does it; `config` is asked where no path is given.
pub fn run(command: KeyringCommand, config: impl FnOnce() -> Result<Config, Failure>) -> Result<(), Failure> {
    let now = SystemClock.now();
    match command {
        KeyringCommand::Init { path } => {
            let path = chosen(path, config)?;
            file::create(&path, &Versions::first(&SystemEntropy, now))?;
            terminal::say(&format!(
                "Made the keyring {}. Give the same file to every node, and back it up with the database.",
                path.display()
            ));
        }
        KeyringCommand::Rotate { path, seals_after } => {
            let path = chosen(path, config)?;
            let seals_from = now + Seconds(i64::from(seals_after));
            let rotated = file::change(&path, |present| present.rotated(&SystemEntropy, now, seals_from))?;
            let rotated = rotated.ok_or_else(|| absent(&path))?;
            terminal::say(&format!(
                "Added a version to {}; it seals from {seals_from} on. Until then, give the file to every node.\n{}",
                path.display(),
                shown(&rotated, now)
            ));
        }
        KeyringCommand::Show { path } => {
            let path = chosen(path, config)?;
            terminal::say(&format!("{}\n{}", path.display(), shown(&present(&path)?, now)));
        }
    }
    Ok(())
}

fn chosen(
    path: Option<PathBuf>,
    config: impl FnOnce() -> Result<Config, Failure>,
) -> Result<PathBuf, Failure> {
    let configured = || {
        let config = config()?;
        config.keyring_path().ok_or_else(|| {
            Failure::new(if config.kms.is_configured() {
                "kms: svc-kms holds the root key in place of a keyring; `svc-kms verify` shows its versions, and `svc-kms rotate` \
                 adds one"
            } else {
                "keyring.path: there is no keyring; name its file with --path"
            })
        })
    };
    path.map_or_else(configured, Ok)
}

fn present(path: &Path) -> Result<Versions, Failure> {
    file::read(path)?.ok_or_else(|| absent(path))
}

fn absent(path: &Path) -> Failure {
    Failure::new(format!("there is no keyring at {}; `keyring init` makes one", path.display()))
}

fn shown(versions: &Versions, now: Timestamp) -> String {
    let prints = versions.fingerprints();
    let seals = prints.iter().rev().find(|print| print.seals_from <= now).map(|print| print.id);
    let line = |print: &svc_keys::keyring::Fingerprint| {
        let mark = if Some(print.id) == seals { "  (seals)" } else { "" };
        format!("  version {}  {}  from {}{mark}", print.id, print.digest, print.seals_from)
    };
    prints.iter().map(line).collect::<Vec<_>>().join("\n")
}
