//! `/api/v1/applications`: OAuth clients (RFC 7591 §2 has the words).

use serde::{Deserialize, Serialize};
use svc_core::{AppId, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::app_deletion;
use svc_domain::apps::secrets::{self, SecretState};
use svc_domain::apps::{self, App, AuthMethod, Configuration, Kind, Narrowed};
use svc_domain::lists::Order;
use svc_domain::organizations::demands;
use svc_domain::tenancy::tenants::Levels;
use svc_http::{IfMatch, Json, List, NoContent, Path, Problem, Query, TenantCx, Whole};
use svc_keys::{digest, prefixed_token};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::privileges;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::rotation::Rotation;
use crate::unknown;

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
#[schema(examples(json!({ "handle": "shop", "name": "Shop", "type": "web", "redirect_uris": ["https://app.example/callback"], "scope": "openid profile" })))]
struct NewApplication {
    /// Lower-case letters, digits, hyphens and underscores, unique in the tenant; by default made of the name, with
    /// something at its end where another application has that.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 63, pattern = "^[a-z0-9_-]+$")]
    handle: Option<String>,
    /// Taken out of the configuration, where it would have a default of its own.
    #[serde(default)]
    #[schema(ignore)]
    token_endpoint_auth_method: Option<AuthMethod>,
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

/// What can be changed of an application: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Shop", "type": "web", "redirect_uris": ["https://app.example/callback"], "scope": "openid profile" })))]
struct ApplicationUpdate {
    /// Unchanged unless given; null in a patch enables it. Disabling ends the application's tokens.
    #[serde(default)]
    enabled: Option<bool>,
    /// Taken out of the configuration, where it would have a default of its own.
    #[serde(default)]
    #[schema(ignore)]
    token_endpoint_auth_method: Option<AuthMethod>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// A secret, shown this once.
#[derive(Debug, Serialize, ToSchema)]
struct ClientSecret {
    /// Replaces the former one.
    client_secret: String,
    /// Until when the former one is valid; null if it ended at once.
    #[schema(value_type = Option<String>, format = "date-time")]
    former_expires_at: Option<Timestamp>,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only the application of this handle.
    #[param(nullable = false)]
    handle: Option<String>,
    /// Only those of this type.
    #[serde(rename = "type")]
    #[param(inline, nullable = false)]
    kind: Option<Kind>,
    /// Only those that are enabled, or those that are not.
    #[param(nullable = false)]
    enabled: Option<bool>,
    /// Only first-party applications, or only others.
    #[param(nullable = false)]
    first_party: Option<bool>,
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    sort: Option<Order>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("applications", "Applications")
        .may_read("See the applications of this organisation")
        .may_write("Create, change and delete the applications of this organisation")
        .crud::<Application>()
        .post(
            "{id}/secret",
            "Replace an application's secret; the former one stays valid for a while",
            rotate_secret,
        )
        .get("{id}/secrets", "List the valid secrets of an application, the present one first", list_secrets)
        .delete(
            "{id}/secrets/former",
            "End an application's former secret before its time",
            end_former_secret,
        )
}

impl Record for Application {
    const ONE: &'static str = "an application";
    const MANY: &'static str = "applications";

    type Stored = App;
    type Id = AppId;
    type Filter = Filter;
    type New = NewApplication;
    type Created = CreatedApplication;
    type Change = ApplicationUpdate;

    fn head(app: &App) -> (AppId, i64) {
        (app.id, app.version)
    }

    fn present(app: &App) -> ApplicationUpdate {
        let configuration = app.configuration.clone();
        let token_endpoint_auth_method = Some(configuration.token_endpoint_auth_method);
        ApplicationUpdate { enabled: Some(app.enabled), token_endpoint_auth_method, configuration }
    }

    fn completed(app: &App, wanted: ApplicationUpdate) -> ApplicationUpdate {
        ApplicationUpdate { enabled: wanted.enabled.or(Some(app.enabled)), ..wanted }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(app: &App) -> Vec<&str> {
        vec![&app.configuration.name]
    }

    async fn list(_: &TenantCx, tx: &mut Tx<Tenant>, filter: Filter, page: &Page<AppId>) -> Result<Vec<App>> {
        let Filter { kind, enabled, first_party, .. } = filter;
        let narrowed = Narrowed { kind, enabled, first_party };
        if let Some(named) = filter.handle.as_deref() {
            let found = apps::find_by_handle(tx, named).await?;
            return Ok(page.only(found.filter(|app| narrowed.fits(app)), Self::names));
        }
        apps::list_narrowed(tx, narrowed, page.ordered()).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: AppId) -> Result<Option<App>> {
        apps::find(tx, id).await
    }

    async fn create(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        new: NewApplication,
    ) -> Result<(App, CreatedApplication)> {
        let NewApplication { handle, token_endpoint_auth_method: method, mut configuration } = new;
        configuration.token_endpoint_auth_method = method.unwrap_or(configuration.kind.usual_auth_method());
        check_addresses(caller, &configuration)?;
        check_demand(caller, None, &configuration)?;
        privileges::for_application(caller, tx, &configuration).await?;
        let has_secret = configuration.token_endpoint_auth_method.has_secret();
        let client_secret = has_secret.then(|| new_secret(caller));
        let handle = match handle {
            Some(handle) => handle,
            None => free_handle(caller, tx, &configuration.name).await?,
        };
        let secret = client_secret.as_deref().map(digest);
        let new = apps::NewApp { configuration: &configuration, secret };
        let app = apps::create(tx, caller, caller.app.part()?, &handle, new).await?;
        Ok((app.clone(), CreatedApplication { application: app.into(), client_secret }))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        app: App,
        wanted: ApplicationUpdate,
    ) -> Result<()> {
        let ApplicationUpdate { enabled, token_endpoint_auth_method: method, mut configuration } = wanted;
        configuration.token_endpoint_auth_method = method.unwrap_or(configuration.kind.usual_auth_method());
        check_addresses(caller, &configuration)?;
        check_demand(caller, Some(&app.configuration), &configuration)?;
        privileges::for_application(caller, tx, &app.configuration).await?;
        privileges::for_application(caller, tx, &configuration).await?;
        let app = with_secret(caller, tx, app, &configuration).await?;
        let change = apps::Change { configuration: &configuration, enabled: enabled.unwrap_or(true) };
        apps::update(tx, caller, caller.app.part()?, &app, change).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, app: App) -> Result<()> {
        app_deletion::delete(tx, caller, app.id).await
    }
}

async fn rotate_secret(
    caller: TenantCx,
    Path(id): Path<AppId>,
    Query(rotation): Query<Rotation>,
    if_match: IfMatch,
) -> Result<Json<ClientSecret>, Problem> {
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let app = find(&mut tx, id).await?;
    if_match.check(held, app.version)?;
    privileges::for_application(&caller, &mut tx, &app.configuration).await?;
    let client_secret = new_secret(&caller);
    let overlap = rotation.overlap()?;
    let former_expires_at =
        secrets::rotate(&mut tx, &caller, &app, (digest(&client_secret), overlap)).await?;
    tx.commit().await?;
    Ok(Json(ClientSecret { client_secret, former_expires_at }))
}

async fn list_secrets(
    caller: TenantCx,
    Path(id): Path<AppId>,
    whole: Whole,
) -> Result<Json<List<SecretState>>, Problem> {
    let mut tx = caller.read().await?;
    let app = find(&mut tx, id).await?;
    let data = secrets::list(&mut tx, &app, caller.now).await?;
    let key = |secret: &SecretState| if secret.expires_at.is_none() { "present" } else { "former" };
    Ok(Json(whole.part(&caller, data, key)?))
}

async fn end_former_secret(
    caller: TenantCx,
    Path(id): Path<AppId>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let app = find(&mut tx, id).await?;
    if_match.check(held, app.version)?;
    privileges::for_application(&caller, &mut tx, &app.configuration).await?;
    secrets::end_former(&mut tx, &caller, id).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// Refuses addresses to which the service would send or from which it would fetch, and never will.
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

/// Refuses a second factor that is demanded now of people who could have none.
fn check_demand(caller: &TenantCx, present: Option<&Configuration>, wanted: &Configuration) -> Result<()> {
    let demand = |of: &Configuration| (of.second_factor_required, of.sign_in_methods.clone());
    if present.is_some_and(|present| demand(present) == demand(wanted)) {
        return Ok(());
    }
    let tenant = &caller.tenant;
    let without = [&tenant.plan.disabled_capabilities, &tenant.settings.disabled_capabilities];
    demands::check_app(Levels { config: &caller.app.config, slug: &tenant.slug, without: &without }, wanted)
}

/// The application as its new way to authenticate needs it: without a secret, or with one that is unknown until it is
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
    secrets::set(tx, caller, app.id, secret).await?;
    find(tx, app.id).await
}

async fn find(tx: &mut Tx<Tenant>, id: AppId) -> Result<App> {
    apps::find(tx, id).await?.ok_or_else(unknown)
}

fn new_secret(caller: &TenantCx) -> String {
    prefixed_token("svc_cs_", &*caller.entropy)
}

/// The handle that is made of a name; where another application has it, the end of a new id sets the two apart.
async fn free_handle(caller: &TenantCx, tx: &mut Tx<Tenant>, name: &str) -> Result<String> {
    let handle = handle_of(name);
    // Two that are made at once see each other, whether the handle of the other is chosen or made.
    apps::hold_handle(tx, &handle);
    if apps::find_by_handle(tx, &handle).await?.is_none() {
        return Ok(handle);
    }
    let unique: AppId = caller.id();
    let unique = unique.to_string();
    let end = unique.get(unique.len().saturating_sub(8)..).unwrap_or_default();
    let start: String = handle.chars().take(63 - 9).collect();
    Ok(format!("{start}-{end}"))
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
}
