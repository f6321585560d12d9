//! PostgreSQL's own programs: `pg_dump` makes a copy that is one transaction, `pg_restore` brings it back in one.

use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use percent_encoding::percent_decode_str;
use svc_config::{Config, DatabaseUrl};
use url::Url;

use super::parameters::Parameters;
use crate::database;
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
        let text = failure.to_string();
        let hints = [
            (
                "row-level security",
                "row-level security binds the role; name one with BYPASSRLS in database.maintenance_url",
            ),
            (
                "permission denied",
                "the role may not read every table; name one with BYPASSRLS and the rights of pg_read_all_data in \
                 database.maintenance_url",
            ),
        ];
        match hints.iter().find(|(cause, _)| text.contains(cause)) {
            Some((_, hint)) => failure.during(hint),
            None => failure,
        }
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
    /// Authorities of the deployment, where the server's certificate is checked and the address names none.
    authorities: Option<PathBuf>,
    /// The schema that the address chooses.
    schema: Option<String>,
}

impl Connection {
    pub fn of(key: &str, url: Option<&DatabaseUrl>, config: &Config) -> Result<Self, Failure> {
        let url = url.ok_or_else(|| Failure::new(format!("{key}: there is no database")))?;
        database::check_tls(config, url)?;
        let unusable = || {
            Failure::new(format!("{key}: {url} is not an address that PostgreSQL's programs can be given"))
        };
        let mut address = Url::parse(url.expose()).map_err(|_| unusable())?;
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let parameters = Parameters::of(&address);
        let password = address.password().map(decoded);
        if password.is_some() {
            address.set_password(None).map_err(|()| unusable())?;
        }
        address.set_query(parameters.query().as_deref());
        let authorities = config.server.tls.ca_pem_path.clone().filter(|_| parameters.lacks_authorities());
        let requires_ssl = config.database.require_ssl && url.demands_tls().is_none();
        let schema = parameters.schema();
        let password = parameters.password.or(password);
        Ok(Self { address: address.into(), password, requires_ssl, authorities, schema })
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.arg("--no-password").arg("--dbname").arg(&self.address);
        command.envs(self.password.as_ref().map(|password| ("PGPASSWORD", password)));
        command.envs(self.authorities.as_ref().map(|path| ("PGSSLROOTCERT", path)));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The address and the variables that a program gets.
    fn given(url: &str, more: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
        let pairs = [&[("DATABASE_URL", url)][..], more].concat();
        let pairs: Vec<_> =
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let config = Config::load(None, &pairs).unwrap();
        let connection = Connection::of("database.url", config.migration_database_url(), &config).unwrap();
        let command = connection.command("pg_dump");
        let text = |text: &std::ffi::OsStr| text.to_str().unwrap().to_owned();
        let variables = command.get_envs().map(|(name, value)| (text(name), text(value.unwrap()))).collect();
        let arguments: Vec<_> = command.get_args().map(text).collect();
        (arguments[2].clone(), variables)
    }

    fn variable(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn an_address_of_the_service_is_one_that_libpq_takes() {
        let url = "postgres://svc:p%40ss@db/svc?ssl-mode=verify-full&statement-cache-capacity=9&options[work_mem]=8MB\
            &options=-c%20search_path%3Did";
        let (address, variables) = given(url, &[("SVC_SERVER__TLS__CA_PEM_PATH", "/etc/svc/ca.pem")]);
        let options = "options=%2Dc%20work%5Fmem%3D8MB%20%2Dc%20search%5Fpath%3Did";
        assert_eq!(address, format!("postgres://svc@db/svc?sslmode=verify%2Dfull&{options}"));
        // Checked as the service checks it.
        assert_eq!(variables, [variable("PGPASSWORD", "p@ss"), variable("PGSSLROOTCERT", "/etc/svc/ca.pem")]);
    }

    #[test]
    fn an_address_says_itself_where_the_server_is_and_whom_it_trusts() {
        let trusted =
            [("SVC_SERVER__TLS__CA_PEM_PATH", "/etc/svc/ca.pem"), ("SVC_DATABASE__REQUIRE_SSL", "true")];
        let (address, variables) =
            given("postgres:///svc?user=svc&ssl-ca=/own.pem&sslmode=verify-ca", &trusted);
        assert_eq!(
            address,
            "postgres:///svc?user=svc&sslrootcert=%2Fown%2Epem&sslmode=verify%2Dca&host=localhost"
        );
        assert!(variables.is_empty(), "{variables:?}");
        let (address, variables) = given("postgres:///svc?host=/run/postgresql&password=a", &trusted);
        assert_eq!(address, "postgres:///svc?host=%2Frun%2Fpostgresql");
        // To check nothing but that there is TLS needs no authority, and with one libpq would check more.
        assert_eq!(variables, [variable("PGPASSWORD", "a"), variable("PGSSLMODE", "require")]);
        assert_eq!(given("postgres://db/svc", &[]), ("postgres://db/svc".to_owned(), Vec::new()));
    }
}
