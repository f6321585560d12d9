//! `svc-runtime backup FILE`: a consistent copy of a live SQLite database.

use std::path::Path;

use svc_config::Config;

use crate::failure::Failure;
use crate::{database, terminal};

/// Copies the runtime's database into `file`, which must not exist.
pub async fn run(config: &Config, file: &Path) -> Result<(), Failure> {
    if file.exists() {
        return Err(Failure::new(format!("{} exists already; name a new file", file.display())));
    }
    let db = database::open(config)?;
    db.backup(file).await.map_err(|error| Failure::from(error).during("backup"))?;
    db.close().await;
    terminal::say(&format!("The database was copied to {}.", file.display()));
    Ok(())
}
