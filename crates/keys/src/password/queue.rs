//! The bounded queue in front of the hashing threads, in which tenants have turns.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use svc_core::{Result, Secret, TenantRef};
use tokio::sync::oneshot;

use super::Work;
use super::busy;

/// A password that waits to be hashed.
pub(super) struct Job {
    /// The tenant; nothing where the operator asks.
    pub whose: Option<TenantRef>,
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
    Hash(Box<Job>),
    /// Nothing came for as long as it was willing to wait.
    Idle,
    /// The queue is closed.
    End,
}

#[derive(Default)]
struct State {
    /// What waits of each tenant that something waits of, the oldest first; the tenant in front is the next.
    turns: VecDeque<(Option<TenantRef>, VecDeque<Job>)>,
    waiting: usize,
    is_closed: bool,
}

impl State {
    fn add(&mut self, job: Job) {
        let whose = job.whose;
        match self.turns.iter_mut().find(|(other, _)| *other == whose) {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.turns.push_back((whose, VecDeque::from([job]))),
        }
        self.waiting += 1;
    }

    /// The oldest job of the tenant whose turn it is, which then comes after all others.
    fn take(&mut self) -> Option<Job> {
        let (whose, mut jobs) = self.turns.pop_front()?;
        let job = jobs.pop_front()?;
        if !jobs.is_empty() {
            self.turns.push_back((whose, jobs));
        }
        self.waiting -= 1;
        Some(job)
    }

    /// Takes out the youngest job of the tenant that has the most, where `whose` then still has no more than that one.
    fn make_room(&mut self, whose: Option<TenantRef>) -> Option<Job> {
        let own = self.turns.iter().find(|(other, _)| *other == whose).map_or(0, |(_, jobs)| jobs.len());
        let (_, most) = self.turns.iter_mut().max_by_key(|(_, jobs)| jobs.len())?;
        if most.len() <= own + 1 {
            return None;
        }
        let job = most.pop_back()?;
        self.waiting -= 1;
        Some(job)
    }
}

impl Queue {
    pub fn new(capacity: usize) -> Self {
        Self { state: Mutex::default(), changed: Condvar::new(), capacity }
    }

    /// Appends a job, or says at once that there are too many: to the tenant that has the most waiting, so that one whose sign-ins
    /// fill the queue keeps no other out.
    pub fn push(&self, job: Job) -> Result<()> {
        let mut state = self.lock();
        if state.is_closed {
            return Err(busy());
        }
        let is_full = state.waiting >= self.capacity;
        let gave_way = if is_full { Some(state.make_room(job.whose).ok_or_else(busy)?) } else { None };
        state.add(job);
        drop(state);
        self.changed.notify_one();
        if let Some(gave_way) = gave_way {
            // Its request may have been cancelled.
            let _ = gave_way.reply.send(Err(busy()));
        }
        Ok(())
    }

    /// How many jobs wait.
    pub fn len(&self) -> usize {
        self.lock().waiting
    }

    /// Waits for the next job, for `rest` at most or without bound.
    pub fn next(&self, rest: Option<Duration>) -> Turn {
        let waits = |state: &mut State| state.turns.is_empty() && !state.is_closed;
        let mut state = match rest {
            Some(rest) => {
                let waited = self.changed.wait_timeout_while(self.lock(), rest, waits);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner),
        };
        match state.take() {
            Some(job) => Turn::Hash(Box::new(job)),
            None if state.is_closed => Turn::End,
            None => Turn::Idle,
        }
    }

    /// Drops what waits and lets the threads go.
    pub fn close(&self) {
        let mut state = self.lock();
        state.is_closed = true;
        state.turns.clear();
        state.waiting = 0;
        drop(state);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
