//! What a run of a job leaves to its next run.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// One value for each job that leaves something.
#[derive(Default)]
pub struct Kept(Mutex<BTreeMap<&'static str, Box<dyn Any + Send>>>);

impl Kept {
    /// Takes what the last run left.
    pub fn take<T: Any>(&self, job: &str) -> Option<T> {
        let kept = self.all().remove(job)?;
        kept.downcast().ok().map(|kept| *kept)
    }

    /// Leaves it to the next run.
    pub fn put<T: Any + Send>(&self, job: &'static str, kept: T) {
        self.all().insert(job, Box::new(kept));
    }

    /// Whether a job has left something, and needs another run.
    pub fn has(&self, job: &str) -> bool {
        self.all().contains_key(job)
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<&'static str, Box<dyn Any + Send>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
