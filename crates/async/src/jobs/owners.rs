//! Mails to the people who made a receiver that the service has deactivated, tenant by tenant.

use std::pin::Pin;

use svc_core::{Cx, Result, TenantId};
use svc_db::{Tenant, Tx};
use svc_http::App;
use svc_keys::{Purpose, Sealer};

/// The mails of one tenant being queued, and how many receivers were seen to.
type Telling<'a> = Pin<Box<dyn Future<Output = Result<u64>> + Send + 'a>>;

/// Queues the mails of each tenant; returns how many receivers were seen to.
pub(super) async fn tell(
    app: &App,
    cx: &Cx,
    tenants: Vec<TenantId>,
    of_tenant: impl for<'a> Fn(&'a mut Tx<Tenant>, &'a Cx, &'a Sealer) -> Telling<'a>,
) -> Result<u64> {
    let mut done = 0;
    for tenant in tenants {
        let sealer = app.services.sealers.of(tenant, Purpose::Messages, cx).await?;
        let mut tx = app.db.begin(tenant).await?;
        done += of_tenant(&mut tx, cx, &sealer).await?;
        tx.commit().await?;
    }
    Ok(done)
}
