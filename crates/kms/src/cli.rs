//! The command line: one command does one thing, and `--help` shows how.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, CommandFactory as _, Parser, Subcommand};
use svc_keys::kms::Settings;

use crate::commands::NamedSecret;
use crate::failure::{self, Failure};
use crate::opening::{NewOpening, Opening};
use crate::server::LogFormat;
use crate::{commands, server};

const EXAMPLES: &str = "\
Examples:
  svc-kms init --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase
                                          make the keys of a deployment, and say what to put into svc.toml
  svc-kms serve                           hold them, behind the socket DIR/kms.sock
  svc-kms verify                          open the file and show what is in it, never a key
  svc-kms health                          ask the running process as svc-runtime does
  svc-kms adopt --keyring /etc/svc/keyring.json
                                          take over the keyring of a deployment; what it sealed can still be opened
  svc-kms provision email.smtp.password --from-file secret.txt
                                          store a secret of the configuration
  svc-kms rotate                          add a version of the root key, sealing in an hour
  svc-kms reseal --to-passphrase-file /etc/svc/kms.passphrase.new
                                          let another passphrase open the file
  svc-kms backup /backup/keys.sealed      copy the sealed file; `restore` puts it in place on another machine

Each command takes --dir and what opens the file, or their variables SVC_KMS_DIR and SVC_KMS_PASSPHRASE_FILE.
DIR holds one sealed file, keys.sealed. Each machine of a deployment runs one svc-kms with a copy of it.";

/// Holds the root key and the secrets of a deployment in a process of its own.
#[derive(Debug, Parser)]
#[command(name = "svc-kms", version, about, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make the sealed file of a new deployment, and the keys by which svc-runtime and svc-kms authenticate each other.
    #[command(
        after_help = "Example:\n  svc-kms init --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase"
    )]
    Init(Place),
    /// Make the sealed file from the keyring of a running deployment: what it has sealed can still be opened.
    #[command(
        after_help = "Example:\n  svc-kms adopt --dir /var/lib/svc-kms --keyring /etc/svc/keyring.json \\\n    \
                      --passphrase-file /etc/svc/kms.passphrase"
    )]
    Adopt {
        #[command(flatten)]
        place: Place,
        /// The keyring file of the deployment.
        #[arg(long, value_name = "FILE")]
        keyring: PathBuf,
    },
    /// Serve the keys on a socket that only this user can open.
    #[command(after_help = "Examples:\n  \
                      svc-kms serve --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase\n  \
                      svc-kms serve --dir /var/lib/svc-kms --credential svc-kms")]
    Serve {
        #[command(flatten)]
        place: Place,
        /// The socket; its directory must be for this user only.
        #[arg(long, env = "SVC_KMS_SOCKET", value_name = "PATH")]
        socket: Option<PathBuf>,
        /// How lines of the log are written; in production svc-runtime writes `json`.
        #[arg(long, env = "SVC_KMS_LOG_FORMAT", value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
        log_format: LogFormat,
    },
    /// Store a named secret. A running svc-kms loads it within a second.
    #[command(after_help = "Examples:\n  \
                      export SVC_KMS_DIR=/var/lib/svc-kms SVC_KMS_PASSPHRASE_FILE=/etc/svc/kms.passphrase\n  \
                      svc-kms provision email.smtp.password --from-file secret.txt\n  \
                      pass show smtp | svc-kms provision email.smtp.password\n  svc-kms provision email.smtp.password --remove")]
    Provision {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        secret: NamedSecret,
    },
    /// Add a version of the root key, which seals after a while; what is sealed already stays readable.
    #[command(
        after_help = "Example:\n  svc-kms rotate --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase \\\n    \
                      --seals-after 600"
    )]
    Rotate {
        #[command(flatten)]
        place: Place,
        /// Seconds until the new version seals: time to give the file to every machine.
        #[arg(long, default_value_t = 3600, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(0..=2_592_000))]
        seals_after: u32,
    },
    /// Seal the file for another passphrase, credential or token. A running svc-kms is started again with it.
    #[command(after_help = "Examples:\n  \
                      svc-kms reseal --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase \\\n    \
                      --to-passphrase-file /etc/svc/kms.passphrase.new\n  \
                      svc-kms reseal --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase \\\n    \
                      --to-token svc --to-token-module /usr/lib/softhsm/libsofthsm2.so --to-passphrase-file /etc/svc/token.pin")]
    Reseal {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        to: NewOpening,
    },
    /// Copy the sealed file into a new one, after it was opened.
    #[command(after_help = "Example:\n  svc-kms backup /backup/keys.sealed --dir /var/lib/svc-kms \\\n    \
                      --passphrase-file /etc/svc/kms.passphrase")]
    Backup {
        #[command(flatten)]
        place: Place,
        /// The file to write; it must not exist.
        file: PathBuf,
    },
    /// Restore a copy of the sealed file, with the key files that svc-runtime needs.
    #[command(after_help = "Example:\n  svc-kms restore /backup/keys.sealed --dir /var/lib/svc-kms \\\n    \
                      --passphrase-file /etc/svc/kms.passphrase")]
    Restore {
        #[command(flatten)]
        place: Place,
        /// The copy.
        file: PathBuf,
        /// Replace the file that is there, which is kept next to it under a name that says when.
        #[arg(long)]
        replace: bool,
    },
    /// Open the file, and show its versions and the names of its secrets.
    #[command(
        after_help = "Example:\n  svc-kms verify --dir /var/lib/svc-kms --passphrase-file /etc/svc/kms.passphrase"
    )]
    Verify(Place),
    /// Check that a running svc-kms is healthy, with the keys that svc-runtime uses.
    #[command(after_help = "Examples:\n  svc-kms health --dir /var/lib/svc-kms\n  \
                      svc-kms health --dir /var/lib/svc-kms --socket /run/svc-kms/kms.sock")]
    Health {
        /// The directory of the file, the socket and the keys.
        #[arg(long, env = "SVC_KMS_DIR", default_value = DIR, value_name = "DIR")]
        dir: PathBuf,
        /// The socket.
        #[arg(long, env = "SVC_KMS_SOCKET", value_name = "PATH")]
        socket: Option<PathBuf>,
    },
}

