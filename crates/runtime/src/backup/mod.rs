//! `svc-runtime backup FILE` and `restore FILE`: a consistent copy of a live database, and a database made of it.

mod base;
mod parameters;
mod postgres;
mod restore;
mod serving;
mod sqlite;

use std::fmt::Write as _;
use std::path::Path;

use svc_config::{Config, Engine};

pub use self::restore::{end_access, run as restore};
pub use self::serving::Care;
use crate::failure::Failure;
use crate::{database, terminal};

pub const EXAMPLES: &str = "\
Examples:
  svc-runtime backup /backup/svc-2027-01-15           a copy while the service runs
  svc-runtime restore /backup/svc-2027-01-15          the database of that copy; stop every process first
  svc-runtime backup --base /backup/base-2027-01-15   PostgreSQL: a folder with the whole cluster, for a large database
  svc-runtime restore --in-place                      after that folder, or a snapshot, has become the database

The keyring, or the file of svc-kms, belongs to each backup. On PostgreSQL the programs pg_dump, pg_restore and pg_basebackup are
called; pg_dump connects as database.maintenance_url says, with a role that row-level security does not bind (BYPASSRLS),
pg_basebackup with one that has REPLICATION, pg_restore as the owner of the tables, by database.migration_url.
docs/how-to/backups.md has the whole procedure.";

/// What a copy is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The data set of the deployment: a file.
    Deployment,
    /// The PostgreSQL cluster that it is in: a folder from which a server can start.
    Cluster,
}

/// Copies the database into `file`, which must not exist: SQLite by its own means, PostgreSQL by `pg_dump` or `pg_basebackup`.
pub async fn run(config: &Config, file: &Path, extent: Extent) -> Result<(), Failure> {
    if file.exists() {
        return Err(Failure::new(format!("{} exists already; name a new file", file.display())));
    }
    if extent == Extent::Cluster && engine(config) != Some(Engine::Postgres) {
        return Err(Failure::new(
            "--base: SQLite is one file, which `svc-runtime backup FILE` copies; leave it out",
        ));
    }
    let db = database::open(config)?;
    database::schema_state(&db, config).await?;
    let deployment = db.deployment_id().await?;
    let copied = match (engine(config), extent) {
        (Some(Engine::Postgres), Extent::Cluster) => base::take(config, file).await,
        (Some(Engine::Postgres), Extent::Deployment) => postgres::dump(config, file).await,
        _ => db.backup(file).await.map_err(Failure::from),
    };
    db.close().await;
    copied.map_err(|error| error.during("backup"))?;
    let what = if extent == Extent::Cluster { "PostgreSQL cluster with the database" } else { "database" };
    let mut text = format!(
        "The {what} of deployment {} was copied to {}.",
        deployment.unwrap_or_else(|| "without an id".to_owned()),
        file.display()
    );
    if config.kms.is_configured() {
        text.push_str(
            "\nThe file of svc-kms belongs to this backup: without it, what is sealed in the database cannot be opened. \
             `svc-kms backup` copies it; keep that copy apart from the database's.",
        );
    } else if let Some(keyring) = config.keyring_path() {
        let _ = write!(
            text,
            "\nThe keyring {} belongs to this backup: without it, what is sealed in the database cannot be opened. \
             Keep a copy of it, apart from the database's.",
            keyring.display()
        );
    }
    terminal::say(&text);
    Ok(())
}

fn engine(config: &Config) -> Option<Engine> {
    config.database_url(config.plane).map(svc_config::DatabaseUrl::engine)
}
