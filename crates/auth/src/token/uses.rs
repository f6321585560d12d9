//! That an application which registered itself is used, whatever its tokens are about: one that never got any is removed.

use svc_core::Error;
use svc_db::{Tenant, Tx};
use svc_domain::apps::registrations;

use super::grant::Request;

/// Notes it in the transaction in which a token is issued.
pub(super) async fn note_with(request: &Request<'_>, tx: &mut Tx<Tenant>) -> Result<(), Error> {
    if request.app.is_self_registered() {
        registrations::note_use(tx, &request.host.cx, request.app.id).await?;
    }
    Ok(())
}

/// Notes it where a token is issued without one, by a grant that an administrator gave the application.
pub(super) async fn note(request: &Request<'_>) -> Result<(), Error> {
    if !request.app.is_self_registered() {
        return Ok(());
    }
    let mut tx = request.host.begin().await?;
    note_with(request, &mut tx).await?;
    tx.commit().await
}