const DIR: &str = "/var/lib/svc-kms";

/// Where the sealed file is, and what opens it.
#[derive(Args, Clone, Debug)]
pub struct Place {
    /// The directory of the sealed file.
    #[arg(long, env = "SVC_KMS_DIR", default_value = DIR, value_name = "DIR")]
    pub dir: PathBuf,
    /// What opens it.
    #[command(flatten)]
    pub opening: Opening,
}

/// Returns the command line, for its reference page.
pub fn command_line() -> clap::Command {
    Cli::command()
}

/// Runs the program with its arguments.
pub fn run() -> ExitCode {
    match execute(Cli::parse().command) {
        Ok(()) if failure::is_all_said() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(failure) => {
            failure::complain(&failure);
            ExitCode::FAILURE
        }
    }
}

fn execute(command: Command) -> Result<(), Failure> {
    match command {
        Command::Init(place) => commands::init(&place),
        Command::Adopt { place, keyring } => commands::adopt(&place, &keyring),
        Command::Provision { place, secret } => commands::provision(&place, &secret),
        Command::Rotate { place, seals_after } => commands::rotate(&place, seals_after),
        Command::Reseal { place, to } => commands::reseal(&place, &to.opening()),
        Command::Backup { place, file } => commands::backup(&place, &file),
        Command::Restore { place, file, replace } => commands::restore(&place, &file, replace),
        Command::Serve { place, socket, log_format } => {
            let socket = socket.unwrap_or_else(|| socket_of(&place.dir));
            asynchronous(server::run(&place, &socket, log_format))
        }
        Command::Verify(place) => commands::verify(&place),
        Command::Health { dir, socket } => asynchronous(commands::health(Settings {
            socket: socket.unwrap_or_else(|| socket_of(&dir)),
            server_public_key: dir.join(commands::SERVER_PUBLIC_KEY),
            client_private_key: dir.join(commands::CLIENT_PRIVATE_KEY),
        })),
    }
}

fn asynchronous(work: impl Future<Output = Result<(), Failure>>) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::new(format!("threads cannot be made: {error}")))?;
    runtime.block_on(work)
}

/// The socket of a directory.
pub fn socket_of(dir: &Path) -> PathBuf {
    dir.join("kms.sock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_an_example_of_itself() {
        for command in Cli::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Example"), "{}: {help:?}", command.get_name());
            assert!(
                help.contains(&format!("svc-kms {}", command.get_name())),
                "{}: {help:?}",
                command.get_name()
            );
        }
    }
}
