//! What nodes agree on in passing: counters, things seen once, leases, and that something has changed. Losing it degrades, and
//! never opens a door.

mod batch;
mod database;
mod link;
mod memcached;
mod memory;
mod meta;
mod news;
mod redis;
mod redis_address;

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::slice;
use std::sync::Arc;

use svc_core::{Error, Expired, Result, Seconds, Timestamp};

use self::batch::Note;
use self::database::Database;
use self::memcached::Memcached;
use self::memory::Memory;
use self::news::{Channel, News};
use self::redis::Redis;
use self::redis_address::Address;
use crate::{Call, Db, Row, Tx};

pub use self::memcached::MemcachedSettings;

/// The coordination port.
///
/// Counters fall back to this node's memory when the shared store is out of reach (a limit per node is better than none).
/// Notes and leases fail instead: without the store it is unknown whether something is new.
#[derive(Clone)]
pub struct Coordination {
    here: Arc<Memory>,
    passing: Passing,
    notes: Notes,
    news: Option<Arc<News>>,
    /// Also where another store is used: what was written before that expires too.
    table: Option<Arc<Database>>,
    node: Arc<str>,
}

/// Where counters and leases are. They may be lost: then a limit begins again, and a lease is taken again.
#[derive(Clone)]
enum Passing {
    Here,
    Database(Arc<Database>),
    Redis(Arc<Redis>),
    Memcached(Arc<Memcached>),
}

/// Where it is noted what counts once. A store that may drop a note unnoticed is none of these.
#[derive(Clone)]
enum Notes {
    Here,
    Database(Arc<Database>),
    Redis(Arc<Redis>),
}

/// Which Redis, and how it is reached.
#[derive(Clone, Copy)]
pub struct RedisSettings<'a> {
    /// Its address, which may hold a password.
    pub url: &'a str,
    /// Authorities that are trusted besides the public ones.
    pub authorities: Option<&'a Path>,
    /// Connections.
    pub pool_size: usize,
}

/// Something that counts once: what is noted of it, and in which time it could come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Once {
    /// Its name.
    pub key: String,
    /// The earliest time at which a node could have accepted it.
    pub since: Timestamp,
    /// When it has expired.
    pub until: Timestamp,
}

/// How far apart the clocks of nodes may be.
pub const NODE_SKEW: Seconds = Seconds(60);

impl Once {
    /// What the clock of a node could accept from `since` until `until`, widened by what the clocks of nodes differ.
    pub fn between(key: String, since: Timestamp, until: Timestamp) -> Self {
        Self { key, since: since - NODE_SKEW, until: until + NODE_SKEW }
    }
}

/// Where a counter stands after counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// How often the key was counted in the present window, this time included.
    pub count: i64,
    /// When the window ends and counting starts again.
    pub resets_at: Timestamp,
}

impl Count {
    /// How long until counting starts again, where more than `most` were counted.
    pub fn wait_beyond(self, most: i64, now: Timestamp) -> Option<Seconds> {
        (self.count > most).then(|| self.resets_at - now)
    }
}

/// A count that goes together with a transaction: taken before it begins, unless counters are the database's.
pub struct Counting<'a> {
    key: &'a str,
    window: Seconds,
    now: Timestamp,
    taken: Option<Count>,
}

impl Coordination {
    /// Everything in this process's memory; forgotten at its end.
    pub fn memory() -> Self {
        Self::of(Passing::Here, Notes::Here, None)
    }

    /// Shared through the database, so that it holds for every node and survives restarts.
    pub fn database(db: Db) -> Self {
        let table = Arc::new(Database::new(db));
        Self::of(Passing::Database(Arc::clone(&table)), Notes::Database(Arc::clone(&table)), Some(table))
    }

    /// Shared through Redis; `deployment` tells several apart that use the same one.
    pub async fn redis(settings: RedisSettings<'_>, db: Db, deployment: &str) -> Result<Self> {
        let address = Arc::new(Address::parse(settings.url, settings.authorities)?);
        let redis = Redis::open(Arc::clone(&address), settings.pool_size, prefix(deployment)).await?;
        let redis = Arc::new(redis);
        let own = Self::of(
            Passing::Redis(Arc::clone(&redis)),
            Notes::Redis(Arc::clone(&redis)),
            Some(Arc::new(Database::new(db))),
        );
        let channel = Channel { name: format!("{}changes", prefix(deployment)), node: own.node.to_string() };
        Ok(Self { news: Some(Arc::new(redis.news(address, &channel))), ..own })
    }

