//! The command line: one command does one thing, and `--help` shows how.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use svc_config::{Config, Plane};

use crate::admin::{self, Admin};
use crate::apply::SecretsFile;
use crate::archive::{self, TenantCommand};
use crate::audit::{self, AuditCommand};
use crate::failure::Failure;
use crate::hibp::{self, HibpCommand};
use crate::import::{self, ImportCommand};
use crate::keyring::{self, KeyringCommand};
use crate::roles::{self, DbCommand};
use crate::signing::{self, KeysCommand};
use crate::{
    apply, backup, config_file, dev, doctor, init, kms, logging, migrate, people, preflight, serve, terminal,
};

const EXAMPLES: &str = "\
Examples:
  svc-runtime dev                           everything on this machine, with a demo to click through
  svc-runtime init                          set up production mode on one machine
  svc-runtime doctor                        what is wrong with a deployment, and how to fix it
  svc-runtime --migrate-only                bring the database up to this version, then end
  svc-runtime                               serve, configured by svc.toml and the environment
  SVC_RUNTIME_PLANE=auth svc-runtime        serve one plane only
  svc-runtime config check                  show the effective configuration and what is wrong with it
  svc-runtime keyring init --path FILE      make the keyring that every node of a deployment shares
  svc-runtime tenant export --tenant acme … everything of a tenant in one file, for another deployment
  svc-runtime apply tenants.toml            make tenants, applications, APIs and users match a file

Configuration is read from svc.toml in the working directory (or the file that SVC_CONFIG_FILE names), then from the
environment: SVC_SERVER__PORT=9000 is `port` in [server]. svc.example.toml lists every key.";

const SERVE_EXAMPLES: &str = "\
Examples:
  svc-runtime serve --config /etc/svc/svc.toml            every plane, or the one that the environment names
  SVC_RUNTIME_PLANE=async svc-runtime serve               mails, signals and other work behind the requests";

const CONFIG_EXAMPLES: &str = "\
Examples:
  svc-runtime config check                                every effective key with its source, and what is wrong
  svc-runtime config check --file /etc/svc/svc.toml       another file than the one in use";

const APPLY_EXAMPLES: &str = "\
Examples:
  svc-runtime apply tenants.toml --dry-run                what would change, key by key
  svc-runtime apply tenants.toml --secrets-file new.json  change it, and keep the client secrets that were made
  svc-runtime export acme | svc-runtime apply -           changes nothing

The file's format is described in docs/reference/apply.md.";

const EXPORT_EXAMPLES: &str = "\
Examples:
  svc-runtime export acme > acme.toml                     settings, applications, APIs and roles
  svc-runtime export acme --users > acme.toml             its people, too
  svc-runtime export acme --people people.jsonl           its people alone, as `import users --from jsonl` takes them
  svc-runtime export acme --people people.jsonl --with-secrets   with hashes of passwords and secrets of apps

Secrets and passwords are stored as digests and are not in the file; `apply` keeps them.";

