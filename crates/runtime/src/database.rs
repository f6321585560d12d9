//! Opens the database of a use with the settings of `[database]`, and holds its schema against this binary's.

use std::time::Duration;

use svc_config::{Config, DatabaseUrl, Plane};
use svc_core::{Error, Seconds};
use svc_db::{Db, Engine, PoolSettings, SchemaState};
use svc_domain::MIGRATIONS;
use svc_domain::access::{self, Role};

use crate::failure::Failure;

/// How many missing rights are named.
const SHOWN_RIGHTS: usize = 5;

/// The database that this process's plane works on.
pub fn open(config: &Config) -> Result<Db, Failure> {
    let url = address(config, config.database_url(config.plane))?;
    opened(config, url, &pool_settings(config, config.plane))
}

/// The same with the address that may change the schema.
pub fn open_for_migration(config: &Config) -> Result<Db, Failure> {
    let url = address(config, config.migration_database_url())?;
    opened(config, url, &unhurried(config))
}

/// The database of a command, which works on the tables of this version.
pub async fn open_for_command(config: &Config) -> Result<Db, Failure> {
    let db = open(config)?;
    match schema_state(&db, config).await? {
        SchemaState::Current | SchemaState::Ahead { .. } => Ok(db),
        SchemaState::Behind { .. } | SchemaState::Altered { .. } => Err(Failure::new(
            "the database's schema is not that of this version; run `svc-runtime --migrate-only` first",
        )),
    }
}

/// The database for maintenance. Where background work runs on PostgreSQL it has connections of its own, by
/// `database.maintenance_url`: their role may do other things, and their statements may take longer.
pub fn open_for_maintenance(config: &Config, db: &Db) -> Result<Db, Failure> {
    match maintenance_address(config, db) {
        Some(url) => opened(config, url, &unhurried(config)),
        None => Ok(db.clone()),
    }
}

/// The read replica of `database.replica_url`, where the plane has reads that may lag.
pub fn open_replica(config: &Config) -> svc_core::Result<Option<Db>> {
    let url = config.database.replica_url.as_ref().filter(|_| config.plane.serves_control());
    url.map(|url| Db::open(url.expose(), &pool_settings(config, config.plane))).transpose()
}

/// What is wrong with an address of PostgreSQL itself, or with the files that it names; nothing is connected to.
pub fn check_address(config: &Config, url: &DatabaseUrl) -> svc_core::Result<()> {
    if url.engine() == svc_config::Engine::Sqlite {
        return Ok(());
    }
    Db::open(url.expose(), &pool_settings(config, config.plane)).map(drop)
}

/// An address that cannot be read is reported with its key.
fn opened(config: &Config, url: &DatabaseUrl, settings: &PoolSettings) -> Result<Db, Failure> {
    check_tls(config, url)?;
    Db::open(url.expose(), settings).map_err(|error| Failure::from(error).during(key_of(config, url)))
}

/// In production no command sends the password of the database in clear, as no process that serves does.
pub fn check_tls(config: &Config, url: &DatabaseUrl) -> Result<(), Failure> {
    if !config.security.production || !config.database.is_in_clear(url) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "database.require_ssl must be true in production, because {} does not demand TLS; set it, or put sslmode=verify-full \
         into that address",
        key_of(config, url)
    )))
}

fn maintenance_address<'a>(config: &'a Config, db: &Db) -> Option<&'a DatabaseUrl> {
    let is_done_here = config.plane.runs_workers() && config.deployment.background_tasks_enabled;
    config.maintenance_database_url().filter(|_| is_done_here && db.engine() == Engine::Postgres)
}

/// For work that goes on step by step, and may take as long as it takes.
fn unhurried(config: &Config) -> PoolSettings {
    PoolSettings {
        max_connections: 2,
        min_connections: 0,
        statement_timeout: span(config.database.maintenance_statement_timeout_secs),
        ..pool_settings(config, config.plane)
    }
}

