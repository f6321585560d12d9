//! Applications that registered themselves (RFC 7591, RFC 7592) or are known by a metadata document, and the initial
//! access tokens with which they may.

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::events::{ApplicationDeleted, RegistrationTokenCreated, RegistrationTokenDeleted};
use svc_core::{AppId, Cx, Digest, Error, RegistrationTokenId, Result, Seconds, Timestamp};
use svc_db::{
    Change, Row, System, SystemSql, Tenant, Tx, after, args, change_sql, change_system_sql, quiet_sql,
    quiet_system_sql, sql,
};
use utoipa::ToSchema;

use crate::checks::check_description;
use crate::document;
use crate::lists::{self, ByCreation};
use crate::log::{Action, Log, Meaning, change, change_across};
use crate::tokens::revocations;

/// How an application came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By a call of the registration endpoint.
    Dynamic,
    /// By a document at the address that is its `client_id`.
    Document,
}

/// What an application said of itself and we only give back (RFC 7591 §2).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remarks {
    /// Whom to write to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contacts: Vec<String>,
    /// Which program it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub software_id: Option<String>,
    /// Which version of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub software_version: Option<String>,
}

/// An application that registered itself.
#[derive(Clone, Debug)]
pub struct Registration {
    /// The application.
    pub app: AppId,
    /// How it came to be.
    pub kind: Kind,
    /// What it said of itself.
    pub remarks: Remarks,
    /// Until when a document need not be fetched again.
    pub fresh_until: Timestamp,
    /// When a document was last read.
    pub fetched_at: Timestamp,
    /// When it registered.
    pub created_at: Timestamp,
}

/// A registration to store.
pub struct NewRegistration<'a> {
    /// The application, stored already.
    pub app: AppId,
    /// How it came to be.
    pub kind: Kind,
    /// The digest of the token that manages it.
    pub digest: Option<Digest>,
    /// What it said of itself.
    pub remarks: &'a Remarks,
    /// Until when a document need not be fetched again.
    pub fresh_until: Timestamp,
}

/// An initial access token as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RegistrationToken {
    /// Its id.
    #[schema(value_type = String)]
    pub id: RegistrationTokenId,
    /// What it is for.
    pub description: String,
    /// How many applications it may register.
    pub quota: i64,
    /// How many it has.
    pub used: i64,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = "date-time")]
    pub expires_at: Timestamp,
}

/// An initial access token to store.
pub struct NewToken<'a> {
    /// The digest of the token.
    pub digest: Digest,
    /// What it is for.
    pub description: &'a str,
    /// How many applications it may register.
    pub quota: i64,
    /// How long it may be used.
    pub lifetime: Seconds,
}

/// How long an application stays that registered and never got a token.
const UNUSED_LIFETIME: Seconds = Seconds(30 * 86_400);
/// The same for a document, which comes back by itself when it is needed.
const UNUSED_DOCUMENT_LIFETIME: Seconds = Seconds(86_400);

/// Notes how an application came to be.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewRegistration<'_>) -> Result<()> {
    let insert = change_sql!(
        "INSERT INTO registrations (tenant_id, app_id, kind, digest, remarks, fresh_until, fetched_at, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)"
    );
    let remarks = document::store(new.remarks)?;
    let arguments = args![new.app, new.kind.name(), new.digest, remarks, new.fresh_until, cx.now];
    let meaning = Meaning::done(Action::ApplicationRegistered, new.app);
    change(tx, cx, insert, arguments, meaning).await.map(|_| ())
}

/// Notes what an application says of itself now, and until when that holds.
pub async fn refresh(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    app: AppId,
    remarks: &Remarks,
    fresh_until: Timestamp,
) -> Result<()> {
    let update = quiet_sql!(
        "what changed of the application is recorded",
        "UPDATE registrations SET remarks = $3, fresh_until = $4, fetched_at = $5 WHERE tenant_id = $1 AND app_id = $2"
    );
    tx.execute(update, args![app, document::store(remarks)?, fresh_until, cx.now]).await.map(|_| ())
}

/// How an application came to be, if not by an administrator.
pub async fn find(tx: &mut Tx<Tenant>, app: AppId) -> Result<Option<Registration>> {
    let select = sql!(
        "SELECT app_id, kind, remarks, fresh_until, fetched_at, created_at FROM registrations \
         WHERE tenant_id = $1 AND app_id = $2"
    );
    tx.optional(select, args![app]).await?.as_ref().map(registration).transpose()
}

