//! The command line: one command does one thing, and `--help` shows how.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::{Args, CommandFactory as _, Parser, Subcommand};

use crate::admin::{self, AdminCommand};
use crate::apply::SecretsFile;
use crate::failure::Failure;
use crate::keyring::{self, KeyringCommand};
use crate::signing::{self, KeysCommand};
use crate::{apply, backup, config_file, dev, logging, migrate, preflight, serve, terminal};

const EXAMPLES: &str = "\
Examples:
  svc-runtime dev                           everything on this machine, with a demo to click through
  svc-runtime --migrate-only                bring the database up to this version, then end
  svc-runtime                               serve, configured by svc.toml and the environment
  SVC_RUNTIME_PLANE=auth svc-runtime        serve one plane only
  svc-runtime config check                  show the effective configuration and what is wrong with it
  svc-runtime keyring init --path FILE      make the keyring that every node of a deployment shares
  svc-runtime apply tenants.toml            bring tenants, applications, APIs and users to what a file says

Configuration is read from svc.toml in the working directory (or the file that SVC_CONFIG_FILE names), then from the
environment: SVC_SERVER__PORT=9000 is `port` in [server]. svc.example.toml lists every key.";

/// Identity and access: OAuth 2.0, OpenID Connect, hosted sign-in, tenant APIs.
#[derive(Debug, Parser)]
#[command(name = "svc-runtime", version, about, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
struct Cli {
    /// Apply pending migrations with `database.migration_url` (or the runtime address), then end.
    #[arg(long)]
    migrate_only: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the plane that `SVC_RUNTIME_PLANE` names (the default command).
    Serve,
    /// Look at the configuration without starting anything.
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Bring tenants, applications, APIs and users to what a TOML file says; a second run changes nothing.
    #[command(after_help = "The file's format is described in docs/reference/apply.md.")]
    Apply(ApplyOptions),
    /// Run a whole deployment for development: database, demo tenant, demo application, mail inbox.
    #[command(after_help = dev::EXAMPLES)]
    Dev(dev::Options),
    /// Copy a live SQLite database into a new file; use `pg_dump` on PostgreSQL. The keyring belongs to the backup.
    Backup(BackupOptions),
    /// Make, rotate and show the deployment's keyring.
    #[command(after_help = keyring::EXAMPLES)]
    Keyring {
        #[command(subcommand)]
        command: KeyringCommand,
    },
    /// Suspend and reactivate tenants, disable and enable accounts.
    #[command(after_help = admin::EXAMPLES)]
    Admin {
        #[command(subcommand)]
        command: AdminCommand,
    },
    /// Show the signing keys, and replace them on demand.
    #[command(after_help = signing::EXAMPLES)]
    Keys {
        #[command(subcommand)]
        command: KeysCommand,
    },
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Print every effective key with its source (secrets masked), and everything that would keep the service from starting.
    Check {
        /// The file to look at, instead of svc.toml or `SVC_CONFIG_FILE`.
        #[arg(long)]
        file: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
struct ApplyOptions {
    /// The declarative file; `-` is standard input.
    file: PathBuf,
    /// Report what would change, key by key, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Delete applications and disable APIs that the file does not mention, in the tenants that it mentions.
    #[arg(long)]
    prune: bool,
    /// Print the outcome as JSON.
    #[arg(long)]
    json: bool,
    /// Write generated client secrets into this new file, readable by its owner only.
    #[arg(long, value_name = "FILE")]
    secrets_file: Option<PathBuf>,
    /// Print generated client secrets on standard output.
    #[arg(long, conflicts_with = "secrets_file")]
    show_secrets: bool,
}

#[derive(Debug, Args)]
struct BackupOptions {
    /// The file to write; it must not exist.
    file: PathBuf,
}

/// Returns the command line, for its reference page.
pub fn command_line() -> clap::Command {
    Cli::command()
}

/// Runs the program with its arguments.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match start(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            terminal::complain(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn start(cli: Cli) -> Result<(), Failure> {
    // Only an earlier call in this process can be refused, and that one has done the same.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let workers = available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build();
    let runtime =
        runtime.map_err(|error| Failure::new(format!("the thread pool cannot be made: {error}")))?;
    runtime.block_on(execute(cli))
}

async fn execute(cli: Cli) -> Result<(), Failure> {
    if cli.migrate_only {
        let config = config_file::sources(None)?.load()?;
        logging::start(&config.telemetry, None);
        return migrate::run(&config).await;
    }
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => {
            let config = preflight::admit_to_serve(&config_file::sources(None)?).await?;
            logging::start(&config.telemetry, None);
            Box::pin(serve::run(config)).await
        }
        Command::Config { command: ConfigCommand::Check { file } } => check(file.as_deref()).await,
        Command::Apply(options) => apply_file(&options).await,
        Command::Dev(options) => Box::pin(dev::run(options)).await,
        Command::Backup(BackupOptions { file }) => {
            backup::run(&config_file::sources(None)?.load()?, &file).await
        }
        Command::Keyring { command } => keyring::run(command, || Ok(config_file::sources(None)?.load()?)),
        Command::Admin { command } => {
            let config = config_file::sources(None)?.load()?;
            logging::start(&config.telemetry, Some("warn"));
            admin::run(&command, &config).await
        }
        Command::Keys { command } => {
            let config = config_file::sources(None)?.load()?;
            logging::start(&config.telemetry, Some("warn"));
            signing::run(command, &config).await
        }
    }
}

async fn check(file: Option<&Path>) -> Result<(), Failure> {
    let sources = config_file::sources(file)?;
    terminal::say(&sources.load()?.outcome());
    let config = preflight::admit(&sources).await?;
    for warning in config.warnings() {
        terminal::complain(&format!("warning: {warning}"));
    }
    terminal::say("The configuration is complete; svc-runtime would start with it.");
    Ok(())
}

async fn apply_file(options: &ApplyOptions) -> Result<(), Failure> {
    let config = config_file::sources(None)?.load()?;
    logging::start(&config.telemetry, Some("warn"));
    // Before anything is changed, so that no secret is made for a file that cannot be written.
    let kept = options.secrets_file.as_deref().map(SecretsFile::create).transpose()?;
    let mode = apply::Mode {
        dry_run: options.dry_run,
        prune: options.prune,
        keeps_secrets: options.show_secrets || kept.is_some(),
    };
    let outcome = apply::run(&config, &options.file, mode).await?;
    if let Some(file) = kept {
        file.write(outcome.secrets())?;
    }
    let secrets = if options.show_secrets && !options.dry_run { outcome.secrets() } else { &[] };
    if options.json {
        let mut document = outcome.document();
        if let (true, Some(members)) = (options.show_secrets, document.as_object_mut()) {
            members.insert("secrets".to_owned(), serde_json::json!(secrets));
        }
        terminal::say(&document.to_string());
    } else {
        let shown: Vec<_> =
            secrets.iter().map(|made| format!("secret of {}: {}", made.application, made.secret)).collect();
        terminal::say(&format!("{outcome}{}", shown.join("\n")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn without_a_command_the_service_serves() {
        let cli = Cli::try_parse_from(["svc-runtime"]).unwrap();
        assert!(cli.command.is_none() && !cli.migrate_only);
    }

    #[test]
    fn migrating_goes_with_no_other_command() {
        assert!(Cli::try_parse_from(["svc-runtime", "--migrate-only"]).unwrap().migrate_only);
        assert!(Cli::try_parse_from(["svc-runtime", "--migrate-only", "dev"]).is_err());
    }
}
