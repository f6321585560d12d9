//! The store that processes coordinate through, where it is not the database.

use std::path::Path;

use svc_config::{CoordinationBackend, DatabaseUrl};
use svc_db::Db;

use super::Patient;
use super::finding::Finding;
use crate::{coordination, database};

const CHECK: &str = "coordination";

/// Connects as the service does. A database that cannot be used is the finding of its own check.
pub async fn examine(patient: &Patient) -> Vec<Finding> {
    let config = &patient.config;
    if config.deployment.coordination_backend == CoordinationBackend::Postgres {
        return Vec::new();
    }
    let file = config.database_url(config.plane).and_then(DatabaseUrl::file);
    if file.is_some_and(|file| !Path::new(file).exists()) {
        return Vec::new();
    }
    let Ok(db) = database::open(config) else { return Vec::new() };
    let findings = looked_at(patient, &db).await;
    db.close().await;
    findings
}

async fn looked_at(patient: &Patient, db: &Db) -> Vec<Finding> {
    let has_id = matches!(db.deployment_id().await, Ok(Some(_)));
    if !has_id {
        return Vec::new();
    }
    let opened = coordination::open(&patient.config, db).await;
    let meanwhile = match patient.config.deployment.coordination_backend {
        CoordinationBackend::Redis => "what has to count once across processes is refused meanwhile",
        // What counts once is noted in the database.
        CoordinationBackend::Memcached | CoordinationBackend::Postgres => {
            "each process counts limits by itself meanwhile"
        }
    };
    vec![match opened.map(|opened| opened.store()) {
        Ok(Some((store, true))) => Finding::ok(CHECK, store),
        Ok(Some((store, false))) => Finding::fault(
            CHECK,
            format!("{store} does not answer: {meanwhile}"),
            format!("start it, and look at its address and credentials in [{store}]"),
        ),
        Ok(None) => Finding::ok(CHECK, "the database"),
        Err(trouble) => Finding::fault(
            CHECK,
            trouble.detail().to_owned(),
            "see `Coordination` in docs/reference/operations.md for what the store has to keep",
        ),
    }]
}
