//! `/api/v1/applications`: OAuth clients (RFC 7591 §2 has the words).

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apps::{self, App, Configuration};
use svc_http::{
    Created, IfMatch, Json, List, ListQuery, NoContent, Path, Problem, QueryParams, Route, Routes, TenantCx,
    Versioned,
};
use svc_keys::{digest, prefixed_token};
use utoipa::ToSchema;

use crate::commit::{commit, unknown};
use crate::listed::Listed;

const READ: &str = "applications:read";
const WRITE: &str = "applications:write";

/// An application.
#[derive(Debug, Serialize, ToSchema)]
struct Application {
    /// The `client_id`.
    #[schema(value_type = String)]
    id: AppId,
    /// The name in declarative files, unique in the tenant.
    handle: String,
    /// A disabled application gets nothing.
    enabled: bool,
    #[serde(flatten)]
    configuration: Configuration,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// A new application.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewApplication {
    /// 1 to 63 lower-case letters, digits, hyphens and underscores, unique in the tenant; by default made of the name.
    #[serde(default)]
    handle: Option<String>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// An application as it has just been created.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedApplication {
    #[serde(flatten)]
    application: Application,
    /// Shown this once; absent for applications that do not authenticate with a secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    client_secret: Option<String>,
}

/// What an application shall be: members that are left out take their defaults.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ApplicationUpdate {
    /// As it is unless given. Disabling ends the application's tokens.
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// A secret, shown this once.
#[derive(Debug, Serialize, ToSchema)]
struct ClientSecret {
    /// Replaces the former one, which has ended.
    client_secret: String,
}

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    const ALL: &str = "/api/v1/applications";
    const ONE: &str = "/api/v1/applications/{id}";
    Routes::new(
        [
            Route::get(ALL)
                .tenant(READ, list)
                .summary("List applications")
                .query::<ListQuery>()
                .returns::<Listed<Application>>(200),
            Route::post(ALL)
                .tenant(WRITE, create)
                .summary("Create an application; its secret is in the answer, once")
                .idempotent()
                .body::<NewApplication>()
                .returns::<CreatedApplication>(201),
            Route::get(ONE).tenant(READ, read).summary("Read an application").returns::<Application>(200),
            Route::put(ONE)
                .tenant(WRITE, update)
                .summary("Change an application")
                .idempotent()
                .body::<ApplicationUpdate>()
                .returns::<Application>(200),
            Route::delete(ONE)
                .tenant(WRITE, delete)
                .summary("Delete an application with its consents and tokens")
                .idempotent()
                .returns_nothing(204),
            Route::post("/api/v1/applications/{id}/secret")
                .tenant(WRITE, rotate_secret)
                .summary("Replace an application's secret")
                .idempotent()
                .returns::<ClientSecret>(200),
        ]
        .map(|route| route.tag("Applications")),
    )
}

async fn list(
    caller: TenantCx,
    QueryParams(params): QueryParams,
) -> Result<Json<List<Application>>, Problem> {
    let request = caller.list(&params)?;
    let mut tx = caller.read().await?;
    let found = apps::list(&mut tx, request.after, request.limit + 1).await?;
    let shown = found.into_iter().map(Application::from).collect();
    Ok(Json(caller.page(shown, request.limit, |application: &Application| application.id)?))
}

async fn create(
    caller: TenantCx,
    Json(new): Json<NewApplication>,
) -> Result<Created<CreatedApplication>, Problem> {
    check_addresses(&caller, &new.configuration)?;
    let has_secret = new.configuration.token_endpoint_auth_method.has_secret();
    let client_secret = has_secret.then(|| new_secret(&caller));
    let handle = new.handle.unwrap_or_else(|| handle_of(&new.configuration.name));
    let mut tx = caller.begin().await?;
    let app =
        apps::create(&mut tx, &caller, &handle, &new.configuration, client_secret.as_deref().map(digest))
            .await?;
    commit(&caller, tx).await?;
    let location = format!("/api/v1/applications/{}", app.id);
    Ok(Created { location, record: CreatedApplication { application: app.into(), client_secret } })
}

async fn read(caller: TenantCx, Path(id): Path<AppId>) -> Result<Versioned<Application>, Problem> {
    Ok(versioned(find(&mut caller.read().await?, id).await?))
}