/// Identity and access: OAuth 2.0, OpenID Connect, hosted sign-in, tenant APIs.
#[derive(Debug, Parser)]
#[command(name = "svc-runtime", version, about, after_help = EXAMPLES)]
struct Cli {
    /// The configuration file, instead of svc.toml or the one that `SVC_CONFIG_FILE` names.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Apply pending migrations with `database.migration_url` (or the runtime address), then end.
    #[arg(long)]
    migrate_only: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the plane that `SVC_RUNTIME_PLANE` names (the default command).
    #[command(after_help = SERVE_EXAMPLES)]
    Serve,
    /// Set up production mode on one machine: configuration, keys, certificate, schema, first tenant, first operator.
    #[command(after_help = init::EXAMPLES)]
    Init(Box<init::Options>),
    /// Find what is wrong with a deployment, running or stopped, and how to fix it.
    #[command(after_help = doctor::EXAMPLES)]
    Doctor(doctor::Options),
    /// Show and check the configuration without starting anything.
    #[command(after_help = CONFIG_EXAMPLES)]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Make tenants, applications, APIs and users match a TOML file; a second run changes nothing.
    #[command(after_help = APPLY_EXAMPLES)]
    Apply(ApplyOptions),
    /// Print a tenant as a TOML file in which `apply` finds nothing to change.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(ExportOptions),
    /// Import people from another system.
    #[command(after_help = import::EXAMPLES)]
    Import {
        #[command(subcommand)]
        command: ImportCommand,
    },
    /// Move a tenant between deployments: all of it as one file.
    #[command(after_help = archive::EXAMPLES)]
    Tenant {
        #[command(subcommand)]
        command: TenantCommand,
    },
    /// Run a whole deployment for development: database, demo tenant, demo application, mail inbox.
    #[command(after_help = dev::EXAMPLES)]
    Dev(dev::Options),
    /// Copy the live database into a new file that only its owner may read: SQLite by its own means, PostgreSQL by `pg_dump`. With
    /// `--base`, copy the whole PostgreSQL cluster into a new folder by `pg_basebackup`.
    #[command(after_help = backup::EXAMPLES)]
    Backup(BackupOptions),
    /// Print the SQL of the database's roles, and give them their rights.
    #[command(after_help = roles::EXAMPLES)]
    Db {
        #[command(subcommand)]
        command: DbCommand,
    },
    /// Restore the database from a copy, and end all sessions and tokens in it, which are out of date.
    #[command(after_help = backup::EXAMPLES)]
    Restore(RestoreOptions),
    /// Make, rotate and show the deployment's keyring.
    #[command(after_help = keyring::EXAMPLES)]
    Keyring {
        #[command(subcommand)]
        command: KeyringCommand,
    },
    /// Make the list of breached passwords that `hibp.list_path` names.
    #[command(after_help = hibp::EXAMPLES)]
    Hibp {
        #[command(subcommand)]
        command: HibpCommand,
    },
    /// Create and reset operators, suspend and reactivate tenants, disable and enable accounts.
    #[command(after_help = admin::EXAMPLES)]
    Admin {
        #[command(subcommand)]
        command: Admin,
    },
    /// Verify that the audit log was not altered.
    #[command(after_help = audit::EXAMPLES)]
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
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
    /// Delete what the file does not mention, and disable APIs, in the tenants that it mentions. People stay.
    #[arg(long)]
    prune: bool,
    /// Print the outcome as JSON.
    #[arg(long)]
    json: bool,
    /// Write generated secrets into this new file, readable by its owner only.
    #[arg(long, value_name = "FILE")]
    secrets_file: Option<PathBuf>,
    /// Print generated secrets on standard output.
    #[arg(long, conflicts_with = "secrets_file")]
    show_secrets: bool,
}

#[derive(Debug, Args)]
struct ExportOptions {
    /// The tenant's slug.
    tenant: String,
    /// Add its people: names, addresses, roles and claims.
    #[arg(long)]
    users: bool,
    /// Write its people into this new file instead, as JSON Lines that `import users --from jsonl` takes.
    #[arg(long, value_name = "FILE", conflicts_with = "users")]
    people: Option<PathBuf>,
    /// Add hashes of passwords and secrets of apps, of accounts that the tenant manages; keep the file like a password.
    #[arg(long, requires = "people")]
    with_secrets: bool,
}

#[derive(Debug, Args)]
struct BackupOptions {
    /// The file to write, or with `--base` the folder to make; it must not exist.
    file: PathBuf,
    /// Copy the whole PostgreSQL cluster, into a folder from which a server can start.
    #[arg(long)]
    base: bool,
}

#[derive(Debug, Args)]
struct RestoreOptions {
    /// The copy. The database must not be there, or be empty on PostgreSQL.
    #[arg(required_unless_present = "in_place", conflicts_with = "in_place")]
    file: Option<PathBuf>,
    /// The database was restored by other means, from a base backup or a snapshot: only end its sessions and tokens.
    #[arg(long)]
    in_place: bool,
    /// Go on although a process of the service seems to run, which would hand out what the restore ends.
    #[arg(long)]
    force: bool,
}

/// Returns the command line, for its reference page.
pub fn command_line() -> clap::Command {
    Cli::command()
}

