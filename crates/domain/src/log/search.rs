//! Search of the audit log, newest first: by target, actor or action with an index each, and within a time; whatever else is asked for
//! is looked for in a bounded number of entries at a time.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;
use svc_core::{AuditId, OrInternal as _, Result, Timestamp};
use svc_db::{Row, Tenant, TenantSql, Times, Tx, Value, args, sql};
use utoipa::ToSchema;

use super::audit::{ActorKind, AuditEntry, Outcome, entry};

macro_rules! entries_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail, position, hash \
             FROM audit_log WHERE tenant_id = $1 AND id < $2 AND id >= $3 AND ",
            $which
        )
    };
}

/// Entries that one read looks at.
const CHUNK: u32 = 500;
/// Entries that one page looks at, before it says how far it has looked.
pub const LOOKED_AT: u32 = 10_000;
/// Entries that facets of a time count.
pub const COUNTED: u32 = 50_000;
/// Values that a facet names.
const NAMED: u32 = 50;

/// Which entries.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Of this action, or of those of a category: `role.*`.
    pub action: Option<String>,
    /// By this actor.
    pub actor: Option<String>,
    /// Of this kind of actor.
    pub actor_kind: Option<ActorKind>,
    /// Done to this.
    pub target: Option<String>,
    /// With this outcome.
    pub outcome: Option<Outcome>,
    /// Of this request.
    pub request_id: Option<String>,
    /// From this address.
    pub client_ip: Option<String>,
    /// With this text in any of its fields; the case of letters does not count.
    pub text: Option<String>,
    /// Not before this time.
    pub since: Option<Timestamp>,
    /// Before this time.
    pub until: Option<Timestamp>,
}

/// What a search found.
#[derive(Debug)]
pub struct Found {
    /// The entries, newest first.
    pub entries: Vec<AuditEntry>,
    /// How far it looked, where there may be more.
    pub next: Option<AuditId>,
}

impl Filter {
    fn times(&self) -> Times {
        Times { since: self.since, until: self.until }
    }

    /// The ids that are looked at: below the first, not below the second.
    fn range(&self, cursor: Option<AuditId>) -> (Value, Value) {
        let [start, end] = self.times().before(cursor);
        (end, start)
    }

    /// The index that leads to the entries, with what is looked up in it; without one, all entries of the time.
    fn way(&self) -> Option<(TenantSql, &str)> {
        let exact = self.action.as_deref().filter(|action| !action.ends_with('*'));
        if let Some(target) = &self.target {
            let by_target = entries_sql!("target = $4 AND position IS NOT NULL ORDER BY id DESC LIMIT $5");
            Some((by_target, target))
        } else if let Some(actor) = &self.actor {
            let by_actor = entries_sql!("actor_id = $4 AND position IS NOT NULL ORDER BY id DESC LIMIT $5");
            Some((by_actor, actor))
        } else {
            let by_action = entries_sql!("action = $4 AND position IS NOT NULL ORDER BY id DESC LIMIT $5");
            exact.map(|action| (by_action, action))
        }
    }

    /// Whether more is asked for than a time.
    fn is_narrowed(&self) -> bool {
        let texts = [&self.action, &self.actor, &self.target, &self.request_id, &self.client_ip, &self.text];
        texts.iter().any(|text| text.is_some()) || self.outcome.is_some() || self.actor_kind.is_some()
    }

    /// How many entries to read at once: no more than are shown, where each that an index leads to is one.
    fn size(&self, limit: usize) -> u32 {
        let category = self.action.as_deref().is_some_and(|action| action.ends_with('*'));
        let ways = [self.target.is_some(), self.actor.is_some(), self.action.is_some()];
        let is_looked_for = category
            || ways.into_iter().filter(|way| *way).count() > 1
            || self.outcome.is_some()
            || self.actor_kind.is_some()
            || [&self.request_id, &self.client_ip, &self.text].iter().any(|text| text.is_some());
        if is_looked_for { CHUNK } else { u32::try_from(limit + 1).unwrap_or(CHUNK).min(CHUNK) }
    }

