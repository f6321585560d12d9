//! The options of `svc-runtime dev`, and the configuration that they make.

use std::path::PathBuf;

use clap::Args;
use svc_config::{Config, Faults};

use crate::config_file;
use crate::failure::Failure;
use crate::logging;
use crate::preflight;

/// Shown under `svc-runtime dev --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime dev                                    http://localhost:8080, SQLite in .svc-dev
  svc-runtime dev --port 9000 --seed tenants.toml    another port, and further tenants from a declarative file
  svc-runtime dev --database-url postgres://svc@localhost/svc
  SVC_JWT__DEFAULT_ALGORITHM=EdDSA svc-runtime dev           any configuration key, by the environment

svc.toml is not read in this mode. What is kept between runs is in the data directory; delete it to start over.";

/// Options of the development mode.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// The port to listen on.
    #[arg(long, default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// Where the database and the generated credentials are kept.
    #[arg(long, default_value = ".svc-dev")]
    pub data_dir: PathBuf,
    /// A declarative file to apply after the demo, as with `svc-runtime apply`.
    #[arg(long)]
    pub seed: Option<PathBuf>,
    /// The database, instead of SQLite in the data directory.
    #[arg(long)]
    pub database_url: Option<String>,
    /// Listen on the address of `SVC_SERVER__HOST` although others can reach it: they read every mail and sign in as anyone.
    #[arg(long)]
    pub insecure_expose: bool,
    /// Print one line of JSON for programs instead of the text for people.
    #[arg(long)]
    pub json: bool,
}

const EXPOSED: &str = "svc-runtime dev shows its inbox and credentials to all who reach it: use local names and addresses, \
                       or pass --insecure-expose";

impl Options {
    /// Makes the data directory, readable by its owner only.
    pub fn make_data_dir(&self) -> Result<(), Failure> {
        use std::os::unix::fs::DirBuilderExt as _;
        let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&self.data_dir);
        made.map_err(|error| {
            Failure::new(format!("the data directory {} cannot be made: {error}", self.data_dir.display()))
        })
    }

    /// Defaults that suit development, below the environment, below these options.
    pub fn config(&self) -> Result<Config, Failure> {
        let mut env = config_file::environment();
        if let Some(url) = &self.database_url {
            env.push(("SVC_DATABASE__URL".to_owned(), url.clone()));
        }
        let defaults = self.defaults();
        let config = Config::load(Some(("the defaults of svc-runtime dev", &defaults)), &env)?;
        let mut faults = config.start_faults();
        faults.retain(|fault| !(self.insecure_expose && fault.key == "security.production"));
        for fault in faults.iter_mut().filter(|fault| fault.key == "security.production") {
            EXPOSED.clone_into(&mut fault.fix);
        }
        if faults.is_empty() { Ok(config) } else { Err(Faults(faults).into()) }
    }

    /// Refuses domains of tenants by which others reach it.
    pub fn admit_domains<'a>(
        &self,
        config: &Config,
        domains: impl Iterator<Item = &'a str>,
    ) -> Result<(), Failure> {
        if self.insecure_expose {
            return Ok(());
        }
        let admitted = preflight::admit_domains(config, domains);
        admitted.map_err(|failure| Failure::new(format!("{failure}, or pass --insecure-expose")))
    }

    fn defaults(&self) -> String {
        let (port, database) = (self.port, self.data_dir.join("svc.db"));
        // A path may hold quotes or backslashes.
        let url = toml::Value::String(format!("sqlite:{}", database.display()));
        let keyring = toml::Value::String(self.data_dir.join("keyring.json").display().to_string());
        format!(
            "[server]\nport = {port}\nbase_domain = \"localhost\"\n\
             [oidc]\nissuer_url = \"http://localhost:{port}\"\ndynamic_registration = \"open\"\n\
             [database]\nurl = {url}\n[keyring]\npath = {keyring}\n\
             [tenant]\ndefault_tenant_slug = \"demo\"\n\
             [openapi]\nenabled = true\n\
             [security]\noutbound_allow_loopback = true\n\
             [telemetry]\nlog_filter = \"{filter}\"\n",
            filter = logging::DEVELOPMENT,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(database_url: Option<&str>) -> Options {
        Options {
            port: 9123,
            data_dir: PathBuf::from("/tmp/a \"b\"\\c"),
            seed: None,
            database_url: database_url.map(str::to_owned),
            insecure_expose: false,
            json: false,
        }
    }

    #[test]
    fn the_defaults_are_a_configuration_for_any_data_directory() {
        let defaults = options(None).defaults();
        let config = Config::load_for_start(Some(("dev", &defaults)), &[]).unwrap();
        assert_eq!(config.oidc.issuer_url.as_str(), "http://localhost:9123");
        assert_eq!(config.database.url.unwrap().expose(), "sqlite:/tmp/a \"b\"\\c/svc.db");
    }
}
