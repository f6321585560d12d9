//! What a change of an account ends: its tokens (RFC 7009 §2.1).

use svc_core::Result;
use svc_http::HostCx;

/// Lets this node know at once which tokens have ended; others hear of it within a second.
pub(super) async fn take_in_ends(host: &HostCx) -> Result<()> {
    let (app, now) = (&host.app, host.cx.now);
    app.services.take_in(&app.db, &["revocations"], (now, now)).await
}
