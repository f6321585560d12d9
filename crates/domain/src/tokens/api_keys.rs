//! API keys: with which programs call the management API, for the tenant or for the person who made one.

use serde::Serialize;
use serde_json::json;
use svc_core::{ApiKeyId, Cx, Digest, Error, Result, Scope, Seconds, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, after, args, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use crate::log::{Action, Meaning, change, check_version};
use crate::overlap::Overlap;
use crate::tenancy::quotas::{self, Quota};

/// What every key begins with, so that scanners of source code recognise it.
pub const PREFIX: &str = "svc_ak_";
/// Uses within this time of a noted one are not noted.
const NOTED_EVERY: Seconds = Seconds(60);
const LONGEST_NAME: usize = 200;

/// Reads keys; the argument says which.
macro_rules! api_keys_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, name, scope, tenant_user_id, created_at, expires_at, last_used_at, former_expires_at, version \
             FROM api_keys WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// A key as administrators and its owner see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ApiKey {
    /// Its id; the `client_id` of what it does in the audit log.
    #[schema(value_type = String)]
    pub id: ApiKeyId,
    /// What it is for.
    pub name: String,
    /// The scopes that it opens.
    #[schema(value_type = String)]
    pub scope: Scope,
    /// For whom it acts; null for the tenant.
    #[schema(value_type = Option<String>)]
    pub tenant_user_id: Option<TenantUserId>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = "date-time")]
    pub expires_at: Timestamp,
    /// When it was last used, to the minute; null if it never was.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub last_used_at: Option<Timestamp>,
    /// Until when the secret before the last rotation is valid; null if there is none.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub former_expires_at: Option<Timestamp>,
    #[serde(skip)]
    /// Rises with every change.
    pub version: i64,
}

/// A key to store.
pub struct NewKey<'a> {
    /// The digest of its secret.
    pub digest: Digest,
    /// What it is for.
    pub name: &'a str,
    /// The scopes that it opens.
    pub scope: &'a Scope,
    /// For whom it acts; without one, for the tenant.
    pub owner: Option<TenantUserId>,
    /// How long it is valid.
    pub lifetime: Seconds,
    /// How many live keys its owner may have.
    pub most: u32,
}

/// Stores a key. `conflict` where its owner has as many as it may.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewKey<'_>) -> Result<ApiKey> {
    check_name(new.name)?;
    quotas::check(tx, Quota::ApiKeys).await?;
    make_room(tx, cx, new).await?;
    let key = ApiKey {
        id: cx.id(),
        name: new.name.to_owned(),
        scope: new.scope.clone(),
        tenant_user_id: new.owner,
        created_at: cx.now,
        expires_at: cx.now + new.lifetime,
        last_used_at: None,
        former_expires_at: None,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO api_keys (tenant_id, id, digest, tenant_user_id, name, scope, created_at, updated_at, expires_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, 1)"
    );
    let scope = new.scope.to_string();
    let arguments = args![key.id, new.digest, new.owner, new.name, scope, cx.now, key.expires_at];
    let meaning = Meaning::done(Action::ApiKeyCreated, key.id).with(
        json!({ "scope": key.scope, "tenant_user_id": key.tenant_user_id, "expires_at": key.expires_at }),
    );
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(key)
}

/// Counts the live keys of an owner; no other transaction counts until this one ends.
async fn make_room(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewKey<'_>) -> Result<()> {
    let owner = new.owner.map(|owner| owner.to_string()).unwrap_or_default();
    tx.hold(&format!("API keys of {owner}"));
    let select = sql!(
        "SELECT COUNT(*) AS live FROM api_keys WHERE tenant_id = $1 AND COALESCE(tenant_user_id, '') = $2 AND expires_at > $3"
    );
    let live = tx.one(select, args![owner, cx.now]).await?.int("live")?;
    if live >= i64::from(new.most) {
        return Err(Error::conflict(format!(
            "the owner has {live} API keys, the most that it may; delete one first"
        )));
    }
    Ok(())
}

/// One key.
pub async fn find(tx: &mut Tx<Tenant>, id: ApiKeyId) -> Result<Option<ApiKey>> {
    let select = api_keys_sql!("id = $2");
    tx.optional(select, args![id]).await?.as_ref().map(record).transpose()
}

