//! `svc-runtime --migrate-only`: brings the schema up to this binary's, while the old version keeps serving.

use svc_config::Config;
use svc_domain::MIGRATIONS;

use crate::failure::Failure;
use crate::{database, terminal};

/// Applies what is missing and says what it did.
pub async fn run(config: &Config) -> Result<(), Failure> {
    let db = database::open_for_migration(config)?;
    let ran = match db.migrate(MIGRATIONS).await {
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
