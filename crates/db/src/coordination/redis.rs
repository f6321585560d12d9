//! Coordination through Redis 7: each step is one script, which Redis runs as a whole, so that of many callers one wins.
//!
//! Times are those of the callers' clocks, as with the database; what has expired leaves Redis by its own clock.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, FromRedisValue, Script, cmd};
use svc_core::{Error, Result, Seconds, Timestamp};

use super::link::{Link, Remote};
use super::news::{Channel, News};
use super::redis_address::Address;
use super::{Count, NODE_SKEW, Once};

/// The longest that a command may take, and a connection to be made.
pub(super) const LONGEST: Duration = Duration::from_secs(2);

/// `[count, until]` after counting one.
static COUNT: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local ends = redis.call('HGET', KEYS[1], 'until')
         if ends and tonumber(ends) > tonumber(ARGV[1]) then
           return {redis.call('HINCRBY', KEYS[1], 'count', 1), ends}
         end
         redis.call('HSET', KEYS[1], 'count', 1, 'until', ARGV[2])
         redis.call('PEXPIRE', KEYS[1], ARGV[3])
         return {1, ARGV[2]}",
    )
});

/// Takes one count of the present window back.
static UNCOUNT: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local held = redis.call('HMGET', KEYS[1], 'until', 'count')
         if held[1] and tonumber(held[1]) > tonumber(ARGV[1]) and tonumber(held[2]) > 0 then
           redis.call('HINCRBY', KEYS[1], 'count', -1)
         end",
    )
});

/// 1 if the lease is the holder's now, else 0.
static LEASE: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local held = redis.call('HMGET', KEYS[1], 'until', 'holder')
         local is_live = held[1] and tonumber(held[1]) > tonumber(ARGV[1]) and tonumber(held[1]) <= tonumber(ARGV[5])
         if is_live and held[2] ~= ARGV[4] then return 0 end
         redis.call('HSET', KEYS[1], 'until', ARGV[2], 'holder', ARGV[4])
         redis.call('PEXPIRE', KEYS[1], ARGV[3])
         return 1",
    )
});

/// 1 if the note is new, 0 if it was there, -1 if it could have been there and been lost.
///
/// The whole rule against a loss: the first key says since when this store has held every note. It names the history of the
/// data (another one after a restart and after a failover) and how many keys were evicted; where that does not fit, or the
/// key is gone because the store was emptied, it begins again now. What could have come before that is not called new.
static NOTE: LazyLock<Script> = LazyLock::new(|| {
    Script::new(
        "local info = redis.call('INFO', 'replication', 'stats')
         local whole = string.match(info, 'master_replid:(%w+)') .. ' ' .. string.match(info, 'evicted_keys:(%d+)')
         local kept = redis.call('GET', KEYS[1])
         local from = kept and string.match(kept, '^' .. whole .. ' (%d+)$')
         if not from then
           from = ARGV[1]
           redis.call('SET', KEYS[1], whole .. ' ' .. from)
         end
         local ends = redis.call('GET', KEYS[2])
         if ends and tonumber(ends) > tonumber(ARGV[1]) then return 0 end
         if tonumber(ARGV[4]) <= tonumber(from) then return -1 end
         redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
         return 1",
    )
});

/// Redis, and the names of this deployment in it.
pub(super) struct Redis {
    link: Arc<Link<Server>>,
    prefix: String,
}

/// Connections that requests share; what concerns one key goes through one of them, in order.
pub(super) struct Server {
    address: Arc<Address>,
    pool_size: usize,
}

impl Redis {
    pub(super) async fn open(address: Arc<Address>, pool_size: usize, prefix: String) -> Result<Self> {
        let server = Server { address, pool_size };
        Ok(Self { link: Link::open(server, LONGEST, LONGEST).await?, prefix })
    }

    /// What nodes tell each other through it.
    pub(super) fn news(&self, address: Arc<Address>, channel: &Channel) -> News {
        News::start(Arc::clone(&self.link), address, channel)
    }

    pub(super) fn is_up(&self) -> bool {
        self.link.is_up()
    }

    pub(super) async fn incr(&self, key: &str, window: Seconds, now: Timestamp) -> Result<Count> {
        let (count, ends): (i64, i64) = self.run(&COUNT, &[key], &span(now, now + window)).await?;
        Ok(Count { count, resets_at: Timestamp::from_micros(ends) })
    }

    pub(super) async fn count(&self, key: &str, now: Timestamp) -> Result<Count> {
        let name = self.name(key);
        let read = |connection: Arc<Pool>| async move {
            let mut connection = connection.of(&name);
            let mut command = cmd("HMGET");
            command.arg(&name).arg("count").arg("until");
            let held: redis::RedisResult<(Option<i64>, Option<i64>)> =
                command.query_async(&mut connection).await;
            held.map_err(|error| Error::unavailable(error))
        };
        let (count, ends) = self.link.ask(read).await?;
        let held = count.zip(ends.map(Timestamp::from_micros)).filter(|(_, ends)| *ends > now);
        Ok(held.map_or(Count { count: 0, resets_at: now }, |(count, resets_at)| Count { count, resets_at }))
    }

