//! Outages of the server: while it cannot be reached, requests fail at once, and one task tries to reconnect.

use std::time::Duration;

use tokio::sync::watch;

/// Between two attempts to reach a server that is down.
pub(super) const PROBE_EVERY: Duration = Duration::from_millis(250);

pub(super) struct Outage(watch::Sender<bool>);

impl Outage {
    pub fn new() -> Self {
        Self(watch::Sender::new(false))
    }

    pub fn is_on(&self) -> bool {
        *self.0.borrow()
    }

    /// Notes an outage; whether this is the first to notice.
    pub fn begins(&self) -> bool {
        !self.0.send_replace(true)
    }

    pub fn ends(&self) {
        self.0.send_replace(false);
    }

    /// Returns when an outage begins.
    pub async fn noticed(&self) {
        let mut seen = self.0.subscribe();
        // The sender lives as long as `self`.
        let _ = seen.wait_for(|is_down| *is_down).await;
    }
}
