//! When secrets were last used, remembered in memory and written by a job: a token request costs no write of its own.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use svc_core::{AppId, Digest, Result, Seconds, TenantId, Timestamp};
use svc_db::{Db, args, quiet_system_sql};

/// How exact it is: uses within it count as one.
const HOUR: Seconds = Seconds(3600);
/// Uses that are written in one transaction.
const BATCH: usize = 500;

/// The uses of this process.
#[derive(Default)]
pub struct SecretUses {
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    noted: HashMap<Secret, Timestamp>,
    unwritten: Vec<(Secret, Timestamp)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Secret {
    tenant: TenantId,
    app: AppId,
    digest: Digest,
}

impl SecretUses {
    /// Notes that a secret authenticated its application.
    pub fn note(&self, tenant: TenantId, app: AppId, digest: Digest, now: Timestamp) {
        let secret = Secret { tenant, app, digest };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.noted.get(&secret).is_none_or(|at| *at + HOUR <= now) {
            seen.noted.insert(secret, now);
            seen.unwritten.push((secret, now));
        }
    }

    /// Writes what was noted; returns the number of uses. What cannot be written stays.
    pub async fn flush(&self, db: &Db, now: Timestamp) -> Result<usize> {
        let unwritten = {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            seen.noted.retain(|_, at| now < *at + HOUR);
            std::mem::take(&mut seen.unwritten)
        };
        for (number, batch) in unwritten.chunks(BATCH).enumerate() {
            if let Err(error) = write(db, batch).await {
                let left = unwritten.iter().skip(number * BATCH).copied();
                self.seen.lock().unwrap_or_else(PoisonError::into_inner).unwritten.extend(left);
                return Err(error);
            }
        }
        Ok(unwritten.len())
    }
}

async fn write(db: &Db, uses: &[(Secret, Timestamp)]) -> Result<()> {
    let present = quiet_system_sql!(
        "notes a use; what was done with it is recorded",
        "UPDATE apps SET secret_used_at = $4 WHERE tenant_id = $1 AND id = $2 AND secret_digest = $3"
    );
    let former = quiet_system_sql!(
        "notes a use; what was done with it is recorded",
        "UPDATE apps SET former_secret_used_at = $4 WHERE tenant_id = $1 AND id = $2 AND former_secret_digest = $3"
    );
    let mut tx = db.begin_system().await?;
    for (secret, at) in uses {
        let arguments = args![secret.tenant, secret.app, secret.digest, *at];
        tx.later(present, arguments);
        tx.later(former, arguments);
    }
    tx.commit().await
}