async fn update(
    caller: TenantCx,
    Path(id): Path<AppId>,
    if_match: IfMatch,
    Json(wanted): Json<ApplicationUpdate>,
) -> Result<Versioned<Application>, Problem> {
    check_addresses(&caller, &wanted.configuration)?;
    let mut tx = caller.begin().await?;
    let app = find(&mut tx, id).await?;
    if_match.check(app.version)?;
    let app = with_secret(&caller, &mut tx, app, &wanted.configuration).await?;
    let enabled = wanted.enabled.unwrap_or(app.enabled);
    apps::update(&mut tx, &caller, &app, &wanted.configuration, enabled).await?;
    let app = find(&mut tx, id).await?;
    commit(&caller, tx).await?;
    Ok(versioned(app))
}

async fn delete(caller: TenantCx, Path(id): Path<AppId>, if_match: IfMatch) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    if_match.check(find(&mut tx, id).await?.version)?;
    apps::delete(&mut tx, &caller, id).await?;
    commit(&caller, tx).await?;
    Ok(NoContent)
}

async fn rotate_secret(
    caller: TenantCx,
    Path(id): Path<AppId>,
    if_match: IfMatch,
) -> Result<Json<ClientSecret>, Problem> {
    let mut tx = caller.begin().await?;
    let app = find(&mut tx, id).await?;
    if_match.check(app.version)?;
    let client_secret = new_secret(&caller);
    apps::rotate_secret(&mut tx, &caller, &app, digest(&client_secret)).await?;
    commit(&caller, tx).await?;
    Ok(Json(ClientSecret { client_secret }))
}

/// Refuses addresses that we shall fetch, or send to, and never will.
fn check_addresses(caller: &TenantCx, wanted: &Configuration) -> Result<()> {
    let addresses = [
        ("jwks_uri", &wanted.jwks_uri),
        ("sector_identifier_uri", &wanted.sector_identifier_uri),
        ("backchannel_logout_uri", &wanted.backchannel_logout_uri),
    ];
    for (name, uri) in addresses {
        let Some(uri) = uri else { continue };
        let outcome = caller.app.outbound.check(uri);
        outcome.map_err(|error| Error::invalid_client_metadata(format!("{name}: {}", error.detail())))?;
    }
    Ok(())
}

/// The application as its new way to authenticate needs it: without a secret, or with one that nobody knows until it is
/// replaced.
async fn with_secret(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    app: App,
    wanted: &Configuration,
) -> Result<App> {
    let has_secret = wanted.token_endpoint_auth_method.has_secret();
    if has_secret == app.secret_digest.is_some() {
        return Ok(app);
    }
    let secret = has_secret.then(|| digest(&new_secret(caller)));
    apps::set_secret(tx, caller, app.id, secret).await?;
    find(tx, app.id).await
}

async fn find(tx: &mut Tx<Tenant>, id: AppId) -> Result<App> {
    apps::find(tx, id).await?.ok_or_else(unknown)
}

fn new_secret(caller: &TenantCx) -> String {
    prefixed_token("svc_cs_", &*caller.entropy)
}

fn versioned(app: App) -> Versioned<Application> {
    Versioned { version: app.version, record: app.into() }
}

/// A name as a handle: `My Shop (EU)` becomes `my-shop-eu`.
fn handle_of(name: &str) -> String {
    let words = name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let handle = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-");
    let handle: String = handle.chars().take(63).collect();
    if handle.is_empty() { "application".to_owned() } else { handle }
}

impl From<App> for Application {
    fn from(app: App) -> Self {
        Self {
            id: app.id,
            handle: app.handle,
            enabled: app.enabled,
            configuration: app.configuration,
            created_at: app.created_at,
            updated_at: app.updated_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_handle() {
        assert_eq!(handle_of("My Shop (EU)"), "my-shop-eu");
        assert_eq!(handle_of("ショップ"), "application");
        assert_eq!(handle_of(&"x".repeat(100)).len(), 63);
    }

    #[test]
    fn a_flat_document_is_read_and_unknown_members_are_refused() {
        let new: NewApplication = serde_json::from_str(
            r#"{"handle":"web","name":"Web","type":"spa","token_endpoint_auth_method":"none"}"#,
        )
        .unwrap();
        assert_eq!((new.handle.as_deref(), new.configuration.name.as_str()), (Some("web"), "Web"));
        for bad in [r#"{"name":"Web","tenant_id":"tnt_x"}"#, r#"{"name":"Web","enabled":true}"#] {
            let error = serde_json::from_str::<NewApplication>(bad).unwrap_err().to_string();
            assert!(error.contains("unknown field"), "{error}");
        }
        assert!(serde_json::from_str::<ApplicationUpdate>(r#"{"name":"Web","secret_digest":"x"}"#).is_err());
    }
}
