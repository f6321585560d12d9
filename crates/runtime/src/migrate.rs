//! `svc-runtime --migrate-only`: brings the schema up to this binary's, while the old version keeps serving.

use svc_config::Config;
use svc_core::Error;
use svc_db::{Db, SchemaState};
use svc_domain::MIGRATIONS;

use crate::failure::Failure;
use crate::{database, terminal};

/// Applies what is missing and says what it did.
pub async fn run(config: &Config) -> Result<(), Failure> {
    let db = database::open_for_migration(config)?;
    let ran = match migrate(&db).await {
        Ok(ran) => ran,
        Err(error) => return Err(database::failed_for_migration(&db, config, "migration", error).await),
    };
    db.close().await;
    terminal::say(&match ran {
        0 => "The database is up to date; nothing was migrated.".to_owned(),
        1 => "Applied 1 migration.".to_owned(),
        count => format!("Applied {count} migrations."),
    });
    Ok(())
}

/// Refuses the tables of another program before the first migration: a later one may meet a name that is taken, and each stays.
async fn migrate(db: &Db) -> svc_core::Result<usize> {
    // In this order: what another process migrates meanwhile is in the ledger as soon as its tables are there.
    let has_tables = db.has_tables().await?;
    let untouched = SchemaState::Behind { missing: MIGRATIONS.len() };
    if has_tables && db.schema_state(MIGRATIONS).await? == untouched {
        let what =
            "the database has tables of another program, which stay as they are; name an empty database";
        return Err(Error::conflict(what));
    }
    db.migrate(MIGRATIONS).await
}
