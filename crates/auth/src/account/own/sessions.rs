//! Where the person is signed in.

use svc_core::{Result, Seconds, SessionId};
use svc_domain::people::sessions::{self, Overview, Page};

use super::owner::Own;

/// Most sessions that are shown and ended at once.
const MOST: u32 = 100;

/// The live sessions, newest first.
pub async fn live(own: &Own) -> Result<Vec<Overview>> {
    let limits = &own.host.tenant.settings.limits.session_cookie;
    let idle: Seconds = limits.idle_lifetime_secs(&own.host.app.config);
    let asked = Page { seen_after: own.cx().now - idle, cursor: None, limit: MOST };
    sessions::list(&mut own.host.read().await?, &own.person, own.cx().now, &asked).await
}

/// Ends the live sessions that are meant, with every token of theirs; returns how many there were.
pub async fn end(own: &Own, is_meant: impl Fn(SessionId) -> bool + Send) -> Result<usize> {
    let ids = live(own).await?.into_iter().map(|session| session.id);
    let ids: Vec<SessionId> = ids.filter(|id| is_meant(*id)).collect();
    let mut tx = own.host.begin().await?;
    for id in &ids {
        sessions::revoke(&mut tx, own.cx(), &own.person, *id).await?;
    }
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(ids.len())
}
