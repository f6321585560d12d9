//! The coordination port: the same on every store, and what becomes of it when the store is lost.

mod losing;
mod notes;
mod redis;
mod stores;

use std::time::{Duration, Instant};

use svc_core::{Seconds, Timestamp};
use svc_db::coordination::{Coordination, MemcachedSettings, Once, RedisSettings};
use svc_testkit::Database;
use svc_testkit::servers::{Kind, Server};

/// The beginning of a minute, where the windows of every store begin.
pub const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);
pub const MINUTE: Seconds = Seconds(60);

/// A port on a store of its own.
pub struct Store {
    pub port: Coordination,
    pub name: &'static str,
    pub server: Option<Server>,
    pub database: Database,
}

impl Store {
    /// Every store that the machine has. Redis has held its notes for a day.
    pub async fn all() -> Vec<Self> {
        let mut stores = vec![Self::memory().await, Self::database().await];
        if Kind::Redis.is_installed() {
            stores.push(Self::redis().await);
        }
        if Kind::Memcached.is_installed() {
            stores.push(Self::memcached().await);
        }
        stores
    }

    async fn memory() -> Self {
        let database = Database::fresh().await;
        Self { port: Coordination::memory(), name: "memory", server: None, database }
    }

    pub async fn database() -> Self {
        let database = Database::fresh().await;
        Self { port: Coordination::database(database.db.clone()), name: "database", server: None, database }
    }

    pub async fn redis() -> Self {
        Self::redis_with(&[]).await
    }

    pub async fn redis_with(arguments: &[&str]) -> Self {
        let (server, database) = (Server::start(Kind::Redis, arguments), Database::fresh().await);
        let port = redis(&server.url(), &database).await.unwrap();
        let day = Seconds(86_400);
        assert!(!port.note(&once("the first", NOW - day - day), NOW - day).await.unwrap_or_default());
        Self { port, name: "redis", server: Some(server), database }
    }

    pub async fn memcached() -> Self {
        let (server, database) = (Server::start(Kind::Memcached, &[]), Database::fresh().await);
        let port = memcached(&server.address(), &database).await.unwrap();
        Self { port, name: "memcached", server: Some(server), database }
    }

    pub fn server(&mut self) -> &mut Server {
        self.server.as_mut().unwrap()
    }

    /// Another node of the same deployment.
    pub async fn another_node(&self) -> Coordination {
        match &self.server {
            Some(server) if self.name == "redis" => redis(&server.url(), &self.database).await.unwrap(),
            Some(server) => memcached(&server.address(), &self.database).await.unwrap(),
            None => Coordination::database(self.database.db.clone()),
        }
    }
}

pub async fn redis(url: &str, database: &Database) -> svc_core::Result<Coordination> {
    let settings = RedisSettings { url, authorities: None, pool_size: 3 };
    Coordination::redis(settings, database.db.clone(), "one").await
}

pub async fn memcached(address: &str, database: &Database) -> svc_core::Result<Coordination> {
    let settings = MemcachedSettings {
        address: address.to_owned(),
        pool_size: 3,
        max_idle: 2,
        connect_timeout: Duration::from_secs(2),
        command_timeout: Duration::from_secs(2),
    };
    Coordination::memcached(settings, database.db.clone(), "one").await
}

/// Something that counts once, and lives for a minute.
pub fn once(key: &str, since: Timestamp) -> Once {
    Once { key: key.to_owned(), since, until: since + MINUTE }
}

/// Waits until something holds.
pub async fn eventually<F: Future<Output = bool>>(what: &str, mut holds: impl FnMut() -> F) {
    let until = Instant::now() + Duration::from_secs(30);
    while !holds().await {
        assert!(Instant::now() < until, "{what}: still not");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