/// A page of the applications that an administrator made, each with its handle, by id after `cursor`.
pub async fn unregistered(
    tx: &mut Tx<Tenant>,
    cursor: Option<AppId>,
    limit: u32,
) -> Result<Vec<(AppId, String)>> {
    let select = sql!(
        "SELECT a.id AS id, a.handle AS handle FROM apps a WHERE a.tenant_id = $1 AND a.id > $2 AND NOT EXISTS \
         (SELECT 1 FROM registrations r WHERE r.tenant_id = a.tenant_id AND r.app_id = a.id) ORDER BY a.id LIMIT $3"
    );
    let rows = tx.all(select, args![after(cursor), limit]).await?;
    rows.iter().map(|row| Ok((row.parse("id")?, row.text("handle")?))).collect()
}

/// The registration that a registration access token manages.
pub async fn find_by_token(tx: &mut Tx<Tenant>, digest: Digest) -> Result<Option<Registration>> {
    let select = sql!(
        "SELECT app_id, kind, remarks, fresh_until, fetched_at, created_at FROM registrations \
         WHERE tenant_id = $1 AND digest = $2"
    );
    tx.optional(select, args![digest]).await?.as_ref().map(registration).transpose()
}

/// How many applications of a tenant registered themselves and got no token so far; no other transaction counts until this
/// one ends.
pub async fn unused(tx: &mut Tx<Tenant>, kind: Kind) -> Result<i64> {
    tx.hold(kind.name());
    let select = sql!(
        "SELECT COUNT(*) AS unused FROM registrations WHERE tenant_id = $1 AND kind = $2 AND used_at IS NULL"
    );
    tx.one(select, args![kind.name()]).await?.int("unused")
}

/// How long a registration stays at least, so that its application can be used.
const LEAST_LIFETIME: Seconds = Seconds(3600);

/// Removes the oldest application that got no token within an hour, so that strangers cannot keep a quota filled; returns
/// whether there was one.
pub async fn make_room(tx: &mut Tx<Tenant>, cx: &Cx, kind: Kind) -> Result<bool> {
    let select = sql!(
        "SELECT app_id FROM registrations WHERE tenant_id = $1 AND kind = $2 AND used_at IS NULL AND created_at <= $3 \
         ORDER BY created_at LIMIT 1"
    );
    let Some(row) = tx.optional(select, args![kind.name(), cx.now - LEAST_LIFETIME]).await? else {
        return Ok(false);
    };
    super::delete(tx, cx, row.parse("app_id")?).await?;
    Ok(true)
}

/// Notes that an application got its first token; it is sent with the next statement or the commit.
pub fn note_use(tx: &mut Tx<Tenant>, cx: &Cx, app: AppId) {
    let update = quiet_sql!(
        "the token that the application got is recorded",
        "UPDATE registrations SET used_at = $3 WHERE tenant_id = $1 AND app_id = $2 AND used_at IS NULL"
    );
    tx.later(update, args![app, cx.now]);
}

/// Stores an initial access token.
pub async fn create_token(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewToken<'_>) -> Result<RegistrationToken> {
    check_token(new)?;
    let token = RegistrationToken {
        id: cx.id(),
        description: new.description.to_owned(),
        quota: new.quota,
        used: 0,
        created_at: cx.now,
        expires_at: cx.now + new.lifetime,
    };
    let insert = change_sql!(
        "INSERT INTO registration_tokens (tenant_id, id, digest, description, quota, used, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, 0, $6, $7)"
    );
    let arguments = args![token.id, new.digest, new.description, new.quota, cx.now, token.expires_at];
    let event = RegistrationTokenCreated { registration_token_id: token.id, quota: token.quota };
    let meaning = Meaning::done(Action::RegistrationTokenCreated, token.id).telling(event);
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(token)
}

/// Whether an initial access token has something left now; [`spend_token`] alone decides.
pub async fn has_token(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest) -> Result<bool> {
    let select = sql!(
        "SELECT id FROM registration_tokens WHERE tenant_id = $1 AND digest = $2 AND used < quota AND expires_at > $3"
    );
    Ok(tx.optional(select, args![digest, cx.now]).await?.is_some())
}

/// Uses an initial access token once: one statement, so that parallel calls cannot exceed its quota.
pub async fn spend_token(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    digest: Digest,
) -> Result<Option<RegistrationTokenId>> {
    let update = quiet_sql!(
        "counts uses; the registration is recorded",
        "UPDATE registration_tokens SET used = used + 1 WHERE tenant_id = $1 AND digest = $2 AND used < quota \
         AND expires_at > $3 RETURNING id"
    );
    tx.optional(update, args![digest, cx.now]).await?.map(|row| row.parse("id")).transpose()
}

/// One initial access token.
pub async fn find_token(tx: &mut Tx<Tenant>, id: RegistrationTokenId) -> Result<Option<RegistrationToken>> {
    let select = sql!(
        "SELECT id, description, quota, used, created_at, expires_at FROM registration_tokens \
         WHERE tenant_id = $1 AND id = $2"
    );
    tx.optional(select, args![id]).await?.as_ref().map(token).transpose()
}