    /// Counters and leases shared through Memcached, which may drop them; notes stay in the database.
    pub async fn memcached(settings: MemcachedSettings, db: Db, deployment: &str) -> Result<Self> {
        let memcached = Arc::new(Memcached::open(settings, prefix(deployment)).await?);
        let table = Arc::new(Database::new(db));
        Ok(Self::of(Passing::Memcached(memcached), Notes::Database(Arc::clone(&table)), Some(table)))
    }

    /// What is wrong with the address of a Redis, or with the file of authorities.
    pub fn check_redis(url: &str, authorities: Option<&Path>) -> Result<()> {
        Address::parse(url, authorities).map(drop)
    }

    fn of(passing: Passing, notes: Notes, table: Option<Arc<Database>>) -> Self {
        let node = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        Self { here: Arc::default(), passing, notes, news: None, table, node: node.into() }
    }

    /// The store besides the database, and whether it is in reach.
    pub fn store(&self) -> Option<(&'static str, bool)> {
        match &self.passing {
            Passing::Here | Passing::Database(_) => None,
            Passing::Redis(redis) => Some(("redis", redis.is_up())),
            Passing::Memcached(memcached) => Some(("memcached", memcached.is_up())),
        }
    }
}

/// Counters.
impl Coordination {
    /// Counts `key` in a window that starts with its first count; one count for all nodes.
    pub async fn incr(&self, key: &str, window: Seconds, now: Timestamp) -> Count {
        let shared = match &self.passing {
            Passing::Here => None,
            Passing::Database(database) => database.incr(key, window, now).await.ok(),
            Passing::Redis(redis) => redis.incr(key, window, now).await.ok(),
            Passing::Memcached(memcached) => memcached.incr(key, window, now).await.ok(),
        };
        shared.unwrap_or_else(|| self.here.incr(key, window, now))
    }

    /// Begins to count `key` together with a transaction that is not yet open: nothing else is awaited while one is.
    pub async fn counting<'a>(&self, key: &'a str, window: Seconds, now: Timestamp) -> Counting<'a> {
        let taken = match &self.passing {
            Passing::Database(_) => None,
            _ => Some(self.incr(key, window, now).await),
        };
        Counting { key, window, now, taken }
    }

    /// Counts `key` on this node only: for limits that every request passes, where a write per request costs too much.
    pub fn incr_here(&self, key: &str, window: Seconds, now: Timestamp) -> Count {
        self.here.incr(key, window, now)
    }

    /// Begins the window of a `key` that was counted on this node once more, with this length and one count in it.
    pub fn start_over_here(&self, key: &str, window: Seconds, now: Timestamp) {
        self.here.start_over(key, window, now);
    }

    /// Where `key` stands, without counting.
    pub async fn count(&self, key: &str, window: Seconds, now: Timestamp) -> Count {
        let shared = match &self.passing {
            Passing::Here => None,
            Passing::Database(database) => database.count(key, now).await.ok(),
            Passing::Redis(redis) => redis.count(key, now).await.ok(),
            Passing::Memcached(memcached) => memcached.count(key, window, now).await.ok(),
        };
        shared.unwrap_or_else(|| self.here.count(key, now))
    }

    /// Takes one count back, for what turned out not to be what the counter is about.
    pub async fn give_back(&self, key: &str, window: Seconds, now: Timestamp) {
        let shared = match &self.passing {
            Passing::Here => false,
            Passing::Database(database) => database.give_back(key, now).await.is_ok(),
            Passing::Redis(redis) => redis.give_back(key, now).await.is_ok(),
            Passing::Memcached(memcached) => memcached.give_back(key, window, now).await.is_ok(),
        };
        if !shared {
            self.here.give_back(key, now);
        }
    }

    /// The same together with what a transaction writes, or without waiting where counters are not the database's.
    pub fn give_back_within<S>(&self, tx: &mut Tx<S>, key: &str, window: Seconds, now: Timestamp) {
        if let Passing::Database(_) = self.passing {
            return tx.keep(Database::giving_back(key, now));
        }
        let (this, key) = (self.clone(), key.to_owned());
        tokio::spawn(async move { this.give_back(&key, window, now).await });
    }
}

