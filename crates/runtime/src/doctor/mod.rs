//! `svc-runtime doctor`: looks for what is wrong with a deployment, running or stopped, and says how to mend it.

mod certificate;
mod clock;
mod coordination;
mod database;
mod files;
mod finding;
mod issuer;
mod mail;
mod names;
mod proxies;
mod settings;
mod sidecar;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use svc_config::Config;
use svc_core::{Clock as _, SystemClock, Timestamp};

use self::finding::{Finding, State};
use crate::failure::Failure;
use crate::{config_file, terminal};

/// Shown under `svc-runtime doctor --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime doctor --config /var/lib/svc/svc.toml      a line for each check, and what to do about each fault
  svc-runtime doctor --json | jq '.checks[] | select(.state == \"fault\")'

It changes nothing. It ends with 0 where nothing is at fault, warnings aside, and with 1 otherwise. Run it as the user of the
service, with the service's environment.";

/// How to tell.
#[derive(Args, Clone, Copy, Debug)]
pub struct Options {
    /// Print one line of JSON.
    #[arg(long)]
    json: bool,
}

/// What is looked at.
pub struct Patient {
    pub config: Config,
    /// The configuration file, where there is one.
    pub file: Option<PathBuf>,
    pub now: Timestamp,
}

/// Looks, and tells.
pub async fn run(options: Options, file: Option<&Path>) -> Result<(), Failure> {
    let findings = examine(file).await?;
    let faults = findings.iter().filter(|finding| finding.state == State::Fault).count();
    terminal::say(&if options.json { line(&findings, faults == 0) } else { text(&findings, faults) });
    match faults {
        0 => Ok(()),
        1 => Err(Failure::new("1 fault")),
        _ => Err(Failure::new(format!("{faults} faults"))),
    }
}

async fn examine(file: Option<&Path>) -> Result<Vec<Finding>, Failure> {
    let sources = config_file::sources(file)?;
    let file = sources.path();
    let sources = sources.with_provisioned().await;
    let config = match sources.load_for_command() {
        Ok(config) => config,
        // Nothing else can be looked at with values that cannot be read.
        Err(faults) => return Ok(faults.0.iter().map(settings::finding).collect()),
    };
    let patient = Patient { config, file, now: SystemClock.now() };
    let mut findings = sidecar::examine(&patient).await;
    let has_secrets = findings.iter().all(|finding| finding.state == State::Ok);
    findings.extend(settings::examine(&patient, has_secrets));
    findings.extend(files::examine(&patient));
    findings.extend(certificate::examine(&patient).await);
    findings.extend(proxies::examine(&patient));
    findings.extend(names::examine(&patient).await);
    findings.extend(database::examine(&patient).await);
    findings.extend(coordination::examine(&patient).await);
    findings.extend(clock::examine(&patient).await);
    findings.extend(mail::examine(&patient).await);
    findings.extend(issuer::examine(&patient).await);
    Ok(findings)
}

fn line(findings: &[Finding], is_healthy: bool) -> String {
    json!({ "healthy": is_healthy, "checks": findings }).to_string()
}

fn text(findings: &[Finding], faults: usize) -> String {
    let lines: String = findings.iter().map(ToString::to_string).collect();
    let warnings = findings.iter().filter(|finding| finding.state == State::Warning).count();
    format!("{lines}\n{faults} fault(s), {warnings} warning(s).")
}
