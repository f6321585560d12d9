//! API keys: with which programs call the management API, for the tenant, for the person who made one, or for an organization.

use serde::Serialize;
use serde_json::json;
use svc_core::{
    ApiKeyId, Cx, Digest, Error, OrganizationId, Result, Scope, Seconds, TenantUserId, Timestamp,
};
use svc_db::{Row, Tenant, Tx, after, args, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use crate::log::{Action, Meaning, change, check_version};
use crate::overlap::Overlap;
use crate::tenancy::quotas::{self, Quota};
use crate::tokens::revocations::{self, Revoked};

/// What every key of a tenant or a person begins with, so that scanners of source code recognise it.
pub const PREFIX: &str = "svc_ak_";
/// The same of an organization's, which a version that knows no such keys does not take for one of the tenant.
pub const ORGANIZATION_PREFIX: &str = "svc_org_ak_";
/// What the key of an organization may open: scopes of records that belong to an organization.
pub const SCOPES_OF_ORGANIZATIONS: &[&str] = &[
    "api-keys:read",
    "api-keys:write",
    "organizations:read",
    "organizations:write",
    "scim-tokens:read",
    "scim-tokens:write",
    "sso-connections:read",
    "sso-connections:write",
    "trusted-issuers:read",
    "trusted-issuers:write",
];
/// Uses within this time of a noted one are not noted.
const NOTED_EVERY: Seconds = Seconds(60);
const LONGEST_NAME: usize = 200;

/// Reads keys; the argument says which.
macro_rules! api_keys_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, name, scope, tenant_user_id, organization_id, created_at, expires_at, last_used_at, former_expires_at, \
             version FROM api_keys WHERE tenant_id = $1 AND ",
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
    /// The person for whom it acts; null for the tenant or an organization.
    #[schema(value_type = Option<String>)]
    pub tenant_user_id: Option<TenantUserId>,
    /// The organization that it belongs to; null for the tenant or a person.
    #[schema(value_type = Option<String>)]
    pub organization_id: Option<OrganizationId>,
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
    /// For whom it acts.
    pub owner: Owner,
    /// How long it is valid.
    pub lifetime: Seconds,
    /// How many live keys its owner may have.
    pub most: u32,
}

/// For whom a key acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The tenant.
    Tenant,
    /// A person.
    Person(TenantUserId),
    /// An organization.
    Organization(OrganizationId),
}

/// Stores a key. `conflict` where its owner has as many as it may, or is an organization that is not active.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewKey<'_>) -> Result<ApiKey> {
    check_name(new.name)?;
    quotas::check(tx, Quota::ApiKeys).await?;
    make_room(tx, cx, new).await?;
    let key = ApiKey {
        id: cx.id(),
        name: new.name.to_owned(),
        scope: new.scope.clone(),
        tenant_user_id: new.owner.person(),
        organization_id: new.owner.organization(),
        created_at: cx.now,
        expires_at: cx.now + new.lifetime,
        last_used_at: None,
        former_expires_at: None,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO api_keys (tenant_id, id, digest, tenant_user_id, name, scope, created_at, updated_at, expires_at, version, \
         organization_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, 1, $9)"
    );
    let (scope, person, organization) = (new.scope.to_string(), key.tenant_user_id, key.organization_id);
    let arguments = args![key.id, new.digest, person, new.name, scope, cx.now, key.expires_at, organization];
    let meaning = meaning(Action::ApiKeyCreated, &key)
        .and("scope", json!(key.scope))
        .and("tenant_user_id", json!(person))
        .and("expires_at", json!(key.expires_at));
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(key)
}

/// Counts the live keys of an owner; no other transaction counts, or ends the keys of an organization, until this one ends.
async fn make_room(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewKey<'_>) -> Result<()> {
    let owner = new.owner.id();
    tx.hold(&keys_of(&owner));
    if let Owner::Organization(organization) = new.owner {
        check_active(tx, organization).await?;
    }
    let select = sql!(
        "SELECT COUNT(*) AS live FROM api_keys WHERE tenant_id = $1 AND COALESCE(organization_id, tenant_user_id, '') = $2 \
         AND expires_at > $3"
    );
    let live = tx.one(select, args![owner, cx.now]).await?.int("live")?;
    if live >= i64::from(new.most) {
        return Err(Error::conflict(format!(
            "the owner has {live} API keys, the most that it may; delete one first"
        )));
    }
    Ok(())
}