impl Counting<'_> {
    /// Counts as a part of the transaction, unless that is done, in one flight with other statements, whose rows are returned.
    pub async fn within<S>(self, tx: &mut Tx<S>, others: Vec<Call>) -> Result<(Count, Vec<Vec<Row>>)> {
        if let Some(count) = self.taken {
            return Ok((count, tx.batch_of(others).await?));
        }
        let counting = Database::counting(self.key, self.window, self.now);
        let mut answers = tx.batch_of(std::iter::once(counting).chain(others).collect()).await?.into_iter();
        let counted = answers.next().ok_or_else(|| Error::internal("a counter was not answered"))?;
        Ok((Database::counted(&counted)?, answers.collect()))
    }
}

/// Notes of what counts once.
impl Coordination {
    /// Notes what counts once; returns whether it is new. Of many callers one notes it.
    pub async fn note(&self, once: &Once, now: Timestamp) -> Result<bool> {
        match &self.notes {
            Notes::Here => self.here.put_if_absent(&once.key, once.until, now),
            Notes::Database(database) => database.note(once, now).await,
            Notes::Redis(redis) => redis.note(once, now).await,
        }
    }

    /// Whether notes can be written with the transaction that decides. Where not, they are written before it begins, and
    /// stand even if it does not.
    pub fn notes_with_transactions(&self) -> bool {
        matches!(self.notes, Notes::Database(_))
    }

    /// Notes with a transaction where the notes are in the database, and at once where they are not; returns whether it is new.
    pub async fn note_with<S>(&self, tx: &mut Tx<S>, once: &Once, now: Timestamp) -> Result<bool> {
        if self.notes_with_transactions() {
            return Ok(self.note_within(tx, slice::from_ref(once), now).await? == [true]);
        }
        self.note(once, now).await
    }

    /// Notes as a part of a transaction, in one flight; returns for each whether it is new. The notes stand if the
    /// transaction does; until then another that brings one of them waits.
    pub async fn note_within<S>(&self, tx: &mut Tx<S>, notes: &[Once], now: Timestamp) -> Result<Vec<bool>> {
        // Rows are locked in one order everywhere, so that two transactions never wait for each other in a circle.
        let mut order: Vec<_> = notes.iter().enumerate().collect();
        order.sort_by(|(_, one), (_, other)| one.key.cmp(&other.key));
        let calls = order.iter().map(|(_, once)| Note::of(once, now).call());
        let stored = tx.changed(calls.collect()).await?;
        let mut news: Vec<_> = order.iter().map(|(place, _)| *place).zip(stored).collect();
        news.sort_unstable();
        Ok(news.into_iter().map(|(_, rows)| rows == 1).collect())
    }
}

/// Leases, and news of changes.
impl Coordination {
    /// Takes or renews the lease `key` for this process; returns whether it holds it until `now + ttl`.
    pub async fn lease(&self, key: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        let holder = &*self.node;
        match &self.passing {
            Passing::Here => self.here.lease(key, holder, ttl, now),
            Passing::Database(database) => database.lease(key, holder, ttl, now).await,
            Passing::Redis(redis) => redis.lease(key, holder, ttl, now).await,
            Passing::Memcached(memcached) => memcached.lease(key, holder, ttl, now).await,
        }
    }

    /// Tells other nodes, where the store can, that this one has committed a change of what they remember.
    pub fn announce(&self) {
        if let Some(news) = &self.news {
            news.announce();
        }
    }

    /// Returns when another node has told of a change; never where the store cannot tell.
    pub async fn heard(&self) {
        match &self.news {
            Some(news) => news.heard().await,
            None => std::future::pending().await,
        }
    }

    /// Removes what has expired; returns how many entries went. Other stores do that by themselves.
    pub async fn sweep(&self, expired: Expired) -> Result<u64> {
        let here = self.here.sweep(expired);
        match &self.table {
            Some(table) => table.sweep(expired).await,
            None => Ok(here),
        }
    }
}

fn prefix(deployment: &str) -> String {
    format!("svc:{deployment}:")
}
