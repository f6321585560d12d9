//! `svc-runtime backup FILE`: a consistent copy of a live SQLite database.

use std::fmt::Write as _;
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
    let mut text = format!("The database was copied to {}.", file.display());
    if let Some(keyring) = config.keyring_path() {
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
