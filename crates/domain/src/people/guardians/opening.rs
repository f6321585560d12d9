//! How a case begins: a browser asks, and joins the case that is open, or opens one.

use serde_json::json;
use svc_core::events::RecoveryOpened;
use svc_core::{Cx, Result, Seconds, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::browsers::{self, NewBrowser};
use super::cases::{Case, open_case};
use super::list::{Guardian, of_person};
use super::{Rules, held, rules};
use crate::log::{Action, Meaning, change};
use crate::people::tenant_users::Person;

/// Cases of one account within a day of which guardians are notified by mail; they see others in the account centre.
const MOST_TOLD: i64 = 3;
const DAY: Seconds = Seconds(86_400);

/// What the deployment and the tenant demand.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Shortest time of waiting.
    pub least_wait: Seconds,
    /// How long a case waits for guardians, and then for the new password.
    pub lifetime: Seconds,
}

/// A case that a browser has asked for.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The case.
    pub case: Case,
    /// Whether it was not open before.
    pub is_new: bool,
    /// The guardians who are notified; none where there were several cases lately, or where it was open before.
    pub told: Vec<Guardian>,
}

/// Lets a browser ask the guardians of a person; nothing where the person has not enough of them.
pub async fn open(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (new, terms): (NewBrowser<'_>, Terms),
) -> Result<Option<Opened>> {
    tx.hold(&held(person.id));
    let Some(rules) = rules(tx, person.id).await? else { return Ok(None) };
    let guardians: Vec<_> =
        of_person(tx, cx, person.id).await?.into_iter().filter(|one| one.is_active).collect();
    if guardians.len() < rules.threshold as usize {
        return Ok(None);
    }
    lapse(tx, cx, person).await?;
    let present = open_case(tx, cx, person.id).await?;
    let is_new = present.is_none();
    let is_told = is_new && opened_lately(tx, cx, person.id).await? < MOST_TOLD;
    let case = match present {
        Some(case) => case,
        None => begin(tx, cx, person.id, (rules, terms)).await?,
    };
    let action = if is_new { Action::RecoveryOpened } else { Action::RecoveryJoined };
    let event = RecoveryOpened { tenant_user_id: person.id, case_id: case.id, has_others: !is_new };
    let meaning = Meaning::done(action, person.id).with(json!({ "case_id": case.id })).telling(event);
    browsers::add(tx, cx, (case.id, person.id), (new, meaning)).await?;
    Ok(Some(Opened { case, is_new, told: if is_told { guardians } else { Vec::new() } }))
}

/// Does what [`open`] does for an account that has chosen no rules, where there is no account.
pub async fn open_in_vain(tx: &mut Tx<Tenant>, cx: &Cx) -> Result<()> {
    let no_one: TenantUserId = cx.id();
    tx.hold(&held(no_one));
    rules(tx, no_one).await.map(drop)
}

/// Ends a case whose time is over, or that is older than the credentials of the account.
async fn lapse(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let update = change_sql!(
        "UPDATE recovery_cases SET state = 'lapsed' WHERE tenant_id = $1 AND tenant_user_id = $2 AND state = 'open' \
         AND (expires_at <= $3 OR opened_at < $4)"
    );
    let meaning = Meaning::done(Action::RecoveryLapsed, person.id);
    let arguments = args![person.id, cx.now, person.credentials_changed_at];
    change(tx, cx, update, arguments, meaning).await.map(drop)
}

async fn opened_lately(tx: &mut Tx<Tenant>, cx: &Cx, person: TenantUserId) -> Result<i64> {
    let count = sql!(
        "SELECT COUNT(*) AS count FROM recovery_cases WHERE tenant_id = $1 AND tenant_user_id = $2 AND opened_at > $3"
    );
    tx.one(count, args![person, cx.now - DAY]).await?.int("count")
}

async fn begin(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: TenantUserId,
    (rules, terms): (Rules, Terms),
) -> Result<Case> {
    let case = Case {
        id: cx.id(),
        person,
        state: "open".to_owned(),
        threshold: rules.threshold,
        wait: rules.wait.max(terms.least_wait),
        opened_at: cx.now,
        expires_at: cx.now + terms.lifetime,
    };
    let insert = quiet_sql!(
        "is recorded with the browser that asks",
        "INSERT INTO recovery_cases (tenant_id, id, tenant_user_id, state, threshold, wait_secs, opened_at, expires_at) \
         VALUES ($1, $2, $3, 'open', $4, $5, $6, $7)"
    );
    let arguments = args![case.id, person, case.threshold, case.wait.0, case.opened_at, case.expires_at];
    tx.execute(insert, arguments).await?;
    Ok(case)
}
