//! Where the person is signed in, and how to end it from here.

use svc_core::{Class, Result, SessionId};
use svc_domain::people::credentials::{self, Kind};
use svc_domain::people::sessions::{self, Lifetimes, Overview, Page};

use super::owner::Own;

/// Sessions that are read, and ended, at once.
const MOST: u32 = 100;

/// Every live session, newest first.
pub async fn live(own: &Own) -> Result<Vec<Overview>> {
    let mut all = Vec::new();
    loop {
        let next = next(own, all.last().map(|session: &Overview| session.id)).await?;
        if next.is_empty() {
            return Ok(all);
        }
        all.extend(next);
    }
}

/// The live sessions that began before that one, at most [`MOST`].
async fn next(own: &Own, cursor: Option<SessionId>) -> Result<Vec<Overview>> {
    let lifetimes = Lifetimes::of(&own.host.tenant.settings.limits, &own.host.app.config);
    let asked = Page { lifetimes, cursor, limit: MOST };
    sessions::list(&mut own.host.read().await?, &own.person, own.cx().now, &asked).await
}

/// Ends one, with every token of it; false where it is none of the person's that is live.
pub async fn end(own: &Own, id: SessionId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    match sessions::revoke(&mut tx, own.cx(), &own.person, id).await {
        Ok(()) => tx.commit().await?,
        Err(error) if error.class() == Class::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    own.take_in_ends().await?;
    Ok(true)
}

/// Ends all but this one, with every token of theirs; no browser is trusted any more, or it would let in again by the password alone.
pub async fn end_others(own: &Own, this: Option<SessionId>) -> Result<()> {
    let mut tx = own.host.begin().await?;
    credentials::hold(&mut tx, own.person.account_id);
    credentials::remove_all(&mut tx, own.cx(), own.owner(), Kind::TrustedBrowser).await?;
    tx.commit().await?;
    let mut cursor = None;
    loop {
        let meant = next(own, cursor).await?;
        let Some(last) = meant.last() else { break };
        cursor = Some(last.id);
        let mut tx = own.host.begin().await?;
        for session in meant.iter().filter(|session| Some(session.id) != this) {
            match sessions::revoke(&mut tx, own.cx(), &own.person, session.id).await {
                // It has ended meanwhile.
                Err(error) if error.class() == Class::NotFound => {}
                ended => ended?,
            }
        }
        tx.commit().await?;
    }
    own.take_in_ends().await
}
