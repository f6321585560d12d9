//! SCIM tokens: with which the directory of an organization provisions people (RFC 7644 §2).

use serde::Serialize;
use serde_json::json;
use svc_core::events::{ScimTokenCreated, ScimTokenDeleted, ScimTokenRotated, ScimTokenUpdated};
use svc_core::{Cx, Digest, Error, OrganizationId, Result, ScimTokenId, Seconds, Timestamp};
use svc_db::{Row, Tenant, Tx, after, args, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::organizations::{self, Organization};
use crate::overlap::Overlap;
use crate::scim::schemas::{self, ScimSchema};
use crate::tokens::is_use_to_note;

/// What every token begins with, so that scanners of source code recognise it.
pub const PREFIX: &str = "svc_scim_";
const LONGEST_NAME: usize = 200;
/// Most live tokens of one organization: it has one directory, or is moving to another.
const MOST: i64 = 20;

/// Reads tokens; the argument says which.
macro_rules! scim_tokens_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, organization_id, name, created_at, expires_at, last_used_at, former_expires_at, version \
             FROM scim_tokens WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// A token as administrators see it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ScimToken {
    /// Its id; the actor of what it does in the audit log.
    #[schema(value_type = String)]
    pub id: ScimTokenId,
    /// The organization whose directory has it.
    #[schema(value_type = String)]
    pub organization_id: OrganizationId,
    /// What it is for.
    pub name: String,
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

/// A token to store.
pub struct NewToken<'a> {
    /// The digest of its secret.
    pub digest: Digest,
    /// The organization, which is one of the tenant.
    pub organization: OrganizationId,
    /// What it is for.
    pub name: &'a str,
    /// How long it is valid.
    pub lifetime: Seconds,
}

/// Stores a token. `conflict` where the organization has as many as it may.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &NewToken<'_>) -> Result<ScimToken> {
    names::check(new.name, LONGEST_NAME)?;
    make_room(tx, cx, new.organization).await?;
    let token = ScimToken {
        id: cx.id(),
        organization_id: new.organization,
        name: new.name.to_owned(),
        created_at: cx.now,
        expires_at: cx.now + new.lifetime,
        last_used_at: None,
        former_expires_at: None,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO scim_tokens (tenant_id, id, organization_id, name, digest, created_at, updated_at, expires_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, $7, 1)"
    );
    let arguments = args![token.id, new.organization, new.name, new.digest, cx.now, token.expires_at];
    let meaning = Meaning::done(Action::ScimTokenCreated, token.id)
        .with(json!({ "organization_id": new.organization, "expires_at": token.expires_at }))
        .telling(ScimTokenCreated {
            scim_token_id: token.id,
            organization_id: new.organization,
            name: new.name.to_owned(),
        });
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(token)
}

/// Counts the live tokens of an organization; no other transaction counts until this one ends.
async fn make_room(tx: &mut Tx<Tenant>, cx: &Cx, organization: OrganizationId) -> Result<()> {
    tx.hold(&format!("SCIM tokens of {organization}"));
    let select = sql!(
        "SELECT COUNT(*) AS live FROM scim_tokens WHERE tenant_id = $1 AND organization_id = $2 AND expires_at > $3"
    );
    let live = tx.one(select, args![organization, cx.now]).await?.int("live")?;
    if live >= MOST {
        return Err(Error::conflict(format!(
            "the organization has {live} SCIM tokens, the most that it may; delete one first"
        )));
    }
    Ok(())
}

/// One token.
pub async fn find(tx: &mut Tx<Tenant>, id: ScimTokenId) -> Result<Option<ScimToken>> {
    let select = scim_tokens_sql!("id = $2");
    tx.optional(select, args![id]).await?.as_ref().map(record).transpose()
}

/// The token of a secret that is valid now.
pub async fn find_live(tx: &mut Tx<Tenant>, secret: Digest, now: Timestamp) -> Result<Option<ScimToken>> {
    let select = scim_tokens_sql!(
        "(digest = $2 OR (former_digest = $2 AND former_expires_at > $3)) AND expires_at > $3"
    );
    tx.optional(select, args![secret, now]).await?.as_ref().map(record).transpose()
}