/// The same, held until the transaction ends: nothing is registered with it meanwhile.
pub async fn hold_token(tx: &mut Tx<Tenant>, id: RegistrationTokenId) -> Result<Option<RegistrationToken>> {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE registration_tokens SET used = used WHERE tenant_id = $1 AND id = $2 \
         RETURNING id, description, quota, used, created_at, expires_at"
    );
    tx.optional(update, args![id]).await?.as_ref().map(token).transpose()
}

/// Takes an initial access token back; what it registered stays.
pub async fn delete_token(tx: &mut Tx<Tenant>, cx: &Cx, id: RegistrationTokenId) -> Result<()> {
    let delete = change_sql!("DELETE FROM registration_tokens WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::RegistrationTokenDeleted, id)
        .telling(RegistrationTokenDeleted { registration_token_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    Ok(())
}

/// A page of the initial access tokens that were made in a time, after `cursor`.
pub async fn list_tokens(
    tx: &mut Tx<Tenant>,
    made: ByCreation,
    (cursor, limit): (Option<RegistrationTokenId>, u32),
) -> Result<Vec<RegistrationToken>> {
    let oldest = sql!(
        "SELECT id, description, quota, used, created_at, expires_at FROM registration_tokens \
         WHERE tenant_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4"
    );
    let newest = sql!(
        "SELECT id, description, quota, used, created_at, expires_at FROM registration_tokens \
         WHERE tenant_id = $1 AND id > $2 AND id < $3 ORDER BY id DESC LIMIT $4"
    );
    lists::made(tx, (oldest, newest), made, (cursor, limit), |row| token(row).map(Some)).await
}

/// The applications that a run may remove, as two statements with the same choice: memory forgets what is revoked.
const REVOKE_UNUSED: SystemSql = quiet_system_sql!(
    "goes with the applications, whose end is recorded",
    "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
     SELECT tenant_id, 'app', app_id, $3, $4 FROM registrations WHERE used_at IS NULL AND kind = $1 \
     AND created_at <= $2 ORDER BY tenant_id, app_id LIMIT $5 ON CONFLICT (tenant_id, kind, value) DO NOTHING"
);
const DELETE_UNUSED: Change<SystemSql> = change_system_sql!(
    "DELETE FROM apps WHERE (tenant_id, id) IN (SELECT tenant_id, app_id FROM registrations \
     WHERE used_at IS NULL AND kind = $1 AND created_at <= $2 ORDER BY tenant_id, app_id LIMIT $3) RETURNING tenant_id, id"
);

/// Removes up to `most` applications of each kind that registered long before `settled` and never got a token.
pub async fn remove_unused(tx: &mut Tx<System>, cx: &Cx, settled: Timestamp, most: u32) -> Result<u64> {
    let (now, mut removed) = (cx.now, 0);
    for (kind, kept) in [(Kind::Dynamic, UNUSED_LIFETIME), (Kind::Document, UNUSED_DOCUMENT_LIFETIME)] {
        let oldest = settled - kept;
        tx.later(REVOKE_UNUSED, args![kind.name(), oldest, now, revocations::horizon(now), most]);
        let deleted = change_across(tx, cx, DELETE_UNUSED, args![kind.name(), oldest, most], |row| {
            let client_id: AppId = row.parse("id")?;
            let meaning = Meaning::done(Action::ApplicationDeleted, client_id)
                .telling(ApplicationDeleted { client_id });
            Ok((Log::Of(row.parse("tenant_id")?), meaning.with(json!({ "reason": "never used" }))))
        })
        .await?;
        removed += deleted.len() as u64;
    }
    Ok(removed)
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Document => "document",
        }
    }
}

fn check_token(new: &NewToken<'_>) -> Result<()> {
    check_description(new.description, 200)?;
    if !(1..=10_000).contains(&new.quota) {
        return Err(Error::bad_request("quota: use 1 to 10000"));
    }
    if !(60..=31_536_000).contains(&new.lifetime.0) {
        return Err(Error::bad_request("expires_in: use 60 to 31536000 seconds"));
    }
    Ok(())
}

fn registration(row: &Row) -> Result<Registration> {
    Ok(Registration {
        app: row.parse("app_id")?,
        kind: if row.text("kind")? == "dynamic" { Kind::Dynamic } else { Kind::Document },
        remarks: document::load(row, "remarks")?,
        fresh_until: row.time("fresh_until")?,
        fetched_at: row.time("fetched_at")?,
        created_at: row.time("created_at")?,
    })
}

fn token(row: &Row) -> Result<RegistrationToken> {
    Ok(RegistrationToken {
        id: row.parse("id")?,
        description: row.text("description")?,
        quota: row.int("quota")?,
        used: row.int("used")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
    })
}
