//! `[database]`: addresses, pools and time limits, and which address each use falls back to.

use std::path::PathBuf;

use super::Config;
use super::deployment::{DatabaseTopology, Plane};
use super::load::database_url::{DatabaseUrl, Engine};
use super::load::section::section;
use svc_core::Seconds;

section! {
    /// Addresses, pools and time limits. An address is `postgres://user:password@host/name` or `sqlite:path`.
    Database {
        /// Address that every other one falls back to. Shortcut: `DATABASE_URL`.
        url: Option<DatabaseUrl> = None;
        /// Address of the plane `all` and of commands that manage tenants and accounts (required with `split_by_plane`, else falls
        /// back to `url`).
        identity_url: Option<DatabaseUrl> = None;
        /// Address of the auth plane (falls back to `url`).
        auth_url: Option<DatabaseUrl> = None;
        /// Address of the control plane (falls back to `url`).
        control_url: Option<DatabaseUrl> = None;
        /// Address of the async plane (falls back to `url`).
        async_url: Option<DatabaseUrl> = None;
        /// Address with the right to change the schema (falls back to the runtime address).
        migration_url: Option<DatabaseUrl> = None;
        /// Address of maintenance and backups: removing what has expired, sealing again what an earlier key sealed (falls back to
        /// `migration_url`, then to the runtime address).
        maintenance_url: Option<DatabaseUrl> = None;
        /// Address of a read replica, which the control plane asks for what may lag: the audit log. While it does not answer, the
        /// plane's own address is asked.
        replica_url: Option<DatabaseUrl> = None;
        /// Most connections of a pool.
        max_connections: u32 = 10, 1..=10_000;
        /// Connections that a pool keeps open.
        min_connections: u32 = 0, 0..=10_000;
        /// Time to get a connection.
        connect_timeout_secs: Seconds = Seconds(10), 1..=300;
        /// Idle connections are closed after this time; 0 keeps them.
        idle_timeout_secs: Seconds = Seconds(600), 0..=86_400;
        /// Connections are replaced after this time; 0 keeps them.
        max_lifetime_secs: Seconds = Seconds(1800), 0..=86_400;
        /// Prepared statements kept for each connection.
        statement_cache_capacity: u32 = 100, 0..=10_000;
        /// Whether an idle connection is tried before it is used, at the price of a round trip.
        test_before_acquire: bool = false;
        /// Longest statement; 0 means no limit.
        statement_timeout_secs: Seconds = Seconds(30), 0..=3600;
        /// Longest pause inside a transaction; 0 means no limit.
        idle_in_transaction_timeout_secs: Seconds = Seconds(60), 0..=3600;
        /// Longest statement of maintenance; 0 means no limit.
        maintenance_statement_timeout_secs: Seconds = Seconds(600), 0..=86_400;
        /// Whether PostgreSQL must be reached over TLS. An `sslmode=` in an address settles it for that
        /// address.
        require_ssl: bool = false;
        tables {
            /// Pool of the auth plane.
            auth_pool: Pool;
            /// Pool of the control plane.
            control_pool: Pool;
            /// Pool of the async plane.
            async_pool: Pool;
        }
    }
}

section! {
    /// Pool size while that plane is active, instead of the numbers in `[database]`.
    Pool {
        /// Most connections.
        max_connections: Option<u32> = None, 1..=10_000;
        /// Connections kept open.
        min_connections: Option<u32> = None, 0..=10_000;
    }
}

/// The size of a connection pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSize {
    /// Most connections.
    pub most: u32,
    /// Connections kept open.
    pub least: u32,
}

impl Database {
    /// The pool of a process that runs `plane`.
    pub fn pool(&self, plane: Plane) -> PoolSize {
        let own = match plane {
            Plane::All => None,
            Plane::Auth => Some(&self.auth_pool),
            Plane::Control => Some(&self.control_pool),
            Plane::Async => Some(&self.async_pool),
        };
        let most = own.and_then(|pool| pool.max_connections).unwrap_or(self.max_connections);
        // A plane that only lowers the top must not trip over the general bottom.
        let least = own.and_then(|pool| pool.min_connections).unwrap_or(self.min_connections.min(most));
        PoolSize { most, least }
    }

    /// Every address that is set, with its key.
    pub fn urls(&self) -> impl Iterator<Item = (&'static str, &DatabaseUrl)> {
        [
            ("database.url", &self.url),
            ("database.identity_url", &self.identity_url),
            ("database.auth_url", &self.auth_url),
            ("database.control_url", &self.control_url),
            ("database.async_url", &self.async_url),
            ("database.migration_url", &self.migration_url),
            ("database.maintenance_url", &self.maintenance_url),
            ("database.replica_url", &self.replica_url),
        ]
        .into_iter()
        .filter_map(|(key, url)| url.as_ref().map(|url| (key, url)))
    }

    /// Whether an address is reached over a network without TLS. An `sslmode` in it settles that for itself.
    pub fn is_in_clear(&self, url: &DatabaseUrl) -> bool {
        url.engine() == Engine::Postgres && !url.demands_tls().unwrap_or(self.require_ssl)
    }

