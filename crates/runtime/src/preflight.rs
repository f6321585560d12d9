//! What keeps the service from starting outside the configuration's own text: files that it names, and key management.

use std::path::Path;

use svc_async::Mailer;
use svc_config::{Config, Fault, Faults, is_local};
use svc_core::{Clock as _, SystemClock};
use svc_db::coordination::Coordination;
use svc_http::{Breached, Identity, Outbound, Places};

use crate::config_file::Sources;
use crate::failure::Failure;
use crate::{compose, database, kms, logging};

/// The configuration of a process that may start: all faults are reported together, and nothing was made.
pub async fn admit(sources: &Sources) -> Result<Config, Failure> {
    // Values that cannot be read say nothing about the files that they were to name.
    let Ok(config) = sources.load() else { return Ok(sources.load_for_start()?) };
    refuse([rules(sources, &config).await, faults(&config)].concat())?;
    Ok(config)
}

/// The same where `svc-kms` is not started yet.
pub fn admit_without_kms(sources: &Sources) -> Result<Config, Faults> {
    let config = sources.load()?;
    let faults = [config.start_faults(), faults(&config)].concat();
    if faults.is_empty() { Ok(config) } else { Err(Faults(faults)) }
}

/// What keeps a process from serving, `svc-kms` aside.
pub fn faults_without_kms(config: &Config) -> Vec<Fault> {
    let missing = missing_file(config).into_iter().collect();
    [config.start_faults(), faults(config), missing].concat()
}

/// Whether `svc-kms` alone may keep this configuration from starting, by its absence or by that of secrets that it may hold.
pub fn may_wait(config: &Config) -> bool {
    let absent = config.absent_secrets();
    let may_be_held = |fault: &Fault| absent.contains(&fault.key.as_str());
    config.kms.is_configured() && [config.start_faults(), faults(config)].concat().iter().all(may_be_held)
}

/// The same for a process that serves an existing database.
pub async fn admit_to_serve(sources: &Sources) -> Result<Config, Failure> {
    let Ok(config) = sources.load() else { return Ok(sources.load_for_start()?) };
    let missing = missing_file(&config).into_iter().collect();
    refuse([rules(sources, &config).await, faults(&config), missing].concat())?;
    Ok(config)
}

/// The broken rules of starting, and what keeps `svc-kms` from being used.
async fn rules(sources: &Sources, config: &Config) -> Vec<Fault> {
    match kms::fault(&config.kms).await.or_else(|| sources.unanswered().cloned()) {
        None => config.start_faults(),
        Some(fault) => [config.start_faults_unasked(), vec![fault]].concat(),
    }
}

fn refuse(faults: Vec<Fault>) -> Result<(), Failure> {
    if faults.is_empty() { Ok(()) } else { Err(Faults(faults).into()) }
}

fn faults(config: &Config) -> Vec<Fault> {
    let mut checks = Checks::default();
    checks.tls(config);
    let has_authorities = checks.connections(config);
    checks.files(config);
    let is_complete = config.email.smtp.host.is_some() && config.email.smtp.from.is_some();
    if is_complete && has_authorities {
        checks.note("email.smtp", Mailer::from_config(config).map(drop), "mend [email.smtp]");
    }
    checks.log_filter(&config.telemetry.log_filter);
    checks.0
}

/// What checks have found, each fault at its key.
#[derive(Default)]
struct Checks(Vec<Fault>);

impl Checks {
    fn note(&mut self, key: &str, outcome: svc_core::Result<()>, fix: &str) {
        let Err(error) = outcome else { return };
        let text = Failure::from(error).to_string();
        // A reason that names the key itself is not to name it twice.
        let reason = text.strip_prefix(key).and_then(|rest| rest.strip_prefix(": ")).unwrap_or(&text);
        self.0.push(Fault::new(key, reason, fix));
    }

