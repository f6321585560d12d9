//! Causes of signals: noted in the outbox by the operation that changes something, under types of no subscription.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_core::{AccountId, Actor, Cx, EventId, Result, SessionId, TenantId, TenantUserId, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, quiet_system_sql, sql, system_sql};

use super::{ACCOUNT_DISABLED, ACCOUNT_ENABLED, CREDENTIAL_CHANGE, SESSION_REVOKED, TOKEN_CLAIMS_CHANGE};
use crate::claims::profile::Known;
use crate::document;
use crate::people::accounts::Account;
use crate::people::tenant_users::Person;

/// Something that has happened to a person.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Cause {
    /// The membership that it happened to; absent where it happened to an account that is no member here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<TenantUserId>,
    /// The account, where the membership is not known here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account: Option<AccountId>,
    pub at: Timestamp,
    /// Who brought it about, in CAEP's words (§2), where that is known.
    pub initiating_entity: Option<String>,
    /// For administrators, in English.
    pub reason: String,
    pub what: What,
}

/// What has happened.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum What {
    /// A session has ended, or all of them.
    SessionRevoked { sid: Option<String> },
    /// The password was set.
    PasswordSet { is_first: bool },
    /// Claims have changed to these values; null where one is gone.
    TokenClaimsChange { claims: Map<String, Value> },
    /// The account was disabled.
    AccountDisabled,
    /// The account was enabled.
    AccountEnabled,
}

impl What {
    pub fn event_type(&self) -> &'static str {
        match self {
            Self::SessionRevoked { .. } => SESSION_REVOKED,
            Self::PasswordSet { .. } => CREDENTIAL_CHANGE,
            Self::TokenClaimsChange { .. } => TOKEN_CLAIMS_CHANGE,
            Self::AccountDisabled => ACCOUNT_DISABLED,
            Self::AccountEnabled => ACCOUNT_ENABLED,
        }
    }

    /// Whether its event is one of CAEP's, with their common members; RISC has none.
    pub fn is_caep(&self) -> bool {
        !matches!(self, Self::AccountDisabled | Self::AccountEnabled)
    }
}

/// A session has ended: under its own `sid`, and under those of sessions that it went on from. One in whose place the
/// same person goes on has not ended for any application.
pub(crate) async fn session_ended(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    session: SessionId,
    reason: &str,
) -> Result<()> {
    if !is_anybody_listening(tx).await? {
        return Ok(());
    }
    let select = sql!(
        "SELECT id FROM sessions WHERE tenant_id = $1 AND tenant_user_id = $2 \
         AND ((id = $3 AND continued_as IS NULL) OR continued_as = $3) ORDER BY id"
    );
    for row in tx.all(select, args![person.id, session]).await? {
        let what = What::SessionRevoked { sid: Some(row.text("id")?) };
        note(tx, &cause(cx, person, reason, what), cx)?;
    }
    Ok(())
}

/// All access of a person has ended, and with it every session.
pub(crate) async fn access_ended(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let what = What::SessionRevoked { sid: None };
    note_if_heard(tx, cx, cause(cx, person, "All sessions of the person were ended.", what)).await
}

/// Claims of a membership have changed.
pub(crate) async fn claims_changed(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    claims: Map<String, Value>,
) -> Result<()> {
    let what = What::TokenClaimsChange { claims };
    note_if_heard(tx, cx, cause(cx, person, "Claims of the person have changed.", what)).await
}

/// Notes which roles a membership has now, where it is known that [`is_anybody_listening`].
pub(crate) fn note_roles(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let claims = Map::from_iter([("roles".to_owned(), json!(person.roles))]);
    let what = What::TokenClaimsChange { claims };
    note(tx, &cause(cx, person, "Claims of the person have changed.", what), cx)
}

/// The password of an account was set, which concerns every tenant that the person belongs to.
pub(crate) async fn password_set(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    let what = What::PasswordSet { is_first: person.password.is_none() };
    note_everywhere(tx, cx, &cause(cx, person, "The password of the person was set.", what)).await
}

/// The same, by the owner of an account that is no member of this tenant.
pub(crate) async fn password_set_elsewhere(tx: &mut Tx<Tenant>, cx: &Cx, account: &Account) -> Result<()> {
    let what = What::PasswordSet { is_first: account.password.is_none() };
    note_everywhere(tx, cx, &cause_elsewhere(cx, account, "The password of the person was set.", what)).await
}

/// The address of an account was proven, by its owner, who is no member of this tenant.
pub(crate) async fn address_verified_elsewhere(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    account: &Account,
) -> Result<()> {
    let claims = Map::from_iter([("email_verified".to_owned(), Value::Bool(true))]);
    let what = What::TokenClaimsChange { claims };
    note_everywhere(tx, cx, &cause_elsewhere(cx, account, "Claims of the person have changed.", what)).await
}

/// The account says something else of the person now, in every tenant that the person belongs to.
pub(crate) async fn profile_changed(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    after: &Known<'_>,
) -> Result<()> {
    let claims = difference(&person.known().claims(), &after.claims());
    if claims.is_empty() {
        return Ok(());
    }
    let what = What::TokenClaimsChange { claims };
    note_everywhere(tx, cx, &cause(cx, person, "Claims of the person have changed.", what)).await
}

