//! `svc-runtime apply FILE`: makes tenants, applications, APIs and users as a file says; a second run changes nothing.

mod api;
mod application;
mod file;
mod outcome;
mod passwords;
mod tenant;
mod user;
mod verified;

use std::path::Path;
use std::sync::Arc;

use svc_config::Config;
use svc_core::{Actor, Clock as _, Cx, RequestId, SystemClock};
use svc_db::{Db, SchemaState};
use svc_domain::tenancy::tenants::Tenants;
use svc_keys::{PasswordPool, SystemEntropy};

pub use file::{Api, Application, Seed, Tenant, User};
pub use outcome::{Outcome, Verb};
pub use verified::Verified;

use crate::compose;
use crate::database;
use crate::failure::Failure;
use crate::preflight;

/// What applying needs of the deployment.
pub struct Target<'a> {
    /// The database, its schema current.
    pub db: &'a Db,
    /// Tenants as the service sees them, with their issuers.
    pub tenants: &'a Tenants,
    /// Hashes passwords.
    pub passwords: &'a PasswordPool,
    /// Passwords that need not be verified again.
    pub verified: &'a Verified,
    /// The call, performed by an operator.
    pub cx: &'a Cx,
}

/// Applies a file to the configured database.
pub async fn run(config: &Config, file: &Path) -> Result<Outcome, Failure> {
    let seed = read(file)?;
    preflight::admit_domains(
        config,
        seed.tenant.iter().filter_map(|tenant| tenant.custom_domain.as_deref()),
    )?;
    let db = database::open(config)?;
    if let SchemaState::Behind { .. } | SchemaState::Altered { .. } =
        database::schema_state(&db, config).await?
    {
        return Err(Failure::new(
            "the database's schema is not that of this version; run `svc-runtime --migrate-only` first",
        ));
    }
    let tenants = Tenants::new(db.clone(), config)?;
    let passwords = compose::password_pool(config)?;
    let cx = operator_cx();
    let verified = Verified::default();
    let target = Target { db: &db, tenants: &tenants, passwords: &passwords, verified: &verified, cx: &cx };
    let outcome = apply(&target, &seed).await?;
    db.close().await;
    Ok(outcome)
}

/// Reads and checks the form of a file; secrets that it leaves to the environment are taken from there.
pub fn read(file: &Path) -> Result<Seed, Failure> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", file.display())))?;
    Seed::parse(&text).map_err(|failure| failure.during(&file.display().to_string()))
}

/// Makes everything so, one transaction for each tenant.
pub async fn apply(target: &Target<'_>, seed: &Seed) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    for wanted in &seed.tenant {
        let place = format!("tenant {:?}", wanted.slug);
        tenant::apply(target, wanted, &mut outcome).await.map_err(|failure| failure.during(&place))?;
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
