//! How an impersonation ends before its time: by the staff member, the person, a colleague, or with the session of either.

use svc_core::events::ImpersonationEnded;
use svc_core::{Cx, Result, SessionId};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql};

use super::{Impersonation, find, read};
use crate::delivery::logouts;
use crate::grants::ending;
use crate::log::{Action, Meaning, change, record};
use crate::tokens::revocations::{self, Revoked};

/// Ends an impersonation with its session and every token of it; false where it is over already.
pub async fn end(tx: &mut Tx<Tenant>, cx: &Cx, impersonation: &Impersonation) -> Result<bool> {
    let update = change_sql!(
        "UPDATE impersonations SET state = 'ended', link_digest = NULL, ended_at = $3 WHERE tenant_id = $1 AND id = $2 \
         AND state IN ('waiting', 'ready', 'active') AND expires_at > $3"
    );
    let meaning = over(impersonation);
    if change(tx, cx, update, args![impersonation.id, cx.now], meaning).await? == 0 {
        return Ok(false);
    }
    // It may have begun since it was read.
    let session = find(tx, impersonation.id, cx.now).await?.and_then(|ended| ended.session);
    if let Some(session) = session {
        close(tx, cx, session).await?;
    }
    Ok(true)
}

/// What the end of one means.
fn over(impersonation: &Impersonation) -> Meaning {
    let Impersonation { id, person, staff, .. } = *impersonation;
    impersonation.meaning(Action::ImpersonationEnded).telling(ImpersonationEnded {
        impersonation_id: id,
        tenant_user_id: person,
        staff_id: staff,
    })
}

/// Ends what was begun in a session that has ended, or was that session.
pub(crate) async fn end_with(tx: &mut Tx<Tenant>, cx: &Cx, session: SessionId) -> Result<()> {
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE impersonations SET state = 'ended', link_digest = NULL, ended_at = $3 WHERE tenant_id = $1 \
         AND (staff_session_id = $2 OR session_id = $2) AND state IN ('ready', 'active') AND expires_at > $3 \
         RETURNING id, tenant_user_id, staff_id, app_id, reason, minutes, state, session_id, created_at, decided_at, \
         started_at, ended_at, expires_at"
    );
    for row in tx.all(update, args![session, cx.now]).await? {
        let ended = read(&row, cx.now)?;
        record(tx, cx, over(&ended));
        if let Some(session) = ended.session {
            close(tx, cx, session).await?;
        }
    }
    Ok(())
}

async fn close(tx: &mut Tx<Tenant>, cx: &Cx, session: SessionId) -> Result<()> {
    ending::of_session(tx, cx, session).await?;
    let update = quiet_sql!(
        "what ended it is recorded",
        "UPDATE sessions SET ended_at = $3 WHERE tenant_id = $1 AND id = $2 AND ended_at IS NULL"
    );
    tx.execute(update, args![session, cx.now]).await?;
    logouts::enqueue(tx, cx, session).await?;
    revocations::revoke(tx, cx, &Revoked::Session(session));
    Ok(())
}
