//! Request limits: per address and endpoint for every route, per tenant, per client and per account where these are known, and
//! stricter ones where a route declares them.

use svc_core::{Result, Seconds};
use svc_domain::tokens::access_token::{Claims, SubjectType};

use crate::app::App;
use crate::arrival::Arrival;
use crate::context::HostCx;
use crate::quota::Quota;
use crate::route::Limit;

const MINUTE: Seconds = Seconds(60);

/// `server.endpoint_throttle`.
pub(crate) fn address(app: &App, endpoint: &str, arrival: &Arrival) -> Result<()> {
    let most = app.live().server.endpoint_throttle;
    let key = || format!("endpoint {endpoint} {}", arrival.throttle_key());
    here(app, arrival, ("address", "from this address", most), key)
}

/// The same for hosts that have to be looked for, before it is known whose they are.
pub(crate) fn unknown_host(app: &App, arrival: &Arrival) -> Result<()> {
    let most = app.live().server.endpoint_throttle;
    let key = || format!("host {}", arrival.throttle_key());
    here(app, arrival, ("host", "for unknown hosts from this address", most), key)
}

/// `server.tenant_throttle`.
pub(crate) fn tenant(host: &HostCx) -> Result<()> {
    let most = host.app.live().server.tenant_throttle();
    here(&host.app, &host.arrival, ("tenant", "at this tenant", most), || {
        format!("tenant {}", host.tenant.id)
    })
}

/// `server.client_throttle`: for a client that has proven itself, as others could use up what a public one may.
pub fn count_client(host: &HostCx, client_id: &str) -> Result<()> {
    let most = host.app.live().server.client_throttle();
    let key = || format!("client {} {client_id}", host.tenant.id);
    here(&host.app, &host.arrival, ("client", "of this application", most), key)
}

/// `server.client_throttle` and, where a person or an agent stands behind the token, `server.account_throttle`.
pub fn count_bearer(host: &HostCx, claims: &Claims) -> Result<()> {
    count_client(host, &claims.client_id)?;
    if claims.subject_type == SubjectType::System {
        return Ok(());
    }
    let most = host.app.live().server.account_throttle();
    let key = || format!("account {} {}", host.tenant.id, claims.sub);
    here(&host.app, &host.arrival, ("account", "of this account", most), key)
}

/// A route's own limit, counted for all nodes together.
pub(crate) async fn own(app: &App, endpoint: &str, limit: Limit, arrival: &Arrival) -> Result<()> {
    let now = app.clock.now();
    let key = format!("limit {endpoint} {}", arrival.throttle_key());
    let count = app.coordination.incr(&key, limit.window, now).await;
    let quota =
        Quota { policy: "endpoint", counted: "from this address", most: limit.calls, window: limit.window };
    arrival.quotas.hold(quota, count, now)
}

/// Counts on this node, because a shared write per request would cost more than it guards; 0 is no limit.
fn here(
    app: &App,
    arrival: &Arrival,
    (policy, counted, most): (&'static str, &'static str, u32),
    key: impl FnOnce() -> String,
) -> Result<()> {
    if most == 0 {
        return Ok(());
    }
    let now = app.clock.now();
    let count = app.coordination.incr_here(&key(), MINUTE, now);
    arrival.quotas.hold(Quota { policy, counted, most: i64::from(most), window: MINUTE }, count, now)
}
