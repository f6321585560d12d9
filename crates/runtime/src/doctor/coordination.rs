//! The store that processes coordinate through, where it is not the database.

use std::path::Path;

use svc_config::{Config, CoordinationBackend, DatabaseUrl, is_local};
use svc_db::Db;
use url::Url;

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
    let mut findings = looked_at(patient, &db).await;
    db.close().await;
    findings.extend(in_clear(config));
    findings
}

/// Whether a network lies between the service and its store, where others may read and change what is said in clear.
fn in_clear(config: &Config) -> Option<Finding> {
    let (host, fix) = match config.deployment.coordination_backend {
        CoordinationBackend::Postgres => return None,
        CoordinationBackend::Redis => {
            let url = Url::parse(config.redis.url.as_ref()?.expose()).ok()?;
            let host = url.host_str().filter(|_| url.scheme() == "redis")?.to_owned();
            (host, "give Redis a certificate and write rediss:// into redis.url")
        }
        CoordinationBackend::Memcached => {
            let (host, _) = config.memcached.address.as_ref()?.rsplit_once(':')?;
            (host.to_owned(), "coordinate through Redis with rediss://, or through the database")
        }
    };
    let what = format!("what is said to {host} crosses the network in clear");
    let fix = format!("{fix}; leave it where that network is the deployment's own");
    (!is_local(&host)).then(|| Finding::warning(CHECK, what, fix))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_is_reached_in_clear_over_a_network_earns_a_warning_that_shows_no_password() {
        let told = |backend: &str, variable: &str, address: &str| {
            let pairs = [("SVC_DEPLOYMENT__COORDINATION_BACKEND", backend), (variable, address)];
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
            in_clear(&Config::load(None, &pairs).unwrap()).map(|finding| finding.message)
        };
        let redis = |url: &str| told("redis", "SVC_REDIS__URL", url);
        let memcached = |address: &str| told("memcached", "SVC_MEMCACHED__ADDRESS", address);
        let warned = redis("redis://svc:canary@cache.internal:6379/3").unwrap();
        assert!(warned.contains("cache.internal") && !warned.contains("canary"), "{warned}");
        assert!(memcached("cache.internal:11211").unwrap().contains("cache.internal"));
        for safe in
            ["rediss://cache.internal", "redis://localhost", "redis://127.0.0.1:7000", "redis://[::1]"]
        {
            assert_eq!(redis(safe), None, "{safe}");
        }
        for safe in ["127.0.0.1:11211", "[::1]:11211"] {
            assert_eq!(memcached(safe), None, "{safe}");
        }
        assert_eq!(told("postgres", "SVC_REDIS__URL", "redis://cache.internal"), None);
    }
}