/// Runs the program with its arguments.
pub fn run() -> ExitCode {
    let cli = parsed(std::env::args_os()).unwrap_or_else(|error| error.exit());
    match start(cli) {
        Ok(()) if terminal::is_all_said() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::FAILURE,
        Err(failure) => {
            terminal::complain(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

/// The arguments, if they go together.
fn parsed(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    let cli = Cli::try_parse_from(arguments)?;
    if cli.migrate_only && cli.command.is_some() {
        let what = "--migrate-only goes with no other command";
        return Err(Cli::command().error(ErrorKind::ArgumentConflict, what));
    }
    if cli.config.is_some() && matches!(cli.command, Some(Command::Dev(_) | Command::Init(_))) {
        let what = "--config goes with a command that reads a configuration file; dev and init read none";
        return Err(Cli::command().error(ErrorKind::ArgumentConflict, what));
    }
    Ok(cli)
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
    let file = cli.config.as_deref();
    if cli.migrate_only {
        let config = provisioned(file).await?;
        logging::start(&config, None);
        return migrate::run(&config).await;
    }
    match cli.command.unwrap_or(Command::Serve) {
        Command::Serve => Box::pin(serve::run(cli.config.clone())).await,
        Command::Doctor(options) => Box::pin(doctor::run(options, file)).await,
        Command::Init(options) => Box::pin(init::run(*options)).await,
        Command::Config { command: ConfigCommand::Check { file: named } } => {
            check(named.as_deref().or(file)).await
        }
        Command::Apply(options) => apply_file(&options, file).await,
        Command::Export(options) => Box::pin(export(options, file)).await,
        Command::Import { command } => {
            let config = with_warnings(file).await?;
            Box::pin(import::run(&command, &config)).await
        }
        Command::Tenant { command } => {
            let config = with_warnings(file).await?;
            Box::pin(archive::run(&command, &config)).await
        }
        Command::Dev(options) => Box::pin(dev::run(options)).await,
        Command::Backup(BackupOptions { file: target, base }) => {
            let extent = if base { backup::Extent::Cluster } else { backup::Extent::Deployment };
            backup::run(&for_commands(file).await?, &target, extent).await
        }
        Command::Restore(RestoreOptions { file: copy, force, .. }) => {
            let config = for_commands(file).await?;
            let care = if force { backup::Care::GoOn } else { backup::Care::Refuse };
            match copy {
                Some(copy) => Box::pin(backup::restore(&config, &copy, care)).await,
                None => backup::end_access(&config, care).await,
            }
        }
        Command::Db { command: DbCommand::Roles(roles) } => {
            roles::print(&roles);
            Ok(())
        }
        Command::Db { command: DbCommand::Grant(options) } => {
            let config = provisioned(file).await?;
            logging::start(&config, Some("warn"));
            roles::grant(&options, &config).await
        }
        Command::Keyring { command } => keyring::run(command, || Ok(config_file::sources(file)?.load()?)),
        Command::Hibp { command } => hibp::run(&command),
        Command::Admin { command } => admin::run(&command, &with_warnings(file).await?).await,
        Command::Audit { command } => audit::run(&command, &with_warnings(file).await?).await,
        Command::Keys { command } => signing::run(command, &with_warnings(file).await?).await,
    }
}

/// The configuration of a command, which manages what belongs to every plane, wherever it is run.
async fn for_commands(file: Option<&Path>) -> Result<Config, Failure> {
    let mut config = provisioned(file).await?;
    config.plane = Plane::All;
    Ok(config)
}

/// The same for a command that says itself what it does: of the log it shows warnings alone.
async fn with_warnings(file: Option<&Path>) -> Result<Config, Failure> {
    let config = for_commands(file).await?;
    logging::start(&config, Some("warn"));
    Ok(config)
}

/// With the secrets that are kept in the key process, the address of the database among them: without it the process is waited for, as
/// both may be started at once.
async fn provisioned(file: Option<&Path>) -> Result<Config, Failure> {
    let sources = config_file::sources(file)?;
    if let Some(config) =
        sources.load_to_ask().ok().filter(|config| config.migration_database_url().is_none())
    {
        kms::awaited(&config).await;
    }
    Ok(sources.with_provisioned().await.load_for_command()?)
}

async fn check(file: Option<&Path>) -> Result<(), Failure> {
    let sources = config_file::sources(file)?.with_provisioned().await;
    terminal::say(&sources.load_for_command()?.outcome());
    let config = preflight::admit(&sources).await?;
    for warning in config.warnings() {
        terminal::complain(&format!("warning: {warning}"));
    }
    terminal::say("The configuration is complete; svc-runtime would start with it.");
    Ok(())
}

async fn apply_file(options: &ApplyOptions, file: Option<&Path>) -> Result<(), Failure> {
    let config = with_warnings(file).await?;
    // Before anything is changed, so that no secret is made for a file that cannot be written.
    let kept = options.secrets_file.as_deref().map(SecretsFile::create).transpose()?;
    let unlisted = if options.prune { apply::Unlisted::Removed } else { apply::Unlisted::Told };
    let mode = apply::Mode {
        dry_run: options.dry_run,
        unlisted,
        keeps_secrets: options.show_secrets || kept.is_some(),
    };
    let outcome = apply::run(&config, &options.file, mode).await?;
    if let Some(file) = kept.filter(|_| !options.dry_run) {
        file.write(&outcome.named_secrets())?;
    }
    let is_shown = options.show_secrets && !options.dry_run;
    if options.json {
        let mut document = outcome.document();
        if let (true, Some(members)) = (options.show_secrets, document.as_object_mut()) {
            let secrets = if is_shown { outcome.secrets() } else { &[] };
            members.insert("secrets".to_owned(), serde_json::json!(secrets));
        }
        terminal::say(&document.to_string());
    } else {
        let secrets = if is_shown { outcome.named_secrets() } else { BTreeMap::new() };
        let shown: Vec<_> =
            secrets.iter().map(|(name, secret)| format!("secret of {name}: {secret}")).collect();
        terminal::say(&format!("{outcome}{}", shown.join("\n")));
    }
    Ok(())
}

async fn export(options: ExportOptions, file: Option<&Path>) -> Result<(), Failure> {
    let ExportOptions { tenant, users, people: people_file, with_secrets } = options;
    let config = with_warnings(file).await?;
    if let Some(path) = people_file {
        return people::run(&config, &tenant, (&path, with_secrets)).await;
    }
    terminal::say(&apply::run_export(&config, &tenant, users).await?);
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
    fn every_command_has_examples_in_its_own_help_or_in_that_of_its_group() {
        let help =
            |command: &clap::Command| command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for command in Cli::command().get_subcommands() {
            let name = command.get_name();
            assert!(help(command).contains(&format!("  svc-runtime {name}")), "{name} has no example");
            for sub in command.get_subcommands() {
                let line = format!("svc-runtime {name} {}", sub.get_name());
                assert!(help(command).contains(&line) || help(sub).contains(&line), "{line} has no example");
            }
        }
    }

    #[test]
    fn without_a_command_the_service_serves() {
        let cli = parsed(["svc-runtime"]).unwrap();
        assert!(cli.command.is_none() && !cli.migrate_only);
    }

    #[test]
    fn migrating_goes_with_no_other_command() {
        assert!(parsed(["svc-runtime", "--migrate-only"]).unwrap().migrate_only);
        assert!(parsed(["svc-runtime", "--migrate-only", "dev"]).is_err());
    }

    #[test]
    fn a_configuration_file_is_refused_where_none_is_read() {
        for command in ["dev", "init"] {
            assert!(parsed(["svc-runtime", command]).is_ok(), "{command}");
            assert!(parsed(["svc-runtime", "--config", "a.toml", command]).is_err(), "{command}");
            assert!(parsed(["svc-runtime", command, "--config", "a.toml"]).is_err(), "{command}");
        }
    }

    #[test]
    fn the_configuration_file_is_named_before_a_command_or_after_it() {
        let before = parsed(["svc-runtime", "--config", "a.toml", "keys", "list"]).unwrap();
        let after = parsed(["svc-runtime", "keys", "list", "--config", "a.toml"]).unwrap();
        assert_eq!(
            (before.config.as_deref(), after.config),
            (Some(Path::new("a.toml")), before.config.clone())
        );
        assert!(parsed(["svc-runtime", "--config", "a.toml", "--migrate-only"]).unwrap().migrate_only);
    }
}
