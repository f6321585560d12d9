//! `/api/v1/organizations/{id}/sso-connections`: providers of organizations, through which their people sign in.

use serde::{Deserialize, Serialize};
use svc_core::{OrganizationId, Result, Secret, SsoConnectionId};
use svc_db::{Tenant, Tx};
use svc_domain::federation::sso::{self, Configuration, Connection, New};
use svc_domain::log::audit;
use svc_http::{
    Created, IfMatch, Json, List, Listing, MergePatch, NoContent, Path, Problem, TenantCx, Versioned,
};
use utoipa::{IntoParams, ToSchema};

use crate::resource::Resource;
use crate::sso_trial::test;
use crate::{organizations, privileges, record, sealer, unknown};

/// A connection to make or to replace: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "display_name": "Acme staff", "issuer": "https://login.acme.example", "client_id": "svc", "client_auth": "client_secret_basic",
    "client_secret": "the secret that the provider made", "group_roles": [], "jit": { "enabled": true, "roles": [] },
    "enabled": true
})))]
pub(crate) struct SsoConnectionUpdate {
    #[serde(flatten)]
    configuration: Configuration,
    /// The secret that authenticates the tenant at the provider. It is never shown. A secret is kept until another is given, or
    /// the issuer or the client changes.
    #[serde(default, serialize_with = "crate::record::hidden")]
    #[schema(value_type = Option<String>, max_length = 1024)]
    client_secret: Option<Secret>,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only those through which people sign in, or only those through which they do not.
    #[param(nullable = false)]
    enabled: Option<bool>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    const ONE: &str = "{connection_id}";
    Resource::at("organizations/{id}/sso-connections", "SSO connections")
        .may_read("See through which providers the people of customers sign in")
        .may_write("Choose through which providers the people of customers sign in")
        .get("", "List the SSO connections of an organization", list)
        .post("", "Create an SSO connection of an organization", create)
        .get(ONE, "Read an SSO connection", read)
        .put(ONE, "Replace the writable fields of an SSO connection", replace)
        .patch(ONE, "Change some fields of an SSO connection", change)
        .delete(ONE, "Delete an SSO connection", delete)
        .post(
            "{connection_id}/test",
            "Test an SSO connection: check what its provider publishes, step by step",
            test,
        )
}

async fn list(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Listing { filter, page }: Listing<SsoConnectionId, Filter>,
) -> Result<Json<List<Connection>>, Problem> {
    let mut tx = caller.read().await?;
    let organization = organizations::find(&mut tx, id).await?;
    let fits = |one: &Connection| filter.enabled.is_none_or(|wanted| wanted == one.configuration.enabled);
    let found = sso::list(&mut tx, organization.id, (page.after, page.fetch()), fits).await?;
    Ok(Json(caller.page(found, page.limit, |connection: &Connection| connection.id)?))
}

async fn create(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Json(wanted): Json<SsoConnectionUpdate>,
) -> Result<Created<Connection>, Problem> {
    check(&caller, &wanted.configuration)?;
    let sealer = sealer(&caller).await?;
    let mut tx = caller.begin().await?;
    let organization = organizations::find(&mut tx, id).await?;
    let most = caller.app.config.enterprise_sso.max_per_organization;
    let SsoConnectionUpdate { configuration, client_secret } = &wanted;
    let new = New { configuration, client_secret: client_secret.as_ref(), most };
    let connection = sso::create(&mut tx, &caller, &sealer, (organization.id, new)).await?;
    tell(&mut tx, None, Some(&connection));
    tx.commit().await?;
    let location = format!("/api/v1/organizations/{id}/sso-connections/{}", connection.id);
    Ok(Created { location, version: connection.version, record: connection })
}

async fn read(
    caller: TenantCx,
    Path((id, connection)): Path<(OrganizationId, SsoConnectionId)>,
) -> Result<Versioned<Connection>, Problem> {
    Ok(versioned(find(&mut caller.read().await?, (id, connection)).await?))
}

async fn replace(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, SsoConnectionId)>,
    if_match: IfMatch,
    Json(wanted): Json<SsoConnectionUpdate>,
) -> Result<Versioned<Connection>, Problem> {
    Ok(updated(&caller, ids, &if_match, |_| Ok(wanted)).await?)
}

async fn change(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, SsoConnectionId)>,
    if_match: IfMatch,
    patch: MergePatch<SsoConnectionUpdate>,
) -> Result<Versioned<Connection>, Problem> {
    let present = |connection: &Connection| SsoConnectionUpdate {
        configuration: connection.configuration.clone(),
        client_secret: None,
    };
    Ok(updated(&caller, ids, &if_match, |connection| patch.apply(&present(connection))).await?)
}

async fn delete(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, SsoConnectionId)>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &ids.1).await?;
    let present = find(&mut tx, ids).await?;
    if_match.check(held, present.version)?;
    if !sso::delete(&mut tx, &caller, &present).await? {
        return Err(unknown().into());
    }
    tell(&mut tx, Some(&present), None);
    tx.commit().await?;
    Ok(NoContent)
}

async fn updated(
    caller: &TenantCx,
    ids: (OrganizationId, SsoConnectionId),
    if_match: &IfMatch,
    wanted: impl FnOnce(&Connection) -> Result<SsoConnectionUpdate> + Send,
) -> Result<Versioned<Connection>> {
    let sealer = sealer(caller).await?;
    let (mut tx, held) = record::begin(caller, &ids.1).await?;
    let present = find(&mut tx, ids).await?;
    if_match.check(held, present.version)?;
    let SsoConnectionUpdate { configuration, client_secret } = wanted(&present)?;
    check(caller, &configuration)?;
    let wanted = (&configuration, client_secret.as_ref());
    sso::update(&mut tx, caller, &sealer, &present, wanted).await?;
    let record = find(&mut tx, ids).await?;
    tell(&mut tx, Some(&present), Some(&record));
    tx.commit().await?;
    Ok(versioned(record))
}

/// Who can make a provider's word count can become each person of whom it speaks.
fn check(caller: &TenantCx, configuration: &Configuration) -> Result<()> {
    privileges::always(caller, "an SSO connection, whose provider speaks for people")?;
    caller
        .app
        .outbound
        .check(&configuration.issuer)
        .map_err(|error| svc_core::Error::bad_request(format!("issuer: {}", error.detail())))
}

/// What became of the record: no document of it has the secret.
fn tell(tx: &mut Tx<Tenant>, before: Option<&Connection>, after: Option<&Connection>) {
    let shown = |connection: Option<&Connection>| serde_json::to_value(connection).unwrap_or_default();
    if let Some(connection) = after.or(before) {
        audit::tell_changes(tx, &connection.id.to_string(), &shown(before), &shown(after));
    }
}

fn versioned(connection: Connection) -> Versioned<Connection> {
    Versioned { version: connection.version, record: connection }
}

/// One connection of an organization, or `not_found`.
pub(crate) async fn find(
    tx: &mut Tx<Tenant>,
    (organization, id): (OrganizationId, SsoConnectionId),
) -> Result<Connection> {
    sso::find(tx, organization, id).await?.ok_or_else(unknown)
}
