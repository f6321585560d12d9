//! How the background jobs of this process are doing, for the operators who ask.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use svc_core::{Cx, Error, ProcessId, Timestamp};
use svc_domain::coordination::processes::{JobState, Process};
use svc_http::App;

use crate::jobs::Job;

/// The states of the jobs of this process.
#[derive(Default)]
pub struct Board {
    process: OnceLock<(ProcessId, Timestamp)>,
    jobs: Mutex<BTreeMap<&'static str, JobState>>,
}

/// The most bytes of what a failure says.
const MOST: usize = 300;

impl Board {
    /// Notes a run.
    pub fn note(&self, job: &Job, failure: Option<&Error>, now: Timestamp) {
        let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        let state = jobs.entry(job.name).or_insert_with(|| JobState {
            name: job.name.to_owned(),
            every_secs: job.every.as_secs(),
            ..JobState::default()
        });
        state.runs = state.runs.saturating_add(1);
        state.last_run_at = Some(now);
        state.error = failure.map(|error| error.to_string().chars().take(MOST).collect());
        if failure.is_some() {
            state.failures = state.failures.saturating_add(1);
        } else {
            state.failures = 0;
            state.last_success_at = Some(now);
        }
    }

    /// The process with its jobs, as it is now.
    pub fn report(&self, app: &App, cx: &Cx) -> Process {
        let (id, started_at) = *self.process.get_or_init(|| (cx.id(), cx.now));
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        Process {
            id,
            plane: app.config.plane.to_string(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            started_at,
            seen_at: cx.now,
            jobs: jobs.values().cloned().collect(),
        }
    }

    /// The id of the process, once it has reported itself.
    pub fn process(&self) -> Option<ProcessId> {
        self.process.get().map(|(id, _)| *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::JOBS;

    #[test]
    fn a_job_has_the_failures_since_it_last_succeeded() {
        let (board, job) = (Board::default(), JOBS.first().unwrap());
        let state = || board.jobs.lock().unwrap().get(job.name).cloned().unwrap();
        let at = |secs| Timestamp::from_secs(secs);
        let failure = Error::bad_request("x".repeat(1000));
        board.note(job, None, at(1));
        board.note(job, Some(&failure), at(2));
        board.note(job, Some(&failure), at(3));
        let failing = state();
        assert_eq!((failing.runs, failing.failures, failing.last_success_at), (3, 2, Some(at(1))));
        assert_eq!(failing.error.unwrap().len(), MOST);
        board.note(job, None, at(4));
        let well = state();
        assert_eq!((well.runs, well.failures, well.error, well.last_success_at), (4, 0, None, Some(at(4))));
    }
}