/// Warns of roles for which row-level security does not hold, and of rights that are missing.
pub async fn warn_of_roles(config: &Config, db: &Db, maintenance: &Db) -> Result<(), Failure> {
    let own = config.database_url(config.plane);
    let others =
        maintenance_address(config, db).filter(|url| Some(url.expose()) != own.map(DatabaseUrl::expose));
    let roles = [own.map(|url| (url, db)), others.map(|url| (url, maintenance))];
    for (url, db) in roles.into_iter().flatten() {
        if db.bypasses_row_security().await? {
            tracing::warn!(
                key = key_of(config, url),
                "the database role is a superuser or has BYPASSRLS, so that row-level security is off; connect as an ordinary role"
            );
        }
    }
    if let Some(lacking) = lacking_rights(config, db).await? {
        tracing::warn!(
            key = own_key(config),
            lacking,
            "the database role lacks rights of this version, and what needs them fails; run svc-runtime db grant"
        );
    }
    Ok(())
}

/// Whether row-level security does not hold for the role of a further address, which need not be that of this process.
pub async fn bypasses_row_security(config: &Config, url: &DatabaseUrl) -> Result<bool, Failure> {
    let db =
        opened(config, url, &PoolSettings { min_connections: 0, ..pool_settings(config, config.plane) })?;
    let told = match db.bypasses_row_security().await {
        Ok(bypasses) => Ok(bypasses),
        Err(error) => Err(unusable(config, url, db.why_unreachable().await.unwrap_or(error))),
    };
    db.close().await;
    told
}

/// What the role of the plane lacks of the rights that requests and jobs of the plane need, in a few words; nothing where it lacks none.
pub async fn lacking_rights(config: &Config, db: &Db) -> Result<Option<String>, Failure> {
    let role = match config.plane {
        Plane::All => Role::Identity,
        Plane::Auth => Role::Auth,
        Plane::Control => Role::Control,
        Plane::Async => Role::Async,
    };
    let lacking = db.lacking_rights(&access::rights(role)).await?;
    let shown: Vec<_> = lacking.iter().take(SHOWN_RIGHTS).map(String::as_str).collect();
    let shown = shown.join(", ");
    Ok(match lacking.len() {
        0 => None,
        count if count <= SHOWN_RIGHTS => Some(shown),
        count => Some(format!("{shown}, and {} more", count - SHOWN_RIGHTS)),
    })
}

/// Where the schema stands; the first use of the database, and so the one that says that it is out of reach.
pub async fn schema_state(db: &Db, config: &Config) -> Result<SchemaState, Failure> {
    schema_state_at(db, config, config.database_url(config.plane)).await
}

/// The same of a database that was opened by the address that may change the schema.
pub async fn schema_state_for_migration(db: &Db, config: &Config) -> Result<SchemaState, Failure> {
    schema_state_at(db, config, config.migration_database_url()).await
}

async fn schema_state_at(
    db: &Db,
    config: &Config,
    url: Option<&DatabaseUrl>,
) -> Result<SchemaState, Failure> {
    match db.schema_state(MIGRATIONS).await {
        Ok(state) => Ok(state),
        Err(error) => {
            Err(unusable(config, address(config, url)?, db.why_unreachable().await.unwrap_or(error)))
        }
    }
}

/// Why what was done by the address that may change the schema failed; where no connection can be made, that is the reason.
pub async fn failed_for_migration(db: &Db, config: &Config, doing: &str, error: Error) -> Failure {
    match (db.why_unreachable().await, config.migration_database_url()) {
        (Some(why), Some(url)) => unusable(config, url, why),
        (None, Some(url)) => Failure::from(error).during(&format!("{doing}: {}: {url}", key_of(config, url))),
        (_, None) => Failure::from(error).during(doing),
    }
}

/// Names the key, and shows the address without its password.
fn unusable(config: &Config, url: &DatabaseUrl, error: Error) -> Failure {
    Failure::from(error).during(&format!("{}: the database {url} cannot be used", key_of(config, url)))
}

