//! The secrets of an application: a rotated one stays valid for a while next to the new one, so that no deployment of the
//! client has to happen in one instant.

use serde::Serialize;
use serde_json::json;
use svc_core::events::SecretRotated;
use svc_core::{AppId, Cx, Digest, Error, Result, Timestamp};
use svc_db::{Row, Tenant, Tx, args, change_sql, sql};
use svc_keys::constant_time_eq;
use utoipa::ToSchema;

use super::App;
use crate::log::{Action, Meaning, change, check_version};
use crate::overlap::Overlap;

/// A secret that was rotated and is still valid for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormerSecret {
    /// Its digest.
    pub digest: Digest,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// What is known of a secret besides its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ApplicationSecret)]
pub struct SecretState {
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last authenticated the application, to the hour; null if it never did.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub last_used_at: Option<Timestamp>,
    /// When it ends; null for the present one.
    #[schema(value_type = Option<String>, format = "date-time")]
    pub expires_at: Option<Timestamp>,
}

impl App {
    /// Whether `digest` is that of a secret that is valid at `now`, at the same cost whichever it is.
    pub fn has_secret(&self, digest: Digest, now: Timestamp) -> bool {
        let fits = |secret: &Digest| constant_time_eq(&digest.0, &secret.0);
        let former = self.former_secret.filter(|former| now < former.expires_at);
        let is_present = self.secret_digest.as_ref().is_some_and(fits);
        let is_former = former.is_some_and(|former| fits(&former.digest));
        is_present || is_former
    }
}

/// Replaces the secret; the present one stays valid for `overlap`, and one that was rotated before it ends.
/// Refuses an application without a secret as `bad_request`; `conflict` where the application has changed since it was read: of two
/// rotations at once the later one would end the secret that clients have.
pub async fn rotate(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    app: &App,
    (secret, overlap): (Digest, Overlap),
) -> Result<Option<Timestamp>> {
    if !app.configuration.token_endpoint_auth_method.has_secret() {
        return Err(Error::bad_request("this application does not authenticate with a secret"));
    }
    let Some(expires_at) = overlap.end(cx.now) else {
        let replaced = replace_all(tx, cx, (app.id, Some(app.version)), Some(secret)).await?;
        return check_version(replaced, "the application").map(|()| None);
    };
    let update = change_sql!(
        "UPDATE apps SET former_secret_digest = secret_digest, former_secret_created_at = secret_created_at, \
         former_secret_used_at = secret_used_at, former_secret_expires_at = $5, secret_digest = $3, \
         secret_created_at = $4, secret_used_at = NULL, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let meaning = Meaning::done(Action::SecretRotated, app.id)
        .with(json!({ "former_expires_at": expires_at }))
        .telling(SecretRotated { client_id: app.id });
    let arguments = args![app.id, secret, cx.now, expires_at, app.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the application")?;
    Ok(Some(expires_at))
}

/// Stores the digest of a secret, or removes it; every other secret ends at once.
pub async fn set(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId, secret: Option<Digest>) -> Result<()> {
    replace_all(tx, cx, (id, None), secret).await.map(|_| ())
}

/// The same of an application in this version, if one is given; returns how many there were.
async fn replace_all(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (id, version): (AppId, Option<i64>),
    secret: Option<Digest>,
) -> Result<u64> {
    let update = change_sql!(
        "UPDATE apps SET secret_digest = $3, secret_created_at = $4, secret_used_at = NULL, \
         former_secret_digest = NULL, former_secret_created_at = NULL, former_secret_used_at = NULL, \
         former_secret_expires_at = NULL, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = COALESCE(CAST($6 AS BIGINT), version)"
    );
    let meaning = Meaning::done(Action::SecretRotated, id).telling(SecretRotated { client_id: id });
    let created_at = secret.map(|_| cx.now);
    change(tx, cx, update, args![id, secret, created_at, cx.now, version], meaning).await
}

/// Ends the secret that was rotated before its time; without one nothing changes.
pub async fn end_former(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    let update = change_sql!(
        "UPDATE apps SET former_secret_digest = NULL, former_secret_created_at = NULL, former_secret_used_at = NULL, \
         former_secret_expires_at = NULL, updated_at = $3, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND former_secret_expires_at > $3"
    );
    change(tx, cx, update, args![id, cx.now], Meaning::done(Action::FormerSecretEnded, id)).await.map(|_| ())
}

/// The valid secrets of an application, the present one first.
pub async fn list(tx: &mut Tx<Tenant>, app: &App, now: Timestamp) -> Result<Vec<SecretState>> {
    let select = sql!(
        "SELECT secret_created_at, secret_used_at, former_secret_created_at, former_secret_used_at FROM apps \
         WHERE tenant_id = $1 AND id = $2"
    );
    let Some(row) = tx.optional(select, args![app.id]).await? else { return Ok(Vec::new()) };
    // One that an older version set has no time of its own.
    let made = |column| Ok::<_, Error>(row.maybe_time(column)?.unwrap_or(app.created_at));
    let mut found = Vec::new();
    if app.secret_digest.is_some() {
        found.push(SecretState {
            created_at: made("secret_created_at")?,
            last_used_at: row.maybe_time("secret_used_at")?,
            expires_at: None,
        });
    }
    if let Some(former) = app.former_secret.filter(|former| now < former.expires_at) {
        found.push(SecretState {
            created_at: made("former_secret_created_at")?,
            last_used_at: row.maybe_time("former_secret_used_at")?,
            expires_at: Some(former.expires_at),
        });
    }
    Ok(found)
}

/// The rotated secret in a row of an application, if there is one.
pub(super) fn former(row: &Row) -> Result<Option<FormerSecret>> {
    let digest = super::store::digest(row, "former_secret_digest")?;
    let expires_at = row.maybe_time("former_secret_expires_at")?;
    Ok(digest.zip(expires_at).map(|(digest, expires_at)| FormerSecret { digest, expires_at }))
}