/// What a transaction holds that counts or ends the keys of an owner.
fn keys_of(owner: &str) -> String {
    format!("API keys of {owner}")
}

async fn check_active(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<()> {
    let select = sql!("SELECT id FROM organizations WHERE tenant_id = $1 AND id = $2 AND status = 'active'");
    let found = tx.optional(select, args![organization]).await?;
    found.map(|_| ()).ok_or_else(|| {
        Error::conflict("the organization is suspended; make it active before it gets an API key")
    })
}

/// One key of the tenant or of a person; or of the organization, where one is named.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: Option<OrganizationId>,
    id: ApiKeyId,
) -> Result<Option<ApiKey>> {
    let select = api_keys_sql!("id = $2 AND COALESCE(organization_id, '') = $3");
    let of = organization.map(|id| id.to_string()).unwrap_or_default();
    tx.optional(select, args![id, of]).await?.as_ref().map(record).transpose()
}

/// The key of a secret that is valid now.
pub async fn find_live(tx: &mut Tx<Tenant>, secret: Digest, now: Timestamp) -> Result<Option<ApiKey>> {
    let select =
        api_keys_sql!("(digest = $2 OR (former_digest = $2 AND former_expires_at > $3)) AND expires_at > $3");
    tx.optional(select, args![secret, now]).await?.as_ref().map(record).transpose()
}

/// The same, noted as used and held until the transaction ends, so that the key cannot be deleted meanwhile without seeing what
/// comes of it; and when the secret ends.
pub async fn hold_live(tx: &mut Tx<Tenant>, secret: Digest, now: Timestamp) -> Result<Option<(ApiKey, Timestamp)>> {
    let update = quiet_sql!(
        "what the key does is recorded",
        "UPDATE api_keys SET last_used_at = $3 WHERE tenant_id = $1 \
         AND (digest = $2 OR (former_digest = $2 AND former_expires_at > $3)) AND expires_at > $3 \
         RETURNING id, name, scope, tenant_user_id, organization_id, created_at, expires_at, last_used_at, former_expires_at, \
         version, CASE WHEN digest = $2 THEN expires_at ELSE former_expires_at END AS ends_at"
    );
    let Some(row) = tx.optional(update, args![secret, now]).await? else { return Ok(None) };
    let key = record(&row)?;
    let ends_at = row.time("ends_at")?.min(key.expires_at);
    Ok(Some((key, ends_at)))
}

/// A page of the keys of the tenant and its people by id, after `cursor`; of one person where one is named.
pub async fn list(
    tx: &mut Tx<Tenant>,
    of: Option<TenantUserId>,
    (cursor, limit): (Option<ApiKeyId>, u32),
) -> Result<Vec<ApiKey>> {
    let rows = match of {
        None => {
            let select = api_keys_sql!("organization_id IS NULL AND id > $2 ORDER BY id LIMIT $3");
            tx.all(select, args![after(cursor), limit]).await?
        }
        Some(person) => {
            let select = api_keys_sql!("tenant_user_id = $4 AND id > $2 ORDER BY id LIMIT $3");
            tx.all(select, args![after(cursor), limit, person]).await?
        }
    };
    rows.iter().map(record).collect()
}

/// A page of the keys of an organization.
pub async fn list_of_organization(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (cursor, limit): (Option<ApiKeyId>, u32),
) -> Result<Vec<ApiKey>> {
    let select = api_keys_sql!("organization_id = $4 AND id > $2 ORDER BY id LIMIT $3");
    tx.all(select, args![after(cursor), limit, organization]).await?.iter().map(record).collect()
}

