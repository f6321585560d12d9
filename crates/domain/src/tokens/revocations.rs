//! What no longer counts although its signature verifies (RFC 7009): a list in memory on every node, kept in the database.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use svc_core::{Cx, Error, FamilyId, Result, SessionId, TenantRef, Timestamp};
use svc_db::{System, Tenant, Tx, args, sql, system_sql};

use crate::tokens::access_token::Claims;

/// What is revoked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Revoked {
    /// One access token.
    Jti(String),
    /// Every token of a refresh family.
    Family(FamilyId),
    /// Every token of a browser session.
    Session(SessionId),
    /// Every token of a subject.
    Subject(String),
    /// Every token of an application.
    App(String),
}

/// The list in memory.
#[derive(Default)]
pub struct Revocations {
    entries: RwLock<HashMap<(TenantRef, Revoked), Entry>>,
}

#[derive(Clone, Copy)]
struct Entry {
    revoked_at: Timestamp,
    expires_at: Timestamp,
}

impl Revocations {
    /// Whether the token behind `claims` is dead.
    pub fn is_revoked(&self, claims: &Claims) -> bool {
        let entries = self.entries.read().unwrap_or_else(PoisonError::into_inner);
        if entries.is_empty() {
            return false;
        }
        let issued = Timestamp::from_secs(claims.iat);
        let marks = [
            Some(Revoked::Jti(claims.jti.clone())),
            claims.family().and_then(|family| family.parse().ok()).map(Revoked::Family),
            claims.sid.as_deref().and_then(|sid| sid.parse().ok()).map(Revoked::Session),
            Some(Revoked::Subject(claims.sub.clone())),
            Some(Revoked::App(claims.client_id.clone())),
        ];
        let covers = |mark: Revoked| {
            let is_final = mark.is_final();
            entries.get(&(claims.tenant_id, mark)).is_some_and(|entry| is_final || issued <= entry.revoked_at)
        };
        marks.into_iter().flatten().any(covers)
    }

    /// Takes in what was revoked since `since`, here or elsewhere, and drops what has expired.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp, now: Timestamp) -> Result<()> {
        let select = system_sql!(
            "SELECT tenant_id, kind, value, revoked_at, expires_at FROM revocations WHERE revoked_at >= $1 AND expires_at > $2"
        );
        let rows = tx.all(select, args![since, now]).await?;
        let mut fresh = Vec::with_capacity(rows.len());
        for row in &rows {
            let mark = Revoked::stored(&row.text("kind")?, row.text("value")?)?;
            let entry = Entry { revoked_at: row.time("revoked_at")?, expires_at: row.time("expires_at")? };
            fresh.push(((row.parse("tenant_id")?, mark), entry));
        }
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|_, entry| entry.expires_at > now);
        entries.extend(fresh);
        Ok(())
    }

    /// Takes in a revocation that has just been committed on this node.
    pub fn learn(&self, tenant: TenantRef, mark: Revoked, cx: &Cx, expires_at: Timestamp) {
        let mut entries = self.entries.write().unwrap_or_else(PoisonError::into_inner);
        entries.insert((tenant, mark), Entry { revoked_at: cx.now, expires_at });
    }
}

/// Revokes until `expires_at`, when the last token that it concerns has expired by itself.
pub async fn revoke(tx: &mut Tx<Tenant>, cx: &Cx, mark: &Revoked, expires_at: Timestamp) -> Result<()> {
    let upsert = sql!(
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (tenant_id, kind, value) DO UPDATE SET revoked_at = excluded.revoked_at, expires_at = excluded.expires_at"
    );
    let (kind, value) = mark.stored_form();
    tx.execute(upsert, args![kind, value, cx.now, expires_at]).await.map(|_| ())
}

impl Revoked {
    /// Whether what is revoked never comes back, so that a token which a racing request stamped later is dead too.
    fn is_final(&self) -> bool {
        matches!(self, Self::Jti(_) | Self::Family(_) | Self::Session(_))
    }

    fn stored_form(&self) -> (&'static str, String) {
        match self {
            Self::Jti(jti) => ("jti", jti.clone()),
            Self::Family(family) => ("family", family.to_string()),
            Self::Session(session) => ("session", session.to_string()),
            Self::Subject(subject) => ("subject", subject.clone()),
            Self::App(app) => ("app", app.clone()),
        }
    }

    fn stored(kind: &str, value: String) -> Result<Self> {
        match kind {
            "jti" => Ok(Self::Jti(value)),
            "family" => Ok(Self::Family(value.parse()?)),
            "session" => Ok(Self::Session(value.parse()?)),
            "subject" => Ok(Self::Subject(value)),
            "app" => Ok(Self::App(value)),
            _ => Err(Error::internal(format!("a revocation of unknown kind {kind}"))),
        }
    }
}
