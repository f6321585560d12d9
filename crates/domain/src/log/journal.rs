//! Client-credentials tokens, counted in memory and written as one audit entry and event per application and audience.
//!
//! Such a token changes nothing but the clock, so a commit of its own would be the only cost of the request. What a crash
//! can lose is bounded in time: by the interval of the writes, and by how much may wait for them. A tenant that must not
//! lose it sets `record_every_token`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use svc_core::events::TokenIssued;
use svc_core::{Actor, AppId, Cx, OrInternal as _, Result, TenantId};
use svc_db::Db;

use super::change::record_across;
use super::{Log, Meaning};

/// Entries that may wait: what the slower engine writes in a fifth of a second.
const MOST_WAITING: usize = 2_048;
/// Entries of one transaction; each is two rows.
const AT_ONCE: usize = 512;

/// The tokens that were issued and are not yet written down.
#[derive(Default)]
pub struct Journal(Arc<Unwritten>);

/// The counts that are not yet written.
#[derive(Default)]
struct Unwritten {
    counts: Mutex<HashMap<Issue, u64>>,
    /// Held while counts are being written, so that what waits twice is bounded too.
    writing: tokio::sync::Mutex<()>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Issue {
    tenant: TenantId,
    app: AppId,
    audience: String,
}

impl Journal {
    /// Counts one token. Returns `false`, and counts nothing, where so much is waiting that it has to be written first.
    #[must_use]
    pub fn count(&self, tenant: TenantId, app: AppId, audience: &str) -> bool {
        let issue = Issue { tenant, app, audience: audience.to_owned() };
        let mut counts = self.0.counts();
        if counts.len() >= MOST_WAITING && !counts.contains_key(&issue) {
            return false;
        }
        *counts.entry(issue).or_default() += 1;
        true
    }

    /// How many entries wait to be written.
    pub fn waiting(&self) -> usize {
        self.0.counts().len()
    }

    /// Writes what was counted; returns the number of entries. Counts that cannot be written stay.
    pub async fn flush(&self, db: &Db, cx: &Cx) -> Result<usize> {
        let (unwritten, db, cx) = (Arc::clone(&self.0), db.clone(), cx.clone());
        // A task of its own: a caller that hangs up must not take the counts along.
        tokio::spawn(async move { unwritten.flush(&db, &cx).await }).await.or_internal()?
    }
}

impl Unwritten {
    async fn flush(&self, db: &Db, cx: &Cx) -> Result<usize> {
        let _turn = self.writing.lock().await;
        let counts: Vec<_> = std::mem::take(&mut *self.counts()).into_iter().collect();
        for (written, chunk) in counts.chunks(AT_ONCE).enumerate() {
            if let Err(error) = write(db, cx, chunk).await {
                self.put_back(counts.iter().skip(written * AT_ONCE));
                return Err(error);
            }
        }
        Ok(counts.len())
    }

    fn put_back<'a>(&self, unwritten: impl Iterator<Item = &'a (Issue, u64)>) {
        let mut counts = self.counts();
        for (issue, count) in unwritten {
            *counts.entry(issue.clone()).or_default() += count;
        }
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Issue, u64>> {
        // No code that can panic runs under this lock.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes the entries of many tenants in one transaction, and on PostgreSQL in one flight.
async fn write(db: &Db, cx: &Cx, counts: &[(Issue, u64)]) -> Result<()> {
    let mut tx = db.begin_system().await?;
    for (issue, count) in counts {
        let cx = cx.acting_as(Actor::App(issue.app.to_string()));
        let issued = TokenIssued {
            client_id: issue.app,
            sub: issue.app.to_string(),
            tenant_user_id: None,
            aud: issue.audience.clone(),
            scope: None,
            grant_type: Some("client_credentials".to_owned()),
            count: Some(*count),
        };
        record_across(&mut tx, &cx, Log::Of(issue.tenant.reference()), Meaning::issued(issued));
    }
    tx.commit().await
}

#[cfg(test)]
mod tests {
    use svc_core::{Origin, SeededEntropy, TenantRef, Timestamp};

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a tenant without a database")]
    fn what_waits_is_bounded_and_what_is_known_is_still_counted() {
        let journal = Journal::default();
        let entropy = SeededEntropy::new(1);
        let now = Timestamp::from_secs(0);
        let (tenant, app) =
            (TenantId::proven(TenantRef::new(now, &entropy), Origin::Operator), AppId::new(now, &entropy));
        for number in 0..MOST_WAITING {
            assert!(journal.count(tenant, app, &number.to_string()));
        }
        assert!(!journal.count(tenant, app, "one more"));
        assert!(journal.count(tenant, app, "0"));
        assert_eq!(journal.waiting(), MOST_WAITING);
    }
}
