//! The end of every write: durable, and seen by this node's next request.

use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_http::TenantCx;

/// Commits, and takes the change into this node's memory; other nodes hear of it within a second.
pub(crate) async fn commit(caller: &TenantCx, tx: Tx<Tenant>) -> Result<()> {
    tx.commit().await?;
    let taken_in = caller.app.services.sync(&caller.app.db, caller.cx.now, caller.cx.now).await;
    if let Err(error) = taken_in {
        // The change is made; refusing now would be a lie, and the next background run makes up for it.
        tracing::warn!(error = ?error, "a change was committed, but memory is not yet current");
    }
    Ok(())
}

/// What a record of another tenant and a record that does not exist have in common.
pub(crate) fn unknown() -> Error {
    Error::not_found("no record has this id")
}
