//! The audit log: who did what to what, and whether it was allowed.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use svc_core::{Actor, AuditId, Cx, Result, Timestamp};
use svc_db::{Row, System, Tenant, Tx, Value, quiet_sql, quiet_system_sql};
use svc_keys::hex;
use utoipa::ToSchema;

use super::{Log, Meaning, changes};

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was done.
    Success,
    /// It was refused.
    Denied,
}

impl Outcome {
    /// As it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Denied => "denied",
        }
    }
}

/// What kind of actor did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActorKind {
    /// A person.
    User,
    /// An application.
    Application,
    /// A program with an API key.
    ApiKey,
    /// An actor on behalf of a person or an application.
    Delegate,
    /// An operator of the deployment.
    Operator,
    /// The service itself.
    System,
    /// A caller that is not known.
    Anonymous,
}

impl ActorKind {
    /// As it is stored.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Application => "application",
            Self::ApiKey => "api_key",
            Self::Delegate => "delegate",
            Self::Operator => "operator",
            Self::System => "system",
            Self::Anonymous => "anonymous",
        }
    }
}

/// Writes an entry together with the commit.
pub(super) fn write(tx: &mut Tx<Tenant>, cx: &Cx, meaning: &Meaning) {
    let insert = quiet_sql!(
        "the record itself",
        "INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, \
         detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    );
    tx.at_commit(insert, &columns(cx, meaning));
}

/// Writes an entry of one tenant, or the same entry of every tenant.
pub(super) fn write_across(tx: &mut Tx<System>, cx: &Cx, log: Log, meaning: &Meaning) {
    let insert_one = quiet_system_sql!(
        "the record itself",
        "INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, \
         detail) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    );
    let insert_all = quiet_system_sql!(
        "the record itself",
        "INSERT INTO audit_log (tenant_id, id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, \
         detail) SELECT id, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 FROM tenants"
    );
    let columns = columns(cx, meaning);
    match log {
        Log::Of(tenant) => tx.at_commit(insert_one, &[&[Value::from(tenant)], &columns[..]].concat()),
        Log::OfAll => tx.at_commit(insert_all, &columns),
    }
}

fn columns(cx: &Cx, meaning: &Meaning) -> [Value; 10] {
    let id: AuditId = cx.id();
    let address = cx.client_ip.map(|ip| ip.to_string()).unwrap_or_default();
    [
        id.into(),
        cx.now.into(),
        cx.actor.kind().into(),
        cx.actor.id().into(),
        meaning.action.name().into(),
        meaning.target.as_str().into(),
        meaning.outcome.name().into(),
        cx.request_id.as_str().into(),
        address.into(),
        facts(cx, meaning).into(),
    ]
}

/// The facts as they are stored, with the delegation by which the actor acted, and the organization whose key it is.
fn facts(cx: &Cx, meaning: &Meaning) -> String {
    let (act, organization) = match &cx.actor {
        Actor::Delegated { act, .. } => (Some(act), None),
        Actor::ApiKey { act, organization, .. } => (act.as_ref(), organization.as_ref()),
        _ => (None, None),
    };
    let act = act.map(|act| serde_json::from_str(act).unwrap_or_else(|_| Json::from(act.as_str())));
    let organization = organization.map(|organization| Json::from(organization.to_string()));
    let further = [("act", act), ("organization_id", organization)];
    if further.iter().all(|(_, fact)| fact.is_none()) {
        return meaning.facts.to_string();
    }
    let known = further.into_iter().filter_map(|(name, fact)| Some((name, fact?)));
    known.fold(meaning.facts.clone(), |facts, (name, fact)| with_fact(facts, name, fact)).to_string()
}

fn with_fact(mut facts: Json, name: &str, fact: Json) -> Json {
    if let Some(members) = facts.as_object_mut() {
        members.insert(name.to_owned(), fact);
    }
    facts
}

/// The beginning of the statement that writes an entry, and where the target and the facts are in its arguments.
const INSERT: &str = "INSERT INTO audit_log (tenant_id, ";
const TARGET: usize = 6;
const FACTS: usize = 10;

/// Adds to the entry about `target` that this transaction is to write what became of the record's documents.
pub fn tell_changes<S>(tx: &mut Tx<S>, target: &str, before: &Json, after: &Json) {
    let changes = changes::between(before, after);
    if changes.is_empty() {
        return;
    }
    for (_, args) in tx.records_mut().filter(|(text, _)| text.starts_with(INSERT)) {
        let is_about = args.get(TARGET) == Some(&Value::from(target));
        let Some(Value::Text(Some(stored))) = args.get_mut(FACTS).filter(|_| is_about) else { continue };
        if let Ok(facts) = serde_json::from_str(stored) {
            *stored = with_fact(facts, "changes", Json::Object(changes)).to_string();
        }
        return;
    }
}

/// An entry as the audit API shows it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditEntry {
    /// The entry's id; entries sort by it.
    #[schema(value_type = String)]
    pub id: AuditId,
    /// When it happened.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// `user`, `application`, `api_key` (`detail.organization_id` says of which organization, `detail.act` which application exchanged
    /// the key), `delegate` (for whom `actor_id` says, and who acted `detail.act`), `operator` (also a command
    /// of `svc-runtime`), `system` or `anonymous`.
    pub actor_kind: String,
    /// The actor's `sub` or `client_id`, or the name of the command or the job.
    pub actor_id: String,
    /// What was done, in dotted words.
    pub action: String,
    /// The id of what it was done to.
    pub target: String,
    /// `success` or `denied`.
    pub outcome: String,
    /// The request that did it.
    pub request_id: String,
    /// The address it came from.
    pub client_ip: String,
    /// Further facts. For a change of a record, `changes` has each changed field with its values `before` and `after`, null
    /// where there was none.
    #[schema(value_type = Object)]
    pub detail: Json,
    /// Its place in the chain of the tenant's log, without gaps; null for the second until it has one.
    pub position: Option<i64>,
    /// The hash over the entry before it and itself, in hexadecimal digits.
    pub hash: Option<String>,
}

pub(crate) fn entry(row: &Row) -> Result<AuditEntry> {
    Ok(AuditEntry {
        id: row.parse("id")?,
        at: row.time("at")?,
        actor_kind: row.text("actor_kind")?,
        actor_id: row.text("actor_id")?,
        action: row.text("action")?,
        target: row.text("target")?,
        outcome: row.text("outcome")?,
        request_id: row.text("request_id")?,
        client_ip: row.text("client_ip")?,
        detail: crate::document::load(row, "detail")?,
        position: row.maybe_int("position")?,
        hash: row.maybe_bytes("hash")?.map(hex),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_that_are_searched_for_are_those_that_are_written() {
        let text = || "x".to_owned();
        for (actor, kind) in [
            (Actor::User(text()), ActorKind::User),
            (Actor::App(text()), ActorKind::Application),
            (Actor::ApiKey { id: text(), organization: None, act: None }, ActorKind::ApiKey),
            (Actor::Delegated { sub: text(), act: text() }, ActorKind::Delegate),
            (Actor::Operator(text()), ActorKind::Operator),
            (Actor::System("x"), ActorKind::System),
            (Actor::Anonymous, ActorKind::Anonymous),
        ] {
            assert_eq!(actor.kind(), kind.name());
            assert_eq!(serde_json::from_value::<ActorKind>(actor.kind().into()).ok(), Some(kind));
        }
    }
}
