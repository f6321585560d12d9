//! Faults that are made on purpose, under load: what was acknowledged holds, and nothing is worth anything twice.
//!
//! `cargo xtask faults` runs these with more rounds and writes what they count into `docs/reliability.md`.

mod clocks;
mod deliveries;
mod disk;
mod floods;
mod holders;
mod killed;
pub mod ledger;
mod memory;
mod overload;
mod postgresql;
mod restarts;
mod sidecar;
mod slow_disk;
mod soak;
mod stores;
mod upgrade;

use self::holders::Holders;
use self::ledger::{Ledger, rounds};
use super::{Service, eventually, get};

impl Service {
    /// Whether it asks for traffic.
    async fn is_ready(&self) -> bool {
        get(self.address, "/health/ready").await.is_some_and(|answer| answer.status == 200)
    }

    /// Waits until it asks for traffic, or for none.
    async fn becomes_ready(&self, ready: bool) {
        let what = if ready { "it is ready" } else { "it is not ready" };
        eventually(what, || async { self.is_ready().await == ready }).await;
    }
}
