//! Coordination through Memcached 1.6 by its meta commands. Memcached may drop any entry, so that nothing is kept here that must
//! not be lost: notes of what counts once stay in the database.
//!
//! Memcached cannot look at an entry and change it in one step, but it counts in one. So the windows of its counters are
//! those of the clock (a window of a minute begins with a minute), and a window's number is a part of its key.

use std::sync::Arc;
use std::time::Duration;

use svc_core::{Error, Result, Seconds, Timestamp};

use super::link::{Link, Remote};
use super::meta::{Pool, Reply};
use super::{Count, NODE_SKEW};

/// Memcached takes a longer life for a date.
const LONGEST_LIFE: i64 = 30 * 86_400;
/// Times that a lease is looked at again because another node was faster.
const TRIES: u32 = 3;

/// How many connections, and how long they may take.
#[derive(Clone, Debug)]
pub struct MemcachedSettings {
    /// Host and port.
    pub address: String,
    /// Most connections at once.
    pub pool_size: usize,
    /// Most that are kept while nothing is asked.
    pub max_idle: usize,
    /// The longest that a connection may take to be made.
    pub connect_timeout: Duration,
    /// The longest that a command may take.
    pub command_timeout: Duration,
}

/// Memcached, and the names of this deployment in it.
pub(super) struct Memcached {
    link: Arc<Link<MemcachedSettings>>,
    prefix: String,
}

impl Memcached {
    pub(super) async fn open(settings: MemcachedSettings, prefix: String) -> Result<Self> {
        let (connect, command) = (settings.connect_timeout, settings.command_timeout);
        Ok(Self { link: Link::open(settings, connect, command).await?, prefix })
    }

    pub(super) fn is_up(&self) -> bool {
        self.link.is_up()
    }

    pub(super) async fn incr(&self, key: &str, window: Seconds, now: Timestamp) -> Result<Count> {
        let window = Window::of(window, now);
        let life = (window.span + NODE_SKEW.0).min(LONGEST_LIFE);
        let asked = format!("ma {} v N{life} J1 D1", self.name(&window.key(key)));
        match self.ask(asked, None).await? {
            Reply::Value(text, _) => Ok(Count { count: number(&text)?, resets_at: window.ends }),
            other => Err(unexpected(&other)),
        }
    }

    pub(super) async fn count(&self, key: &str, window: Seconds, now: Timestamp) -> Result<Count> {
        let window = Window::of(window, now);
        let count = match self.ask(format!("mg {} v", self.name(&window.key(key))), None).await? {
            Reply::Value(text, _) => number(&text)?,
            Reply::Absent => 0,
            other => return Err(unexpected(&other)),
        };
        Ok(Count { count, resets_at: window.ends })
    }

    pub(super) async fn give_back(&self, key: &str, window: Seconds, now: Timestamp) -> Result<()> {
        let key = self.name(&Window::of(window, now).key(key));
        match self.ask(format!("ma {key} MD D1"), None).await? {
            Reply::Done | Reply::Absent => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    /// Compares and swaps: of two that try at once one wins, and the other looks again.
    pub(super) async fn lease(&self, key: &str, holder: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        let key = self.name(key);
        let life = (ttl.0 + NODE_SKEW.0).min(LONGEST_LIFE);
        let wanted = format!("{} {holder}", (now + ttl).as_micros());
        for _ in 0..TRIES {
            let condition = match self.ask(format!("mg {key} v c"), None).await? {
                Reply::Absent => "ME".to_owned(),
                Reply::Value(text, _) if !is_free(&text, holder, (now, ttl)) => return Ok(false),
                Reply::Value(_, version) => format!("C{version}"),
                other => return Err(unexpected(&other)),
            };
            let set = format!("ms {key} {} T{life} {condition}", wanted.len());
            if self.ask(set, Some(wanted.clone())).await? == Reply::Done {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn ask(&self, line: String, data: Option<String>) -> Result<Reply> {
        self.link.ask(|pool| async move { pool.ask(&line, data.as_deref()).await }).await
    }

    /// A key has no spaces.
    fn name(&self, key: &str) -> String {
        percent_encoding::utf8_percent_encode(
            &format!("{}{key}", self.prefix),
            percent_encoding::NON_ALPHANUMERIC,
        )
        .to_string()
    }
}

/// A stretch of the clock.
struct Window {
    span: i64,
    number: i64,
    ends: Timestamp,
}

impl Window {
    fn of(window: Seconds, now: Timestamp) -> Self {
        let span = window.0.max(1);
        let number = now.as_secs().div_euclid(span);
        Self { span, number, ends: Timestamp::from_secs(number.saturating_add(1).saturating_mul(span)) }
    }

    fn key(&self, key: &str) -> String {
        format!("{key} {} {}", self.span, self.number)
    }
}

/// Whether a lease has ended, or is the holder's, or was taken by a clock that was ahead.
fn is_free(held: &str, holder: &str, (now, ttl): (Timestamp, Seconds)) -> bool {
    let Some((until, other)) = held.split_once(' ') else { return true };
    let until = until.parse().map_or(now, Timestamp::from_micros);
    other == holder || until <= now || until > now + ttl + NODE_SKEW
}

fn number(text: &str) -> Result<i64> {
    text.trim().parse().map_err(|_| Error::unavailable("Memcached answered no number"))
}

fn unexpected(reply: &Reply) -> Error {
    Error::unavailable(format!("Memcached answered {reply:?}"))
}

impl Remote for MemcachedSettings {
    type Connection = Pool;
    const NAME: &'static str = "Memcached";

    async fn connect(&self) -> Result<Pool> {
        Ok(Pool::new(self.clone()))
    }

    async fn check(&self, pool: &Pool) -> Result<()> {
        match pool.ask("mn", None).await? {
            Reply::Done => Ok(()),
            Reply::Refused(_) => {
                Err(Error::bad_request("memcached.address: Memcached 1.6 or later is needed"))
            }
            other => Err(unexpected(&other)),
        }
    }
}
