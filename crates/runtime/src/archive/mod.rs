//! `svc-runtime tenant`: a tenant as one file, and a file as a tenant of this deployment.

mod export;
mod import;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, Subcommand};
use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, Secret, SystemClock};
use svc_domain::archive::{ArchiveKey, Heading};
use svc_keys::SystemEntropy;
use svc_keys::owner_only;
use svc_keys::passphrase::Stretching;

pub use self::export::{Written, write};
pub use self::import::{Here, bring};
use crate::failure::Failure;
use crate::{database, terminal};

/// Shown under `svc-runtime tenant --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime tenant export --tenant acme --out acme.archive --passphrase-file passphrase.txt
                                                            everything of a tenant, in one file
  svc-runtime tenant export --tenant acme --out acme.archive --without-secrets
                                                            the same without the secrets that the service reads in plain text
  svc-runtime tenant import --in acme.archive --passphrase-file passphrase.txt --dry-run
                                                            read all of it, say what stands in its way, change nothing
  svc-runtime tenant import --in acme.archive --passphrase-file passphrase.txt
                                                            bring the tenant, under the name that it had
  svc-runtime tenant import --in acme.archive --passphrase-file passphrase.txt --as acme-eu --suspended
                                                            under another name, not to answer yet

`openssl rand -base64 32 > passphrase.txt` makes a passphrase; keep it apart from the file.
docs/how-to/move-a-tenant.md says step by step how a tenant moves, docs/reference/archive.md what is in the file.";

/// What to do.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Write a tenant with its people into a new file, which its owner alone may read. The tenant stays as it is.
    Export(ExportOptions),
    /// Import the tenant of an archive into this deployment, completely or not at all.
    Import(ImportOptions),
}

/// What to write, and where to.
#[derive(Debug, Args)]
pub struct ExportOptions {
    /// The slug or the id of the tenant.
    #[arg(long, value_name = "SLUG|ID")]
    pub tenant: String,
    /// The file to write; it must not exist.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// A file with the passphrase that seals the secrets and proves the archive, of 16 characters or more.
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
    /// Leave out secrets that the service has to read in plain text: secrets of webhooks, hooks, streams, targets, connections
    /// and apps for codes.
    #[arg(long)]
    pub without_secrets: bool,
    /// Print the outcome as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What to bring, and how.
#[derive(Debug, Args)]
pub struct ImportOptions {
    /// The archive.
    #[arg(long = "in", value_name = "FILE")]
    pub file: PathBuf,
    /// The slug that the tenant gets here, by default the one that it had. With it, the issuer may differ.
    #[arg(long = "as", value_name = "SLUG")]
    pub slug: Option<String>,
    /// The file with the passphrase that the archive was written with.
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
    /// Leave the tenant suspended; `svc-runtime admin reactivate-tenant` lets it answer.
    #[arg(long)]
    pub suspended: bool,
    /// Do everything, report it, and roll it back.
    #[arg(long)]
    pub dry_run: bool,
    /// Print the outcome as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Does it on the configured database.
pub async fn run(command: &TenantCommand, config: &Config) -> Result<(), Failure> {
    let db = database::open_for_command(config).await?;
    let outcome = match command {
        TenantCommand::Export(options) => export::run(options, config, &db).await,
        TenantCommand::Import(options) => import::run(options, config, &db).await,
    };
    db.close().await;
    terminal::say(&outcome?);
    Ok(())
}

fn cx() -> Cx {
    Cx {
        now: SystemClock.now(),
        entropy: Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime tenant".to_owned()),
        request_id: "tenant".to_owned(),
        client_ip: None,
    }
}

/// The passphrase of a file that only its owner may read.
fn passphrase(path: &Path) -> Result<Secret, Failure> {
    let unreadable = |why: String| Failure::new(format!("--passphrase-file {}: {why}", path.display()));
    let read = owner_only::read(path).map_err(|error| unreadable(error.to_string()))?;
    let mut read = read.ok_or_else(|| unreadable("there is no such file".to_owned()))?;
    Ok(Secret::new(std::mem::take(&mut *read)))
}

/// The key of an archive that is to be read, where it was written with a passphrase.
fn key_of(heading: &Heading, passphrase: Option<&str>) -> Result<Option<ArchiveKey>, Failure> {
    match (&heading.passphrase, passphrase) {
        (Some(stretching), Some(passphrase)) => Ok(Some(key(stretching, passphrase, &heading.id)?)),
        (Some(_), None) => Err(Failure::new(
            "--passphrase-file: the archive was written with a passphrase; name the file that has it",
        )),
        (None, Some(_)) => {
            Err(Failure::new("--passphrase-file: the archive was written without a passphrase; leave it out"))
        }
        (None, None) => Ok(None),
    }
}

fn key(stretching: &Stretching, passphrase: &str, archive: &str) -> Result<ArchiveKey, Failure> {
    let key = ArchiveKey::new(stretching, passphrase, archive);
    key.map_err(|error| Failure::from(error).during("--passphrase-file"))
}