    fn tls(&mut self, config: &Config) {
        let server = &config.server;
        let names_files = server.tls.cert_pem_path.is_some() && server.tls.key_pem_path.is_some();
        if server.transport.is_tls() && names_files {
            let fix = "name the PEM files of the certificate chain and its key";
            self.note("server.tls", Identity::from_config(config, SystemClock.now()).map(drop), fix);
        }
        if let Some(what) = server.tls.domains_folder.as_deref().and_then(unreadable) {
            let fix = "make the folder, let the user of the service read it, or take the key out";
            self.note("server.tls.domains_folder", Err(svc_core::Error::bad_request(what)), fix);
        }
    }

    /// Checks the addresses of Redis and the database; returns whether the authorities that connections trust can be read.
    fn connections(&mut self, config: &Config) -> bool {
        if let Some(url) = &config.redis.url {
            let authorities = config.server.tls.ca_pem_path.as_deref();
            self.note("redis.url", Coordination::check_redis(url.expose(), authorities), "mend redis.url");
        }
        let client = Outbound::new(config);
        // Where they cannot be read, that is the fault of their own key, and of no other that goes with them.
        let has_authorities = client.is_ok();
        self.note("server.tls.ca_pem_path", client.map(drop), "name a PEM file of authorities");
        for (key, url) in config.database.urls().filter(|_| has_authorities) {
            self.note(key, database::check_address(config, url), "mend the address");
        }
        has_authorities
    }

    fn files(&mut self, config: &Config) {
        let fix = "name a MaxMind DB file with cities, or take the key out";
        self.note("adaptive_mfa.ip_database_path", Places::from_config(config).map(drop), fix);
        let fix = "name a list that `svc-runtime hibp import` made, or take the key out";
        self.note("hibp.list_path", breached_passwords(config), fix);
        let folder = config.server.templates_dir.as_deref();
        let templates = match folder.filter(|folder| !folder.is_dir()) {
            Some(absent) => {
                Err(svc_core::Error::bad_request(format!("there is no folder {}", absent.display())))
            }
            None => compose::pages(config).map(drop),
        };
        self.note("server.templates_dir", templates, "name a folder of templates, or take the key out");
    }

    fn log_filter(&mut self, filter: &str) {
        if !logging::is_filter(filter) {
            let what = format!("{filter:?} is not a filter");
            let fix = "write a level, or levels by module: \"info,svc_http=debug\"";
            self.0.push(Fault::new("telemetry.log_filter", what, fix));
        }
    }
}

/// Why a folder cannot be read.
fn unreadable(folder: &Path) -> Option<String> {
    if !folder.is_dir() {
        return Some(format!("there is no folder {}", folder.display()));
    }
    folder.read_dir().err().map(|error| format!("{} cannot be read: {error}", folder.display()))
}

/// Whether the list of breached passwords can be opened, where one is named.
fn breached_passwords(config: &Config) -> svc_core::Result<()> {
    // Authorities that cannot be read are the fault of their own key.
    let Ok(client) = Outbound::new(config) else { return Ok(()) };
    Breached::from_config(config, &client).map(drop)
}

/// A file that is not there is not made by a process that only serves.
fn missing_file(config: &Config) -> Option<Fault> {
    let url = config.database_url(config.plane)?;
    let is_missing = !Path::new(url.file()?).exists();
    is_missing.then(|| {
        let what = format!("the database {url} cannot be used: there is no such file");
        Fault::new("database.url", what, "run `svc-runtime --migrate-only` first, which makes it")
    })
}

/// Refuses domains of tenants that make a deployment public outside production mode.
pub fn admit_domains<'a>(config: &Config, domains: impl Iterator<Item = &'a str>) -> Result<(), Failure> {
    let public: Vec<_> = domains.filter(|domain| !config.security.production && !is_local(domain)).collect();
    if public.is_empty() {
        return Ok(());
    }
    Err(Failure::new(format!(
        "custom_domain: security.production must be true, because {} is not local; set security.production = true, or use \
         local names only",
        public.join(", ")
    )))
}
