//! The delivery queues: one file each, which says what an attempt is; one worker for all of them.

mod logouts;
mod mails;
mod scim;
mod signals;
mod sms;
pub(crate) mod webhooks;

use std::sync::Arc;
use std::time::Duration;

use svc_config::Config;
use svc_core::capability::Capability;
use svc_core::{OrInternal as _, Result};
use svc_db::{System, Tx};
use svc_domain::delivery::{self, Delivery, Outcome, Queue};
use svc_http::{App, ScimTokens};
use tokio::task::JoinSet;

use crate::jobs::{Job, Progress, Reach, Workers, cx};
use crate::mailer::Mailer;

/// A queue whose deliveries can be tried.
pub(crate) trait Attempt: Queue {
    /// What is to be written down of an attempt in addition to its outcome.
    type Report: Send + Sync + 'static;

    /// What operators switch off to pause the queue: its deliveries wait meanwhile.
    const CAPABILITY: Option<Capability> = None;

    /// Most that are on their way at once in this process.
    fn at_once(_: &Config) -> usize {
        64
    }

    /// Tries a delivery, within less time than it is claimed for. Nothing where its receiver is paused by now: it is
    /// looked at again when that changes, or its lease ends.
    fn attempt(
        carrier: &Carrier,
        due: &Delivery<Self>,
    ) -> impl Future<Output = Result<Option<Ended<Self::Report>>>> + Send;

    /// Takes hold of the receiver's record, before the delivery's: `false` where it is gone, and the delivery with it.
    fn hold(_tx: &mut Tx<System>, _due: &Delivery<Self>) -> impl Future<Output = Result<bool>> + Send {
        std::future::ready(Ok(true))
    }

    /// Writes down what else there is to an attempt, in the transaction that settles it.
    fn note(
        _app: &App,
        _tx: &mut Tx<System>,
        _due: &Delivery<Self>,
        _ended: &Ended<Self::Report>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// How an attempt ended.
pub(crate) struct Ended<R> {
    pub outcome: Outcome,
    /// Nothing where it did not come to an attempt.
    pub report: Option<R>,
}

impl<R> From<Outcome> for Ended<R> {
    fn from(outcome: Outcome) -> Self {
        Self { outcome, report: None }
    }
}

/// What attempts need.
#[derive(Clone)]
pub(crate) struct Carrier {
    pub app: App,
    pub mailer: Mailer,
    pub scim_tokens: Arc<ScimTokens>,
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
    let scim_tokens = Arc::clone(&workers.scim_tokens);
    let carrier = Carrier { app: app.clone(), mailer: workers.mailer.clone(), scim_tokens };
    let at_once = Q::at_once(&app.config);
    let mut under_way = JoinSet::new();
    let mut done = 0;
    let mut is_time = true;
    loop {
        let room = at_once - under_way.len();
        if done < MOST && (room > at_once / 2 || is_time && room > 0) {
            let claimed = match claim::<Q>(app, room).await {
                // What is under way goes on.
                Err(error) if !under_way.is_empty() => {
                    tracing::warn!(queue = Q::QUEUE, error = ?error, "nothing more was claimed");
                    Vec::new()
                }
                claimed => claimed?,
            };
            for due in claimed {
                under_way.spawn(attempt(carrier.clone(), due));
                done += 1;
            }
        }
        if under_way.is_empty() {
            return Ok(Progress { done, has_more: done >= MOST });
        }
        let next = tokio::time::timeout(TICK, under_way.join_next()).await;
        is_time = next.is_err();
        let first = next.ok().flatten();
        let all = first.into_iter().chain(std::iter::from_fn(|| under_way.try_join_next()));
        // What a broken task had claimed stays leased, and is tried again after its lease.
        settle(app, all.filter_map(Result::ok).filter_map(|(due, ended)| Some((due, ended?))).collect())
            .await;
    }
}

async fn claim<Q: Attempt>(app: &App, most: usize) -> Result<Vec<Delivery<Q>>> {
    let most = u32::try_from(most).or_internal()?;
    let mut tx = app.db.begin_system().await?;
    let due = delivery::claim(&mut tx, app.clock.now(), most).await?;
    tx.commit().await?;
    Ok(due)
}

type Attempted<Q> = (Delivery<Q>, Option<Ended<<Q as Attempt>::Report>>);

type Settled<Q> = (Delivery<Q>, Ended<<Q as Attempt>::Report>);

async fn attempt<Q: Attempt>(carrier: Carrier, due: Delivery<Q>) -> Attempted<Q> {
    let ended = unless_paused(&carrier, &due).await.unwrap_or_else(|error| {
        tracing::warn!(queue = Q::QUEUE, delivery = %due.id, failures = due.failures, error = ?error, "a delivery failed");
        Some(Outcome::Busy(None).into())
    });
    (due, ended)
}

async fn unless_paused<Q: Attempt>(carrier: &Carrier, due: &Delivery<Q>) -> Result<Option<Ended<Q::Report>>> {
    if let Some(capability) = &Q::CAPABILITY {
        let tenant = carrier.app.services.tenants.find(due.tenant).await?;
        if tenant.is_some_and(|tenant| tenant.is_paused(capability)) {
            return Ok(None);
        }
    }
    Q::attempt(carrier, due).await
}

/// Writes down how attempts ended: those of a receiver together, because each commit waits for the disk. Where that fails, each by
/// itself: what cannot be written down is tried again after its lease.
async fn settle<Q: Attempt>(app: &App, mut all: Vec<Settled<Q>>) {
    let receiver = |(due, _): &Settled<Q>| (due.tenant, due.receiver.clone());
    all.sort_by_key(receiver);
    for of_one in all.chunk_by(|one, other| receiver(one) == receiver(other)) {
        if write_down(app, of_one).await.is_ok() {
            continue;
        }
        for attempt in of_one.chunks(1) {
            if let (Err(error), [(due, _)]) = (write_down(app, attempt).await, attempt) {
                tracing::warn!(queue = Q::QUEUE, delivery = %due.id, error = ?error, "an attempt was not written down");
            }
        }
    }
}

/// Writes down how attempts of one receiver ended.
async fn write_down<Q: Attempt>(app: &App, of_one: &[Settled<Q>]) -> Result<()> {
    let Some((first, _)) = of_one.first() else { return Ok(()) };
    let mut tx = app.db.begin_system().await?;
    if !Q::hold(&mut tx, first).await? {
        return tx.commit().await;
    }
    for (due, ended) in of_one {
        delivery::settle(&mut tx, &cx(app, Q::QUEUE), due, ended.outcome).await?;
        Q::note(app, &mut tx, due, ended).await?;
    }
    tx.commit().await?;
    for (_, ended) in of_one {
        let labels = [("queue", Q::QUEUE), ("outcome", ended.outcome.label())];
        metrics::counter!("delivery_attempts_total", &labels).increment(1);
    }
    Ok(())
}