/// Holds every configured address against the database of this plane: they must lead to one deployment, because one
/// transaction writes a row with its audit entry and its event.
pub async fn check_deployment(db: &Db, config: &Config) -> Result<(), Failure> {
    let none = |key: &str| {
        Failure::new(format!(
            "{key}: this database has no deployment id; run `svc-runtime --migrate-only` on it"
        ))
    };
    let own_url = address(config, config.database_url(config.plane))?;
    let own = db.deployment_id().await?.ok_or_else(|| none(key_of(config, own_url)))?;
    for (key, url) in config.database.urls().filter(|(_, url)| url.expose() != own_url.expose()) {
        let settings = PoolSettings { min_connections: 0, ..pool_settings(config, config.plane) };
        let other = opened(config, url, &settings)?;
        let id = other.deployment_id().await.map_err(|error| {
            Failure::from(error).during(&format!("{key}: the database {url} cannot be used"))
        });
        other.close().await;
        let id = match id {
            // The service does without it.
            Err(failure) if key == "database.replica_url" => {
                tracing::warn!("{failure}");
                continue;
            }
            id => id?.ok_or_else(|| none(key))?,
        };
        if id != own {
            return Err(Failure::new(format!(
                "{key}: {url} is the database of another deployment ({id}, not {own}); every plane works on one logical \
                 database, through addresses that may differ in role, pool or replica"
            )));
        }
    }
    Ok(())
}

/// The settings of `[database]` in the words of the driver port.
fn pool_settings(config: &Config, plane: Plane) -> PoolSettings {
    let database = &config.database;
    let size = database.pool(plane);
    PoolSettings {
        max_connections: size.most,
        min_connections: size.least,
        connect_timeout: span(database.connect_timeout_secs),
        idle_timeout: span(database.idle_timeout_secs),
        max_lifetime: span(database.max_lifetime_secs),
        statement_cache_capacity: usize::try_from(database.statement_cache_capacity).unwrap_or(usize::MAX),
        test_before_acquire: database.test_before_acquire,
        statement_timeout: span(database.statement_timeout_secs),
        idle_in_transaction_timeout: span(database.idle_in_transaction_timeout_secs),
        require_ssl: database.require_ssl,
        authorities: config.server.tls.ca_pem_path.clone(),
        schema: None,
    }
}

/// The key of the address that this process works with.
pub fn own_key(config: &Config) -> &'static str {
    config.database_url(config.plane).map_or("database.url", |url| key_of(config, url))
}

/// The key that an address of this configuration was given by, also where others have the same.
fn key_of(config: &Config, url: &DatabaseUrl) -> &'static str {
    let mut urls = config.database.urls();
    urls.find(|(_, known)| std::ptr::eq(*known, url)).map_or("database.url", |(key, _)| key)
}

fn address<'a>(config: &Config, url: Option<&'a DatabaseUrl>) -> Result<&'a DatabaseUrl, Failure> {
    url.ok_or_else(|| {
        let keeper = config.kms.socket_path.as_ref().map(|_| "; or start svc-kms, where that holds it");
        let keeper = keeper.unwrap_or_default();
        Failure::new(format!(
            "database.url: database URL is required; set DATABASE_URL or SVC_DATABASE__URL{keeper}"
        ))
    })
}

/// Configured spans are never negative.
pub fn span(seconds: Seconds) -> Duration {
    Duration::from_secs(seconds.0.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_several_keys_have_goes_by_the_key_that_it_was_taken_from() {
        let names = ["DATABASE_AUTH_URL", "DATABASE_CONTROL_URL", "MIGRATION_DATABASE_URL"];
        let variables = names.map(|name| (name.to_owned(), "postgres://db/svc".to_owned()));
        let mut config = Config::load(None, &variables).unwrap();
        for (plane, key) in [(Plane::Auth, "database.auth_url"), (Plane::Control, "database.control_url")] {
            config.plane = plane;
            assert_eq!(own_key(&config), key);
        }
        assert_eq!(key_of(&config, config.migration_database_url().unwrap()), "database.migration_url");
    }

    #[test]
    fn a_database_that_is_not_named_may_be_with_svc_kms() {
        let variables = ["SOCKET_PATH", "SERVER_PUBLIC_KEY_PATH", "CLIENT_PRIVATE_KEY_PATH"];
        let variables =
            variables.map(|name| (format!("SVC_KMS__{name}"), "/var/lib/svc/kms/file".to_owned()));
        let told = |variables: &[(String, String)]| {
            open(&Config::load(None, variables).unwrap()).err().unwrap().to_string()
        };
        let alone = "database.url: database URL is required; set DATABASE_URL or SVC_DATABASE__URL";
        assert_eq!(told(&[]), alone);
        assert_eq!(told(&variables), format!("{alone}; or start svc-kms, where that holds it"));
    }
}
