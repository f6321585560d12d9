//! The background jobs: one file each, one line each in [`JOBS`].

mod applications;
mod audit;
mod audit_streams;
mod causes;
mod coordination;
mod custom_domains;
mod deletions;
mod domains;
mod earlier;
mod events;
mod guests;
mod journal;
mod keyring;
mod keys;
mod kms;
mod leaving;
mod months;
mod optimize;
mod owners;
mod report;
mod scim_targets;
mod secrets;
mod sessions;
mod sweep;
mod sync;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Display;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use svc_config::Plane;
use svc_core::{Actor, Class, Cx, Result, Seconds, Timestamp};
use svc_domain::delivery::logouts::Logout;
use svc_domain::delivery::mails::Mail;
use svc_domain::delivery::scim_targets::ScimLook;
use svc_domain::delivery::signals::SecurityEvent;
use svc_domain::delivery::texts::Text;
use svc_domain::delivery::webhooks::WebhookDelivery;
use svc_http::{App, ScimTokens};

use crate::board::Board;
use crate::kept::Kept;
use crate::mailer::Mailer;
use crate::queues;
use crate::wakes::Wakes;

/// A piece of work that is done again and again.
pub struct Job {
    /// What logs and metrics call it.
    pub name: &'static str,
    /// How long to wait between two runs.
    pub every: Duration,
    /// Which processes do it.
    pub reach: Reach,
    /// Whether a process that keeps failing at it must not take traffic.
    pub is_critical: bool,
    /// One bounded piece of the work, at the time of the application's clock.
    pub run: Run,
}

/// The function behind a job.
pub type Run = for<'a> fn(&'a App, &'a Workers) -> Work<'a>;
type Work<'a> = Pin<Box<dyn Future<Output = Result<Progress>> + Send + 'a>>;

/// Which processes do a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All: it concerns the memory of the process itself.
    EveryProcess,
    /// Those that run the asynchronous plane: it concerns the database.
    AsyncPlane,
    /// Those that run the control plane: it does what administrators do, with what they may do in the database.
    ControlPlane,
}

/// What a run achieved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many things were done.
    pub done: u64,
    /// Whether more is waiting, so that the next run should follow at once.
    pub has_more: bool,
}

/// What jobs need in addition to the application, kept from run to run.
pub struct Workers {
    pub(crate) mailer: Mailer,
    pub(crate) scim_tokens: Arc<ScimTokens>,
    synced_at: Mutex<Timestamp>,
    pub(crate) board: Board,
    pub(crate) wakes: Wakes,
    pub(crate) kept: Kept,
    stopping: AtomicBool,
}

/// The job that leads subscriptions along events.
pub(crate) const EVENTS: &str = events::JOB.name;

/// Takes in what other processes changed.
pub(crate) const SYNC: Job = sync::JOB;

/// Every job, in the order in which [`crate::run_all_once`] does them.
pub const JOBS: &[Job] = &[
    sync::JOB,
    keyring::JOB,
    kms::JOB,
    keys::JOB,
    journal::JOB,
    secrets::JOB,
    earlier::JOB,
    causes::JOB,
    events::JOB,
    scim_targets::JOB,
    audit::JOB,
    audit::CHECKPOINTS,
    audit_streams::JOB,
    queues::job::<Mail>(),
    queues::job::<Text>(),
    queues::job::<Logout>(),
    queues::job::<SecurityEvent>(),
    queues::job::<WebhookDelivery>(),
    queues::job::<ScimLook>(),
    coordination::JOB,
    months::JOB,
    domains::JOB,
    custom_domains::JOB,
    deletions::JOB,
    sessions::JOB,
    leaving::JOB,
    guests::JOB,
    applications::JOB,
    sweep::JOB,
    optimize::JOB,
    report::JOB,
];

impl Job {
    /// Whether a process that runs `plane` does it.
    pub fn is_for(&self, plane: Plane) -> bool {
        match self.reach {
            Reach::EveryProcess => true,
            Reach::AsyncPlane => matches!(plane, Plane::All | Plane::Async),
            Reach::ControlPlane => matches!(plane, Plane::All | Plane::Control),
        }
    }
}

impl Progress {
    /// Finished for now.
    pub(crate) fn of(done: u64) -> Self {
        Self { done, has_more: false }
    }

    /// Of a run that does at most `batch` things: where it did as many, more may be waiting.
    pub(crate) fn of_batch(done: u64, batch: u32) -> Self {
        Self { done, has_more: done == u64::from(batch) }
    }
}

impl Workers {
    /// Workers of a process whose memory was current at `since`.
    pub fn new(mailer: Mailer, since: Timestamp) -> Self {
        let (board, wakes, kept) = (Board::default(), Wakes::default(), Kept::default());
        let (scim_tokens, stopping) = (Arc::default(), AtomicBool::new(false));
        Self { mailer, scim_tokens, synced_at: Mutex::new(since), board, wakes, kept, stopping }
    }

    /// Says that the process stops: nothing more is begun.
    pub(crate) fn stop(&self) {
        self.stopping.store(true, Ordering::Release);
    }

    /// Whether the process stops.
    pub(crate) fn are_stopping(&self) -> bool {
        self.stopping.load(Ordering::Acquire)
    }
}

/// The context of one run: its audit entries name the job.
pub(crate) fn cx(app: &App, job: &'static str) -> Cx {
    app.cx(format!("job-{job}"), None).acting_as(Actor::System(job))
}

/// Whether this node has the turn at a job that one node does for all. It keeps it for as long as it runs the job within `turn`; where it is
/// gone, another node takes its place after that.
pub(crate) async fn has_turn(app: &App, job: &'static str, turn: Seconds) -> Result<bool> {
    app.coordination.lease(job, turn, app.clock.now()).await
}

/// What the work for one tenant came to: where it fails for a reason of its own, the others do not wait for it.
pub(crate) fn of_one<T: Default>(tenant: &impl Display, done: Result<T>) -> Result<T> {
    match done {
        Err(error) if error.class() != Class::TemporarilyUnavailable => {
            tracing::error!(%tenant, error = ?error, "the work for one tenant failed; it is tried again");
            Ok(T::default())
        }
        done => done,
    }
}
