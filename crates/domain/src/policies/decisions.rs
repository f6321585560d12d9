//! The last decisions of each tenant, and what policies in the shadow would have changed: collected in memory, written in
//! batches, so that no decision waits for the database.
//!
//! What is counted of a shadow is exact but for what a crash loses. Of the decisions themselves, those that come faster than
//! they are written are left out.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use svc_core::{Cx, PolicyDecisionId, PolicyId, Result, TenantId, Timestamp};
use svc_db::{Db, Row, System, Tenant, Tx, args, before, quiet_system_sql, sql};
use utoipa::ToSchema;

use super::answer::{Answer, Determining};
use super::question::Question;
use crate::document;

/// How many decisions of a tenant are kept.
pub const KEPT: u32 = 1_000;
/// Decisions of one tenant that may wait.
const MOST_OF_TENANT: u32 = 100;
/// Decisions, and counts, that may wait.
const MOST_WAITING: usize = 2_000;
/// Longer questions are not written down.
const LONGEST: usize = 8 << 10;
/// Rows of one transaction.
const AT_ONCE: usize = 500;

/// A decision as it is listed.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PolicyDecision)]
pub struct Recorded {
    /// Its id.
    #[schema(value_type = String)]
    pub id: PolicyDecisionId,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub at: Timestamp,
    /// The request that asked.
    pub request_id: String,
    /// What was asked.
    pub question: Question,
    /// What was answered.
    pub decision: bool,
    /// Why.
    pub reason: String,
    /// The statements that decided.
    pub policies: Vec<Determining>,
    /// The shadow policies with which the answer would have been different.
    #[schema(value_type = Vec<String>)]
    pub differing: Vec<PolicyId>,
}

/// How many decisions a shadow policy would have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ShadowCounts {
    /// The version that was evaluated.
    pub version: i64,
    /// How many decisions it was evaluated with.
    pub evaluated: i64,
    /// How many of them would have been different.
    pub differed: i64,
    /// When a decision would last have been different.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub last_differed_at: Option<Timestamp>,
}

/// What is stored of a decision; the rest are columns.
#[derive(Serialize, Deserialize)]
struct Stored {
    question: Question,
    reason: String,
    policies: Vec<StoredStatement>,
    differing: Vec<PolicyId>,
}

#[derive(Serialize, Deserialize)]
struct StoredStatement {
    policy_id: Option<PolicyId>,
    version: Option<i64>,
    statement: String,
    #[serde(default)]
    reason: Option<String>,
}

/// What waits to be written.
#[derive(Default)]
pub struct Decisions {
    waiting: Mutex<Waiting>,
    /// Held while it is written, so that what waits twice is bounded too.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Waiting {
    decisions: Vec<Noted>,
    of_tenant: HashMap<TenantId, u32>,
    shadows: HashMap<(TenantId, PolicyId, i64), Count>,
}

struct Noted {
    tenant: TenantId,
    id: PolicyDecisionId,
    at: Timestamp,
    request_id: String,
    is_permitted: bool,
    document: String,
}

#[derive(Clone, Copy, Default)]
struct Count {
    evaluated: i64,
    differed: i64,
    last: Option<Timestamp>,
}

impl Decisions {
    /// Notes a decision, and for each policy in the shadow whether the answer would have been the other one.
    pub(super) fn note(
        &self,
        tenant: TenantId,
        cx: &Cx,
        (question, answer): (&Question, &Answer),
        shadows: Vec<((PolicyId, i64), bool)>,
    ) {
        let has_room = {
            let mut waiting = self.waiting();
            waiting.count(tenant, cx.now, &shadows);
            waiting.make_room(tenant)
        };
        if !has_room {
            return;
        }
        let differing = shadows.into_iter().filter(|(_, differs)| *differs).map(|((id, _), _)| id).collect();
        let Some(document) = document_of(question, answer, differing) else { return };
        let (id, at, request_id) = (cx.id(), cx.now, cx.request_id.clone());
        let noted = Noted { tenant, id, at, request_id, is_permitted: answer.is_permitted(), document };
        self.waiting().decisions.push(noted);
    }

    /// Writes what waits; returns how many rows. What cannot be written is given up, but for counts.
    pub async fn flush(&self, db: &Db) -> Result<usize> {
        let _turn = self.writing.lock().await;
        let Waiting { decisions, of_tenant, shadows } = std::mem::take(&mut *self.waiting());
        let counts: Vec<_> = shadows.into_iter().collect();
        for (written, chunk) in counts.chunks(AT_ONCE).enumerate() {
            if let Err(error) = write_counts(db, chunk).await {
                self.put_back(counts.iter().skip(written * AT_ONCE));
                return Err(error);
            }
        }
        for chunk in decisions.chunks(AT_ONCE) {
            write_decisions(db, chunk).await?;
        }
        if !decisions.is_empty() {
            forget_oldest(db, of_tenant.into_keys()).await?;
        }
        Ok(counts.len() + decisions.len())
    }

