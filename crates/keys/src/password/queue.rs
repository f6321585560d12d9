//! The bounded first-in, first-out queue in front of the hashing threads.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use svc_core::{Result, Secret};
use tokio::sync::oneshot;

use super::busy;
use super::recipe::Recipe;

/// A password that waits to be hashed.
pub(super) struct Job {
    pub password: Secret,
    pub recipe: Recipe,
    pub salt: Vec<u8>,
    pub since: Instant,
    pub reply: oneshot::Sender<Result<Vec<u8>>>,
}

pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
    capacity: usize,
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

    /// Waits for the oldest job; nothing once the queue is closed.
    pub fn next(&self) -> Option<Job> {
        let waits = |state: &mut State| state.jobs.is_empty() && !state.is_closed;
        let mut state = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        state.jobs.pop_front()
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
