//! The bounded first-in, first-out queue in front of the hashing threads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use svc_core::{Result, Secret};
use tokio::sync::oneshot;

use super::Work;
use super::busy;

/// A password that waits to be hashed.
pub(super) struct Job {
    pub password: Secret,
    pub work: Work,
    pub since: Instant,
    pub reply: oneshot::Sender<Result<Vec<u8>>>,
}

pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    capacity: usize,
}

/// What comes next for a thread.
pub(super) enum Turn {
    Hash(Job),
    /// Nothing came for as long as it was willing to wait.
    Idle,
    /// The queue is closed.
    End,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    is_closed: bool,
}

impl Queue {
    pub fn new(capacity: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), capacity }
    }

    /// Appends a job, or says at once that there are too many.
    pub fn push(&self, job: Job) -> Result<()> {
        let mut state = self.lock();
        if state.is_closed || state.jobs.len() >= self.capacity {
            return Err(busy());
        }
        state.jobs.push_back(job);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// How many jobs wait.
    pub fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    /// Waits for the oldest job, for `rest` at most or without bound.
    pub fn next(&self, rest: Option<Duration>) -> Turn {
        let waits = |state: &mut State| state.jobs.is_empty() && !state.is_closed;
        let mut state = match rest {
            Some(rest) => {
                let waited = self.changed.wait_timeout_while(self.lock(), rest, waits);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner),
        };
        match state.jobs.pop_front() {
            Some(job) => Turn::Hash(job),
            None if state.is_closed => Turn::End,
            None => Turn::Idle,
        }
    }

    /// Drops what waits and lets the threads go.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.jobs.clear();
        drop(state);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
