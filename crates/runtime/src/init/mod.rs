//! `svc-runtime init`: sets up production mode on one machine, complete or not at all.

mod answers;
mod certificate;
mod deployment;
mod flags;
mod folder;
mod hidden;
mod questions;
mod report;
mod settings;
mod sidecar;
mod units;

use svc_core::{Clock as _, SystemClock};

pub use self::answers::Options;
use self::answers::Plan;
use self::folder::Folder;
use self::report::Report;
use self::sidecar::Sidecar;
use crate::config_file::Sources;
use crate::failure::Failure;
use crate::operators::Created;
use crate::{preflight, terminal};

/// Shown under `svc-runtime init --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime init                                       ask for everything, on a terminal
  svc-runtime init --dir /var/lib/svc --host id.example.com --email-smtp mail.example.com
                                                         one machine, SQLite, a certificate made here
  DATABASE_URL=postgres://svc:…@db.internal/svc svc-runtime init --dir /var/lib/svc --host id.example.com \\
    --email-smtp svc@mail.example.com:465 --certificate fullchain.pem --key privkey.pem
                                                         PostgreSQL, a certificate of yours

The directory gets svc.toml, the keys of svc-kms, the certificate and units for systemd; the database gets the schema, the
first tenant and the first operator, whose password is printed once. The database must be empty, and the directory too.";

/// Sets a deployment up, and prints what to start.
pub async fn run(options: Options) -> Result<(), Failure> {
    let (is_json, plan) = (options.json, Plan::of(options)?);
    let folder = Folder::begin(&plan.dir, plan.user.as_deref())?;
    let (report, operator) = set_up(&plan, &folder).await?;
    folder.finish()?;
    for remark in plan.remarks() {
        terminal::complain(&format!("warning: {remark}"));
    }
    terminal::say(&if is_json { report.line(&operator) } else { report.text(&operator) });
    Ok(())
}

/// Makes everything but the configuration file's name, which says that all of it is there.
async fn set_up(plan: &Plan, folder: &Folder) -> Result<(Report, Created), Failure> {
    certificate::put(plan, folder, SystemClock.now())?;
    let sidecar = Sidecar::make(plan, folder)?;
    let text = settings::text(plan, folder);
    folder.write_configuration(&text)?;
    let sources = Sources::of_text(&folder.configuration(), text, settings::secrets(plan));
    let config = preflight::admit_without_kms(&sources).map_err(flags::explained);
    let config = config.map_err(|refused| certificate::of_given(plan, folder, refused))?;
    certificate::check(plan, &config, SystemClock.now())?;
    units::write(folder, &sidecar)?;
    let report = Report::of(plan, folder, &sidecar)?;
    // Last: what it leaves behind when it fails is in a database that another run can begin with.
    let operator = deployment::make(plan, &config).await?;
    Ok((report, operator))
}