    fn put_back<'a>(&self, unwritten: impl Iterator<Item = &'a ((TenantId, PolicyId, i64), Count)>) {
        let mut waiting = self.waiting();
        for (key, count) in unwritten {
            waiting.shadows.entry(*key).or_default().add(*count);
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // No code that can panic runs under this lock.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waiting {
    fn count(&mut self, tenant: TenantId, now: Timestamp, shadows: &[((PolicyId, i64), bool)]) {
        for ((policy, version), differs) in shadows {
            let key = (tenant, *policy, *version);
            if self.shadows.len() < MOST_WAITING || self.shadows.contains_key(&key) {
                let last = differs.then_some(now);
                let count = Count { evaluated: 1, differed: i64::from(*differs), last };
                self.shadows.entry(key).or_default().add(count);
            }
        }
    }

    fn make_room(&mut self, tenant: TenantId) -> bool {
        if self.decisions.len() >= MOST_WAITING {
            return false;
        }
        let number = self.of_tenant.entry(tenant).or_default();
        *number += 1;
        *number <= MOST_OF_TENANT
    }
}

impl Count {
    fn add(&mut self, other: Self) {
        self.evaluated += other.evaluated;
        self.differed += other.differed;
        self.last = self.last.max(other.last);
    }
}

fn document_of(question: &Question, answer: &Answer, differing: Vec<PolicyId>) -> Option<String> {
    let policies = answer.determining.iter().cloned().map(|statement| {
        let Determining { policy_id, version, statement, reason } = statement;
        StoredStatement { policy_id, version, statement, reason }
    });
    let stored = Stored {
        question: question.clone(),
        reason: answer.reason(),
        policies: policies.collect(),
        differing,
    };
    document::store(&stored).ok().filter(|text| text.len() <= LONGEST)
}

async fn write_counts(db: &Db, counts: &[((TenantId, PolicyId, i64), Count)]) -> Result<()> {
    let mut tx = db.begin_system().await?;
    for ((tenant, policy, version), count) in counts {
        let upsert = quiet_system_sql!(
            "counts",
            "INSERT INTO policy_shadows (tenant_id, policy_id, number, evaluated, differed, last_differed_at) \
             SELECT tenant_id, id, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT), CAST($6 AS BIGINT) \
             FROM policies WHERE tenant_id = $1 AND id = $2 ON CONFLICT (tenant_id, policy_id, number) \
             DO UPDATE SET evaluated = policy_shadows.evaluated + excluded.evaluated, \
             differed = policy_shadows.differed + excluded.differed, \
             last_differed_at = COALESCE(excluded.last_differed_at, policy_shadows.last_differed_at)"
        );
        let arguments =
            args![tenant.reference(), *policy, *version, count.evaluated, count.differed, count.last];
        tx.later(upsert, arguments);
    }
    tx.commit().await
}

async fn write_decisions(db: &Db, decisions: &[Noted]) -> Result<()> {
    let mut tx = db.begin_system().await?;
    for noted in decisions {
        let insert = quiet_system_sql!(
            "the record itself",
            "INSERT INTO policy_decisions (tenant_id, id, at, request_id, permitted, document) \
             VALUES ($1, $2, $3, $4, $5, $6)"
        );
        let (request_id, document) = (noted.request_id.as_str(), noted.document.as_str());
        let arguments =
            args![noted.tenant.reference(), noted.id, noted.at, request_id, noted.is_permitted, document];
        tx.later(insert, arguments);
    }
    tx.commit().await
}

/// Keeps the last decisions of each of these tenants.
async fn forget_oldest(db: &Db, tenants: impl Iterator<Item = TenantId> + Send) -> Result<()> {
    let mut tx: Tx<System> = db.begin_system().await?;
    for tenant in tenants {
        let delete = quiet_system_sql!(
            "is over the number that is kept",
            "DELETE FROM policy_decisions WHERE tenant_id = $1 AND id <= (SELECT id FROM policy_decisions \
             WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)"
        );
        tx.later(delete, args![tenant.reference(), KEPT]);
    }
    tx.commit().await
}

/// Reads a page of decisions; the argument says of which.
macro_rules! page_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, at, request_id, permitted, document FROM policy_decisions WHERE tenant_id = $1 AND id < $2",
            $which,
            " ORDER BY id DESC LIMIT $3"
        )
    };
}

/// A page of the decisions, newest first: those before `cursor`; with an answer, of those that were answered so, among the [`KEPT`].
pub async fn list_decisions(
    tx: &mut Tx<Tenant>,
    decision: Option<bool>,
    (cursor, limit): (Option<PolicyDecisionId>, u32),
) -> Result<Vec<Recorded>> {
    let rows = match decision {
        None => tx.all(page_sql!(""), args![before(cursor), limit]).await?,
        Some(decision) => {
            tx.all(page_sql!(" AND permitted = $4"), args![before(cursor), limit, decision]).await?
        }
    };
    rows.iter().map(recorded).collect()
}

fn recorded(row: &Row) -> Result<Recorded> {
    let Stored { question, reason, policies, differing } = document::load(row, "document")?;
    let policies = policies.into_iter().map(|statement| {
        let StoredStatement { policy_id, version, statement, reason } = statement;
        Determining { policy_id, version, statement, reason }
    });
    Ok(Recorded {
        id: row.parse("id")?,
        at: row.time("at")?,
        request_id: row.text("request_id")?,
        question,
        decision: row.flag("permitted")?,
        reason,
        policies: policies.collect(),
        differing,
    })
}

/// What each version of a policy in the shadow would have changed, newest first.
pub async fn shadow_counts(tx: &mut Tx<Tenant>, policy: PolicyId) -> Result<Vec<ShadowCounts>> {
    let select = sql!(
        "SELECT number, evaluated, differed, last_differed_at FROM policy_shadows \
         WHERE tenant_id = $1 AND policy_id = $2 ORDER BY number DESC LIMIT 200"
    );
    let rows = tx.all(select, args![policy]).await?;
    let counts = rows.iter().map(|row| {
        Ok(ShadowCounts {
            version: row.int("number")?,
            evaluated: row.int("evaluated")?,
            differed: row.int("differed")?,
            last_differed_at: row.maybe_time("last_differed_at")?,
        })
    });
    counts.collect()
}
