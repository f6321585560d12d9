//! `svc-runtime backup --base DIR`: a physical copy of a whole PostgreSQL cluster, made by `pg_basebackup` while it runs.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::Path;

use svc_config::Config;

use super::postgres::{Connection, finish};
use crate::failure::Failure;

/// Copies the cluster into a new folder that only its owner may read, with the log that makes it consistent.
pub async fn take(config: &Config, folder: &Path) -> Result<(), Failure> {
    let connection = Connection::of("database.maintenance_url", config.maintenance_database_url(), config)?;
    let made = DirBuilder::new().mode(0o700).create(folder);
    made.map_err(|error| Failure::new(format!("{} cannot be made: {error}", folder.display())))?;
    let mut command = connection.command("pg_basebackup");
    command.args(["--wal-method=stream", "--checkpoint=fast", "--pgdata"]).arg(folder);
    let outcome = match finish(command).await {
        // It would copy the modes of the server's files, which a group may be allowed to read.
        Ok(()) => {
            keep_private(folder).map_err(|error| Failure::new(format!("{}: {error}", folder.display())))
        }
        Err(failure) => Err(failure),
    };
    if outcome.is_err() {
        let _ = fs::remove_dir_all(folder);
    }
    outcome.map_err(|failure| match advice(&failure.to_string()) {
        Some(advice) => failure.during(advice),
        None => failure,
    })
}

fn keep_private(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            keep_private(&entry.path())?;
        } else if kind.is_file() {
            fs::set_permissions(entry.path(), Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

/// What to do about a refusal of the server, in its own words since version 13.
fn advice(said: &str) -> Option<&'static str> {
    if said.contains("replication role") || said.contains("REPLICATION attribute") {
        Some("the role may not copy the cluster; name one with REPLICATION in database.maintenance_url")
    } else if said.contains("pg_hba.conf") {
        Some(
            "pg_hba.conf has no line for the database `replication` and the role of database.maintenance_url; add one",
        )
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refusal_of_the_server_comes_with_its_remedy() {
        for (said, word) in [
            ("FATAL:  must be superuser or replication role to start walsender", "REPLICATION"),
            (
                "DETAIL:  Only roles with the REPLICATION attribute may start a WAL sender process.",
                "REPLICATION",
            ),
            ("FATAL:  no pg_hba.conf entry for replication connection from host \"10.0.0.1\"", "add one"),
        ] {
            assert!(advice(said).is_some_and(|advice| advice.contains(word)), "{said}");
        }
        assert_eq!(advice("could not connect to server: Connection refused"), None);
    }

    #[test]
    fn a_copy_is_for_its_owner_alone_whatever_the_server_allows_a_group() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("base");
        fs::create_dir(&inner).unwrap();
        let file = inner.join("1");
        fs::write(&file, "x").unwrap();
        fs::set_permissions(&inner, Permissions::from_mode(0o750)).unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o640)).unwrap();
        keep_private(folder.path()).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&inner), mode(&file)), (0o700, 0o600));
    }
}
