//! The deployment's keyring: found, made where that is safe, and held against the database before anything is served.

mod commands;

use std::path::Path;

use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, SystemClock};
use svc_db::Db;
use svc_domain::keys::keyrings;
use svc_keys::keyring::{Versions, file};
use svc_keys::{Keyring, SystemEntropy};

pub use self::commands::{EXAMPLES, KeyringCommand, run};
use crate::failure::Failure;

/// The keyring that `db` is sealed under; its schema must be current.
///
/// A file is made only for a database that has never met one, and only where it has a place of its own: next to an SQLite
/// file, or in the data directory of `dev`. A lost file must not be replaced in silence.
pub async fn open(config: &Config, db: &Db, may_create: bool) -> Result<Keyring, Failure> {
    let cx = cx();
    let Some(path) = config.keyring_path() else {
        return Ok(Keyring::ephemeral(&*cx.entropy, cx.now));
    };
    let versions = match file::read(&path)? {
        Some(versions) => versions,
        None if may_create && !is_known(db).await? => made(&path, &cx)?,
        None => return Err(missing(&path, is_known(db).await?)),
    };
    let mut tx = db.begin_system().await?;
    let admitted = keyrings::admit(&mut tx, &cx, &versions.fingerprints()).await;
    admitted.map_err(|error| Failure::from(error).during(&format!("the keyring {}", path.display())))?;
    tx.commit().await?;
    Ok(Keyring::new(versions))
}

/// Whether a missing file may be made: where its place is fixed by the database's.
pub fn may_create(config: &Config) -> bool {
    config.keyring.path.is_none()
}

fn made(path: &Path, cx: &Cx) -> Result<Versions, Failure> {
    let versions = Versions::first(&*cx.entropy, cx.now);
    file::create(path, &versions)?;
    tracing::info!(path = %path.display(), "a keyring was made; back it up with the database");
    Ok(versions)
}

async fn is_known(db: &Db) -> Result<bool, Failure> {
    let mut tx = db.read_system().await?;
    Ok(keyrings::is_known(&mut tx).await?)
}

fn missing(path: &Path, is_known: bool) -> Failure {
    let path = path.display();
    Failure::new(if is_known {
        format!(
            "the keyring {path} is missing, and this database is sealed with it; restore the file from the backup that \
             belongs to the database (see \"A lost keyring\" in docs/how-to/rotate-keys.md)"
        )
    } else {
        format!(
            "the keyring {path} is missing; make it with `svc-runtime keyring init --path {path}`, for every node the same"
        )
    })
}

fn cx() -> Cx {
    Cx {
        now: SystemClock.now(),
        entropy: std::sync::Arc::new(SystemEntropy),
        actor: Actor::System("start"),
        request_id: "start".to_owned(),
        client_ip: None,
    }
}
