//! Whose attempts are under way, and what follows for the next claim: what does not answer leaves places to others.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use svc_core::{OrInternal as _, Result, TenantId};
use svc_domain::delivery::Room;
use tokio::task::Id;
use tokio::time::Instant;

use super::ending::Receiver;

/// From when on an attempt is slow: its place will not be free soon.
pub(super) const SLOW: Duration = Duration::from_millis(250);
/// How many times the free places a tenant has under way when it gets none of them at all.
const ALL: usize = 3;

/// How many deliveries of one receiver end before more is asked for: most of those that could go out. To lead subscriptions along costs
/// the same, however few deliveries it makes.
const MANY: usize = 48;

/// The attempts that are under way.
#[derive(Default)]
pub(super) struct Shares(BTreeMap<Id, (Receiver, Instant)>);

impl Shares {
    pub fn begin(&mut self, attempt: Id, receiver: Receiver) {
        self.0.insert(attempt, (receiver, Instant::now()));
    }

    pub fn end(&mut self, attempt: Id) {
        self.0.remove(&attempt);
    }

    /// How many of them are slow.
    pub fn slow(&self) -> usize {
        self.0.values().filter(|(_, begun)| begun.elapsed() >= SLOW).count()
    }

    /// What may be claimed for so many free places. No tenant gets more than half of them at once, so that some are left for every
    /// other. One that has as many under way as are free gets more only for receivers that have none under way, and one that has
    /// three times as many gets no more.
    pub fn room(&self, free: usize) -> Result<Room> {
        let mut tenants: BTreeMap<TenantId, usize> = BTreeMap::new();
        for ((tenant, _), _) in self.0.values() {
            *tenants.entry(*tenant).or_default() += 1;
        }
        let mut without = BTreeSet::new();
        for ((tenant, receiver), _) in self.0.values() {
            let own = tenants.get(tenant).copied().unwrap_or_default();
            if own >= ALL * free {
                without.insert(format!("{tenant} "));
            } else if own >= free {
                without.insert(format!("{tenant}/{receiver} "));
            }
        }
        Ok(Room {
            most: u32::try_from(free).or_internal()?,
            of_one: u32::try_from((free / 2).max(1)).or_internal()?,
            without: without.into_iter().collect(),
        })
    }
}

/// How many deliveries of each receiver have ended since more was asked for.
#[derive(Default)]
pub(super) struct Freed(BTreeMap<Receiver, usize>);

impl Freed {
    pub fn add(&mut self, receiver: Receiver, count: usize) {
        *self.0.entry(receiver).or_default() += count;
    }

    /// Whether more is to be asked for: many of one receiver have ended, or some have and a claim has found none.
    pub fn is_enough(&mut self, claimed: usize) -> bool {
        let has_room = self.0.values().any(|count| *count >= MANY);
        let is_enough = has_room || claimed == 0 && !self.0.is_empty();
        if is_enough {
            self.0.clear();
        }
        is_enough
    }
}