/// The key of a secret that is valid now.
pub async fn find_live(tx: &mut Tx<Tenant>, secret: Digest, now: Timestamp) -> Result<Option<ApiKey>> {
    let select =
        api_keys_sql!("(digest = $2 OR (former_digest = $2 AND former_expires_at > $3)) AND expires_at > $3");
    tx.optional(select, args![secret, now]).await?.as_ref().map(record).transpose()
}

/// A page of keys by id, after `cursor`; of one person where one is named.
pub async fn list(
    tx: &mut Tx<Tenant>,
    of: Option<TenantUserId>,
    (cursor, limit): (Option<ApiKeyId>, u32),
) -> Result<Vec<ApiKey>> {
    let rows = match of {
        None => {
            let select = api_keys_sql!("id > $2 ORDER BY id LIMIT $3");
            tx.all(select, args![after(cursor), limit]).await?
        }
        Some(person) => {
            let select = api_keys_sql!("tenant_user_id = $4 AND id > $2 ORDER BY id LIMIT $3");
            tx.all(select, args![after(cursor), limit, person]).await?
        }
    };
    rows.iter().map(record).collect()
}

/// Changes the name and the scopes.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey, name: &str, scope: &Scope) -> Result<()> {
    check_name(name)?;
    let update = change_sql!(
        "UPDATE api_keys SET name = $3, scope = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let meaning = Meaning::done(Action::ApiKeyUpdated, key.id).with(json!({ "scope": scope }));
    let arguments = args![key.id, name, scope.to_string(), cx.now, key.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API key")
}

/// Replaces the secret; the present one stays valid for `overlap`, and one that was rotated before it ends. Returns until when.
pub async fn rotate(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    key: &ApiKey,
    (secret, overlap): (Digest, Overlap),
) -> Result<Option<Timestamp>> {
    let update = change_sql!(
        "UPDATE api_keys SET former_digest = CASE WHEN $4 > created_at THEN digest END, former_expires_at = $4, \
         digest = $3, updated_at = $5, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let former_expires_at = overlap.end(cx.now);
    let meaning =
        Meaning::done(Action::ApiKeyRotated, key.id).with(json!({ "former_expires_at": former_expires_at }));
    let arguments = args![key.id, secret, former_expires_at, cx.now, key.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API key")?;
    Ok(former_expires_at)
}

/// Deletes a key, which ends with the answer on every node.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: ApiKeyId) -> Result<()> {
    let delete = change_sql!("DELETE FROM api_keys WHERE tenant_id = $1 AND id = $2");
    if change(tx, cx, delete, args![id], Meaning::done(Action::ApiKeyDeleted, id)).await? == 0 {
        return Err(Error::not_found("no record has this id"));
    }
    Ok(())
}

/// Notes that a key was used, once a minute at most.
pub async fn note_use(tx: &mut Tx<Tenant>, cx: &Cx, id: ApiKeyId) -> Result<()> {
    let update = quiet_sql!(
        "what the key does is recorded",
        "UPDATE api_keys SET last_used_at = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![id, cx.now]).await.map(|_| ())
}

/// Ends every key of a person.
pub async fn end_of_person(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<()> {
    let delete = quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM api_keys WHERE tenant_id = $1 AND tenant_user_id = $2"
    );
    tx.execute(delete, args![person]).await.map(|_| ())
}

impl ApiKey {
    /// Whether its use is to be noted.
    pub fn is_use_to_note(&self, now: Timestamp) -> bool {
        self.last_used_at.is_none_or(|last| last + NOTED_EVERY <= now)
    }
}

fn check_name(name: &str) -> Result<()> {
    let length = name.chars().count();
    if name.trim().is_empty() || length > LONGEST_NAME {
        return Err(Error::bad_request(format!("name: expected 1 to {LONGEST_NAME} characters")));
    }
    Ok(())
}

fn record(row: &Row) -> Result<ApiKey> {
    Ok(ApiKey {
        id: row.parse("id")?,
        name: row.text("name")?,
        scope: row.parse("scope")?,
        tenant_user_id: row.maybe_parse("tenant_user_id")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        last_used_at: row.maybe_time("last_used_at")?,
        former_expires_at: row.maybe_time("former_expires_at")?,
        version: row.int("version")?,
    })
}