/// Changes the name and the scopes. Tokens that were got for the key end: what it may not do any more, they may not do.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey, name: &str, scope: &Scope) -> Result<()> {
    check_name(name)?;
    let update = change_sql!(
        "UPDATE api_keys SET name = $3, scope = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let meaning = meaning(Action::ApiKeyUpdated, key).and("scope", json!(scope));
    let arguments = args![key.id, name, scope.to_string(), cx.now, key.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API key")?;
    end_tokens(tx, cx, key);
    Ok(())
}

/// Replaces the secret; the present one stays valid for `overlap`, and one that was rotated before it ends. Without an overlap
/// tokens that were got for it end too. Returns until when.
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
        meaning(Action::ApiKeyRotated, key).and("former_expires_at", json!(former_expires_at));
    let arguments = args![key.id, secret, former_expires_at, cx.now, key.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API key")?;
    if former_expires_at.is_none() {
        end_tokens(tx, cx, key);
    }
    Ok(former_expires_at)
}

/// Ends the tokens that were got for a key so far; their subject is the key.
fn end_tokens(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey) {
    revocations::revoke(tx, cx, &Revoked::Subject(key.id.to_string()));
}

/// Deletes a key, which ends with the answer on every node, and with it every token that was got for it.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey) -> Result<()> {
    let delete = change_sql!("DELETE FROM api_keys WHERE tenant_id = $1 AND id = $2");
    if change(tx, cx, delete, args![key.id], meaning(Action::ApiKeyDeleted, key)).await? == 0 {
        return Err(Error::not_found("no record has this id"));
    }
    revocations::revoke(tx, cx, &Revoked::Jti(key.id.to_string()));
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

/// Ends every key of an organization, with every token that was got for one.
pub(crate) async fn end_of_organization(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<()> {
    tx.hold(&keys_of(&organization.to_string()));
    let mark = quiet_sql!(
        "what ended it is recorded",
        "INSERT INTO revocations (tenant_id, kind, value, revoked_at, expires_at) \
         SELECT tenant_id, 'jti', id, $3, $4 FROM api_keys WHERE tenant_id = $1 AND organization_id = $2 \
         ON CONFLICT (tenant_id, kind, value) DO NOTHING"
    );
    tx.later(mark, args![organization, cx.now, revocations::horizon(cx.now)]);
    let delete = quiet_sql!(
        "what ended it is recorded",
        "DELETE FROM api_keys WHERE tenant_id = $1 AND organization_id = $2"
    );
    tx.execute(delete, args![organization]).await.map(|_| ())
}

impl Owner {
    fn person(self) -> Option<TenantUserId> {
        match self {
            Self::Person(id) => Some(id),
            Self::Tenant | Self::Organization(_) => None,
        }
    }

    fn organization(self) -> Option<OrganizationId> {
        match self {
            Self::Organization(id) => Some(id),
            Self::Tenant | Self::Person(_) => None,
        }
    }

    /// Its id; empty for the tenant.
    fn id(self) -> String {
        match self {
            Self::Tenant => String::new(),
            Self::Person(id) => id.to_string(),
            Self::Organization(id) => id.to_string(),
        }
    }
}

/// What an entry says of a key: the organization whose it is, if it is one's.
fn meaning(action: Action, key: &ApiKey) -> Meaning {
    let meaning = Meaning::done(action, key.id);
    match key.organization_id {
        Some(organization) => meaning.and("organization_id", json!(organization)),
        None => meaning,
    }
}

/// Whether a text looks like the secret of a key, of whatever owner.
pub fn is_secret(text: &str) -> bool {
    text.starts_with(PREFIX) || text.starts_with(ORGANIZATION_PREFIX)
}

impl ApiKey {
    /// What of its scopes belongs to an organization.
    pub fn scope_in_organization(&self) -> Scope {
        self.scope.intersect(&SCOPES_OF_ORGANIZATIONS.iter().copied().collect())
    }

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
        organization_id: row.maybe_parse("organization_id")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        last_used_at: row.maybe_time("last_used_at")?,
        former_expires_at: row.maybe_time("former_expires_at")?,
        version: row.int("version")?,
    })
}
