//! How sessions end: in one place, with what is under way in them, and the applications that know of them are notified.

use svc_core::events::LoggedOut;
use svc_core::{AppId, Cx, Digest, Error, Result, SessionId, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx, args, quiet_sql, sql};

use super::Session;
use crate::delivery::{logouts, signals};
use crate::grants::ending;
use crate::log::{Action, Meaning, record};
use crate::people::tenant_users::{self, Person};
use crate::people::{impersonations, subjects};

/// Ends a session because the person signs out, with what is under way in it and the access tokens that say so.
pub async fn end(tx: &mut Tx<Tenant>, cx: &Cx, session: &Session) -> Result<()> {
    sign_out(tx, cx, &session.person, session.id).await
}

/// The same for a session that another browser or site names.
pub async fn sign_out(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, id: SessionId) -> Result<()> {
    end_under_way(tx, cx, (person.id, id)).await?;
    ending::tokens_of_session(tx, cx, (person.id, id));
    over(tx, cx, person, id).await
}

/// Signs the person of `subject` out of a session that has run out of time, whose secret the browser still brings: nothing has told the
/// applications of its end yet.
pub async fn end_overdue(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest, subject: &str) -> Result<()> {
    let select = sql!(
        "SELECT id, tenant_user_id FROM sessions WHERE tenant_id = $1 AND digest = $2 AND ended_at IS NULL"
    );
    let Some(row) = tx.optional(select, args![digest]).await? else { return Ok(()) };
    let (id, owner): (SessionId, TenantUserId) = (row.parse("id")?, row.parse("tenant_user_id")?);
    let Some(person) = tenant_users::find(tx, owner).await? else { return Ok(()) };
    if !subjects::names(tx, &person, subject).await? {
        return Ok(());
    }
    let cx = cx.acting_as(person.actor());
    sign_out(tx, &cx, &person, id).await
}

/// Ends a session because another takes its place in the browser. Where the same person has signed in once more, they
/// stay signed in at their applications, which are notified when the new session ends.
pub async fn replace(tx: &mut Tx<Tenant>, cx: &Cx, old: &Session, new: &Session) -> Result<()> {
    if old.person.id != new.person.id {
        end_under_way(tx, cx, (old.person.id, old.id)).await?;
        return over(tx, cx, &old.person, old.id).await;
    }
    logouts::carry_over(tx, old.id, new.id);
    ending::carry_over(tx, old.id, new.id);
    let update = quiet_sql!(
        "goes with the session that takes its place",
        "UPDATE sessions SET continued_as = $4 WHERE tenant_id = $1 AND tenant_user_id = $2 \
             AND (id = $3 OR continued_as = $3)"
    );
    tx.later(update, args![old.person.id, old.id, new.id]);
    over(tx, cx, &old.person, old.id).await
}

/// Ends a person's session from outside, with every token that was issued in it, or in one in whose place it is.
pub async fn revoke(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, id: SessionId) -> Result<()> {
    end_allowed(tx, cx, (person.id, id)).await?;
    // Sessions come last: who exchanges a code or a token holds that before the session, and what ends the person's access marks the
    // tokens of sessions before it ends these.
    if close(tx, cx, person.id, Some(id)).await? == 0 {
        return Err(Error::unknown_id());
    }
    revoked(tx, cx, person, id).await
}

/// Ends every session of a person, because their access ends.
pub(crate) async fn end_all(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<()> {
    close(tx, cx, person, None).await.map(|_| ())
}

/// Has one application sign the person out, because they allow it nothing any more; their sessions go on for others.
pub(crate) async fn sign_out_at(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
    app: AppId,
) -> Result<()> {
    logouts::end_for(tx, cx, person, app).await
}

/// Ends everything that was issued in a session which has ended already, because the word on which it rested counts no more since then.
pub(in crate::people) async fn end_withdrawn(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (id, since): (SessionId, Timestamp),
) -> Result<()> {
    end_allowed(tx, cx, (person.id, id)).await?;
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE sessions SET withdrawn_at = NULL WHERE tenant_id = $1 AND id = $2 AND withdrawn_at = $3"
    );
    if tx.execute(update, args![id, since]).await? == 0 {
        // Another process has done it just now.
        return Ok(());
    }
    closed(tx, cx, id).await?;
    revoked(tx, cx, person, id).await
}

/// The one place where sessions end, a person's only one or all: the applications that know of one are notified.
async fn close(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId, only: Option<SessionId>) -> Result<usize> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE sessions SET ended_at = $4 WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND (CAST($3 AS TEXT) IS NULL OR id = $3) AND ended_at IS NULL RETURNING id"
    );
    let ended = tx.all(update, args![person, only, cx.now]).await?;
    for row in &ended {
        closed(tx, cx, row.parse("id")?).await?;
    }
    Ok(ended.len())
}

/// Notifies the applications that know of a session which has ended.
async fn closed(tx: &mut Tx<Tenant>, cx: &Cx, session: SessionId) -> Result<()> {
    logouts::enqueue(tx, cx, session).await?;
    impersonations::end_with(tx, cx, session).await
}

/// Ends what is under way in a session of a person, its refresh families, and every token that was issued in it.
async fn end_allowed(tx: &mut Tx<Tenant>, cx: &Cx, of: (TenantUserId, SessionId)) -> Result<()> {
    end_under_way(tx, cx, of).await?;
    ending::families_of_session(tx, cx, of);
    ending::tokens_of_session(tx, cx, of);
    Ok(())
}

/// Ends what is under way in a session of a person, and in those in whose place it is: what is made of a token of before a further sign-in
/// names the earlier one.
async fn end_under_way(tx: &mut Tx<Tenant>, cx: &Cx, (person, id): (TenantUserId, SessionId)) -> Result<()> {
    let select = sql!(
        "SELECT id FROM sessions WHERE tenant_id = $1 AND tenant_user_id = $2 AND continued_as = $3 ORDER BY id"
    );
    for row in tx.all(select, args![person, id]).await? {
        ending::of_session(tx, cx, row.parse("id")?).await?;
    }
    ending::of_session(tx, cx, id).await
}

async fn over(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, id: SessionId) -> Result<()> {
    if close(tx, cx, person.id, Some(id)).await? > 0 {
        signals::session_ended(tx, cx, person, id, "The person signed out.").await?;
    }
    record(tx, cx, gone(Action::SessionEnded, person, id));
    Ok(())
}

async fn revoked(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, id: SessionId) -> Result<()> {
    signals::session_ended(tx, cx, person, id, "The session was ended from outside.").await?;
    record(tx, cx, gone(Action::SessionRevoked, person, id));
    Ok(())
}

fn gone(action: Action, person: &Person, session_id: SessionId) -> Meaning {
    let event = LoggedOut { sub: person.subject.clone(), tenant_user_id: person.id, session_id };
    Meaning::done(action, session_id).telling(event)
}
