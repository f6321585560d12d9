//! Client-credentials tokens, counted in memory and written as one audit entry and event per application and audience.
//!
//! Such a token changes nothing but the clock, so a commit of its own would be the only cost of the request. What a crash
//! can lose is the count since the last flush; a tenant that must not lose it sets `record_every_token`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use svc_core::events::TokenIssued;
use svc_core::{Actor, AppId, Cx, Result, TenantId};
use svc_db::Db;

use super::{Meaning, record};

/// The counts that are not yet written.
#[derive(Default)]
pub struct Journal {
    counts: Mutex<HashMap<Issue, u64>>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Issue {
    tenant: TenantId,
    app: AppId,
    audience: String,
}

impl Journal {
    /// Counts one token.
    pub fn count(&self, tenant: TenantId, app: AppId, audience: &str) {
        let issue = Issue { tenant, app, audience: audience.to_owned() };
        *self.counts.lock().unwrap_or_else(PoisonError::into_inner).entry(issue).or_default() += 1;
    }

    /// Writes what was counted; returns the number of entries. Counts that cannot be written stay.
    pub async fn flush(&self, db: &Db, cx: &Cx) -> Result<usize> {
        let counts = std::mem::take(&mut *self.counts.lock().unwrap_or_else(PoisonError::into_inner));
        let total = counts.len();
        let mut left = counts.into_iter();
        while let Some((issue, count)) = left.next() {
            if let Err(error) = write(db, cx, &issue, count).await {
                let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
                for (issue, count) in std::iter::once((issue, count)).chain(left) {
                    *counts.entry(issue).or_default() += count;
                }
                return Err(error);
            }
        }
        Ok(total)
    }
}

async fn write(db: &Db, cx: &Cx, issue: &Issue, count: u64) -> Result<()> {
    let cx = cx.acting_as(Actor::App(issue.app.to_string()));
    let mut tx = db.begin(issue.tenant).await?;
    let issued = TokenIssued {
        client_id: issue.app,
        sub: issue.app.to_string(),
        aud: issue.audience.clone(),
        scope: None,
        grant_type: Some("client_credentials".to_owned()),
        count: Some(count),
    };
    record(&mut tx, &cx, Meaning::issued(issued));
    tx.commit().await
}
