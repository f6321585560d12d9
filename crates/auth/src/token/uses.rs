//! That an application which registered itself is used, whatever its tokens are about: one that never got any is removed.

use svc_core::{Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::apps::registrations;

use super::grant::Request;

/// How long a process remembers that it has noted a use.
const REMEMBERED: Seconds = Seconds(86_400);

/// Notes it in the transaction in which a token is issued.
pub(super) fn note_with(request: &Request<'_>, tx: &mut Tx<Tenant>) {
    if request.app.is_self_registered() {
        registrations::note_use(tx, &request.host.cx, request.app.id);
    }
}

/// Notes it where a token is issued without one, by a grant that an administrator gave the application. Such a token costs the database
/// nothing, and this costs it something only once.
pub(super) async fn note(request: &Request<'_>) -> Result<()> {
    if !request.app.is_self_registered() {
        return Ok(());
    }
    let (coordination, now) = (&request.host.app.coordination, request.host.cx.now);
    let key = format!("use of {}", request.app.id);
    if coordination.incr_here(&key, REMEMBERED, now).count > 1 {
        return Ok(());
    }
    let noted = noted(request).await;
    if noted.is_err() {
        // The next token notes it.
        coordination.start_over_here(&key, Seconds(0), now);
    }
    noted
}

async fn noted(request: &Request<'_>) -> Result<()> {
    let mut tx = request.host.begin().await?;
    note_with(request, &mut tx);
    tx.commit().await
}