/// The account behind a membership was disabled, with which all access of the person has ended, or enabled again.
pub(crate) async fn account_set(
    tx: &mut Tx<System>,
    cx: &Cx,
    (tenant, person): (TenantId, TenantUserId),
    is_enabled: bool,
) -> Result<()> {
    let listening =
        system_sql!("SELECT id FROM signal_streams WHERE tenant_id = $1 AND status <> 'disabled' LIMIT 1");
    if tx.optional(listening, args![tenant]).await?.is_none() {
        return Ok(());
    }
    let told: &[_] = if is_enabled {
        &[("The account was enabled.", What::AccountEnabled)]
    } else {
        &[
            ("The account was disabled.", What::AccountDisabled),
            ("All sessions of the person were ended.", What::SessionRevoked { sid: None }),
        ]
    };
    for (reason, what) in told {
        let (initiating_entity, reason) = (Some("admin".to_owned()), (*reason).to_owned());
        let (at, what) = (cx.now, what.clone());
        let cause = Cause { person: Some(person), account: None, at, initiating_entity, reason, what };
        note_for(tx, cx, tenant, &cause).await?;
    }
    Ok(())
}

fn cause(cx: &Cx, person: &Person, reason: &str, what: What) -> Cause {
    let initiating_entity = match &cx.actor {
        Actor::User(subject) if *subject == person.subject => Some("user"),
        Actor::User(_)
        | Actor::App(_)
        | Actor::ApiKey { .. }
        | Actor::Delegated { .. }
        | Actor::Operator(_) => Some("admin"),
        Actor::System(_) => Some("system"),
        Actor::Anonymous => None,
    };
    let initiating_entity = initiating_entity.map(str::to_owned);
    let (person, reason) = (Some(person.id), reason.to_owned());
    Cause { person, account: None, at: cx.now, initiating_entity, reason, what }
}

/// The same for the owner of an account that is no member here.
fn cause_elsewhere(cx: &Cx, account: &Account, reason: &str, what: What) -> Cause {
    let (initiating_entity, reason) = (Some("user".to_owned()), reason.to_owned());
    Cause { person: None, account: Some(account.id), at: cx.now, initiating_entity, reason, what }
}

/// The claims that are new, other or gone. When something was last changed is no claim of its own.
fn difference(before: &Map<String, Value>, after: &Map<String, Value>) -> Map<String, Value> {
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    let gone = before.keys().filter(|name| !after.contains_key(*name)).map(|name| (name, &Value::Null));
    let all = changed.chain(gone).filter(|(name, _)| *name != "updated_at");
    all.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Whether a cause would reach any stream.
pub(crate) async fn is_anybody_listening(tx: &mut Tx<Tenant>) -> Result<bool> {
    let select = sql!("SELECT id FROM signal_streams WHERE tenant_id = $1 AND status <> 'disabled' LIMIT 1");
    Ok(tx.optional(select, args![]).await?.is_some())
}

async fn note_if_heard(tx: &mut Tx<Tenant>, cx: &Cx, cause: Cause) -> Result<()> {
    if is_anybody_listening(tx).await? { note(tx, &cause, cx) } else { Ok(()) }
}

fn note(tx: &mut Tx<Tenant>, cause: &Cause, cx: &Cx) -> Result<()> {
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, 'signal', $3, $4)"
    );
    let id: EventId = cx.id();
    tx.later(insert, args![id, document::store(cause)?, cx.now]);
    Ok(())
}

/// Notes a cause for a tenant from outside of it.
pub(super) async fn note_for(tx: &mut Tx<System>, cx: &Cx, tenant: TenantId, cause: &Cause) -> Result<()> {
    let insert = quiet_system_sql!(
        "delivers what was recorded",
        "INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, 'signal', $3, $4)"
    );
    let id: EventId = cx.id();
    tx.execute(insert, args![tenant, id, document::store(cause)?, cx.now]).await.map(|_| ())
}

/// Who listens in other tenants is not for this transaction to see.
async fn note_everywhere(tx: &mut Tx<Tenant>, cx: &Cx, cause: &Cause) -> Result<()> {
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO outbox (tenant_id, id, type, payload, created_at) \
         VALUES ($1, $2, 'signal_everywhere', $3, $4)"
    );
    let id: EventId = cx.id();
    tx.execute(insert, args![id, document::store(cause)?, cx.now]).await.map(|_| ())
}

/// Puts a cause back that only a newer version understands: one that runs too tells of it.
pub(super) async fn leave(tx: &mut Tx<Tenant>, row: &Row) -> Result<()> {
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ($1, $2, 'signal', $3, $4)"
    );
    let arguments = args![row.text("id")?, row.text("payload")?, row.time("created_at")?];
    tx.execute(insert, arguments).await.map(|_| ())
}

/// The same for one that concerns every tenant of a person.
pub(super) async fn leave_everywhere(tx: &mut Tx<System>, tenant: TenantId, row: &Row) -> Result<()> {
    let insert = quiet_system_sql!(
        "delivers what was recorded",
        "INSERT INTO outbox (tenant_id, id, type, payload, created_at) \
         VALUES ($1, $2, 'signal_everywhere', $3, $4)"
    );
    let arguments = args![tenant, row.text("id")?, row.text("payload")?, row.time("created_at")?];
    tx.execute(insert, arguments).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_new_other_or_gone_is_told_and_nothing_else() {
        let map = |value: Value| value.as_object().cloned().unwrap();
        let before = map(json!({ "name": "Ada", "email": "a@b.example", "nickname": "A", "updated_at": 1 }));
        let after = map(json!({ "name": "Ada L.", "email": "a@b.example", "locale": "en", "updated_at": 2 }));
        let expected = map(json!({ "name": "Ada L.", "locale": "en", "nickname": null }));
        assert_eq!(difference(&before, &after), expected);
        assert!(difference(&before, &before).is_empty());
    }
}
