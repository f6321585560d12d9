//! `svc-runtime apply FILE`: makes tenants, applications, APIs and users as a file says; a second run changes nothing, and a
//! dry run reports what would.

mod api;
mod application;
mod audit_stream;
mod change;
mod client_secret;
mod connector;
mod declared;
mod details;
mod environment;
mod export;
mod faults;
mod file;
mod group;
mod hook;
mod naming;
mod organization;
mod outcome;
mod passwords;
mod policy;
mod reader;
mod role;
mod scim_schema;
mod scim_target;
mod scopes;
mod secrets_file;
mod sign_up_field;
mod sso_connection;
mod tenant;
mod terms;
mod texts;
mod trusted_issuer;
mod twice;
mod unlisted;
mod user;
mod webhook;

use std::path::Path;
use std::sync::Arc;

use svc_auth::pages::Pages;
use svc_config::Config;
use svc_core::{Actor, Clock, Cx, RequestId, SystemClock};
use svc_db::Db;
use svc_domain::apps::Rules;
use svc_domain::keys::tenant_keys::TenantSealers;
use svc_domain::tenancy::tenants::Tenants;
use svc_http::{Breached, Outbound};
use svc_keys::{PasswordPool, SystemEntropy};

pub use change::Change;
pub use declared::Declarations;
pub use export::{Exported, export, run as run_export};
pub use faults::Written;
pub use file::{Api, Application, Group, Role, Seed, Tenant, User};
pub use organization::Organization;
pub use outcome::{Generated, Outcome, Record, Verb};
pub use policy::Policy;
pub use secrets_file::SecretsFile;

use self::export::{held, table};
use self::faults::Faults;
use crate::compose;
use crate::database;
use crate::failure::Failure;
use crate::keyring;
use crate::preflight;

/// What applying needs of the deployment.
pub struct Target<'a> {
    /// The configuration, which bounds what can be made.
    pub config: &'a Config,
    /// The database, its schema current.
    pub db: &'a Db,
    /// Tenants as the service sees them, with their issuers.
    pub tenants: &'a Tenants,
    /// Hashes passwords.
    pub passwords: &'a PasswordPool,
    /// Knows the passwords of breaches.
    pub breached: &'a Breached,
    /// What applications are held to.
    pub rules: &'a Rules,
    /// The hosted pages, whose messages can be reworded; a file that rewords none needs none.
    pub pages: Option<&'a Pages>,
    /// What may be called.
    pub outbound: &'a Outbound,
    /// Seals secrets of tenants; a file that declares none needs nothing that seals.
    pub sealers: Option<&'a TenantSealers>,
    /// How far it goes.
    pub mode: Mode,
    /// The call, performed by an operator.
    pub cx: &'a Cx,
    /// Says when it is written.
    pub clock: &'a dyn Clock,
}

/// How far applying goes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mode {
    /// Tell what would change, and write nothing.
    pub dry_run: bool,
    /// What becomes of what the file does not mention.
    pub unlisted: Unlisted,
    /// Whether secrets that have to be generated have a place to go.
    pub keeps_secrets: bool,
}

/// What becomes of what a tenant has and the file does not mention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unlisted {
    /// It stays, and is told of.
    #[default]
    Told,
    /// It is removed.
    Removed,
    /// It stays, and is not even looked for: there may be very much.
    Ignored,
}

impl Mode {
    /// Whether what the file does not mention is removed.
    fn prunes(self) -> bool {
        self.unlisted == Unlisted::Removed
    }

    /// What is noted of what the file does not mention.
    fn verb_of_unlisted(self) -> Verb {
        if self.prunes() { Verb::Pruned } else { Verb::Unlisted }
    }

    /// Refuses to make a secret that would be lost.
    fn admit(self, outcome: &Outcome) -> Result<(), Failure> {
        match outcome.secrets().first() {
            Some(lost) if !self.keeps_secrets && !self.dry_run => Err(Failure::new(format!(
                "{}: its secret would have to be generated; give secret_env or secret in the file, or pass \
                 --secrets-file FILE or --show-secrets",
                lost.record
            ))),
            _ => Ok(()),
        }
    }
}

