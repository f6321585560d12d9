//! Operations on applications.

use serde_json::json;
use svc_core::{AppId, Cx, Digest, Error, Result, Seconds};
use svc_db::{Row, Tenant, Tx, args, sql};

use super::configuration::{AuthMethod, Configuration, GRANT_TYPES};
use super::redirect::{check_redirect_uri, is_web_uri};
use super::App;
use crate::audit::{self, Entry};
use crate::document;
use crate::revocations::{self, Revoked};

/// Longer than any access token lives.
const LONGEST_TOKEN: Seconds = Seconds(86_400);

/// Creates an application; the handle must be free.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, handle: &str, new: &Configuration, secret: Option<Digest>) -> Result<App> {
    check_handle(handle)?;
    check(new, secret.is_some())?;
    let app = App {
        id: cx.id(),
        handle: handle.to_owned(),
        enabled: true,
        secret_digest: secret,
        configuration: new.clone(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    };
    let insert = sql!(
        "INSERT INTO apps (tenant_id, id, handle, enabled, secret_digest, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1)"
    );
    let arguments = args![app.id, handle, true, secret, document::store(new)?, cx.now];
    tx.execute(insert, arguments).await.map_err(|error| match error.class() {
        svc_core::Class::Conflict => Error::conflict("handle: an application with this handle exists"),
        _ => error,
    })?;
    set_origins(tx, app.id, new).await?;
    audit::record(tx, cx, Entry::done("application.created", &app.id.to_string())).await?;
    Ok(app)
}

/// Makes configuration and enabledness so; returns whether anything changed. Disabling ends the application's tokens.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, app: &App, new: &Configuration, enabled: bool) -> Result<bool> {
    check(new, app.secret_digest.is_some())?;
    let update = sql!(
        "UPDATE apps SET configuration = $3, enabled = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    if *new == app.configuration && enabled == app.enabled {
        return Ok(false);
    }
    let changed = tx.execute(update, args![app.id, document::store(new)?, enabled, cx.now, app.version]).await?;
    if changed == 0 {
        return Err(Error::conflict("the application changed meanwhile; read it again"));
    }
    set_origins(tx, app.id, new).await?;
    if app.enabled && !enabled {
        revocations::revoke(tx, cx, &Revoked::App(app.id.to_string()), cx.now + LONGEST_TOKEN).await?;
    }
    let facts = json!({ "enabled": enabled });
    audit::record(tx, cx, Entry::done("application.updated", &app.id.to_string()).with(facts)).await?;
    Ok(true)
}

/// Replaces the secret; the old one ends at once.
pub async fn rotate_secret(tx: &mut Tx<Tenant>, cx: &Cx, app: &App, secret: Digest) -> Result<()> {
    if !app.configuration.token_endpoint_auth_method.has_secret() {
        return Err(Error::bad_request("this application does not authenticate with a secret"));
    }
    set_secret(tx, cx, app.id, Some(secret)).await?;
    audit::record(tx, cx, Entry::done("application.secret_rotated", &app.id.to_string())).await
}

/// Stores the digest of a secret without further ado.
pub async fn set_secret(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId, secret: Option<Digest>) -> Result<()> {
    let update = sql!(
        "UPDATE apps SET secret_digest = $3, updated_at = $4, version = version + 1 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![id, secret, cx.now]).await.map(|_| ())
}

/// Whether an application registered `origin`.
pub async fn has_origin(tx: &mut Tx<Tenant>, origin: &str) -> Result<bool> {
    let select = sql!("SELECT origin FROM app_origins WHERE tenant_id = $1 AND origin = $2 LIMIT 1");
    Ok(tx.optional(select, args![origin]).await?.is_some())
}

async fn set_origins(tx: &mut Tx<Tenant>, id: AppId, configuration: &Configuration) -> Result<()> {
    tx.execute(sql!("DELETE FROM app_origins WHERE tenant_id = $1 AND app_id = $2"), args![id]).await?;
    for origin in &configuration.allowed_origins {
        let insert = sql!(
            "INSERT INTO app_origins (tenant_id, app_id, origin) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
        );
        tx.execute(insert, args![id, origin]).await?;
    }
    Ok(())
}

/// Deletes an application with its consents, codes and refresh families; its tokens die.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    let deleted = tx.execute(sql!("DELETE FROM apps WHERE tenant_id = $1 AND id = $2"), args![id]).await?;
    if deleted == 0 {
        return Err(Error::not_found("no record has this id"));
    }
    revocations::revoke(tx, cx, &Revoked::App(id.to_string()), cx.now + LONGEST_TOKEN).await?;
    audit::record(tx, cx, Entry::done("application.deleted", &id.to_string())).await
}

