//! `svc-runtime restore`: makes the configured database of a copy, and ends what a copy would revive.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use svc_config::{Config, Engine};
use svc_core::{Actor, Clock as _, Cx, SystemClock};
use svc_db::{Db, SchemaState};
use svc_domain::MIGRATIONS;
use svc_domain::people::restored;
use svc_keys::SystemEntropy;

use super::serving::{self, Care};
use super::{engine, postgres, sqlite};
use crate::failure::Failure;
use crate::{database, terminal};

/// What a restore into `PostgreSQL` leaves where it fails after the copy.
const HALF_WAY: &str = "the copy is in the database, and what it would revive has not ended: drop the database, or start no process on it \
                        before `svc-runtime restore --in-place` has succeeded";

/// Restores `file` into a database that is not there yet, or empty on PostgreSQL; no process may serve it.
pub async fn run(config: &Config, file: &Path, care: Care) -> Result<(), Failure> {
    let made = made_of(config, file, care).await.map_err(|failure| failure.during("restore"))?;
    let finished = finish(config, &format!("was restored from {}", file.display())).await;
    let Some(target) = made else { return finished.map_err(|failure| failure.during(HALF_WAY)) };
    if finished.is_err() {
        // What it would revive has not ended: no process may start on it.
        sqlite::discard(&target);
    }
    finished
}

/// Makes the database of the copy; returns where it is, if it is a file.
async fn made_of(config: &Config, file: &Path, care: Care) -> Result<Option<PathBuf>, Failure> {
    if engine(config) == Some(Engine::Postgres) {
        refuse_used(config).await?;
        serving::refuse_listening(config, care).await?;
        postgres::restore(config, file).await?;
        return Ok(None);
    }
    let target = sqlite::vacant(config)?;
    serving::refuse_listening(config, care).await?;
    sqlite::copy(file, &target)?;
    Ok(Some(target))
}

/// Ends what a copy would revive, where the database was restored by other means: from a base backup or a snapshot. No process may
/// serve it.
pub async fn end_access(config: &Config, care: Care) -> Result<(), Failure> {
    serving::refuse_listening(config, care).await?;
    let db = current(config).await?;
    serving::refuse_reporting(&db, care).await?;
    end(&db, "is an older one").await
}

async fn finish(config: &Config, what: &str) -> Result<(), Failure> {
    end(&current(config).await?, what).await
}

/// A deployment that is there stays, and `pg_restore` would say so with the first function that it finds.
async fn refuse_used(config: &Config) -> Result<(), Failure> {
    let db = database::open_for_migration(config)?;
    let state = database::schema_state_for_migration(&db, config).await;
    db.close().await;
    match state? {
        SchemaState::Behind { missing } if missing == MIGRATIONS.len() => Ok(()),
        _ => Err(Failure::new(
            "the database has a deployment already, which stays as it is; name an empty database",
        )),
    }
}

/// The restored database, migrated to this version.
async fn current(config: &Config) -> Result<Db, Failure> {
    let db = database::open_for_migration(config)?;
    match database::schema_state_for_migration(&db, config).await? {
        SchemaState::Current => {}
        SchemaState::Behind { missing } if missing == MIGRATIONS.len() => {
            return Err(Failure::new("the database has no deployment; restore a copy of one"));
        }
        // What ends access works on the tables of this version.
        SchemaState::Behind { .. } => {
            db.migrate(MIGRATIONS).await.map_err(|error| Failure::from(error).during("migration"))?;
        }
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
    Ok(db)
}

/// Ends what the copy would revive; `what` says how the database came about.
async fn end(db: &Db, what: &str) -> Result<(), Failure> {
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
         its place, and start. Repeat what happened since the backup: suspensions, \
         removals, rotated client secrets; people who have changed their password since have the former one again."
    ));
    Ok(())
}
