//! What the processes of a deployment coordinate through, as the configuration says.

use svc_config::{Config, CoordinationBackend, Memcached};
use svc_core::{Error, Result};
use svc_db::Db;
use svc_db::coordination::{Coordination, MemcachedSettings, RedisSettings};

use crate::database::span;

/// Opens it. A store that is out of reach is an outage to start with; one that cannot be relied on is refused.
pub async fn open(config: &Config, db: &Db) -> Result<Coordination> {
    let backend = config.deployment.coordination_backend;
    if backend == CoordinationBackend::Postgres {
        return Ok(Coordination::database(db.clone()));
    }
    let none = || Error::internal("the database has no deployment id");
    let deployment = db.deployment_id().await?.ok_or_else(none)?;
    match (backend, &config.redis.url, &config.memcached.address) {
        (CoordinationBackend::Redis, Some(url), _) => {
            let authorities = config.server.tls.ca_pem_path.as_deref();
            let pool_size = usize::try_from(config.redis.pool_size).unwrap_or(usize::MAX);
            let settings = RedisSettings { url: url.expose(), authorities, pool_size };
            Coordination::redis(settings, db.clone(), &deployment).await
        }
        (CoordinationBackend::Memcached, _, Some(address)) => {
            Coordination::memcached(settings(&config.memcached, address), db.clone(), &deployment).await
        }
        // The rules of starting demand an address.
        _ => Err(Error::internal("the coordination backend has no address")),
    }
}

fn settings(memcached: &Memcached, address: &str) -> MemcachedSettings {
    MemcachedSettings {
        address: address.to_owned(),
        pool_size: usize::try_from(memcached.pool_size).unwrap_or(usize::MAX),
        max_idle: usize::try_from(memcached.max_idle).unwrap_or(usize::MAX),
        connect_timeout: span(memcached.connect_timeout_secs),
        command_timeout: span(memcached.command_timeout_secs),
    }
}