    pub(super) async fn give_back(&self, key: &str, now: Timestamp) -> Result<()> {
        self.run(&UNCOUNT, &[key], &[now.as_micros().to_string()]).await
    }

    pub(super) async fn lease(&self, key: &str, holder: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        let mut arguments = span(now, now + ttl).to_vec();
        arguments.extend([holder.to_owned(), (now + ttl + NODE_SKEW).as_micros().to_string()]);
        self.run(&LEASE, &[key], &arguments).await
    }

    /// Notes what counts once; fails where it could have been noted before the store lost what it held.
    pub(super) async fn note(&self, once: &Once, now: Timestamp) -> Result<bool> {
        let mut arguments = span(now, once.until).to_vec();
        arguments.push(once.since.as_micros().to_string());
        match self.run(&NOTE, &["notes whole since", &once.key], &arguments).await? {
            1 => Ok(true),
            0 => Ok(false),
            _ => Err(Error::unavailable("Redis has lost notes of the time from which this proof comes")
                .retry_in(now - once.since)),
        }
    }

    async fn run<T: FromRedisValue>(
        &self,
        script: &'static Script,
        keys: &[&str],
        arguments: &[String],
    ) -> Result<T> {
        let mut call = script.prepare_invoke();
        for key in keys {
            call.key(self.name(key));
        }
        for argument in arguments {
            call.arg(argument);
        }
        let own = keys.last().copied().unwrap_or_default().to_owned();
        self.link
            .ask(|pool| async move {
                let mut connection = pool.of(&own);
                call.invoke_async(&mut connection).await.map_err(|error| Error::unavailable(error))
            })
            .await
    }

    fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }
}

/// Now, an end, and the milliseconds until then.
fn span(now: Timestamp, until: Timestamp) -> [String; 3] {
    let (now, until) = (now.as_micros(), until.as_micros());
    [now.to_string(), until.to_string(), (until.saturating_sub(now) / 1000).max(1).to_string()]
}

/// The connections; there is one at least.
pub(super) struct Pool {
    first: MultiplexedConnection,
    others: Vec<MultiplexedConnection>,
}

impl Pool {
    pub(super) fn of(&self, key: &str) -> MultiplexedConnection {
        let place = key.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let place = (place % (self.others.len() + 1)).checked_sub(1);
        place.and_then(|place| self.others.get(place)).unwrap_or(&self.first).clone()
    }
}

impl Server {
    async fn connection(&self) -> Result<MultiplexedConnection> {
        let stream = self.address.stream().await?;
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(LONGEST));
        let connected = MultiplexedConnection::new_with_config(self.address.session(), stream, config).await;
        let (connection, driver) = connected.map_err(|error| Error::unavailable(error))?;
        tokio::spawn(driver);
        Ok(connection)
    }
}

impl Remote for Server {
    type Connection = Pool;
    const NAME: &'static str = "Redis";

    async fn connect(&self) -> Result<Pool> {
        let (first, mut others) = (self.connection().await?, Vec::new());
        for _ in 1..self.pool_size {
            others.push(self.connection().await?);
        }
        Ok(Pool { first, others })
    }

    /// It must be a primary that evicts nothing, and hold all keys.
    async fn check(&self, pool: &Pool) -> Result<()> {
        let mut command = cmd("INFO");
        command.arg(&["server", "replication", "memory", "cluster"]);
        let told: String =
            command.query_async(&mut pool.of("")).await.map_err(|error| Error::unavailable(error))?;
        let told: HashMap<_, _> = told.lines().filter_map(|line| line.trim().split_once(':')).collect();
        let is = |name: &str, value: &str| told.get(name).is_some_and(|told| *told == value);
        let version = told.get("redis_version").copied().unwrap_or_default();
        let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
        if major.is_none_or(|major| major < 7) {
            return Err(Error::bad_request(format!("redis.url: Redis 7 or later is needed, not {version}")));
        }
        if is("cluster_enabled", "1") {
            return Err(Error::bad_request("redis.url: this is a Redis Cluster; name a single primary"));
        }
        if !is("maxmemory", "0") && !is("maxmemory_policy", "noeviction") {
            return Err(Error::bad_request(
                "redis.url: this Redis evicts keys when its memory is full, and would forget used proofs; set \
                 maxmemory-policy noeviction",
            ));
        }
        if is("role", "master") { Ok(()) } else { Err(Error::unavailable("it is a replica")) }
    }
}
