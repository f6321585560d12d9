//! `svc-runtime import users`: brings the people of another system's export into a tenant, chunk by chunk.

mod auth0;
mod chunks;
mod clerk;
mod cognito;
mod file;
mod firebase;
mod generic;
mod identities;
mod keycloak;
mod record;
mod systems;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, Subcommand, ValueEnum};
use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, ImportId, SystemClock};
use svc_domain::keys::tenant_keys::TenantSealers;
use svc_domain::people::imports::{Import, OnConflict};
use svc_domain::tenancy::tenants;
use svc_keys::{Purpose, SystemEntropy};

pub use self::chunks::{Target, bring};
pub use self::systems::System;
use crate::failure::Failure;
use crate::{database, keyring, terminal};

/// Shown under `svc-runtime import --help`.
pub const EXAMPLES: &str = "\
Examples:
  svc-runtime import users realm.json --from keycloak --tenant acme --dry-run      judge each person, change nothing
  svc-runtime import users realm.json --from keycloak --tenant acme                bring them
  svc-runtime import users users.json --from auth0 --hashes hashes.json --tenant acme
  svc-runtime import users users.json --from firebase --hash-parameters firebase.json --tenant acme
  svc-runtime import users users.csv --from csv --tenant acme --on-conflict update
  svc-runtime import users realm.json --from keycloak --tenant acme --resume imp_01…  go on where it was cut off

Ends with 0 where every record was taken or skipped, and with 1 where one was refused; the others are taken all the same.
docs/how-to/import-people.md says how each system exports its people.";

/// What to import.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Import the people of another system's export into a tenant. A second run changes nothing.
    Users(Options),
}

/// Whom, from where and how.
#[derive(Debug, Args)]
pub struct Options {
    /// The export; `-` is standard input.
    pub file: PathBuf,
    /// The system that wrote it.
    #[arg(long, value_enum)]
    pub from: System,
    /// The slug of the tenant.
    #[arg(long)]
    pub tenant: String,
    /// What happens to people who are members already.
    #[arg(long, value_enum, default_value = "skip")]
    pub on_conflict: Conflict,
    /// Judge each person, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Give people the roles that they have in the export; roles of these names must be there.
    #[arg(long)]
    pub with_roles: bool,
    /// Auth0: the export of password hashes, JSON Lines.
    #[arg(long, value_name = "FILE")]
    pub hashes: Option<PathBuf>,
    /// Firebase: the hash parameters of the project, a JSON document.
    #[arg(long, value_name = "FILE")]
    pub hash_parameters: Option<PathBuf>,
    /// Keycloak: the relying party of its passkeys, which must be that of the tenant's host. Without it they are kept sealed.
    #[arg(long, value_name = "HOST")]
    pub rp_id: Option<String>,
    /// Go on with this import, which was begun with the same file.
    #[arg(long, value_name = "IMPORT", conflicts_with = "dry_run")]
    pub resume: Option<ImportId>,
}

/// What happens to people who are members already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Conflict {
    /// They stay as they are.
    Skip,
    /// They get the roles and claims of the file.
    Update,
    /// They are reported.
    Fail,
}

/// Does it on the configured database.
pub async fn run(command: &ImportCommand, config: &Config) -> Result<(), Failure> {
    let ImportCommand::Users(options) = command;
    let db = database::open_for_command(config).await?;
    let cx = Cx {
        now: SystemClock.now(),
        entropy: Arc::new(SystemEntropy),
        actor: Actor::Operator("svc-runtime import".to_owned()),
        request_id: "import".to_owned(),
        client_ip: None,
    };
    let slug = &options.tenant;
    let tenant = tenants::find_by_slug(&mut db.read_system().await?, slug).await?;
    let tenant = tenant.ok_or_else(|| Failure::new(format!("there is no tenant {slug:?}")))?;
    let custody = keyring::open(config, &db, keyring::may_create(config)).await?;
    let sealer = TenantSealers::new(db.clone(), &custody).of(tenant, Purpose::Credentials, &cx).await?;
    let accounts = custody.keyring().sealer(Purpose::Credentials);
    let clock = &SystemClock;
    let target = Target { db: &db, tenant, sealer: &sealer, accounts: &accounts, cx: &cx, clock };
    let import = bring(&target, options, &mut |text| terminal::complain(text)).await;
    db.close().await;
    let import = import?;
    terminal::say(&said(&import));
    must_be_whole(&import)
}

/// Fails where a record was refused, so that a script does not take the import for whole.
fn must_be_whole(import: &Import) -> Result<(), Failure> {
    match import.counts.failed {
        0 => Ok(()),
        1 => Err(Failure::new("one record was refused; correct it and import the file again")),
        many => {
            Err(Failure::new(format!("{many} records were refused; correct them and import the file again")))
        }
    }
}

fn said(import: &Import) -> String {
    let counts = import.counts;
    format!(
        "{}: {} people: {} created, {} linked, {} updated, {} skipped, {} failed{}",
        import.id,
        counts.lines,
        counts.created,
        counts.linked,
        counts.updated,
        counts.skipped,
        counts.failed,
        // As it was begun, which is not said again where it goes on.
        if import.configuration.dry_run { "; nothing was changed" } else { "" }
    )
}

impl From<Conflict> for OnConflict {
    fn from(conflict: Conflict) -> Self {
        match conflict {
            Conflict::Skip => Self::Skip,
            Conflict::Update => Self::Update,
            Conflict::Fail => Self::Fail,
        }
    }
}
