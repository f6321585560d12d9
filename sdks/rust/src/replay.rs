//! What was used once and must not count again: proofs (RFC 9449 §11.1) and deliveries.

use std::collections::HashMap;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use crate::Error;

/// Remembers proofs (RFC 9449 §11.1) and deliveries. Several processes that serve one API share one.
pub trait ReplayStore: Send + Sync {
    /// Remembers `id` until this time, and says whether it is new. Where it cannot tell, it answers an error.
    fn note<'a>(
        &'a self,
        id: &'a str,
        until: i64,
    ) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + 'a>>;
}

/// Remembers in this process; full, it refuses what is new.
pub struct MemoryReplays {
    most: usize,
    now: fn() -> i64,
    /// The end of each, and when they were swept last.
    until: Mutex<(HashMap<String, i64>, i64)>,
}

impl MemoryReplays {
    /// Room for so many.
    pub fn new(most: usize) -> Self {
        Self::with_clock(most, crate::now)
    }

    /// The same by another clock: that of the verifier.
    pub fn with_clock(most: usize, now: fn() -> i64) -> Self {
        Self { most, now, until: Mutex::default() }
    }

    fn is_new(&self, id: &str, until: i64) -> Result<bool, Error> {
        let now = (self.now)();
        let mut guard = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let (known, swept) = &mut *guard;
        // A full store is swept once a second, not by each request.
        if now - *swept > 60 || (known.len() >= self.most && now != *swept) {
            *swept = now;
            known.retain(|_, end| *end >= now);
        }
        if known.get(id).is_some_and(|end| *end >= now) {
            return Ok(false);
        }
        if known.len() >= self.most {
            return Err(Error::new(503, "temporarily_unavailable", "the store of proofs is full"));
        }
        known.insert(id.to_owned(), until);
        Ok(true)
    }
}

impl Default for MemoryReplays {
    fn default() -> Self {
        Self::new(100_000)
    }
}

impl ReplayStore for MemoryReplays {
    fn note<'a>(
        &'a self,
        id: &'a str,
        until: i64,
    ) -> Pin<Box<dyn Future<Output = Result<bool, Error>> + Send + 'a>> {
        Box::pin(ready(self.is_new(id, until)))
    }
}
