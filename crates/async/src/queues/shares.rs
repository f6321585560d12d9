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
