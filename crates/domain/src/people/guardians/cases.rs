//! A case: an account that its guardians are asked to recover, for the browsers that asked. An account has one open case.

use serde_json::json;
use svc_core::events::{RecoveryCancelled, RecoveryFinished};
use svc_core::{Cx, Digest, RecoveryCaseId, Result, Seconds, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, sql};

use super::answers::confirmations;
use super::browsers::{self, Browser};
use super::held;
use super::list::Guardian;
use crate::log::{Action, Meaning, change};

/// An account that its guardians are asked to recover.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its id.
    pub id: RecoveryCaseId,
    /// Whose account it is.
    pub person: TenantUserId,
    /// `open`, `lapsed`, `cancelled` or `finished`.
    pub state: String,
    /// Guardians who must confirm.
    pub threshold: u32,
    /// Time from the last of these confirmations to the new password.
    pub wait: Seconds,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// How far a case is, for one browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Guardians must confirm yet.
    Waiting {
        /// So many have.
        confirmed: u32,
        /// So many must.
        threshold: u32,
    },
    /// Enough have; a new password can be chosen from then on.
    Reached(Timestamp),
    /// A new password can be chosen.
    Ready,
}

/// Reads cases; the argument says which.
macro_rules! cases_sql {
    ($which:literal) => {
        sql!(
            "SELECT c.id, c.tenant_user_id, c.state, c.threshold, c.wait_secs, c.opened_at, c.expires_at \
             FROM recovery_cases c JOIN people p ON p.tenant_id = c.tenant_id AND p.id = c.tenant_user_id \
             WHERE c.tenant_id = $1 AND ",
            $which
        )
    };
}

/// The case of a person that can still be confirmed; one that is older than the credentials of the account is over.
pub async fn open_case(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<Option<Case>> {
    let select = cases_sql!(
        "c.tenant_user_id = $2 AND c.state = 'open' AND c.expires_at > $3 AND c.opened_at >= p.credentials_changed_at"
    );
    tx.optional(select, args![person, cx.now]).await?.as_ref().map(read).transpose()
}

/// The open case behind the cookie of a browser.
pub async fn of_browser(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest) -> Result<Option<Case>> {
    let select = cases_sql!(
        "c.id = (SELECT b.case_id FROM recovery_browsers b WHERE b.tenant_id = $1 AND b.digest = $2) \
         AND c.state = 'open' AND c.expires_at > $3 AND c.opened_at >= p.credentials_changed_at"
    );
    tx.optional(select, args![digest, cx.now]).await?.as_ref().map(read).transpose()
}

/// The open case of a person with the browsers that asked, for its owner.
pub async fn case(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
) -> Result<Option<(Case, Vec<Browser>)>> {
    let Some(case) = open_case(tx, cx, person).await? else { return Ok(None) };
    let browsers = browsers::of_case(tx, case.id).await?;
    Ok(Some((case, browsers)))
}

/// The latest cases of a person, whatever became of them.
pub async fn history(tx: &mut Tx<Tenant>, (person, most): (TenantUserId, u32)) -> Result<Vec<Case>> {
    let select = cases_sql!("c.tenant_user_id = $2 ORDER BY c.opened_at DESC LIMIT $3");
    tx.all(select, args![person, most]).await?.iter().map(read).collect()
}

/// How far a case is for a browser.
pub async fn stage(tx: &mut Tx<Tenant>, cx: &Cx, (case, browser): (&Case, Digest)) -> Result<Stage> {
    let confirmed = confirmations(tx, case, browser).await?;
    let last = (case.threshold as usize).checked_sub(1).and_then(|last| confirmed.get(last));
    let Some((_, at)) = last else {
        let confirmed = u32::try_from(confirmed.len()).unwrap_or(u32::MAX);
        return Ok(Stage::Waiting { confirmed, threshold: case.threshold });
    };
    let ready_at = *at + case.wait;
    Ok(if ready_at <= cx.now { Stage::Ready } else { Stage::Reached(ready_at) })
}

/// Cancels an open case; false where it is over already.
pub async fn cancel(tx: &mut Tx<Tenant>, cx: &Cx, case: &Case) -> Result<bool> {
    let event = RecoveryCancelled { tenant_user_id: case.person, case_id: case.id };
    let meaning = Meaning::done(Action::RecoveryCancelled, case.person).telling(event);
    end(tx, cx, case, ("cancelled", meaning)).await
}

/// Spends the case of a browser that may choose a new password: one statement, so that of N at once one wins. Nothing where it
/// may not.
pub async fn finish(tx: &mut Tx<Tenant>, cx: &Cx, browser: Digest) -> Result<Option<Case>> {
    let Some(case) = of_browser(tx, cx, browser).await? else { return Ok(None) };
    tx.hold(&held(case.person));
    let Some(case) = of_browser(tx, cx, browser).await? else { return Ok(None) };
    if stage(tx, cx, (&case, browser)).await? != Stage::Ready {
        return Ok(None);
    }
    let event = RecoveryFinished { tenant_user_id: case.person, case_id: case.id };
    let meaning = Meaning::done(Action::RecoveryFinished, case.person).telling(event);
    let is_spent = end(tx, cx, &case, ("finished", meaning)).await?;
    Ok(is_spent.then_some(case))
}

async fn end(tx: &mut Tx<Tenant>, cx: &Cx, case: &Case, (state, meaning): (&str, Meaning)) -> Result<bool> {
    let update = change_sql!(
        "UPDATE recovery_cases SET state = $3 WHERE tenant_id = $1 AND id = $2 AND state = 'open'"
    );
    let meaning = meaning.with(json!({ "case_id": case.id }));
    Ok(change(tx, cx, update, args![case.id, state], meaning).await? > 0)
}

impl Case {
    /// Whether a guardian has a say: one who had accepted when it was opened.
    pub fn hears(&self, guardian: &Guardian) -> bool {
        guardian.is_active && guardian.accepted_at.is_some_and(|at| at <= self.opened_at)
    }
}

fn read(row: &Row) -> Result<Case> {
    Ok(Case {
        id: row.parse("id")?,
        person: row.parse("tenant_user_id")?,
        state: row.text("state")?,
        threshold: u32::try_from(row.int("threshold")?).unwrap_or(u32::MAX),
        wait: Seconds(row.int("wait_secs")?),
        opened_at: row.time("opened_at")?,
        expires_at: row.time("expires_at")?,
    })
}