/// Applies a file to the configured database.
pub async fn run(config: &Config, file: &Path, mode: Mode) -> Result<Outcome, Failure> {
    let seed = read(file)?;
    preflight::admit_domains(
        config,
        seed.tenant.iter().filter_map(|tenant| tenant.custom_domain.as_deref()),
    )?;
    let db = database::open_for_command(config).await?;
    let tenants = Tenants::new(db.clone(), config)?;
    let passwords = compose::password_pool(config)?;
    let breached = Breached::from_config(config, &Outbound::to_chosen_by_operators(config)?)?;
    let cx = operator_cx();
    let rules = compose::rules(config);
    let has_secrets = seed.tenant.iter().any(|tenant| tenant.declared.has_secrets());
    let pages = if seed.tenant.iter().any(texts::are_in) { Some(compose::pages(config)?) } else { None };
    let sealers = if has_secrets { Some(sealers(config, &db).await?) } else { None };
    let target = Target {
        config,
        db: &db,
        tenants: &tenants,
        passwords: &passwords,
        breached: &breached,
        rules: &rules,
        pages: pages.as_ref(),
        outbound: &Outbound::new(config)?,
        sealers: sealers.as_ref(),
        mode,
        cx: &cx,
        clock: &SystemClock,
    };
    let outcome = apply(&target, &seed).await;
    let outcome = outcome.map_err(|failure| failure.during(&file.display().to_string()))?;
    db.close().await;
    Ok(outcome)
}

/// The deployment's keys, which are there or may be made.
async fn sealers(config: &Config, db: &Db) -> Result<TenantSealers, Failure> {
    let custody = keyring::open(config, db, keyring::may_create(config)).await?;
    Ok(TenantSealers::new(db.clone(), &custody))
}

/// Reads and checks the form of a file; secrets that it leaves to the environment are taken from there.
pub fn read(file: &Path) -> Result<Seed, Failure> {
    let text = if file == Path::new("-") {
        std::io::read_to_string(std::io::stdin())
    } else {
        std::fs::read_to_string(file)
    };
    let text = text.map_err(|error| Failure::new(format!("{} cannot be read: {error}", file.display())))?;
    Seed::parse(&text).map_err(|failure| failure.during(&file.display().to_string()))
}

/// Makes everything so, in one transaction: a fault leaves nothing of the file behind.
pub async fn apply(target: &Target<'_>, seed: &Seed) -> Result<Outcome, Failure> {
    let mut prepared = Vec::new();
    // Hashing takes its time and would hold the transaction open.
    let mut faults = Faults::default();
    for wanted in &seed.tenant {
        prepared.push((wanted, tenant::prepare(target, wanted, &mut faults).await?));
    }
    // Processes look for what was changed of late, and hashing may have taken long.
    let cx = target.cx.at(target.clock.now());
    let target = &Target { cx: &cx, ..*target };
    let mut outcome = Outcome::of(target.mode.dry_run);
    let mut tx = target.db.begin_system().await?;
    user::hold_people(&mut tx, &seed.tenant).await?;
    for (wanted, prepared) in &prepared {
        // Boxed: the state of one tenant would be part of every caller.
        tx = Box::pin(tenant::apply(target, tx, (wanted, prepared), (&mut outcome, &mut faults))).await?;
    }
    faults.refuse()?;
    target.mode.admit(&outcome)?;
    if target.mode.dry_run {
        tx.rollback().await?;
    } else {
        tx.commit().await?;
        // Names, domains and issuers may have changed.
        target.tenants.forget();
    }
    Ok(outcome)
}

/// The context of a command at the terminal.
pub fn operator_cx() -> Cx {
    let (now, entropy) = (SystemClock.now(), Arc::new(SystemEntropy));
    let request: RequestId = svc_core::Id::new(now, &*entropy);
    Cx {
        now,
        entropy,
        actor: Actor::Operator("svc-runtime apply".to_owned()),
        request_id: request.to_string(),
        client_ip: None,
    }
}
