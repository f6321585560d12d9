//! A change is a value: the row, the audit entry and the events of a change are written together or not at all.
//!
//! The records of a transaction are sent together with its commit, so that they cost no round trip.

use serde_json::{Value as Json, json};
use svc_core::events::{Event, TokenIssued};
use svc_core::{Cx, Error, Result, TenantRef, TenantUserId};
use svc_db::{Change, Row, Statement, System, SystemSql, Tenant, Tx, Value};

use super::audit::{self, Outcome};
use super::{Action, outbox};

/// What a change means.
#[derive(Clone, Debug)]
pub struct Meaning {
    pub(super) action: Action,
    pub(super) target: String,
    pub(super) outcome: Outcome,
    pub(super) facts: Json,
    events: Vec<Event>,
}

#[expect(clippy::needless_pass_by_value, reason = "called with an id or with a text, as it comes")]
impl Meaning {
    /// Something was done to `target`, an id.
    pub fn done(action: Action, target: impl ToString) -> Self {
        let (outcome, facts) = (Outcome::Success, json!({}));
        Self { action, target: target.to_string(), outcome, facts, events: Vec::new() }
    }

    /// Something was refused.
    pub fn denied(action: Action, target: impl ToString) -> Self {
        Self { outcome: Outcome::Denied, ..Self::done(action, target) }
    }

    /// Tokens were issued; the entry has the facts of the event.
    pub fn issued(tokens: TokenIssued) -> Self {
        let (client_id, event) = (tokens.client_id, Event::from(tokens));
        Self::done(Action::TokenIssued, client_id).with_event(event)
    }

    /// Adds who acted, where that was not whom the record is about (RFC 8693 §4.1).
    #[must_use]
    pub fn acted_by(self, act: Option<Json>) -> Self {
        match act {
            Some(act) => self.and("act", act),
            None => self,
        }
    }

    /// Adds facts for an investigator, without secrets.
    #[must_use]
    pub fn with(self, facts: Json) -> Self {
        Self { facts, ..self }
    }

    /// Adds an event, and its data as the facts.
    #[must_use]
    pub fn with_event(self, event: impl Into<Event>) -> Self {
        let event = event.into();
        self.with(event.data.clone()).telling(event)
    }

    /// Adds one fact to those that there are.
    #[must_use]
    pub fn and(mut self, name: &str, fact: Json) -> Self {
        if let Some(facts) = self.facts.as_object_mut() {
            facts.insert(name.to_owned(), fact);
        }
        self
    }

    /// Adds an event.
    #[must_use]
    pub fn telling(mut self, event: impl Into<Event>) -> Self {
        self.events.push(event.into());
        self
    }
}

/// What an entry names as its target where it is about a person: the membership, or nothing where there is none.
pub fn target_of(member: Option<TenantUserId>) -> String {
    member.map(|id| id.to_string()).unwrap_or_default()
}

/// Runs a write and records what it means, unless it changed nothing; returns how many rows it changed.
pub async fn change<Q: Statement<Tenant>>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    write: Change<Q>,
    args: &[Value],
    meaning: Meaning,
) -> Result<u64> {
    let changed = tx.execute(alone(write), args).await?;
    if changed > 0 {
        record(tx, cx, meaning);
    }
    Ok(changed)
}

/// Refuses with `conflict` where a write that names the version it was made for changed no row.
pub fn check_version(changed: u64, what: &str) -> Result<()> {
    if changed == 0 {
        return Err(Error::conflict(format!("{what} changed meanwhile; read it again")));
    }
    Ok(())
}

/// Keeps a write that surely changes something, an `INSERT` without `ON CONFLICT`, and records what it means: it is sent with the
/// next statement or with the commit, and its failure is the failure of that.
pub fn change_later<Q: Statement<Tenant>>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    write: Change<Q>,
    args: &[Value],
    meaning: Meaning,
) {
    tx.later(alone(write), args);
    record(tx, cx, meaning);
}

/// Runs a write that yields the one row that it changed, and records what it means; no row is a fault of ours.
pub async fn change_one<Q: Statement<Tenant>>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    write: Change<Q>,
    args: &[Value],
    meaning: Meaning,
) -> Result<Row> {
    let row = tx.one(alone(write), args).await?;
    record(tx, cx, meaning);
    Ok(row)
}

/// Records what happened where no row of its own changes: a refusal, the issue of a token, the end of many things at once.
pub fn record(tx: &mut Tx<Tenant>, cx: &Cx, meaning: Meaning) {
    audit::write(tx, cx, &meaning);
    for event in meaning.events {
        outbox::write(tx, cx, event);
    }
}

/// In whose log a change is recorded that is made for the deployment.
#[derive(Clone, Copy, Debug)]
pub enum Log {
    /// In that of the tenant whose row it is.
    Of(TenantRef),
    /// In that of every tenant: the row is the deployment's, and all of them live by it.
    OfAll,
}

/// Runs a write across tenants that yields the rows that it changed; records for each what its change means.
pub async fn change_across(
    tx: &mut Tx<System>,
    cx: &Cx,
    write: Change<SystemSql>,
    args: &[Value],
    meaning: impl Fn(&Row) -> Result<(Log, Meaning)>,
) -> Result<Vec<Row>> {
    let rows = tx.all(alone(write), args).await?;
    for row in &rows {
        let (log, meaning) = meaning(row)?;
        record_across(tx, cx, log, meaning);
    }
    Ok(rows)
}

/// Records across tenants what happened where no row of its own changes.
pub(super) fn record_across(tx: &mut Tx<System>, cx: &Cx, log: Log, meaning: Meaning) {
    audit::write_across(tx, cx, log, &meaning);
    for event in meaning.events {
        outbox::write_across(tx, cx, log, event);
    }
}

#[expect(clippy::disallowed_methods, reason = "the callers above record what the statement means")]
fn alone<Q>(write: Change<Q>) -> Q {
    write.without_its_meaning()
}
