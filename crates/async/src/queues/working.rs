//! The worker of a queue: it claims what is due, tries it side by side, and claims more as attempts end, so that a slow receiver holds
//! up itself.

use std::sync::Arc;
use std::time::Duration;

use svc_core::{OrInternal as _, Result};
use svc_domain::delivery::{self, Delivery, Outcome, Room};
use svc_http::App;
use tokio::task::{JoinError, JoinSet};
use tokio::time::Instant;

use super::ending::Ending;
use super::shares::{Freed, SLOW, Shares};
use super::{Attempt, Carrier, Ended};
use crate::jobs::{Progress, Workers};

/// How many deliveries one run tries, so that it ends; what is under way then is left to the next run.
const MOST: u64 = 512;
/// How often more is claimed while all that is on its way is slow.
const TICK: Duration = SLOW;

/// Does one run. A process that stops claims nothing more, and its last run ends when all that is under way has.
pub(super) async fn work_off<Q: Attempt>(app: &App, workers: &Workers) -> Result<Progress> {
    let carrier = Carrier::new(app, workers);
    let at_once = Q::at_once(&app.config);
    let mut flight: Flight<Q> = workers.kept.take(Q::QUEUE).unwrap_or_default();
    let mut is_time = flight.is_over();
    let mut done = 0;
    loop {
        let room = at_once.saturating_sub(flight.size());
        let may_claim = room > 0 && !workers.are_stopping();
        // What is slow keeps its places: half of the others is much.
        let has_much_room = may_claim && room * 2 >= at_once.saturating_sub(flight.shares.slow());
        if has_much_room && flight.turn.is_over() || is_time && may_claim {
            let since = Instant::now();
            let claimed = flight.claim(app, room).await?;
            if let Some(job) = Q::FED_BY.filter(|_| flight.freed.is_enough(claimed.len())) {
                workers.wakes.wake(job);
            }
            done += u64::try_from(claimed.len()).or_internal()?;
            flight.begin(&carrier, claimed, since.elapsed());
        }
        let has_more = done >= MOST;
        if flight.is_over() {
            return Ok(Progress { done, has_more });
        }
        if has_more {
            workers.kept.put(Q::QUEUE, flight);
            return Ok(Progress { done, has_more });
        }
        let turn = flight.turn;
        is_time = tokio::select! {
            biased;
            () = flight.goes_on(app) => false,
            () = workers.wakes.woken(Q::QUEUE) => true,
            () = turn.over(), if has_much_room => false,
            () = tokio::time::sleep(TICK) => true,
        };
    }
}

/// What is under way, from its claim until it is written down how it ended.
struct Flight<Q: Attempt> {
    under_way: JoinSet<Attempted<Q>>,
    ending: Ending<Q>,
    shares: Shares,
    freed: Freed,
    turn: Turn,
}

impl<Q: Attempt> Default for Flight<Q> {
    fn default() -> Self {
        let (ending, shares, freed) = (Ending::new(), Shares::default(), Freed::default());
        Self { under_way: JoinSet::new(), ending, shares, freed, turn: Turn::of(0, Duration::ZERO) }
    }
}

impl<Q: Attempt> Flight<Q> {
    fn size(&self) -> usize {
        self.under_way.len() + self.ending.deliveries()
    }

    fn is_over(&self) -> bool {
        self.under_way.is_empty() && self.ending.is_over()
    }

    /// Claims up to `most` deliveries that are due; where that fails, what is under way goes on.
    async fn claim(&self, app: &App, most: usize) -> Result<Vec<Delivery<Q>>> {
        match claim(app, &self.shares.room(most)?).await {
            Err(error) if !self.is_over() => {
                tracing::warn!(queue = Q::QUEUE, error = ?error, "nothing more was claimed");
                Ok(Vec::new())
            }
            claimed => claimed,
        }
    }

    /// Begins to try what was claimed, which took so long.
    fn begin(&mut self, carrier: &Carrier, claimed: Vec<Delivery<Q>>, took: Duration) {
        let carrier = Carrier { targets: Arc::default(), ..carrier.clone() };
        for due in claimed {
            let receiver = (due.tenant, due.receiver.clone());
            let task = self.under_way.spawn(attempt(carrier.clone(), due));
            self.shares.begin(task.id(), receiver);
        }
        self.turn = Turn::of(self.size().saturating_sub(self.shares.slow()), took);
    }

    /// Waits until some attempts end, or until it is written down how some ended.
    async fn goes_on(&mut self, app: &App) {
        tokio::select! {
            biased;
            (receiver, written) = self.ending.next(app) => {
                self.turn.ended += written;
                if Q::FED_BY.is_some() {
                    self.freed.add(receiver, written);
                }
            }
            Some(first) = self.under_way.join_next_with_id() => {
                let rest = std::iter::from_fn(|| self.under_way.try_join_next_with_id());
                let mut settled = Vec::new();
                for joined in [first].into_iter().chain(rest) {
                    self.shares.end(joined.as_ref().map_or_else(JoinError::id, |(attempt, _)| *attempt));
                    match joined {
                        Ok((_, (due, Some(ended)))) => settled.push((due, ended)),
                        // What a broken task had claimed stays leased, and is tried again after its lease.
                        _ => self.turn.ended += 1,
                    }
                }
                self.ending.add(app, settled.into_iter());
            }
        }
    }
}

/// What has ended since the last claim. The next one waits until most of what was under way then has ended, but not for long: each
/// costs the same, however few it finds, and what stands behind a delivery of its receiver can be claimed when that one is written
/// down. Where claims take long, the next one waits for as long as the last one took.
#[derive(Clone, Copy)]
struct Turn {
    under_way: usize,
    ended: usize,
    until: Instant,
}

impl Turn {
    /// How long the next claim waits for more to end: at least, and at most.
    const WAIT: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(50));

    fn of(under_way: usize, took: Duration) -> Self {
        let (least, most) = Self::WAIT;
        Self { under_way, ended: 0, until: Instant::now() + took.clamp(least, most) }
    }

    fn is_over(&self) -> bool {
        self.ended > 0 && (self.ended * 4 >= self.under_way * 3 || Instant::now() >= self.until)
    }

    /// Waits until another claim has waited long enough; for ever where it would find nothing.
    async fn over(self) {
        if self.ended == 0 {
            return std::future::pending().await;
        }
        tokio::time::sleep_until(self.until).await;
    }
}

async fn claim<Q: Attempt>(app: &App, room: &Room) -> Result<Vec<Delivery<Q>>> {
    let mut tx = app.db.begin_system().await?;
    let due = delivery::claim_within(&mut tx, app.clock.now(), room).await?;
    tx.commit().await?;
    Ok(due)
}

type Attempted<Q> = (Delivery<Q>, Option<Ended<<Q as Attempt>::Report>>);

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
