//! API keys are made, changed, rotated and used.

use serde_json::json;
use svc_core::events::{ApiKeyCreated, ApiKeyRotated, ApiKeyUpdated};
use svc_core::{ApiKeyId, Cx, Digest, Error, OrganizationId, Result, Scope, Seconds, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::{ApiKey, Owner, ending, keys_of, meaning};
use crate::log::{Action, change, check_version};
use crate::names;
use crate::overlap::Overlap;
use crate::tenancy::quotas::{self, Quota};

const LONGEST_NAME: usize = 200;

/// A key to store.
pub struct NewKey<'a> {
    /// The digest of its secret.
    pub digest: Digest,
    /// What it is for.
    pub name: &'a str,
    /// The scopes that it grants.
    pub scope: &'a Scope,
    /// For whom it acts.
    pub owner: Owner,
    /// How long it is valid.
    pub lifetime: Seconds,
    /// How many live keys its owner may have.
    pub most: u32,
}

/// Stores a key. `conflict` where its owner has as many as it may, or is an organization that is not active.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewKey<'_>) -> Result<ApiKey> {
    names::check(new.name, LONGEST_NAME)?;
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
        .and("expires_at", json!(key.expires_at))
        .telling(ApiKeyCreated {
            api_key_id: key.id,
            name: key.name.clone(),
            scope: key.scope.to_string(),
            tenant_user_id: key.tenant_user_id,
            organization_id: key.organization_id,
        });
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(key)
}

/// Counts the live keys of an owner; no other transaction counts or ends them all until this one ends.
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

async fn check_active(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<()> {
    let select = sql!("SELECT id FROM organizations WHERE tenant_id = $1 AND id = $2 AND status = 'active'");
    let found = tx.optional(select, args![organization]).await?;
    found.map(|_| ()).ok_or_else(|| {
        Error::conflict("the organization is suspended; make it active before it gets an API key")
    })
}

/// Changes the name and the scopes. Tokens that were got for the key end: what it may not do any more, they may not do.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, key: &ApiKey, name: &str, scope: &Scope) -> Result<()> {
    names::check(name, LONGEST_NAME)?;
    let update = change_sql!(
        "UPDATE api_keys SET name = $3, scope = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let event = ApiKeyUpdated {
        api_key_id: key.id,
        name: name.to_owned(),
        scope: scope.to_string(),
        tenant_user_id: key.tenant_user_id,
        organization_id: key.organization_id,
    };
    let meaning = meaning(Action::ApiKeyUpdated, key).and("scope", json!(scope)).telling(event);
    let arguments = args![key.id, name, scope.to_string(), cx.now, key.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API key")?;
    ending::of_tokens(tx, cx, key);
    Ok(())
}

/// Replaces the secret; the present one stays valid for `overlap`, and one that was rotated before it ends. Where a secret ends before
/// the tokens that were got for it, which live as long as `token_lifetime`, they end now. Returns until when.
pub async fn rotate(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    key: &ApiKey,
    (secret, overlap): (Digest, Overlap),
    token_lifetime: Seconds,
) -> Result<Option<Timestamp>> {
    let update = change_sql!(
        "UPDATE api_keys SET former_digest = CASE WHEN $4 > created_at THEN digest END, former_expires_at = $4, \
         digest = $3, updated_at = $5, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let former_expires_at = overlap.end_within(cx.now, key.expires_at);
    let meaning = meaning(Action::ApiKeyRotated, key)
        .and("former_expires_at", json!(former_expires_at))
        .telling(ApiKeyRotated {
            api_key_id: key.id,
            former_expires_at,
            tenant_user_id: key.tenant_user_id,
            organization_id: key.organization_id,
        });
    let arguments = args![key.id, secret, former_expires_at, cx.now, key.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API key")?;
    let is_short = overlap.end(cx.now).is_none_or(|end| end < cx.now + token_lifetime);
    if is_short || key.former_expires_at.is_some_and(|end| end > cx.now) {
        ending::of_tokens(tx, cx, key);
    }
    Ok(former_expires_at)
}

/// Notes that a key was used, once a minute at most.
pub async fn note_use(tx: &mut Tx<Tenant>, cx: &Cx, id: ApiKeyId) -> Result<()> {
    let update = quiet_sql!(
        "what the key does is recorded",
        "UPDATE api_keys SET last_used_at = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![id, cx.now]).await.map(|_| ())
}
