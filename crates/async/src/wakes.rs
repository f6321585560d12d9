//! Wakes a job before its time, where another job of this process has made work for it.

use std::collections::BTreeMap;

use tokio::sync::Notify;

use crate::jobs::JOBS;

/// What each job can be woken by.
pub struct Wakes(BTreeMap<&'static str, Notify>);

impl Default for Wakes {
    fn default() -> Self {
        Self(JOBS.iter().map(|job| (job.name, Notify::new())).collect())
    }
}

impl Wakes {
    /// Wakes a job that waits; one that runs knows when it next waits.
    pub fn wake(&self, job: &str) {
        if let Some(notify) = self.0.get(job) {
            notify.notify_one();
        }
    }

    /// Waits until the job is woken.
    pub async fn woken(&self, job: &str) {
        match self.0.get(job) {
            Some(notify) => notify.notified().await,
            None => std::future::pending().await,
        }
    }
}
