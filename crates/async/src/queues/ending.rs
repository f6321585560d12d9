//! How attempts ended is written down: those of a receiver together and in their order, some receivers side by side.

use std::collections::{BTreeSet, VecDeque};

use svc_core::{Result, TenantId};
use svc_domain::delivery::{self, Held, Outcome};
use svc_http::App;
use tokio::task::JoinSet;

use super::{Attempt, Settled};
use crate::jobs::cx;

/// Receivers for which is written down at once how attempts ended: each takes a connection to the database.
const RECEIVERS_AT_ONCE: usize = 4;

/// A receiver of a tenant.
pub(super) type Receiver = (TenantId, String);

/// Attempts that have ended and are being written down: those of a receiver together, because each commit waits for the disk, and in
/// their order; some receivers side by side. What ends while its receiver waits for its turn is written down with the rest.
pub(super) struct Ending<Q: Attempt> {
    writing: JoinSet<(Receiver, usize)>,
    /// The receivers of which some are being written down.
    busy: BTreeSet<Receiver>,
    /// What is to be written down, by receivers in the order in which they began to wait.
    waiting: VecDeque<(Receiver, Vec<Settled<Q>>)>,
    /// How many deliveries all of that is.
    deliveries: usize,
}

impl<Q: Attempt> Ending<Q> {
    pub fn new() -> Self {
        Self { writing: JoinSet::new(), busy: BTreeSet::new(), waiting: VecDeque::new(), deliveries: 0 }
    }

    pub fn add(&mut self, app: &App, ended: impl Iterator<Item = Settled<Q>>) {
        for settled in ended {
            self.deliveries += 1;
            let receiver = (settled.0.tenant, settled.0.receiver.clone());
            match self.waiting.iter_mut().find(|(waits, _)| *waits == receiver) {
                Some((_, of_one)) => of_one.push(settled),
                None => self.waiting.push_back((receiver, vec![settled])),
            }
        }
        self.begin(app);
    }

    fn begin(&mut self, app: &App) {
        while self.writing.len() < RECEIVERS_AT_ONCE {
            let next = self.waiting.iter().position(|(receiver, _)| !self.busy.contains(receiver));
            let Some((receiver, of_one)) = next.and_then(|next| self.waiting.remove(next)) else { return };
            self.busy.insert(receiver.clone());
            self.write(app.clone(), receiver, of_one);
        }
    }

    fn write(&mut self, app: App, receiver: Receiver, of_one: Vec<Settled<Q>>) {
        self.writing.spawn(async move {
            let count = of_one.len();
            // In a task of its own, so that the receiver goes on where it breaks: what it had is tried again after its lease.
            if let Err(error) = tokio::spawn(async move { settle(&app, &of_one).await }).await {
                tracing::error!(queue = Q::QUEUE, error = %error, "attempts were not written down");
            }
            (receiver, count)
        });
    }

    /// Waits until those of a receiver are written down, goes on with what waits, and returns whose and how many they were; waits for
    /// ever where there are none.
    pub async fn next(&mut self, app: &App) -> (Receiver, usize) {
        match self.writing.join_next().await {
            Some(Ok((receiver, count))) => {
                self.deliveries -= count;
                self.busy.remove(&receiver);
                self.begin(app);
                (receiver, count)
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
