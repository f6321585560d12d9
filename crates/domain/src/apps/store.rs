//! Applications as rows: made, changed, deleted, listed.

use serde_json::json;
use svc_core::events::{ApplicationCreated, ApplicationDeleted, ApplicationUpdated};
use svc_core::{AppId, Cx, Digest, Error, Result};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::Algorithm;

use super::configuration::Configuration;
use super::rules::Rules;
use super::{App, REGISTERED, check, control_plane, secrets};
use crate::document;
use crate::grants::ending;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::tenancy::quotas::{self, Quota};
use crate::tokens::revocations::{self, Revoked};

/// Reads applications; the argument says which.
macro_rules! apps_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, handle, enabled, secret_digest, former_secret_digest, former_secret_expires_at, configuration, \
             name_key, created_at, updated_at, version FROM apps WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// An application to create.
#[derive(Clone, Copy)]
pub struct NewApp<'a> {
    /// What it may do.
    pub configuration: &'a Configuration,
    /// The digest of its secret, if it authenticates with one.
    pub secret: Option<Digest>,
}

/// What an application becomes.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// What it may do.
    pub configuration: &'a Configuration,
    /// Whether it gets anything.
    pub enabled: bool,
}

/// Creates an application; the handle must be free.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    handle: &str,
    new: NewApp<'_>,
) -> Result<App> {
    create_as(tx, cx, rules, (cx.id(), handle), new).await
}

/// The same under an id that an operator chose: one that a declarative file keeps from deployment to deployment.
pub async fn create_as(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    (id, handle): (AppId, &str),
    new: NewApp<'_>,
) -> Result<App> {
    Error::every([
        check::handle(handle),
        check::configuration(rules, new.configuration, new.secret.is_some()),
    ])?;
    hold_handle(tx, handle);
    insert(tx, cx, id, handle, new).await
}

/// Lets no other transaction give a new application this handle until this one ends, from its next statement on.
pub fn hold_handle(tx: &mut Tx<Tenant>, handle: &str) {
    tx.hold(&format!("handle {handle}"));
}

/// Creates an application that registered itself: its handle is the address of its document, or made of its id.
pub async fn create_registered(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    address: Option<&str>,
    new: NewApp<'_>,
) -> Result<App> {
    check::configuration(rules, new.configuration, new.secret.is_some())?;
    let unique: AppId = cx.id();
    let handle = address.map_or_else(|| unique.to_string().replacen("app_", REGISTERED, 1), str::to_owned);
    insert(tx, cx, cx.id(), &handle, new).await
}

pub(super) async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    id: AppId,
    handle: &str,
    NewApp { configuration: new, secret }: NewApp<'_>,
) -> Result<App> {
    quotas::check(tx, Quota::Applications).await?;
    let app = App {
        id,
        handle: handle.to_owned(),
        enabled: true,
        secret_digest: secret,
        former_secret: None,
        configuration: new.clone(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO apps (tenant_id, id, handle, enabled, secret_digest, configuration, created_at, updated_at, version, \
         eddsa_since, secret_created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1, $8, $9)"
    );
    let eddsa_since = new.asks_for(Algorithm::EdDsa).then_some(cx.now);
    let made = secret.map(|_| cx.now);
    let arguments = args![app.id, handle, true, secret, document::store(new)?, cx.now, eddsa_since, made];
    let event = ApplicationCreated { client_id: app.id, name: new.name.clone() };
    let meaning = Meaning::done(Action::ApplicationCreated, app.id).telling(event);
    let created = change(tx, cx, insert, arguments, meaning).await;
    let taken = format!("handle: an application has the handle {handle} already; give this one another");
    created.map_err(|error| error.if_taken(&taken))?;
    set_origins(tx, app.id, new);
    Ok(app)
}

/// Makes configuration and enabledness so; returns whether anything changed. Disabling ends the application's tokens.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    rules: &Rules,
    app: &App,
    change: Change<'_>,
) -> Result<bool> {
    control_plane::refuse(app)?;
    check::configuration(rules, change.configuration, app.secret_digest.is_some())?;
    make_so(tx, cx, app, change).await
}

