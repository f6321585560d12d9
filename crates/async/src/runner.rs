//! Runs the jobs: the one place of the plane that waits.

use std::sync::Arc;
use std::time::Duration;

use svc_core::{Error, OrInternal as _, Result, Timestamp};
use svc_domain::coordination::processes;
use svc_http::{App, Health};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::MissedTickBehavior;

use crate::jobs::{JOBS, Job, Progress, Reach, SYNC, Workers};
use crate::mailer::Mailer;

/// Failures in a row after which a critical job makes the process unready: one may be a passing hiccup.
const PATIENCE: u32 = 3;

/// The least time between two looks at what others changed, so that a node that changes much does not keep all others busy.
const BREATH: Duration = Duration::from_millis(20);

/// Does the jobs of this process's plane until `shutdown` ends, then what must not be lost.
///
/// `shutdown` should end after the listener has: tokens issued while it drains are still to be written down.
pub async fn run(app: App, mailer: Mailer, shutdown: impl Future<Output = ()>) {
    let workers = Arc::new(Workers::new(mailer, app.clock.now()));
    let (stop, stopped) = watch::channel(());
    let mut loops = JoinSet::new();
    for job in jobs_of(&app) {
        loops.spawn(repeat(job, app.clone(), Arc::clone(&workers), stopped.clone()));
    }
    loops.spawn(hear(app.clone(), Arc::clone(&workers), stopped.clone()));
    shutdown.await;
    workers.stop();
    drop(stop);
    // Each loop ends with its present run, and with what that one left to another; a relay that dawdles must not hold the process up.
    let grace = Duration::from_secs(app.config.server.shutdown_deadline_secs.0.unsigned_abs());
    let all_ended = async { while loops.join_next().await.is_some() {} };
    if tokio::time::timeout(grace, all_ended).await.is_err() {
        tracing::warn!("background jobs were cut off at the shutdown deadline");
    }
    let cx = app.cx("job-shutdown", None);
    if let Err(error) = app.services.journal.flush(&app.db, &cx).await {
        tracing::error!(error = ?error, "counts of issued tokens were lost at shutdown");
    }
    if let Err(error) = app.services.policies.decisions.flush(&app.db).await {
        tracing::error!(error = ?error, "decisions of policies were lost at shutdown");
    }
    if let Err(error) = leave(&app, &workers).await {
        tracing::debug!(error = ?error, "operators see the process until it was silent for a while");
    }
}

/// Takes the process off the list of those that run.
async fn leave(app: &App, workers: &Workers) -> Result<()> {
    let Some(process) = workers.board.process() else { return Ok(()) };
    let mut tx = app.db.begin_system().await?;
    processes::leave(&mut tx, process).await?;
    tx.commit().await
}

/// The jobs that the configuration gives this process.
fn jobs_of(app: &App) -> impl Iterator<Item = &'static Job> {
    let (plane, runs_workers) = (app.config.plane, app.config.deployment.background_tasks_enabled);
    let is_ours = move |job: &&Job| job.is_for(plane) && (runs_workers || job.reach == Reach::EveryProcess);
    JOBS.iter().filter(is_ours)
}

/// Takes in what other nodes changed as soon as they tell of it; several changes in a row are taken in together.
async fn hear(app: App, workers: Arc<Workers>, mut stopped: watch::Receiver<()>) {
    loop {
        tokio::select! {
            biased;
            _ = stopped.changed() => return,
            () = app.coordination.heard() => {}
        }
        if let Err(error) = attempt(&SYNC, app.clone(), Arc::clone(&workers)).await {
            // The job of the same name reports an outage; it runs each second.
            tracing::debug!(error = ?error, "what another node changed was not taken in at once");
        }
        tokio::time::sleep(BREATH).await;
    }
}

/// Does every job of this process until nothing is left to do now; returns how many things were done.
pub async fn run_all_once(app: &App, mailer: &Mailer) -> Result<u64> {
    let workers = Workers::new(mailer.clone(), Timestamp::from_secs(0));
    let mut total = 0;
    for job in jobs_of(app) {
        loop {
            let outcome = (job.run)(app, &workers).await;
            workers.board.note(job, outcome.as_ref().err(), app.clock.now());
            let Progress { done, has_more } = outcome?;
            total += done;
            if !has_more {
                break;
            }
        }
    }
    Ok(total)
}

async fn repeat(job: &'static Job, app: App, workers: Arc<Workers>, mut stopped: watch::Receiver<()>) {
    let mut ticks = tokio::time::interval(job.every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut health = Record::new(job, &app);
    let mut has_more = false;
    loop {
        if !has_more {
            tokio::select! {
                biased;
                // An error says that the sender is gone: the end has come.
                _ = stopped.changed() => return,
                _ = ticks.tick() => {}
                () = workers.wakes.woken(job.name) => {}
            }
        }
        let outcome = attempt(job, app.clone(), Arc::clone(&workers)).await;
        health.note(job, outcome.as_ref().err(), app.clock.now());
        workers.board.note(job, outcome.as_ref().err(), app.clock.now());
        let goes_on = stopped.has_changed().is_ok() || workers.kept.has(job.name);
        has_more = outcome.is_ok_and(|progress| progress.has_more) && goes_on;
    }
}

/// One run on a task of its own, so that a panic ends the run and not the job.
async fn attempt(job: &'static Job, app: App, workers: Arc<Workers>) -> Result<Progress> {
    let run = tokio::spawn(async move { (job.run)(&app, &workers).await });
    run.await.or_internal()?
}

/// How a job has been doing.
struct Record {
    health: Option<Health>,
    failures: u32,
}

impl Record {
    fn new(job: &'static Job, app: &App) -> Self {
        Self { health: job.is_critical.then(|| app.readiness.watch(job.name)), failures: 0 }
    }

    fn note(&mut self, job: &'static Job, failure: Option<&Error>, now: Timestamp) {
        let outcome = if failure.is_some() { "failure" } else { "success" };
        metrics::counter!("job_runs_total", "job" => job.name, "outcome" => outcome).increment(1);
        if let Some(error) = failure {
            self.failures = self.failures.saturating_add(1);
            // Every second of an outage would tell the same story.
            if self.failures.is_power_of_two() {
                tracing::error!(job = job.name, failures = self.failures, error = ?error, "a background job failed");
            }
        } else {
            self.failures = 0;
            let seconds = u32::try_from(now.as_secs()).unwrap_or(u32::MAX);
            metrics::gauge!("job_last_success_timestamp_seconds", "job" => job.name).set(seconds);
        }
        if let Some(health) = &self.health {
            health.report(self.failures < PATIENCE);
        }
    }
}
