//! `/api/v1/trusted-issuers`: whose assertions about people are believed, and whom they mean (RFC 7523, ID-JAG).

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, TenantUserId, Timestamp, TrustedIssuerId};
use svc_db::{Tenant, Tx};
use svc_domain::federation::trusted_issuers::{self, Configuration};
use svc_http::{
    Created, IfMatch, Json, List, ListQuery, NoContent, Path, Problem, QueryParams, Route, Routes, TenantCx,
    Versioned,
};
use utoipa::ToSchema;

use crate::commit::{commit, unknown};
use crate::listed::Listed;
use crate::tenant_users;

const READ: &str = "trusted-issuers:read";
const WRITE: &str = "trusted-issuers:write";

/// An issuer whose assertions about people are believed.
#[derive(Debug, Serialize, ToSchema)]
struct TrustedIssuer {
    #[schema(value_type = String)]
    id: TrustedIssuerId,
    /// The `iss` of its assertions.
    issuer: String,
    /// A disabled issuer is not believed.
    enabled: bool,
    #[serde(flatten)]
    configuration: Configuration,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// A new issuer.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewTrustedIssuer {
    /// An https URL, unique in the tenant; it never changes.
    issuer: String,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What an issuer shall be: members that are left out take their defaults.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TrustedIssuerUpdate {
    /// As it is unless given.
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What the issuer calls a person.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TrustedSubject {
    /// The `sub` of its assertions.
    subject: String,
}

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    const ALL: &str = "/api/v1/trusted-issuers";
    const ONE: &str = "/api/v1/trusted-issuers/{id}";
    const LINK: &str = "/api/v1/trusted-issuers/{id}/subjects/{tenant_user_id}";
    Routes::new(
        [
            Route::get(ALL)
                .tenant(READ, list)
                .summary("List trusted issuers")
                .query::<ListQuery>()
                .returns::<Listed<TrustedIssuer>>(200),
            Route::post(ALL)
                .tenant(WRITE, create)
                .summary("Trust an issuer")
                .idempotent()
                .body::<NewTrustedIssuer>()
                .returns::<TrustedIssuer>(201),
            Route::get(ONE).tenant(READ, read).summary("Read a trusted issuer").returns::<TrustedIssuer>(200),
            Route::put(ONE)
                .tenant(WRITE, update)
                .summary("Change a trusted issuer")
                .idempotent()
                .body::<TrustedIssuerUpdate>()
                .returns::<TrustedIssuer>(200),
            Route::delete(ONE)
                .tenant(WRITE, delete)
                .summary("Trust an issuer no more")
                .idempotent()
                .returns_nothing(204),
            Route::put(LINK)
                .tenant(WRITE, link)
                .summary("Say which subject of the issuer a tenant user is")
                .idempotent()
                .body::<TrustedSubject>()
                .returns_nothing(204),
            Route::delete(LINK)
                .tenant(WRITE, unlink)
                .summary("Take the link of a tenant user back")
                .idempotent()
                .returns_nothing(204),
        ]
        .map(|route| route.tag("Trusted issuers")),
    )
}

async fn list(
    caller: TenantCx,
    QueryParams(params): QueryParams,
) -> Result<Json<List<TrustedIssuer>>, Problem> {
    let request = caller.list(&params)?;
    let mut tx = caller.read().await?;
    let found = trusted_issuers::list(&mut tx, request.after, request.limit + 1).await?;
    let shown = found.into_iter().map(TrustedIssuer::from).collect();
    Ok(Json(caller.page(shown, request.limit, |issuer: &TrustedIssuer| issuer.id)?))
}

async fn create(
    caller: TenantCx,
    Json(new): Json<NewTrustedIssuer>,
) -> Result<Created<TrustedIssuer>, Problem> {
    check_reach(&caller, &new.configuration)?;
    if new.issuer == caller.tenant.issuer {
        return Err(Error::bad_request("issuer: this is the tenant itself").into());
    }
    let mut tx = caller.begin().await?;
    let issuer = trusted_issuers::create(&mut tx, &caller, &new.issuer, &new.configuration).await?;
    commit(&caller, tx).await?;
    Ok(Created { location: format!("/api/v1/trusted-issuers/{}", issuer.id), record: issuer.into() })
}

async fn read(
    caller: TenantCx,
    Path(id): Path<TrustedIssuerId>,
) -> Result<Versioned<TrustedIssuer>, Problem> {
    Ok(versioned(find(&mut caller.read().await?, id).await?))
}

async fn update(
    caller: TenantCx,
    Path(id): Path<TrustedIssuerId>,
    if_match: IfMatch,
    Json(wanted): Json<TrustedIssuerUpdate>,
) -> Result<Versioned<TrustedIssuer>, Problem> {
    check_reach(&caller, &wanted.configuration)?;
    let mut tx = caller.begin().await?;
    let issuer = find(&mut tx, id).await?;
    if_match.check(issuer.version)?;
    let enabled = wanted.enabled.unwrap_or(issuer.enabled);
    trusted_issuers::update(&mut tx, &caller, &issuer, &wanted.configuration, enabled).await?;
    let issuer = find(&mut tx, id).await?;
    commit(&caller, tx).await?;
    Ok(versioned(issuer))
}

async fn delete(caller: TenantCx, Path(id): Path<TrustedIssuerId>) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    trusted_issuers::delete(&mut tx, &caller, id).await?;
    commit(&caller, tx).await?;
    Ok(NoContent)
}

async fn link(
    caller: TenantCx,
    Path((id, user)): Path<(TrustedIssuerId, TenantUserId)>,
    Json(wanted): Json<TrustedSubject>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let issuer = find(&mut tx, id).await?;
    let person = tenant_users::find(&mut tx, user).await?;
    trusted_issuers::link(&mut tx, &caller, issuer.id, person.id, &wanted.subject).await?;
    commit(&caller, tx).await?;
    Ok(NoContent)
}

async fn unlink(
    caller: TenantCx,
    Path((id, user)): Path<(TrustedIssuerId, TenantUserId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    trusted_issuers::unlink(&mut tx, &caller, id, user).await?;
    commit(&caller, tx).await?;
    Ok(NoContent)
}

async fn find(tx: &mut Tx<Tenant>, id: TrustedIssuerId) -> Result<trusted_issuers::TrustedIssuer> {
    trusted_issuers::find(tx, id).await?.ok_or_else(unknown)
}

/// An address that will never be called is refused here, where somebody reads the answer.
fn check_reach(caller: &TenantCx, configuration: &Configuration) -> Result<()> {
    configuration.jwks_uri.as_deref().map_or(Ok(()), |uri| caller.app.outbound.check(uri))
}

fn versioned(issuer: trusted_issuers::TrustedIssuer) -> Versioned<TrustedIssuer> {
    Versioned { version: issuer.version, record: issuer.into() }
}

impl From<trusted_issuers::TrustedIssuer> for TrustedIssuer {
    fn from(issuer: trusted_issuers::TrustedIssuer) -> Self {
        Self {
            id: issuer.id,
            issuer: issuer.issuer,
            enabled: issuer.enabled,
            configuration: issuer.configuration,
            created_at: issuer.created_at,
            updated_at: issuer.updated_at,
        }
    }
}
