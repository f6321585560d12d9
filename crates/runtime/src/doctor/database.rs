//! The database: whether it can be reached, has the schema of this version and gives its rights, holds tenants apart, has its
//! replica, and is sealed under the keys that are there.

use svc_config::DatabaseUrl;
use svc_db::{Db, Engine, SchemaState};

use super::Patient;
use super::finding::{Finding, State};
use crate::failure::Failure;
use crate::{database, keyring};

const CHECK: &str = "database";
/// What to do about a server that does not let the service in.
const LOOK_AT_THE_SERVER: &str = "start it, and look at its address, role and password";

/// Connects as the service does.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let Some(url) = patient.config.database_url(patient.config.plane) else { return Vec::new() };
    let missing = url.file().is_some_and(|file| !std::path::Path::new(file).exists());
    let Ok(db) = database::open(&patient.config) else { return Vec::new() };
    // A missing file is a fault of the configuration; looking at it must not make one.
    let findings = if missing { Vec::new() } else { looked_at(patient, &db).await };
    db.close().await;
    findings
}

async fn looked_at(patient: &Patient, db: &Db) -> Vec<Finding> {
    let state = match database::schema_state(db, &patient.config).await {
        Ok(state) => state,
        Err(failure) => {
            let fix = match db.engine() {
                Engine::Postgres => LOOK_AT_THE_SERVER,
                Engine::Sqlite => {
                    "look at the file, who may write it and its folder, and the room on its disk"
                }
            };
            return vec![Finding::fault(CHECK, failure.to_string(), fix)];
        }
    };
    if let Some(finding) = outdated(&state) {
        return vec![finding];
    }
    let rest = held_apart(patient, db).await;
    rest.unwrap_or_else(|failure| {
        vec![Finding::fault(CHECK, failure.to_string(), "look at the log of the database")]
    })
}

fn outdated(state: &SchemaState) -> Option<Finding> {
    Some(match state {
        SchemaState::Current => return None,
        SchemaState::Behind { missing } => Finding::fault(
            CHECK,
            format!("it lacks {missing} migration(s) of this version"),
            "svc-runtime --migrate-only",
        ),
        SchemaState::Ahead { version } => Finding::fault(
            CHECK,
            format!("a newer version has migrated it (to {version}): this one serves, but is never ready"),
            "run the newer version, or restore the backup from before it",
        ),
        SchemaState::Altered { version } => Finding::fault(
            CHECK,
            format!("migration {version} differs from the one of this version"),
            "run the released program, or restore the database",
        ),
    })
}

async fn held_apart(patient: &Patient, db: &Db) -> Result<Vec<Finding>, Failure> {
    let mut findings = vec![Finding::ok(CHECK, format!("{:?}, its schema current", db.engine()))];
    if db.bypasses_row_security().await? {
        findings.push(unbound("the role"));
    }
    if let Some(lacking) = database::lacking_rights(&patient.config, db).await? {
        findings.push(Finding::fault(
            CHECK,
            format!("the role lacks {lacking}: what needs them fails"),
            "svc-runtime db grant, with the address of the owner of the tables in database.migration_url",
        ));
    }
    let further = further(patient).await;
    let can_be_compared = further.iter().all(|finding| finding.state != State::Fault);
    findings.extend(further);
    if can_be_compared && let Err(failure) = database::check_deployment(db, &patient.config).await {
        findings.push(Finding::fault(
            CHECK,
            failure.to_string(),
            "let every address of [database] lead to one database",
        ));
    }
    findings.extend(silent_replica(patient).await);
    findings.extend(sealed_otherwise(patient, db).await);
    Ok(findings)
}

/// A role that reads the rows of every tenant, whatever the service asks for.
fn unbound(role: &str) -> Finding {
    Finding::warning(
        CHECK,
        format!("{role} is a superuser or has BYPASSRLS: row-level security does not hold for it"),
        "connect as a role that is NOSUPERUSER NOBYPASSRLS",
    )
}

/// What is wrong with each further address of `[database]`. The replica has a check of its own.
async fn further(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    let own = config.database_url(config.plane).map(DatabaseUrl::expose);
    let mut findings = Vec::new();
    for (key, url) in config.database.urls() {
        if key == "database.replica_url" || Some(url.expose()) == own {
            continue;
        }
        match database::bypasses_row_security(config, url).await {
            // Who migrates serves no tenant.
            Ok(true) if key != "database.migration_url" => {
                findings.push(unbound(&format!("the role of {key}")));
            }
            Ok(_) => {}
            Err(failure) => findings.push(Finding::fault(CHECK, failure.to_string(), LOOK_AT_THE_SERVER)),
        }
    }
    findings
}

/// A replica that does not answer: the service does without it, and nothing else says so.
async fn silent_replica(patient: &Patient) -> Option<Finding> {
    let url = patient.config.database.replica_url.as_ref()?;
    let replica = database::open_replica(&patient.config).ok().flatten()?;
    let asked = replica.deployment_id().await;
    let failure = match asked {
        Ok(_) => None,
        Err(error) => Some(Failure::from(replica.why_unreachable().await.unwrap_or(error))),
    };
    replica.close().await;
    let failure = failure?;
    Some(Finding::fault(
        CHECK,
        format!(
            "database.replica_url: {url} does not answer: {failure}; the audit log is read from the primary meanwhile"
        ),
        "start the replica, look at its address, role and password, or take database.replica_url out",
    ))
}

/// Keys of another deployment, or older ones. Keys that are not there are the finding of their own check.
async fn sealed_otherwise(patient: &Patient, db: &Db) -> Option<Finding> {
    let versions = keyring::held(&patient.config).await?;
    let failure = keyring::check(db, &versions).await.err()?;
    Some(Finding::fault(
        "keys",
        failure.during(&keyring::place(&patient.config)).to_string(),
        "`svc-kms restore FILE`, or put the keyring back; `svc-kms adopt --keyring FILE` takes one over",
    ))
}
