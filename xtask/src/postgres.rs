//! A private PostgreSQL: its own folder, its own port, an unprivileged user, gone when dropped.

use std::fs;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::{Signal, getuid};
use tempfile::TempDir;

use crate::process::{self, Job};
use crate::{Result, launch};

/// Whether a commit waits for the disk: benchmarks do, tests need not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// `fsync=off`
    None,
    /// `fsync=on, synchronous_commit=on`
    Full,
}

/// A running cluster with the role `svc`, which is no superuser, so that row-level security binds it.
pub struct Postgres {
    // INVARIANT: declared before `folder`: the server stops before its files go.
    job: Job,
    folder: TempDir,
    programs: PathBuf,
    port: u16,
}

impl Postgres {
    /// Creates a cluster and waits until it answers; the database `svc` exists then.
    pub fn start(durability: Durability) -> Result<Self> {
        let programs = programs().ok_or("no PostgreSQL server found: install the package `postgresql`")?;
        let user = unprivileged_user()?;
        let folder = match durability {
            Durability::None => launch::passing_folder("svc-pg-")?,
            Durability::Full => tempfile::Builder::new().prefix("svc-pg-").tempdir()?,
        };
        if let Some((uid, gid)) = user {
            chown(folder.path(), Some(uid), Some(gid))?;
        }
        let data = folder.path().join("data");
        let initdb = programs.join("initdb");
        process::output(
            as_user(&mut Command::new(initdb), user)
                .arg("--pgdata")
                .arg(&data)
                .args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"])
                .current_dir("/"),
        )?;
        let port = launch::free_port()?;
        let (_, log) = launch::log_file("postgres")?;
        let mut command = Command::new(programs.join("postgres"));
        command.arg("-D").arg(&data).arg("-k").arg(folder.path()).args(settings(port, durability));
        command.current_dir("/").stdout(log.try_clone()?).stderr(log);
        let job = Job::start(as_user(&mut command, user), Signal::INT)?;
        let mut postgres = Self { job, folder, programs, port };
        postgres.wait()?;
        postgres.sql("CREATE ROLE svc LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB CREATEROLE PASSWORD 'svc'")?;
        postgres.create("svc")?;
        Ok(postgres)
    }

    /// Creates a database that belongs to the role `svc`.
    pub fn create(&self, name: &str) -> Result<()> {
        self.sql(&format!("CREATE DATABASE {name} OWNER svc"))
    }

    /// The address of a database, as the role `svc`.
    pub fn url(&self, name: &str) -> String {
        format!("postgres://svc:svc@127.0.0.1:{}/{name}", self.port)
    }

    /// The process id of the server.
    pub fn pid(&self) -> u32 {
        self.job.pid()
    }

    /// A client program of the same installation, connected to a database as the role `svc`.
    pub fn client(&self, program: &str, database: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        command.env("PGHOST", self.folder.path()).env("PGPORT", self.port.to_string());
        command.env("PGUSER", "svc").env("PGDATABASE", database).current_dir("/");
        command
    }

    /// Runs SQL as the superuser.
    pub fn sql(&self, text: &str) -> Result<()> {
        let mut psql = self.client("psql", "postgres");
        psql.env("PGUSER", "postgres").args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-c", text]);
        process::output(&mut psql).map(drop)
    }

    fn wait(&mut self) -> Result<()> {
        let started = Instant::now();
        while process::output(self.client("pg_isready", "postgres").arg("-q")).is_err() {
            process::check_interrupt()?;
            if self.job.ended().is_some() || started.elapsed() > Duration::from_mins(1) {
                let log = launch::log_path("postgres")?;
                return Err(format!("PostgreSQL did not start:\n{}", launch::tail(&log)).into());
            }
            process::pause(Duration::from_millis(50));
        }
        Ok(())
    }
}

/// The folder of the newest PostgreSQL server installed here.
pub fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = versions.map(|entry| entry.path().join("bin"));
    let on_path = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect::<Vec<_>>());
    let mut found: Vec<PathBuf> = debian.filter(|folder| is_complete(folder)).collect();
    found.sort_by_key(|folder| version(folder));
    found.pop().or_else(|| on_path.into_iter().flatten().find(|folder| is_complete(folder)))
}

fn is_complete(folder: &Path) -> bool {
    ["initdb", "postgres", "psql", "pg_isready"].iter().all(|program| folder.join(program).exists())
}

fn version(folder: &Path) -> u32 {
    let name = folder.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    name.and_then(|name| name.parse().ok()).unwrap_or_default()
}

fn settings(port: u16, durability: Durability) -> Vec<String> {
    let on = if durability == Durability::Full { "on" } else { "off" };
    let settings = [
        format!("port={port}"),
        "listen_addresses=127.0.0.1".to_owned(),
        "max_connections=200".to_owned(),
        "shared_buffers=256MB".to_owned(),
        format!("max_wal_size={}", if durability == Durability::Full { "2GB" } else { "512MB" }),
        format!("fsync={on}"),
        format!("synchronous_commit={on}"),
        format!("full_page_writes={on}"),
    ];
    settings.into_iter().flat_map(|setting| ["-c".to_owned(), setting]).collect()
}

/// PostgreSQL refuses to run as root, so root lends the work to a user without rights.
fn unprivileged_user() -> Result<Option<(u32, u32)>> {
    if !getuid().is_root() {
        return Ok(None);
    }
    let passwd = fs::read_to_string("/etc/passwd")?;
    let found = ["postgres", "nobody"].iter().find_map(|name| user_in(&passwd, name));
    found.map(Some).ok_or_else(|| "neither the user `postgres` nor `nobody` exists".into())
}

fn user_in(passwd: &str, name: &str) -> Option<(u32, u32)> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

fn as_user(command: &mut Command, user: Option<(u32, u32)>) -> &mut Command {
    match user {
        Some((uid, gid)) => command.uid(uid).gid(gid),
        None => command,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWD: &str = "root:x:0:0:root:/root:/bin/sh\npostgres:x:101:104::/var/lib/postgresql:/bin/sh\n";

    #[test]
    fn a_user_is_found_by_its_whole_name() {
        assert_eq!(user_in(PASSWD, "postgres"), Some((101, 104)));
        assert_eq!(user_in(PASSWD, "post"), None);
    }

    #[test]
    fn the_newest_version_wins_by_number() {
        assert!(
            version(Path::new("/usr/lib/postgresql/9/bin"))
                < version(Path::new("/usr/lib/postgresql/15/bin"))
        );
    }
}
