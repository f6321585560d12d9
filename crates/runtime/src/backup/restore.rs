//! `svc-runtime restore`: makes the configured database of a copy, and ends what a copy would revive.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::sync::Arc;

use svc_config::{Config, Engine};
use svc_core::{Actor, Clock as _, Cx, SystemClock};
use svc_db::SchemaState;
use svc_domain::people::restored;
use svc_keys::SystemEntropy;

use super::{engine, postgres};
use crate::failure::Failure;
use crate::{database, terminal};

/// Restores `file` into a database that is not there yet, or empty on PostgreSQL; no process may serve it.
pub async fn run(config: &Config, file: &Path) -> Result<(), Failure> {
    match engine(config) {
        Some(Engine::Postgres) => postgres::restore(config, file).await,
        _ => copy(config, file),
    }
    .map_err(|failure| failure.during("restore"))?;
    finish(config, &format!("was restored from {}", file.display())).await
}

/// Ends what a copy would revive, where the database was restored by other means: from a base backup or a snapshot. No process may
/// serve it.
pub async fn end_access(config: &Config) -> Result<(), Failure> {
    finish(config, "is an older one").await
}

async fn finish(config: &Config, what: &str) -> Result<(), Failure> {
    let db = database::open_for_migration(config)?;
    match database::schema_state(&db, config).await? {
        SchemaState::Current | SchemaState::Behind { .. } => {}
        SchemaState::Ahead { version } => {
            return Err(Failure::new(format!(
                "the copy has migration {version} of a newer version; restore it with that version"
            )));
        }
        SchemaState::Altered { version } => {
            return Err(Failure::new(format!(
                "migration {version} of the copy differs from the one of this version"
            )));
        }
    }
    let cx = Cx {
        now: SystemClock.now(),
        entropy: Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime restore".to_owned()),
        request_id: "restore".to_owned(),
        client_ip: None,
    };
    let mut tx = db.begin_system().await?;
    let accounts = restored::end_all_access(&mut tx, &cx).await?;
    tx.commit().await?;
    let deployment = db.deployment_id().await?.unwrap_or_default();
    db.close().await;
    terminal::say(&format!(
        "The database of deployment {deployment} {what}. All sessions and tokens of its {accounts} account(s) \
         have ended, and the next start makes new signing keys.\nPut the keyring, or the file of svc-kms, of the same backup in \
         its place, run `svc-runtime --migrate-only`, and start. Repeat what happened since the backup: suspensions, \
         removals, rotated client secrets; people who have changed their password since have the former one again."
    ));
    Ok(())
}

/// An SQLite file becomes the database as it is, readable by its owner only.
fn copy(config: &Config, file: &Path) -> Result<(), Failure> {
    let url = config.database_url(config.plane).and_then(svc_config::DatabaseUrl::file);
    let target = url.ok_or_else(|| Failure::new("database.url: the database is not a file"))?;
    let target = Path::new(target);
    let failed = |path: &Path, error: io::Error| Failure::new(format!("{}: {error}", path.display()));
    let mut from = File::open(file).map_err(|error| failed(file, error))?;
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(target);
    let mut to = made.map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::new(format!("{} exists already; move it away, with its -wal and -shm", target.display()))
        }
        _ => failed(target, error),
    })?;
    io::copy(&mut from, &mut to).and_then(|_| to.sync_all()).map_err(|error| failed(target, error))
}
