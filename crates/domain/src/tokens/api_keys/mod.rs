//! API keys, with which programs call the management API: for the tenant, for the person who made one, or for an organization.

mod changing;
mod ending;

use serde::Serialize;
use serde_json::json;
use svc_core::{ApiKeyId, Digest, OrganizationId, Result, Scope, TenantUserId, Timestamp};
use svc_db::{Row, Tenant, Tx, after, args, quiet_sql, sql};
use utoipa::ToSchema;

use crate::log::{Action, Meaning};
use crate::tokens::is_use_to_note;

pub use self::changing::{NewKey, create, note_use, rotate, update};
pub(crate) use self::ending::end_of_organization;
pub use self::ending::{delete, end_of_person};

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
    /// The scopes that it grants.
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

/// The key of a secret that is valid now, and when the secret ends: one that was replaced does before the key.
pub async fn find_live(
    tx: &mut Tx<Tenant>,
    secret: Digest,
    now: Timestamp,
) -> Result<Option<(ApiKey, Timestamp)>> {
    let select = sql!(
        "SELECT id, name, scope, tenant_user_id, organization_id, created_at, expires_at, last_used_at, former_expires_at, \
         version, CASE WHEN digest = $2 THEN expires_at ELSE former_expires_at END AS ends_at FROM api_keys \
         WHERE tenant_id = $1 AND (digest = $2 OR (former_digest = $2 AND former_expires_at > $3)) AND expires_at > $3"
    );
    tx.optional(select, args![secret, now]).await?.as_ref().map(with_end).transpose()
}

/// The same, where the key is noted as used and held until the transaction ends: who deletes it waits for that, and then sees what was
/// made with it.
pub async fn hold_live(
    tx: &mut Tx<Tenant>,
    secret: Digest,
    now: Timestamp,
) -> Result<Option<(ApiKey, Timestamp)>> {
    let update = quiet_sql!(
        "what the key does is recorded",
        "UPDATE api_keys SET last_used_at = $3 WHERE tenant_id = $1 \
         AND (digest = $2 OR (former_digest = $2 AND former_expires_at > $3)) AND expires_at > $3 \
         RETURNING id, name, scope, tenant_user_id, organization_id, created_at, expires_at, last_used_at, former_expires_at, \
         version, CASE WHEN digest = $2 THEN expires_at ELSE former_expires_at END AS ends_at"
    );
    tx.optional(update, args![secret, now]).await?.as_ref().map(with_end).transpose()
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

/// What a transaction holds that counts or ends the keys of an owner.
fn keys_of(owner: &str) -> String {
    format!("API keys of {owner}")
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
        is_use_to_note(self.last_used_at, now)
    }
}

fn with_end(row: &Row) -> Result<(ApiKey, Timestamp)> {
    let key = record(row)?;
    let ends_at = row.time("ends_at")?.min(key.expires_at);
    Ok((key, ends_at))
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