    fn own_url(&self, plane: Plane) -> Option<&DatabaseUrl> {
        match plane {
            Plane::All => self.identity_url.as_ref(),
            Plane::Auth => self.auth_url.as_ref(),
            Plane::Control => self.control_url.as_ref(),
            Plane::Async => self.async_url.as_ref(),
        }
    }
}

impl Config {
    /// The address that `plane` works on: its own, else `database.url`. With a shared database any runtime
    /// address stands in; a split one is never guessed.
    pub fn database_url(&self, plane: Plane) -> Option<&DatabaseUrl> {
        let database = &self.database;
        let stand_in = || match self.deployment.database_topology {
            DatabaseTopology::SplitByPlane => None,
            DatabaseTopology::Shared => Plane::ALL.iter().find_map(|plane| database.own_url(*plane)),
        };
        database.own_url(plane).or(database.url.as_ref()).or_else(stand_in)
    }

    /// The address of the identity database.
    pub fn identity_database_url(&self) -> Option<&DatabaseUrl> {
        self.database_url(Plane::All)
    }

    /// Where the keyring is kept: at `keyring.path`, else next to the `SQLite` file, and with `PostgreSQL` in the working directory. A
    /// database in memory has none, nor has a deployment whose keys `svc-kms` holds.
    pub fn keyring_path(&self) -> Option<PathBuf> {
        if self.kms.is_configured() {
            return None;
        }
        let usual = || {
            let url = self.database_url(self.plane)?;
            match url.engine() {
                Engine::Sqlite => url.file().map(|file| PathBuf::from(format!("{file}.keyring"))),
                Engine::Postgres => Some(PathBuf::from("svc.keyring")),
            }
        };
        self.keyring.path.clone().or_else(usual)
    }

    /// The address that migrations run on.
    pub fn migration_database_url(&self) -> Option<&DatabaseUrl> {
        self.database.migration_url.as_ref().or_else(|| self.database_url(self.plane))
    }

    /// The address that maintenance runs on.
    pub fn maintenance_database_url(&self) -> Option<&DatabaseUrl> {
        self.database.maintenance_url.as_ref().or_else(|| self.migration_database_url())
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::config;
    use super::*;

    fn url(url: Option<&DatabaseUrl>) -> Option<&str> {
        url.map(DatabaseUrl::expose)
    }

    #[test]
    fn missing_plane_addresses_fall_back_to_the_general_one() {
        let config = config(&[("DATABASE_URL", "sqlite:a"), ("DATABASE_AUTH_URL", "sqlite:b")]);
        assert_eq!(url(config.database_url(Plane::Auth)), Some("sqlite:b"));
        assert_eq!(url(config.database_url(Plane::Control)), Some("sqlite:a"));
        assert_eq!(url(config.identity_database_url()), Some("sqlite:a"));
        assert_eq!(url(config.maintenance_database_url()), Some("sqlite:a"));
    }

    #[test]
    fn maintenance_falls_back_to_migration_and_then_to_the_runtime() {
        let mut env = vec![("DATABASE_URL", "sqlite:a"), ("MIGRATION_DATABASE_URL", "sqlite:m")];
        assert_eq!(url(config(&env).maintenance_database_url()), Some("sqlite:m"));
        env.push(("MAINTENANCE_DATABASE_URL", "sqlite:n"));
        let config = config(&env);
        assert_eq!(url(config.maintenance_database_url()), Some("sqlite:n"));
        assert_eq!(url(config.migration_database_url()), Some("sqlite:m"));
    }

    #[test]
    fn the_keyring_stands_next_to_a_file_or_in_the_working_directory_unless_it_is_named() {
        let path = |env: &[_]| config(env).keyring_path().map(|path| path.display().to_string());
        assert_eq!(
            path(&[("DATABASE_URL", "sqlite:///var/svc.db?mode=rwc")]).unwrap(),
            "/var/svc.db.keyring"
        );
        assert_eq!(path(&[("DATABASE_URL", "sqlite:svc.db")]).unwrap(), "svc.db.keyring");
        for (url, usual) in [("sqlite::memory:", None), ("postgres://a/b", Some("svc.keyring"))] {
            assert_eq!(path(&[("DATABASE_URL", url)]).as_deref(), usual);
            assert_eq!(path(&[("DATABASE_URL", url), ("SVC_KEYRING__PATH", "/k")]).unwrap(), "/k");
        }
    }

    #[test]
    fn a_split_address_is_never_guessed() {
        let env = [
            ("DATABASE_IDENTITY_URL", "postgres://a/i"),
            ("SVC_DEPLOYMENT__DATABASE_TOPOLOGY", "split_by_plane"),
        ];
        assert_eq!(url(config(&env).database_url(Plane::Auth)), None);
        assert_eq!(url(config(&env[..1]).database_url(Plane::Auth)), Some("postgres://a/i"));
    }

    #[test]
    fn a_plane_has_its_own_pool_size() {
        let config = config(&[
            ("SVC_DATABASE__MIN_CONNECTIONS", "5"),
            ("SVC_DATABASE__AUTH_POOL__MAX_CONNECTIONS", "3"),
        ]);
        assert_eq!(config.database.pool(Plane::Auth), PoolSize { most: 3, least: 3 });
        assert_eq!(config.database.pool(Plane::All), PoolSize { most: 10, least: 5 });
    }
}