    /// Whether an entry is one of those that are asked for.
    pub fn finds(&self, entry: &AuditEntry) -> bool {
        let is = |asked: &Option<String>, own: &str| asked.as_deref().is_none_or(|asked| asked == own);
        let action = self.action.as_deref().is_none_or(|asked| match asked.strip_suffix('*') {
            Some(beginning) => entry.action.starts_with(beginning),
            None => entry.action == asked,
        });
        action
            && is(&self.actor, &entry.actor_id)
            && self.actor_kind.is_none_or(|asked| asked.name() == entry.actor_kind)
            && is(&self.target, &entry.target)
            && self.outcome.is_none_or(|asked| asked.name() == entry.outcome)
            && is(&self.request_id, &entry.request_id)
            && is(&self.client_ip, &entry.client_ip)
            && self.since.is_none_or(|since| entry.at >= since)
            && self.until.is_none_or(|until| entry.at < until)
            && self.text.as_deref().is_none_or(|text| has(entry, &text.to_lowercase()))
    }
}

fn has(entry: &AuditEntry, text: &str) -> bool {
    let detail = entry.detail.to_string();
    [&entry.action, &entry.actor_id, &entry.target, &entry.request_id, &entry.client_ip, &detail]
        .iter()
        .any(|field| field.to_lowercase().contains(text))
}

/// Up to `limit` entries before `cursor`, newest first. Looks at [`LOOKED_AT`] entries at most.
pub async fn search(
    tx: &mut Tx<Tenant>,
    filter: &Filter,
    (cursor, limit): (Option<AuditId>, usize),
) -> Result<Found> {
    let (mut end, start) = filter.range(cursor);
    let (way, size) = (filter.way(), filter.size(limit));
    let mut found = match way {
        Some(_) => waiting(tx, filter, (&end, &start)).await?,
        None => Vec::new(),
    };
    let (mut looked_at, mut next) = (0, None);
    // One more than asked for says that there are more.
    while found.len() <= limit || way.is_some() {
        let rows = chunk(tx, way, (&end, &start, size)).await?;
        for row in &rows {
            found.extend(Some(entry(row)?).filter(|entry| filter.finds(entry)));
        }
        let last: Option<AuditId> = rows.last().map(|row| row.parse("id")).transpose()?;
        looked_at += size;
        let is_all = rows.len() < size as usize;
        next = last.filter(|_| !is_all);
        let (Some(last), false) = (last, is_all || looked_at >= LOOKED_AT) else { break };
        if found.len() > limit {
            break;
        }
        end = last.into();
    }
    Ok(cut(found, limit, next))
}

/// The newest of what was found; nothing beyond how far was looked, so that none is passed over.
fn cut(mut entries: Vec<AuditEntry>, limit: usize, looked_until: Option<AuditId>) -> Found {
    entries.retain(|entry| looked_until.is_none_or(|until| entry.id >= until));
    entries.sort_by_key(|entry| Reverse(entry.id));
    entries.dedup_by(|one, other| one.id == other.id);
    if entries.len() > limit {
        entries.truncate(limit);
        let next = entries.last().map(|entry| entry.id);
        return Found { entries, next };
    }
    Found { entries, next: looked_until }
}

async fn chunk(
    tx: &mut Tx<Tenant>,
    way: Option<(TenantSql, &str)>,
    (end, start, size): (&Value, &Value, u32),
) -> Result<Vec<Row>> {
    let (end, start) = (end.clone(), start.clone());
    if let Some((select, value)) = way {
        return tx.all(select, args![end, start, value, size]).await;
    }
    let all = entries_sql!("id <> '' ORDER BY id DESC LIMIT $4");
    tx.all(all, args![end, start, size]).await
}

/// Entries that have no place yet, and so are in no index but that of those that wait.
async fn waiting(
    tx: &mut Tx<Tenant>,
    filter: &Filter,
    (end, start): (&Value, &Value),
) -> Result<Vec<AuditEntry>> {
    // Few wait: their index is read whole, where an engine could take the way over all entries of the tenant instead.
    let select = sql!(
        "WITH waiting AS MATERIALIZED (SELECT tenant_id, id, at, actor_kind, actor_id, action, target, outcome, \
         request_id, client_ip, detail, position, hash FROM audit_log WHERE position IS NULL) \
         SELECT id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail, position, hash \
         FROM waiting WHERE tenant_id = $1 AND id < $2 AND id >= $3 ORDER BY at DESC, id DESC LIMIT $4"
    );
    let rows = tx.all(select, args![end.clone(), start.clone(), LOOKED_AT]).await?;
    let entries: Vec<_> = rows.iter().map(entry).collect::<Result<_>>()?;
    Ok(entries.into_iter().filter(|entry| filter.finds(entry)).collect())
}

