//! The delivery queues: one file each, which says what an attempt is; one worker for all of them.

mod logouts;
mod mails;
mod signals;

use std::time::Duration;

use svc_core::{OrInternal as _, Result};
use svc_domain::delivery::{self, Delivery, Outcome, Queue};
use svc_http::App;
use tokio::task::JoinSet;

use crate::jobs::{Job, Progress, Reach, Workers, cx};
use crate::mailer::Mailer;

/// A queue whose deliveries can be tried.
pub(crate) trait Attempt: Queue {
    /// Most that are on their way at once.
    const AT_ONCE: usize = 64;

    /// Tries a delivery, within less time than it is claimed for. Nothing where its receiver is paused by now: it is
    /// looked at again when that changes, or its lease ends.
    fn attempt(
        carrier: &Carrier,
        due: &Delivery<Self>,
    ) -> impl Future<Output = Result<Option<Outcome>>> + Send;
}

/// What attempts need.
#[derive(Clone)]
pub(crate) struct Carrier {
    pub app: App,
    pub mailer: Mailer,
}

/// The job that works off a queue: side by side and refilled as attempts end, so that a slow receiver holds up itself.
pub(crate) const fn job<Q: Attempt>() -> Job {
    Job {
        name: Q::QUEUE,
        every: Duration::from_secs(1),
        reach: Reach::AsyncPlane,
        is_critical: true,
        run: |app, workers| Box::pin(work_off::<Q>(app, workers)),
    }
}

/// How many deliveries one run tries, so that it ends.
const MOST: u64 = 512;
/// How often more is claimed while all that is on its way is slow.
const TICK: Duration = Duration::from_secs(1);

async fn work_off<Q: Attempt>(app: &App, workers: &Workers) -> Result<Progress> {
    let carrier = Carrier { app: app.clone(), mailer: workers.mailer.clone() };
    let mut under_way = JoinSet::new();
    let mut done = 0;
    let mut is_time = true;
    loop {
        let room = Q::AT_ONCE - under_way.len();
        if done < MOST && (room >= Q::AT_ONCE / 2 || is_time && room > 0) {
            for due in claim::<Q>(app, room).await? {
                under_way.spawn(attempt(carrier.clone(), due));
                done += 1;
            }
        }
        if under_way.is_empty() {
            return Ok(Progress { done, has_more: done >= MOST });
        }
        let next = tokio::time::timeout(TICK, under_way.join_next()).await;
        is_time = next.is_err();
        // What a broken task had claimed stays leased, and is tried again after its lease.
        if let Ok(Some(Ok((due, Some(outcome))))) = next {
            settle(app, &due, outcome).await?;
        }
    }
}

async fn claim<Q: Attempt>(app: &App, most: usize) -> Result<Vec<Delivery<Q>>> {
    let most = u32::try_from(most).or_internal()?;
    let mut tx = app.db.begin_system().await?;
    let due = delivery::claim(&mut tx, app.clock.now(), most).await?;
    tx.commit().await?;
    Ok(due)
}

async fn attempt<Q: Attempt>(carrier: Carrier, due: Delivery<Q>) -> (Delivery<Q>, Option<Outcome>) {
    let outcome = Q::attempt(&carrier, &due).await.unwrap_or_else(|error| {
        tracing::warn!(queue = Q::QUEUE, delivery = %due.id, failures = due.failures, error = ?error, "a delivery failed");
        Some(Outcome::Busy(None))
    });
    (due, outcome)
}

async fn settle<Q: Attempt>(app: &App, due: &Delivery<Q>, outcome: Outcome) -> Result<()> {
    let mut tx = app.db.begin_system().await?;
    delivery::settle(&mut tx, &cx(app, Q::QUEUE), due, outcome).await?;
    tx.commit().await?;
    let labels = [("queue", Q::QUEUE), ("outcome", outcome.label())];
    metrics::counter!("delivery_attempts_total", &labels).increment(1);
    Ok(())
}
