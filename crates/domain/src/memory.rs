//! Records in memory: bounded by the bytes that they take, and given back when nothing asks for them.

use std::hash::Hash;
use std::io::{self, Write};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::Equivalent;
use moka::sync::Cache;
use serde::Serialize;

/// What has not been asked for this long is given back.
const IDLE: Duration = Duration::from_mins(10);
/// What the cache itself keeps for an entry, in bytes.
const ENTRY: usize = 256;
/// How much longer a parsed document is than its JSON: every member has a place, every text an allocation of its own.
const PARSED: usize = 3;

/// A cache that counts how often it has what it is asked for.
pub(crate) struct Kept<K, V> {
    cache: Cache<K, V>,
    hits: AtomicU64,
    misses: AtomicU64,
}

/// How a cache has done since the process started, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheCounts {
    /// Times that it had the record.
    pub hits: u64,
    /// Times that the record had to be read.
    pub misses: u64,
    /// About how many bytes it takes.
    pub bytes: u64,
}

/// A cache of at most `bytes`; `weigh` gives the bytes of an entry's key and value.
pub(crate) fn bounded<K, V>(bytes: u64, weigh: fn(&K, &V) -> usize) -> Kept<K, V>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    let weigher = move |key: &K, value: &V| u32::try_from(ENTRY + weigh(key, value)).unwrap_or(u32::MAX);
    let cache = Cache::builder().max_capacity(bytes).weigher(weigher).time_to_idle(IDLE).build();
    Kept { cache, hits: AtomicU64::default(), misses: AtomicU64::default() }
}

impl<K, V> Kept<K, V>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// The record, counted as found or not.
    pub fn find<Q: Equivalent<K> + Hash + ?Sized>(&self, key: &Q) -> Option<V> {
        let found = self.cache.get(key);
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// What was counted.
    pub fn counts(&self) -> CacheCounts {
        CacheCounts {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.cache.weighted_size(),
        }
    }
}

impl<K, V> Deref for Kept<K, V> {
    type Target = Cache<K, V>;

    fn deref(&self) -> &Cache<K, V> {
        &self.cache
    }
}

/// About how many bytes a record takes in memory that was read from this document.
pub(crate) fn weight<T: Serialize + ?Sized>(document: &T) -> usize {
    let mut counter = Counter(0);
    // A document that cannot be written has not been read either.
    let _ = serde_json::to_writer(&mut counter, document);
    counter.0.saturating_mul(PARSED)
}

/// How often a cache was made to forget something. What was read from the database before that may be outdated: a reader asks
/// for the number first, and takes back what it has put into the cache if the number has changed by then.
#[derive(Default)]
pub(crate) struct Forgettings(AtomicU64);

impl Forgettings {
    /// The number so far.
    pub fn number(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    /// Counts one, before the cache forgets.
    pub fn count(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Counts what is written to it.
struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_holds_as_much_as_its_bytes_allow() {
        let cache: Kept<u64, String> = bounded(100_000, |_, text| text.len());
        for key in 0..1_000 {
            cache.insert(key, "x".repeat(1_000));
        }
        cache.run_pending_tasks();
        assert!(cache.weighted_size() <= 100_000, "{}", cache.weighted_size());
        assert!((50..=80).contains(&cache.entry_count()), "{}", cache.entry_count());
    }

    #[test]
    fn a_cache_counts_what_it_had_and_what_it_had_not() {
        let cache: Kept<u64, String> = bounded(100_000, |_, text| text.len());
        assert_eq!(cache.find(&1), None);
        cache.insert(1, "one".to_owned());
        assert_eq!(cache.find(&1).as_deref(), Some("one"));
        assert_eq!(cache.find(&1).as_deref(), Some("one"));
        cache.run_pending_tasks();
        let bytes = ENTRY as u64 + 3;
        assert_eq!(cache.counts(), CacheCounts { hits: 2, misses: 1, bytes });
    }

    #[test]
    fn a_document_weighs_more_than_its_text() {
        assert_eq!(weight(&["ab", "cd"]), 3 * r#"["ab","cd"]"#.len());
    }
}