/// The entries of a time after `cursor`, oldest first, for an export.
pub async fn onwards(
    tx: &mut Tx<Tenant>,
    filter: &Filter,
    cursor: Option<AuditId>,
) -> Result<(Vec<AuditEntry>, Option<AuditId>)> {
    let select = sql!(
        "SELECT id, at, actor_kind, actor_id, action, target, outcome, request_id, client_ip, detail, position, hash \
         FROM audit_log WHERE tenant_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4"
    );
    let [start, end] = filter.times().after(cursor);
    let rows = tx.all(select, args![start, end, CHUNK]).await?;
    let last = rows.last().map(|row| row.parse("id")).transpose()?;
    let entries: Vec<_> = rows.iter().map(entry).collect::<Result<_>>()?;
    Ok((entries.into_iter().filter(|entry| filter.finds(entry)).collect(), last))
}

/// How often a value occurs.
#[derive(Debug, Serialize, ToSchema)]
pub struct FacetValue {
    /// The value.
    pub value: String,
    /// In how many entries.
    pub count: i64,
}

/// The most frequent values of the entries that are asked for.
#[derive(Debug, Serialize, ToSchema)]
pub struct Facets {
    /// The fifty most frequent actions.
    pub actions: Vec<FacetValue>,
    /// The fifty most active actors, by id.
    pub actors: Vec<FacetValue>,
    /// Outcomes.
    pub outcomes: Vec<FacetValue>,
    /// How many entries were counted: the newest 50,000 of the time at most; where more than a time is asked for, those found among the
    /// newest 10,000.
    pub counted: i64,
    /// Whether these are all of them.
    pub is_complete: bool,
}

/// Counts the newest entries of a time by what they say; where more is asked for, those that a search finds by looking at as many as for
/// one page.
pub async fn facets(tx: &mut Tx<Tenant>, filter: &Filter) -> Result<Facets> {
    if filter.is_narrowed() {
        return narrowed(tx, filter).await;
    }
    let actions = sql!(
        "SELECT f.action AS value, COUNT(*) AS number FROM (SELECT action FROM audit_log WHERE tenant_id = $1 AND id < $2 \
         AND id >= $3 ORDER BY id DESC LIMIT $4) f GROUP BY f.action ORDER BY number DESC, value LIMIT $5"
    );
    let actors = sql!(
        "SELECT f.actor_id AS value, COUNT(*) AS number FROM (SELECT actor_id FROM audit_log WHERE tenant_id = $1 AND id < $2 \
         AND id >= $3 ORDER BY id DESC LIMIT $4) f GROUP BY f.actor_id ORDER BY number DESC, value LIMIT $5"
    );
    let outcomes = sql!(
        "SELECT f.outcome AS value, COUNT(*) AS number FROM (SELECT outcome FROM audit_log WHERE tenant_id = $1 AND id < $2 \
         AND id >= $3 ORDER BY id DESC LIMIT $4) f GROUP BY f.outcome ORDER BY number DESC, value LIMIT $5"
    );
    let (end, start) = filter.range(None);
    let arguments = args![end, start, COUNTED, NAMED];
    let calls = [actions, actors, outcomes].map(|select| tx.call(select, arguments));
    let [actions, actors, outcomes] = tx.batch(calls).await?.map(|rows| values(&rows));
    let outcomes = outcomes?;
    let counted = outcomes.iter().map(|outcome| outcome.count).sum();
    Ok(Facets {
        actions: actions?,
        actors: actors?,
        outcomes,
        counted,
        is_complete: counted < i64::from(COUNTED),
    })
}

async fn narrowed(tx: &mut Tx<Tenant>, filter: &Filter) -> Result<Facets> {
    let Found { entries, next } = search(tx, filter, (None, LOOKED_AT as usize)).await?;
    let each = |value: fn(&AuditEntry) -> &str| most_frequent(entries.iter().map(value));
    Ok(Facets {
        actions: each(|entry| &entry.action),
        actors: each(|entry| &entry.actor_id),
        outcomes: each(|entry| &entry.outcome),
        counted: i64::try_from(entries.len()).or_internal()?,
        is_complete: next.is_none(),
    })
}

fn most_frequent<'a>(values: impl Iterator<Item = &'a str>) -> Vec<FacetValue> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let named = |(value, count): (&str, i64)| FacetValue { value: value.to_owned(), count };
    let mut frequent: Vec<_> = counts.into_iter().map(named).collect();
    // Those of one number stay in the order of their values.
    frequent.sort_by_key(|one| Reverse(one.count));
    frequent.truncate(NAMED as usize);
    frequent
}

fn values(rows: &[Row]) -> Result<Vec<FacetValue>> {
    let value = |row: &Row| Ok(FacetValue { value: row.text("value")?, count: row.int("number")? });
    rows.iter().map(value).collect()
}
