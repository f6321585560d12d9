//! Caches of records, bounded by their size in bytes. Entries that are not used for a while are evicted.
//!
//! Internally all caches have the same type, with bytes as keys and `Any` behind a pointer as values, so that the large generic code of
//! the library is compiled once.

use std::any::Any;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use moka::sync::Cache;
use serde::Serialize;
use smallvec::SmallVec;

/// An entry that has not been used for this long is evicted.
const IDLE: Duration = Duration::from_mins(10);
/// What the cache itself keeps for an entry, in bytes.
const ENTRY: usize = 256;
/// How many times larger a parsed document is than its JSON.
const PARSED: usize = 3;

/// A cache that counts hits and misses.
pub struct Kept<K, V> {
    cache: Cache<Box<[u8]>, Entry>,
    weigh: fn(&K, &V) -> usize,
    hits: AtomicU64,
    misses: AtomicU64,
    of: PhantomData<fn(K) -> V>,
}

#[derive(Clone)]
struct Entry {
    value: Arc<dyn Any + Send + Sync>,
    weight: u32,
}

/// The hits and misses of a cache since the process started, and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Times that it had the record.
    pub hits: u64,
    /// Times that the record had to be read.
    pub misses: u64,
    /// About how many bytes it takes.
    pub bytes: u64,
}

/// A cache of at most `bytes`; `weigh` gives the bytes of an entry's key and value.
pub fn bounded<K, V>(bytes: u64, weigh: fn(&K, &V) -> usize) -> Kept<K, V> {
    bounded_for(IDLE, bytes, weigh)
}

/// The same with a time after which an unused entry is evicted.
pub fn bounded_for<K, V>(idle: Duration, bytes: u64, weigh: fn(&K, &V) -> usize) -> Kept<K, V> {
    let (hits, misses) = (AtomicU64::default(), AtomicU64::default());
    Kept { cache: cache(idle, bytes), weigh, hits, misses, of: PhantomData }
}

/// A cache of at most `most` small records, given back when they have not been asked for this long.
pub fn counted<K, V>(idle: Duration, most: u32) -> Kept<K, V> {
    bounded_for(idle, u64::from(most) * ENTRY as u64, |_, _| 0)
}

impl<K, V> Kept<K, V>
where
    K: Hash,
    V: Clone + Send + Sync + 'static,
{
    /// The record, counted as found or not.
    pub fn find<Q: Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let found = self.get(key);
        let counter = if found.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        found
    }

    /// The record.
    pub fn get<Q: Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        get(&self.cache, &KeyBytes::of(key).0)?.downcast_ref().cloned()
    }

    /// The record, which is the given one where there was none; of callers at the same time one gives it to all.
    pub fn get_or_insert(&self, key: &K, value: V) -> V {
        let entry = self.entry(key, value.clone());
        get_or_insert(&self.cache, &KeyBytes::of(key).0, entry).downcast_ref().cloned().unwrap_or(value)
    }

    /// Keeps a record, in place of the one that was there.
    pub fn insert(&self, key: K, value: V) {
        let bytes = KeyBytes::of(&key).0;
        insert(&self.cache, &bytes, self.entry(&key, value));
    }

    /// Forgets a record.
    pub fn invalidate<Q: Hash + ?Sized>(&self, key: &Q)
    where
        K: Borrow<Q>,
    {
        invalidate(&self.cache, &KeyBytes::of(key).0);
    }

    /// Forgets every record.
    pub fn invalidate_all(&self) {
        self.cache.invalidate_all();
    }

    /// Evicts unused entries, and those over the bound.
    pub fn run_pending_tasks(&self) {
        run_pending_tasks(&self.cache);
    }

    /// What was counted.
    pub fn counts(&self) -> CacheCounts {
        CacheCounts {
            hits: self.hits.load(Ordering::Relaxed),
            misses: self.misses.load(Ordering::Relaxed),
            bytes: self.cache.weighted_size(),
        }
    }

    fn entry(&self, key: &K, value: V) -> Entry {
        let weight = u32::try_from(ENTRY + (self.weigh)(key, &value)).unwrap_or(u32::MAX);
        Entry { value: Arc::new(value), weight }
    }
}

// The generic functions above only convert; these are compiled once.

fn cache(idle: Duration, bytes: u64) -> Cache<Box<[u8]>, Entry> {
    Cache::builder().max_capacity(bytes).weigher(|_, entry: &Entry| entry.weight).time_to_idle(idle).build()
}

fn get(cache: &Cache<Box<[u8]>, Entry>, key: &[u8]) -> Option<Arc<dyn Any + Send + Sync>> {
    cache.get(key).map(|entry| entry.value)
}

fn get_or_insert(cache: &Cache<Box<[u8]>, Entry>, key: &[u8], entry: Entry) -> Arc<dyn Any + Send + Sync> {
    cache.get_with(key.into(), || entry).value
}

fn insert(cache: &Cache<Box<[u8]>, Entry>, key: &[u8], entry: Entry) {
    cache.insert(key.into(), entry);
}

fn invalidate(cache: &Cache<Box<[u8]>, Entry>, key: &[u8]) {
    cache.invalidate(key);
}

fn run_pending_tasks(cache: &Cache<Box<[u8]>, Entry>) {
    cache.run_pending_tasks();
}

/// What a key feeds to a hasher: the derived implementations leave nothing out, and mark where a text ends, so that
/// different keys of one type are different bytes.
struct KeyBytes(SmallVec<[u8; 96]>);

impl KeyBytes {
    fn of<Q: Hash + ?Sized>(key: &Q) -> Self {
        let mut bytes = Self(SmallVec::new());
        key.hash(&mut bytes);
        bytes
    }
}

impl Hasher for KeyBytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

/// About how many bytes a record takes in memory that was read from this document.
pub fn weight<T: Serialize + ?Sized>(document: &T) -> usize {
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
        let (bytes, entries) = (cache.counts().bytes, cache.cache.entry_count());
        assert!(bytes <= 100_000, "{bytes}");
        assert!((50..=80).contains(&entries), "{entries}");
    }

    #[test]
    fn keys_that_differ_in_any_part_are_kept_apart() {
        let cache: Kept<(String, String, Option<u8>), u32> = bounded(100_000, |_, _| 4);
        let key = |one: &str, two: &str, three| (one.to_owned(), two.to_owned(), three);
        let keys =
            [key("ab", "c", None), key("a", "bc", None), key("abc", "", None), key("ab", "c", Some(0))];
        for (number, key) in (0..).zip(&keys) {
            cache.insert(key.clone(), number);
        }
        assert_eq!(keys.each_ref().map(|key| cache.get(key)), [Some(0), Some(1), Some(2), Some(3)]);
        cache.invalidate(&keys[1]);
        assert_eq!(keys.each_ref().map(|key| cache.get(key)), [Some(0), None, Some(2), Some(3)]);
        assert_eq!((cache.get_or_insert(&keys[1], 4), cache.get_or_insert(&keys[2], 5)), (4, 2));
        cache.invalidate_all();
        assert_eq!(keys.each_ref().map(|key| cache.get(key)), [None; 4]);
    }

    #[test]
    fn a_text_finds_what_was_kept_by_a_string() {
        let cache: Kept<String, u32> = bounded(100_000, |_, _| 4);
        cache.insert("id.example".to_owned(), 1);
        assert_eq!((cache.get("id.example"), cache.get("id.exampl")), (Some(1), None));
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