pub(super) async fn make_so(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    app: &App,
    Change { configuration: new, enabled }: Change<'_>,
) -> Result<bool> {
    let update = change_sql!(
        "UPDATE apps SET configuration = $3, enabled = $4, updated_at = $5, version = version + 1, eddsa_since = $7, \
         eddsa_ended_at = CASE WHEN CAST($7 AS BIGINT) IS NULL AND eddsa_since IS NOT NULL THEN CAST($5 AS BIGINT) \
         ELSE eddsa_ended_at END WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let eddsa_since = new.asks_for(Algorithm::EdDsa).then_some(cx.now);
    if *new == app.configuration && enabled == app.enabled {
        return Ok(false);
    }
    let arguments = args![app.id, document::store(new)?, enabled, cx.now, app.version, eddsa_since];
    let meaning = Meaning::done(Action::ApplicationUpdated, app.id)
        .with(json!({ "enabled": enabled }))
        .telling(ApplicationUpdated { client_id: app.id, name: new.name.clone(), enabled });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the application")?;
    set_origins(tx, app.id, new);
    if app.enabled && !enabled {
        revocations::revoke(tx, cx, &Revoked::App(app.client_id()));
        ending::of_app(tx, cx, app.id, &app.client_id()).await?;
    } else if enabled && !app.enabled {
        ending::late_of_app(tx, cx, app.id, &app.client_id()).await?;
    }
    Ok(true)
}

/// Whether an application registered `origin`.
pub async fn has_origin(tx: &mut Tx<Tenant>, origin: &str) -> Result<bool> {
    let select = sql!("SELECT origin FROM app_origins WHERE tenant_id = $1 AND origin = $2 LIMIT 1");
    Ok(tx.optional(select, args![origin]).await?.is_some())
}

fn set_origins(tx: &mut Tx<Tenant>, id: AppId, configuration: &Configuration) {
    let delete = quiet_sql!(
        "goes with the application, whose change is recorded",
        "DELETE FROM app_origins WHERE tenant_id = $1 AND app_id = $2"
    );
    tx.later(delete, args![id]);
    for origin in configuration.origins() {
        let insert = quiet_sql!(
            "goes with the application, whose change is recorded",
            "INSERT INTO app_origins (tenant_id, app_id, origin) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
        );
        tx.later(insert, args![id, &origin]);
    }
}

/// Deletes an application with its consents, codes and refresh families; its tokens die. Lists of fields and hooks may still name it,
/// and then concern no application by that: [`crate::app_deletion`] takes it out of them, at once or soon.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: AppId) -> Result<()> {
    let app = find(tx, id).await?;
    app.as_ref().map_or(Ok(()), control_plane::refuse)?;
    let address = app.filter(App::is_document).map(|app| app.client_id());
    let client_id = address.clone().unwrap_or_else(|| id.to_string());
    ending::of_app(tx, cx, id, &client_id).await?;
    let delete = change_sql!("DELETE FROM apps WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::ApplicationDeleted, id).telling(ApplicationDeleted { client_id: id });
    if change(tx, cx, delete, args![id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    for name in address.into_iter().chain([id.to_string()]) {
        revocations::revoke(tx, cx, &Revoked::App(name));
    }
    Ok(())
}

/// One application.
pub async fn find(tx: &mut Tx<Tenant>, id: AppId) -> Result<Option<App>> {
    let select = apps_sql!("id = $2");
    one(tx.optional(select, args![id]).await?.as_ref())
}

/// The application with this handle.
pub async fn find_by_handle(tx: &mut Tx<Tenant>, handle: &str) -> Result<Option<App>> {
    let select = apps_sql!("handle = $2");
    one(tx.optional(select, args![handle]).await?.as_ref())
}

/// A page of applications by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, (cursor, limit): (Option<AppId>, u32)) -> Result<Vec<App>> {
    let select = apps_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), app).await
}

/// A page of applications in an order, of those that are searched for where it is by name.
pub(super) async fn list_by(
    tx: &mut Tx<Tenant>,
    order: Order,
    wanted: Search<'_, AppId>,
) -> Result<Vec<App>> {
    let selects = Ordered {
        oldest: apps_sql!("id > $2 ORDER BY id LIMIT $3"),
        newest: apps_sql!("id < $2 ORDER BY id DESC LIMIT $3"),
        name: apps_sql!("(name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5"),
        name_descending: apps_sql!(
            "(name_key, id) < ($2, $3) AND name_key >= $4 ORDER BY name_key DESC, id DESC LIMIT $5"
        ),
    };
    lists::ordered(tx, selects, (order, wanted), app).await
}

fn one(row: Option<&Row>) -> Result<Option<App>> {
    Ok(row.map(app).transpose()?.flatten())
}

/// The application of a row, or nothing where a newer version has given it words that this one does not know.
pub(super) fn app(row: &Row) -> Result<Option<App>> {
    let Some(configuration) = document::known(row, "configuration")? else { return Ok(None) };
    Ok(Some(App {
        id: row.parse("id")?,
        handle: row.text("handle")?,
        enabled: row.flag("enabled")?,
        secret_digest: digest(row, "secret_digest")?,
        former_secret: secrets::former(row)?,
        configuration,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    }))
}

pub(super) fn digest(row: &Row, column: &str) -> Result<Option<Digest>> {
    Ok(row.maybe_bytes(column)?.and_then(|bytes| bytes.try_into().ok()).map(Digest))
}
