//! How attempts ended is written down: those of a receiver together and in their order, some receivers side by side.

use std::collections::BTreeMap;
use std::sync::Arc;

use svc_core::{Result, TenantId};
use svc_domain::delivery::{self, Held, Outcome};
use svc_http::App;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::{Attempt, Settled};
use crate::jobs::cx;

/// Receivers for which is written down at once how attempts ended: each takes a connection to the database.
const RECEIVERS_AT_ONCE: usize = 4;

/// A receiver of a tenant.
type Receiver = (TenantId, String);

/// Attempts that have ended and are being written down: those of a receiver together, because each commit waits for the disk, and in
/// their order; some receivers side by side.
pub(super) struct Ending<Q: Attempt> {
    writing: JoinSet<(Receiver, usize)>,
    /// Receivers of which some are being written down, with what has ended since.
    later: BTreeMap<Receiver, Vec<Settled<Q>>>,
    /// How many deliveries all of that is.
    deliveries: usize,
    turns: Arc<Semaphore>,
}

impl<Q: Attempt> Ending<Q> {
    pub fn new() -> Self {
        let turns = Arc::new(Semaphore::new(RECEIVERS_AT_ONCE));
        Self { writing: JoinSet::new(), later: BTreeMap::new(), deliveries: 0, turns }
    }

    pub fn add(&mut self, app: &App, ended: impl Iterator<Item = Settled<Q>>) {
        let mut receivers: BTreeMap<Receiver, Vec<Settled<Q>>> = BTreeMap::new();
        for settled in ended {
            self.deliveries += 1;
            receivers.entry((settled.0.tenant, settled.0.receiver.clone())).or_default().push(settled);
        }
        for (receiver, of_one) in receivers {
            match self.later.get_mut(&receiver) {
                Some(later) => later.extend(of_one),
                None => self.write(app, receiver, of_one),
            }
        }
    }

    fn write(&mut self, app: &App, receiver: Receiver, of_one: Vec<Settled<Q>>) {
        self.later.insert(receiver.clone(), Vec::new());
        let (app, turns) = (app.clone(), Arc::clone(&self.turns));
        self.writing.spawn(async move {
            let _turn = turns.acquire().await;
            let count = of_one.len();
            // In a task of its own, so that the receiver goes on where it breaks: what it had is tried again after its lease.
            if let Err(error) = tokio::spawn(async move { settle(&app, &of_one).await }).await {
                tracing::error!(queue = Q::QUEUE, error = %error, "attempts were not written down");
            }
            (receiver, count)
        });
    }

    /// Waits until those of a receiver are written down, goes on with what has ended since, and returns how many they were; waits
    /// for ever where there are none.
    pub async fn next(&mut self, app: &App) -> usize {
        match self.writing.join_next().await {
            Some(Ok((receiver, count))) => {
                self.deliveries -= count;
                let later = self.later.remove(&receiver).unwrap_or_default();
                if !later.is_empty() {
                    self.write(app, receiver, later);
                }
                count
            }
            _ => std::future::pending().await,
        }
    }

    /// How many deliveries are being written down, or wait for it.
    pub fn deliveries(&self) -> usize {
        self.deliveries
    }

    pub fn is_over(&self) -> bool {
        self.writing.is_empty()
    }
}

/// Writes down how attempts of one receiver ended. Where that fails for all together, each by itself: what cannot be written down is
/// tried again after its lease.
async fn settle<Q: Attempt>(app: &App, of_one: &[Settled<Q>]) {
    if write_down(app, of_one).await.is_ok() {
        return;
    }
    for attempt in of_one.chunks(1) {
        if let (Err(error), [(due, _)]) = (write_down(app, attempt).await, attempt) {
            tracing::warn!(queue = Q::QUEUE, delivery = %due.id, error = ?error, "an attempt was not written down");
        }
    }
}

/// Writes down how attempts of one receiver ended.
async fn write_down<Q: Attempt>(app: &App, of_one: &[Settled<Q>]) -> Result<()> {
    let Some((first, _)) = of_one.first() else { return Ok(()) };
    let mut tx = app.db.begin_system().await?;
    let held = Q::hold(&mut tx, first).await?;
    if held == Held::Gone {
        return tx.commit().await;
    }
    let (taken, others): (Vec<_>, Vec<_>) =
        of_one.iter().partition(|(_, ended)| ended.outcome == Outcome::Taken);
    delivery::taken(&mut tx, &taken.iter().map(|(due, _)| due).collect::<Vec<_>>());
    for (due, ended) in others {
        delivery::settle(&mut tx, &cx(app, Q::QUEUE), due, ended.outcome);
    }
    let deactivated = Q::note(app, &mut tx, held, of_one).await?;
    tx.commit().await?;
    if let Some(reason) = deactivated {
        Q::count_deactivated(reason);
    }
    for (_, ended) in of_one {
        let labels = [("queue", Q::QUEUE), ("outcome", ended.outcome.label())];
        metrics::counter!("delivery_attempts_total", &labels).increment(1);
    }
    Ok(())
}