/// One application.
pub async fn find(tx: &mut Tx<Tenant>, id: AppId) -> Result<Option<App>> {
    let select = sql!(
        "SELECT id, handle, enabled, secret_digest, configuration, created_at, updated_at, version FROM apps \
         WHERE tenant_id = $1 AND id = $2"
    );
    tx.optional(select, args![id]).await?.as_ref().map(app).transpose()
}

/// The application with this handle.
pub async fn find_by_handle(tx: &mut Tx<Tenant>, handle: &str) -> Result<Option<App>> {
    let select = sql!(
        "SELECT id, handle, enabled, secret_digest, configuration, created_at, updated_at, version FROM apps \
         WHERE tenant_id = $1 AND handle = $2"
    );
    tx.optional(select, args![handle]).await?.as_ref().map(app).transpose()
}

/// A page of applications by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, cursor: Option<AppId>, limit: u32) -> Result<Vec<App>> {
    let select = sql!(
        "SELECT id, handle, enabled, secret_digest, configuration, created_at, updated_at, version FROM apps \
         WHERE tenant_id = $1 AND ($2 IS NULL OR id > $2) ORDER BY id LIMIT $3"
    );
    tx.all(select, args![cursor, limit]).await?.iter().map(app).collect()
}

fn app(row: &Row) -> Result<App> {
    Ok(App {
        id: row.parse("id")?,
        handle: row.text("handle")?,
        enabled: row.flag("enabled")?,
        secret_digest: row.maybe_bytes("secret_digest")?.and_then(|bytes| bytes.try_into().ok()).map(Digest),
        configuration: document::load(row, "configuration")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}

fn check_handle(handle: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if (1..=63).contains(&handle.len()) && handle.bytes().all(allowed) {
        Ok(())
    } else {
        Err(Error::bad_request("handle: use 1 to 63 lower-case letters, digits, hyphens and underscores"))
    }
}

fn check(configuration: &Configuration, has_secret: bool) -> Result<()> {
    let Configuration { name, kind, token_endpoint_auth_method: method, grant_types, .. } = configuration;
    let refused = |why: String| Err(Error::invalid_client_metadata(why));
    if !(1..=120).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return refused("name: use 1 to 120 characters without control characters".to_owned());
    }
    if method.has_secret() != has_secret {
        return refused(format!("token_endpoint_auth_method: {} and the secret do not go together", method.name()));
    }
    if *method == AuthMethod::PrivateKeyJwt {
        return refused("token_endpoint_auth_method: private_key_jwt is not available in this deployment".to_owned());
    }
    if let Some(unknown) = grant_types.iter().find(|grant| !GRANT_TYPES.contains(&grant.as_str())) {
        return refused(format!("grant_types: {unknown:?} is not a grant that this deployment offers"));
    }
    if *method == AuthMethod::None && grant_types.iter().any(|grant| grant == "client_credentials") {
        return refused("grant_types: client_credentials is for confidential applications".to_owned());
    }
    for uri in configuration.redirect_uris.iter().chain(&configuration.post_logout_redirect_uris) {
        check_redirect_uri(uri, *kind)?;
    }
    let web_uris = [&configuration.logo_uri, &configuration.policy_uri, &configuration.tos_uri];
    if let Some(bad) = web_uris.into_iter().flatten().chain(&configuration.allowed_origins).find(|uri| !is_web_uri(uri)) {
        return refused(format!("{bad:?} is not an https URL"));
    }
    Ok(())
}
