//! Request limits per client and endpoint: a coarse one for every route, stricter ones where a route declares them.

use svc_core::{Error, Result, Seconds, Timestamp};
use svc_db::coordination::Count;

use crate::app::App;
use crate::arrival::Arrival;
use crate::route::Limit;

const MINUTE: Seconds = Seconds(60);

/// `server.endpoint_throttle`: counted on this node, because a shared write per request would cost more than it guards.
pub(crate) fn general(app: &App, endpoint: &str, arrival: &Arrival) -> Result<()> {
    let most = i64::from(app.config.server.endpoint_throttle);
    if most == 0 {
        return Ok(());
    }
    let now = app.clock.now();
    let count = app.coordination.incr_here(&key("endpoint", endpoint, arrival), MINUTE, now);
    held(count, most, now)
}

/// A route's own limit, counted for all nodes together.
pub(crate) async fn own(app: &App, endpoint: &str, limit: Limit, arrival: &Arrival) -> Result<()> {
    let now = app.clock.now();
    let count = app.coordination.incr(&key("limit", endpoint, arrival), limit.window, now).await;
    held(count, limit.calls, now)
}

fn key(kind: &str, endpoint: &str, arrival: &Arrival) -> String {
    format!("{kind} {endpoint} {}", arrival.throttle_key())
}

fn held(count: Count, most: i64, now: Timestamp) -> Result<()> {
    if count.count <= most {
        return Ok(());
    }
    let micros = count.resets_at.as_micros().saturating_sub(now.as_micros());
    let seconds = u32::try_from(micros.saturating_add(999_999) / 1_000_000).unwrap_or(1).max(1);
    Err(Error::rate_limited("too many requests from this address; wait before the next").retry_after(seconds))
}
