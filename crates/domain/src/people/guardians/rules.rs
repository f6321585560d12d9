//! What a person has chosen: how many guardians are needed, and how long the account waits when there are enough.

use serde_json::json;
use svc_core::{Cx, Result, Seconds, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql, sql};

use super::list::of_person;
use super::{FEWEST, held};
use crate::log::{Action, Meaning, change};
use crate::people::tenant_users::Person;

/// How many guardians are needed, and how long the account waits then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Guardians who must confirm.
    pub threshold: u32,
    /// Time from the last of these confirmations to the new password.
    pub wait: Seconds,
}

/// What a person has chosen, if anything.
pub async fn rules(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Option<Rules>> {
    let select =
        sql!("SELECT threshold, wait_secs FROM guardian_rules WHERE tenant_id = $1 AND tenant_user_id = $2");
    let Some(row) = tx.optional(select, args![person]).await? else { return Ok(None) };
    let threshold = u32::try_from(row.int("threshold")?).unwrap_or(u32::MAX);
    Ok(Some(Rules { threshold, wait: Seconds(row.int("wait_secs")?) }))
}

/// Lets it be so from the next case on; false where fewer guardians count than would be needed.
pub async fn set_rules(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, rules: Rules) -> Result<bool> {
    tx.hold(&held(person.id));
    let active = of_person(tx, cx, person.id).await?.into_iter().filter(|one| one.is_active).count();
    if rules.threshold < FEWEST || rules.threshold as usize > active {
        return Ok(false);
    }
    let upsert = change_sql!(
        "INSERT INTO guardian_rules (tenant_id, tenant_user_id, threshold, wait_secs, updated_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, tenant_user_id) DO UPDATE SET \
         threshold = excluded.threshold, wait_secs = excluded.wait_secs, updated_at = excluded.updated_at"
    );
    let Rules { threshold, wait } = rules;
    let meaning = Meaning::done(Action::GuardianRulesChanged, person.id)
        .with(json!({ "threshold": threshold, "wait_secs": wait.0 }));
    change(tx, cx, upsert, args![person.id, threshold, wait.0, cx.now], meaning).await.map(|_| true)
}
