//! The deployment's keys: a keyring, found or made where that is safe, or `svc-kms`; held against the database before
//! anything is served.

mod commands;

use std::path::Path;
use std::sync::Arc;

use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, SystemClock};
use svc_db::Db;
use svc_domain::keys::keyrings;
use svc_keys::keyring::{Versions, file};
use svc_keys::kms::{Settings, Sidecar};
use svc_keys::{Custody, Keyring, SystemEntropy};

pub use self::commands::{EXAMPLES, KeyringCommand, run};
use crate::failure::Failure;
use crate::kms;

/// Who holds the keys that `db` is sealed under; its schema must be current.
///
/// A file is made only for a database that has never met one, and only where it has a place of its own: next to an SQLite
/// file, with `PostgreSQL` in the working directory, or in the data directory of `dev`. A lost file must not be replaced in
/// silence.
pub async fn open(config: &Config, db: &Db, may_create: bool) -> Result<Custody, Failure> {
    let cx = cx();
    if let Some(settings) = kms::settings(&config.kms) {
        return sidecar(settings, db, &cx).await.map(Custody::Sidecar);
    }
    let Some(path) = config.keyring_path() else {
        return Ok(Keyring::ephemeral(&*cx.entropy, cx.now).into());
    };
    let versions = match file::read(&path)? {
        Some(versions) => versions,
        None if may_create && !is_known(db).await? => made(&path, &cx)?,
        None => return Err(missing(&path, is_known(db).await?)),
    };
    admit(db, &cx, &versions).await.map_err(|failure| failure.during(&place(config)))?;
    Ok(Keyring::new(versions).into())
}

/// `svc-kms`, whose root must be the one that the database is sealed under.
async fn sidecar(settings: Settings, db: &Db, cx: &Cx) -> Result<Sidecar, Failure> {
    let sidecar = Sidecar::connect(settings.clone()).await;
    let sidecar = sidecar.map_err(|trouble| Failure::new(kms::told(&trouble, &settings).to_string()))?;
    let admitted = admit(db, cx, &sidecar.keyring().versions()).await;
    let hint = "(`svc-kms adopt --keyring FILE` takes over the keyring of a deployment)";
    admitted.map_err(|failure| Failure::new(format!("{failure} {hint}")).during(&format!("{sidecar:?}")))?;
    Ok(sidecar)
}

async fn admit(db: &Db, cx: &Cx, versions: &Versions) -> Result<(), Failure> {
    let mut tx = db.begin_system().await?;
    keyrings::admit(&mut tx, cx, &versions.fingerprints()).await?;
    Ok(tx.commit().await?)
}

/// The versions of the keys, where they can be asked for now.
pub async fn held(config: &Config) -> Option<Arc<Versions>> {
    match kms::settings(&config.kms) {
        Some(settings) => Some(Sidecar::connect(settings).await.ok()?.keyring().versions()),
        None => file::read(&config.keyring_path()?).ok()?.map(Arc::new),
    }
}

/// Fails where `db` is sealed under other versions, or later ones; notes nothing.
pub async fn check(db: &Db, versions: &Versions) -> Result<(), Failure> {
    let mut tx = db.read_system().await?;
    Ok(keyrings::check(&mut tx, &versions.fingerprints()).await?)
}

/// Where the keys are, in words.
pub fn place(config: &Config) -> String {
    match (&config.kms.socket_path, config.keyring_path()) {
        (Some(socket), _) if config.kms.is_configured() => format!("svc-kms at {}", socket.display()),
        (_, Some(path)) => format!("the keyring {}", path.display()),
        _ => "in memory".to_owned(),
    }
}

/// Whether a missing file may be made: where its place is fixed by the database's.
pub fn may_create(config: &Config) -> bool {
    config.keyring.path.is_none()
}

/// A new keyring, or that of another process which was faster.
fn made(path: &Path, cx: &Cx) -> Result<Versions, Failure> {
    let versions = Versions::first(&*cx.entropy, cx.now);
    if let Err(error) = file::create(path, &versions) {
        return file::read(path)?.ok_or_else(|| error.into());
    }
    tracing::info!(path = %path.display(), "a keyring was made; back it up with the database");
    Ok(versions)
}

/// Whether the database has met a keyring.
pub async fn is_known(db: &Db) -> Result<bool, Failure> {
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
        entropy: Arc::new(SystemEntropy),
        actor: Actor::System("start"),
        request_id: "start".to_owned(),
        client_ip: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_processes_that_make_a_keyring_the_second_takes_that_of_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("svc.keyring");
        let first = made(&path, &cx()).unwrap();
        assert_eq!(made(&path, &cx()).unwrap().fingerprints(), first.fingerprints());
    }
}
