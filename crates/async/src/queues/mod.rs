//! The delivery queues: one file each, which says what an attempt is; one worker for all of them.

mod ending;
mod logouts;
mod mails;
mod scim;
mod shares;
mod signals;
mod sms;
pub(crate) mod webhooks;
mod working;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use svc_config::Config;
use svc_core::Result;
use svc_core::capability::Capability;
use svc_db::{System, Tx};
use svc_domain::delivery::{Delivery, Held, Outcome, Queue};
use svc_http::{App, ScimTokens};

use self::webhooks::Targets;
use crate::jobs::{Job, Reach, Workers};
use crate::mailer::Mailer;

/// A queue whose deliveries can be tried.
pub(crate) trait Attempt: Queue {
    /// What is to be written down of an attempt in addition to its outcome.
    type Report: Send + Sync + 'static;

    /// What operators switch off to pause the queue: its deliveries wait meanwhile.
    const CAPABILITY: Option<Capability> = None;

    /// The job that makes deliveries of this queue, and is woken where they run short.
    const FED_BY: Option<&'static str> = None;

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

    /// Takes hold of the receiver's record, before the delivery's.
    fn hold(_tx: &mut Tx<System>, _due: &Delivery<Self>) -> impl Future<Output = Result<Held>> + Send {
        std::future::ready(Ok(Held::Well))
    }

    /// Writes down what else there is to attempts of one receiver, in the transaction that settles them. Returns why the
    /// receiver was deactivated, if that follows.
    fn note(
        _app: &App,
        _tx: &mut Tx<System>,
        _held: Held,
        _of_one: &[Settled<Self>],
    ) -> impl Future<Output = Result<Option<&'static str>>> + Send {
        std::future::ready(Ok(None))
    }

    /// Counts that a receiver was deactivated, once that has been committed.
    fn count_deactivated(_reason: &'static str) {}
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

/// A delivery with how its attempt ended.
pub(crate) type Settled<Q> = (Delivery<Q>, Ended<<Q as Attempt>::Report>);

/// What attempts need.
#[derive(Clone)]
pub(crate) struct Carrier {
    pub app: App,
    pub mailer: Mailer,
    pub scim_tokens: Arc<ScimTokens>,
    pub targets: Arc<Targets>,
}

impl Carrier {
    fn new(app: &App, workers: &Workers) -> Self {
        let (app, mailer) = (app.clone(), workers.mailer.clone());
        Self { app, mailer, scim_tokens: Arc::clone(&workers.scim_tokens), targets: Arc::default() }
    }
}

/// The job that works off a queue: side by side and refilled as attempts end, so that a slow receiver holds up itself.
pub(crate) const fn job<Q: Attempt>() -> Job {
    Job {
        name: Q::QUEUE,
        every: Duration::from_secs(1),
        reach: Reach::AsyncPlane,
        is_critical: true,
        run: |app, workers| Box::pin(working::work_off::<Q>(app, workers)),
    }
}
