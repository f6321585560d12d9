//! Coordination in this process: bounded maps, sharded so that requests rarely wait for each other.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use svc_core::{Error, Expired, Result, Seconds, Timestamp};

use super::{Count, NODE_SKEW};

const SHARDS: usize = 16;
/// Entries per shard: about a quarter of a million altogether, some 30 MB when full.
const MOST: usize = 16_384;

#[derive(Default)]
pub(super) struct Memory {
    hasher: RandomState,
    shards: [Mutex<Shard>; SHARDS],
}

#[derive(Default)]
struct Shard {
    entries: HashMap<Box<str>, Entry>,
    /// The second of the last clearing: a full shard is searched once a second, not once a request.
    cleared: Option<i64>,
}

struct Entry {
    value: Box<str>,
    count: i64,
    expires_at: Timestamp,
}

impl Memory {
    pub(super) fn incr(&self, key: &str, window: Seconds, now: Timestamp) -> Count {
        let mut shard = self.shard(key);
        if let Some(entry) = shard.entries.get_mut(key).filter(|entry| entry.expires_at > now) {
            entry.count = entry.count.saturating_add(1);
            return Count { count: entry.count, resets_at: entry.expires_at };
        }
        let expires_at = now + window;
        // A flood of addresses: what it has filled the shard with is worth less than room for others.
        if shard.has_room(now, |entry| entry.count == 0 || entry.count > 8) {
            shard.entries.insert(key.into(), Entry { value: Box::default(), count: 1, expires_at });
        }
        Count { count: 1, resets_at: expires_at }
    }

    pub(super) fn start_over(&self, key: &str, window: Seconds, now: Timestamp) {
        let mut shard = self.shard(key);
        if let Some(entry) = shard.entries.get_mut(key) {
            (entry.count, entry.expires_at) = (1, now + window);
        }
    }

    pub(super) fn give_back(&self, key: &str, now: Timestamp) {
        let mut shard = self.shard(key);
        if let Some(entry) = shard.entries.get_mut(key).filter(|entry| entry.expires_at > now) {
            entry.count = entry.count.saturating_sub(1).max(0);
        }
    }

    pub(super) fn count(&self, key: &str, now: Timestamp) -> Count {
        let shard = self.shard(key);
        let entry = shard.entries.get(key).filter(|entry| entry.expires_at > now);
        entry.map_or(Count { count: 0, resets_at: now }, |entry| Count {
            count: entry.count,
            resets_at: entry.expires_at,
        })
    }

    pub(super) fn put_if_absent(&self, key: &str, until: Timestamp, now: Timestamp) -> Result<bool> {
        self.claim(key, Entry::holding("", until), now, |_| false)
    }

    pub(super) fn lease(&self, key: &str, holder: &str, ttl: Seconds, now: Timestamp) -> Result<bool> {
        let latest = now + ttl + NODE_SKEW;
        self.claim(key, Entry::holding(holder, now + ttl), now, |entry| {
            &*entry.value == holder || entry.expires_at > latest
        })
    }

    pub(super) fn sweep(&self, expired: Expired) -> u64 {
        let swept = self.shards.iter().map(|shard| {
            let mut shard = lock(shard);
            let before = shard.entries.len();
            shard.entries.retain(|_, entry| !expired.covers(entry.expires_at));
            before.saturating_sub(shard.entries.len()) as u64
        });
        swept.sum()
    }

    fn claim(
        &self,
        key: &str,
        entry: Entry,
        now: Timestamp,
        yields: impl Fn(&Entry) -> bool,
    ) -> Result<bool> {
        let mut shard = self.shard(key);
        let known = shard.entries.get(key);
        if known.is_some_and(|entry| entry.expires_at > now && !yields(entry)) {
            return Ok(false);
        }
        // INVARIANT: an entry that says "seen" is never dropped before its time, so a full shard refuses.
        if known.is_none() && !shard.has_room(now, |_| true) {
            return Err(Error::unavailable("the coordination memory is full"));
        }
        shard.entries.insert(key.into(), entry);
        Ok(true)
    }

    fn shard(&self, key: &str) -> MutexGuard<'_, Shard> {
        let [first, ..] = &self.shards;
        let place = usize::try_from(self.hasher.hash_one(key) % SHARDS as u64).unwrap_or_default();
        lock(self.shards.get(place).unwrap_or(first))
    }
}

impl Entry {
    fn holding(value: &str, expires_at: Timestamp) -> Self {
        Self { value: value.into(), count: 0, expires_at }
    }
}

impl Shard {
    /// Whether one more fits, after dropping what has expired and what is not worth keeping.
    fn has_room(&mut self, now: Timestamp, is_worth_keeping: impl Fn(&Entry) -> bool) -> bool {
        if self.entries.len() >= MOST && self.cleared != Some(now.as_secs()) {
            self.cleared = Some(now.as_secs());
            self.entries.retain(|_, entry| entry.expires_at > now && is_worth_keeping(entry));
        }
        self.entries.len() < MOST
    }
}

fn lock(shard: &Mutex<Shard>) -> MutexGuard<'_, Shard> {
    shard.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_000);

    #[test]
    fn a_flood_of_keys_stays_bounded_and_never_forgets_what_was_seen() {
        let memory = Memory::default();
        assert!(memory.put_if_absent("seen", NOW + Seconds(60), NOW).unwrap());
        for n in 0..2 * SHARDS * MOST {
            memory.incr(&format!("address {n}"), Seconds(60), NOW);
        }
        let held: usize = memory.shards.iter().map(|shard| lock(shard).entries.len()).sum();
        assert!(held <= SHARDS * MOST);
        assert!(!memory.put_if_absent("seen", NOW + Seconds(60), NOW).unwrap());
    }

    #[test]
    fn a_window_that_starts_over_lasts_as_long_as_it_says_from_then_on() {
        let memory = Memory::default();
        let count = |at: i64| memory.incr("poll", Seconds(5), NOW + Seconds(at)).count;
        assert_eq!((count(0), count(1)), (1, 2));
        memory.start_over("poll", Seconds(10), NOW + Seconds(1));
        assert_eq!((count(5), count(10), count(11)), (2, 3, 1));
    }

    #[test]
    fn a_full_memory_refuses_rather_than_call_something_new() {
        let memory = Memory::default();
        let refused = (0..2 * SHARDS * MOST)
            .filter(|n| memory.put_if_absent(&format!("jti {n}"), NOW + Seconds(60), NOW).is_err())
            .count();
        assert!(refused >= SHARDS * MOST);
        assert!(memory.put_if_absent("later", NOW + Seconds(120), NOW + Seconds(60)).unwrap());
    }
}
