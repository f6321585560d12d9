//! PostgreSQL's own programs: `pg_dump` makes a copy that is one transaction, `pg_restore` brings it back in one.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use percent_encoding::percent_decode_str;
use svc_config::{Config, DatabaseUrl};
use url::Url;

use crate::failure::Failure;

/// Copies the data set of this deployment into a file that only its owner may read.
pub async fn dump(config: &Config, file: &Path) -> Result<(), Failure> {
    let connection = Connection::of("database.maintenance_url", config.maintenance_database_url(), config)?;
    // Made first, because `pg_dump` would make it as the umask says.
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    made.map_err(|error| Failure::new(format!("{} cannot be written: {error}", file.display())))?;
    let mut command = connection.command("pg_dump");
    command.arg("--format=custom").arg("--file").arg(file);
    command.args(connection.schema.iter().map(|schema| format!("--schema={schema}")));
    let outcome = finish(command).await;
    if outcome.is_err() {
        let _ = fs::remove_file(file);
    }
    outcome.map_err(|failure| {
        let hint = "row-level security binds the role; name one with BYPASSRLS in database.maintenance_url";
        if failure.to_string().contains("row-level security") { failure.during(hint) } else { failure }
    })
}

/// Brings a copy back into a database that has none of its tables.
pub async fn restore(config: &Config, file: &Path) -> Result<(), Failure> {
    let connection = Connection::of("database.migration_url", config.migration_database_url(), config)?;
    let mut command = connection.command("pg_restore");
    command.args(["--exit-on-error", "--single-transaction", "--no-owner"]).arg(file);
    finish(command).await
}

/// Where to connect, without the password, which other users of the machine could read in the list of processes.
pub(super) struct Connection {
    address: String,
    password: Option<String>,
    requires_ssl: bool,
    /// The schema that the address chooses.
    schema: Option<String>,
}

impl Connection {
    pub fn of(key: &str, url: Option<&DatabaseUrl>, config: &Config) -> Result<Self, Failure> {
        let url = url.ok_or_else(|| Failure::new(format!("{key}: there is no database")))?;
        let unusable = || {
            Failure::new(format!("{key}: {url} is not an address that PostgreSQL's programs can be given"))
        };
        let mut address = Url::parse(url.expose()).map_err(|_| unusable())?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let password = address.password().map(decoded);
        address.set_password(None).map_err(|()| unusable())?;
        let options = address.query_pairs().find(|(name, _)| name == "options");
        let schema = options.and_then(|(_, options)| {
            options
                .split_once("search_path=")
                .map(|(_, path)| path.split([',', ' ']).next().unwrap_or_default().to_owned())
        });
        let requires_ssl = config.database.require_ssl && url.demands_tls().is_none();
        Ok(Self { address: address.into(), password, requires_ssl, schema })
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.arg("--no-password").arg("--dbname").arg(&self.address);
        command.envs(self.password.as_ref().map(|password| ("PGPASSWORD", password)));
        if self.requires_ssl {
            command.env("PGSSLMODE", "require");
        }
        command
    }
}

pub(super) async fn finish(mut command: Command) -> Result<(), Failure> {
    let program = command.get_program().to_string_lossy().into_owned();
    let run = move || command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
    let output = tokio::task::spawn_blocking(run).await;
    let output = output.map_err(|error| Failure::new(format!("{program} did not end: {error}")))?;
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::new(format!(
            "{program} is not installed; install PostgreSQL's client programs (Debian: postgresql-client) of the server's version \
             or a newer one"
        )),
        _ => Failure::new(format!("{program} cannot be run: {error}")),
    })?;
    if output.status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("{program}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}