/// The organization whose directory has the token, and what its tenant has declared of people, in one round trip.
pub async fn home(tx: &mut Tx<Tenant>, token: &ScimToken) -> Result<(Organization, Vec<ScimSchema>)> {
    let calls = [organizations::of_id(tx, token.organization_id), schemas::of_tenant(tx)];
    let [organization, declared] = tx.batch(calls).await?;
    let organization = organizations::one(&organization)?;
    let organization = organization.ok_or_else(|| Error::internal("a SCIM token has no organization"))?;
    Ok((organization, schemas::records(&declared)?))
}

/// A page of tokens by id, after `cursor`; of one organization where one is named.
pub async fn list(
    tx: &mut Tx<Tenant>,
    of: Option<OrganizationId>,
    (cursor, limit): (Option<ScimTokenId>, u32),
) -> Result<Vec<ScimToken>> {
    let rows = match of {
        None => {
            let select = scim_tokens_sql!("id > $2 ORDER BY id LIMIT $3");
            tx.all(select, args![after(cursor), limit]).await?
        }
        Some(organization) => {
            let select = scim_tokens_sql!("organization_id = $4 AND id > $2 ORDER BY id LIMIT $3");
            tx.all(select, args![after(cursor), limit, organization]).await?
        }
    };
    rows.iter().map(record).collect()
}

/// Changes the name.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, token: &ScimToken, name: &str) -> Result<()> {
    names::check(name, LONGEST_NAME)?;
    let update = change_sql!(
        "UPDATE scim_tokens SET name = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $5"
    );
    let meaning = Meaning::done(Action::ScimTokenUpdated, token.id).telling(ScimTokenUpdated {
        scim_token_id: token.id,
        organization_id: token.organization_id,
        name: name.to_owned(),
    });
    let changed = change(tx, cx, update, args![token.id, name, cx.now, token.version], meaning).await?;
    check_version(changed, "the SCIM token")
}

/// Replaces the secret; the present one stays valid for `overlap`, and one that was rotated before it ends.
pub async fn rotate(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    token: &ScimToken,
    (secret, overlap): (Digest, Overlap),
) -> Result<()> {
    let update = change_sql!(
        "UPDATE scim_tokens SET former_digest = CASE WHEN $4 > created_at THEN digest END, former_expires_at = $4, \
         digest = $3, updated_at = $5, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let former_expires_at = overlap.end_within(cx.now, token.expires_at);
    let meaning = Meaning::done(Action::ScimTokenRotated, token.id)
        .with(json!({ "former_expires_at": former_expires_at }))
        .telling(ScimTokenRotated {
            scim_token_id: token.id,
            organization_id: token.organization_id,
            former_expires_at,
        });
    let arguments = args![token.id, secret, former_expires_at, cx.now, token.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the SCIM token")
}

/// Deletes a token, which ends with the answer on every node.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, token: &ScimToken) -> Result<()> {
    let delete = change_sql!("DELETE FROM scim_tokens WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::ScimTokenDeleted, token.id)
        .telling(ScimTokenDeleted { scim_token_id: token.id, organization_id: token.organization_id });
    if change(tx, cx, delete, args![token.id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    Ok(())
}

/// Notes that a token was used, once a minute at most.
pub async fn note_use(tx: &mut Tx<Tenant>, cx: &Cx, id: ScimTokenId) -> Result<()> {
    let update = quiet_sql!(
        "what the token does is recorded",
        "UPDATE scim_tokens SET last_used_at = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![id, cx.now]).await.map(|_| ())
}

impl ScimToken {
    /// Whether its use is to be noted.
    pub fn is_use_to_note(&self, now: Timestamp) -> bool {
        is_use_to_note(self.last_used_at, now)
    }
}

fn record(row: &Row) -> Result<ScimToken> {
    Ok(ScimToken {
        id: row.parse("id")?,
        organization_id: row.parse("organization_id")?,
        name: row.text("name")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        last_used_at: row.maybe_time("last_used_at")?,
        former_expires_at: row.maybe_time("former_expires_at")?,
        version: row.int("version")?,
    })
}
