//! What guardians say: each has one word in a case, the last one, and it counts for the browser whose code was typed.

use serde_json::json;
use svc_core::events::{RecoveryConfirmed, RecoveryRefused};
use svc_core::{Cx, Digest, Result, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::browsers::by_code;
use super::cases::{Case, open_case};
use super::held;
use super::list::{Guardian, find};
use crate::log::{Action, Meaning, change, record};

/// The outcome of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It counts.
    Counted {
        /// Whether there are enough now.
        is_enough: bool,
    },
    /// The guardian has said the same before.
    Same,
    /// No browser of the case shows this code.
    WrongCode,
    /// The case is over, or it was open before the guardian accepted.
    Over,
}

/// Counts a guardian's confirmation for the browser that shows the code.
pub async fn confirm(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (guardian, code): (&Guardian, &str),
    lifetime: svc_core::Seconds,
) -> Result<Answered> {
    let Some(case) = of(tx, cx, guardian).await? else { return Ok(Answered::Over) };
    let Some(browser) = by_code(tx, (case.id, case.person), code).await? else {
        let facts = json!({ "guardian_id": guardian.id });
        record(tx, cx, Meaning::denied(Action::RecoveryConfirmed, case.person).with(facts));
        return Ok(Answered::WrongCode);
    };
    let before = confirmations(tx, &case, browser).await?;
    let is_counted = before.iter().any(|(by, _)| *by == guardian.id);
    let count = before.len() + usize::from(!is_counted);
    let is_enough = count >= case.threshold as usize;
    let meaning = Meaning::done(Action::RecoveryConfirmed, case.person)
        .with(json!({ "case_id": case.id, "guardian_id": guardian.id, "is_enough": is_enough }))
        .telling(RecoveryConfirmed {
            tenant_user_id: case.person,
            case_id: case.id,
            guardian_id: guardian.id,
            is_enough,
        });
    if !say(tx, cx, (&case, guardian), (Some(browser), meaning)).await? {
        return Ok(Answered::Same);
    }
    if is_enough {
        prolong(tx, &case, cx.now + case.wait + lifetime).await?;
    }
    Ok(Answered::Counted { is_enough })
}

/// Takes down that the person did not ask, in the place of a confirmation if there was one.
pub async fn refuse(tx: &mut Tx<Tenant>, cx: &Cx, guardian: &Guardian) -> Result<Answered> {
    let Some(case) = of(tx, cx, guardian).await? else { return Ok(Answered::Over) };
    let meaning = Meaning::done(Action::RecoveryRefused, case.person)
        .with(json!({ "case_id": case.id, "guardian_id": guardian.id }))
        .telling(RecoveryRefused { tenant_user_id: case.person, case_id: case.id, guardian_id: guardian.id });
    let is_new = say(tx, cx, (&case, guardian), (None, meaning)).await?;
    Ok(if is_new { Answered::Counted { is_enough: false } } else { Answered::Same })
}

/// Whether a guardian has said anything in a case.
pub async fn has_answered(tx: &mut Tx<Tenant>, (case, guardian): (&Case, &Guardian)) -> Result<bool> {
    let select =
        sql!("SELECT at FROM recovery_answers WHERE tenant_id = $1 AND case_id = $2 AND guardian_id = $3");
    Ok(tx.optional(select, args![case.id, guardian.id]).await?.is_some())
}

/// The open case in which the guardian has a say, while nothing else of it changes.
async fn of(tx: &mut Tx<Tenant>, cx: &Cx, guardian: &Guardian) -> Result<Option<Case>> {
    tx.hold(&held(guardian.person));
    let case = open_case(tx, cx, guardian.person).await?;
    // The guardian may have been removed since the page was shown.
    let present = find(tx, cx, guardian.id).await?;
    let may_say = |case: &Case| present.is_some_and(|present| case.hears(&present));
    Ok(case.filter(may_say))
}

/// Stores the last word of a guardian; false where it is the same as before.
async fn say(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (case, guardian): (&Case, &Guardian),
    (browser, meaning): (Option<Digest>, Meaning),
) -> Result<bool> {
    let upsert = change_sql!(
        "INSERT INTO recovery_answers (tenant_id, case_id, guardian_id, browser_digest, at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (tenant_id, case_id, guardian_id) DO UPDATE SET browser_digest = excluded.browser_digest, \
         at = excluded.at WHERE recovery_answers.browser_digest IS DISTINCT FROM excluded.browser_digest"
    );
    Ok(change(tx, cx, upsert, args![case.id, guardian.id, browser, cx.now], meaning).await? > 0)
}

/// Leaves time for the new password after the time of waiting.
async fn prolong(tx: &mut Tx<Tenant>, case: &Case, until: Timestamp) -> Result<()> {
    let update = quiet_sql!(
        "follows from the confirmation, which is recorded",
        "UPDATE recovery_cases SET expires_at = $3 WHERE tenant_id = $1 AND id = $2 AND expires_at < $3"
    );
    tx.execute(update, args![case.id, until]).await.map(drop)
}

/// Who has confirmed a browser and when, in order: guardians who may sign in, and who had accepted when the case was opened.
pub(super) async fn confirmations(
    tx: &mut Tx<Tenant>,
    case: &Case,
    browser: Digest,
) -> Result<Vec<(svc_core::GuardianId, Timestamp)>> {
    let select = sql!(
        "SELECT a.guardian_id, a.at FROM recovery_answers a \
         JOIN guardians g ON g.tenant_id = a.tenant_id AND g.id = a.guardian_id \
         JOIN people p ON p.tenant_id = g.tenant_id AND p.id = g.guardian_id \
         WHERE a.tenant_id = $1 AND a.case_id = $2 AND a.browser_digest = $3 AND g.accepted_at <= $4 \
         AND p.status = 'active' AND p.account_status = 'active' ORDER BY a.at"
    );
    let rows = tx.all(select, args![case.id, browser, case.opened_at]).await?;
    rows.iter().map(|row| Ok((row.parse("guardian_id")?, row.time("at")?))).collect()
}
