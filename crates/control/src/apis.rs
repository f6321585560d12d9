//! `/api/v1/apis`: protected APIs, their identifiers (audiences) and scopes (RFC 8707).

use serde::{Deserialize, Serialize};
use svc_core::{ApiId, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{self, Configuration};
use svc_http::{
    Created, IfMatch, Json, List, ListQuery, Path, Problem, QueryParams, Route, Routes, TenantCx, Versioned,
};
use utoipa::ToSchema;

use crate::commit::{commit, unknown};
use crate::listed::Listed;

const READ: &str = "apis:read";
const WRITE: &str = "apis:write";

/// A protected API.
#[derive(Debug, Serialize, ToSchema)]
struct Api {
    #[schema(value_type = String)]
    id: ApiId,
    /// The `aud` of its tokens.
    identifier: String,
    /// Nothing is issued for a disabled API.
    enabled: bool,
    #[serde(flatten)]
    configuration: Configuration,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

/// A new API.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewApi {
    /// An absolute URI without a fragment, unique in the tenant; it never changes.
    identifier: String,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What an API shall be: members that are left out take their defaults.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ApiUpdate {
    /// As it is unless given.
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    const ALL: &str = "/api/v1/apis";
    const ONE: &str = "/api/v1/apis/{id}";
    Routes::new(
        [
            Route::get(ALL)
                .tenant(READ, list)
                .summary("List APIs")
                .query::<ListQuery>()
                .returns::<Listed<Api>>(200),
            Route::post(ALL)
                .tenant(WRITE, create)
                .summary("Create an API")
                .idempotent()
                .body::<NewApi>()
                .returns::<Api>(201),
            Route::get(ONE).tenant(READ, read).summary("Read an API").returns::<Api>(200),
            Route::put(ONE)
                .tenant(WRITE, update)
                .summary("Change an API")
                .idempotent()
                .body::<ApiUpdate>()
                .returns::<Api>(200),
        ]
        .map(|route| route.tag("APIs")),
    )
}

async fn list(caller: TenantCx, QueryParams(params): QueryParams) -> Result<Json<List<Api>>, Problem> {
    let request = caller.list(&params)?;
    let mut tx = caller.read().await?;
    let found = apis::list(&mut tx, request.after, request.limit + 1).await?;
    let shown = found.into_iter().map(Api::from).collect();
    Ok(Json(caller.page(shown, request.limit, |api: &Api| api.id)?))
}

async fn create(caller: TenantCx, Json(new): Json<NewApi>) -> Result<Created<Api>, Problem> {
    refuse_our_own(&caller, &new.identifier)?;
    let mut tx = caller.begin().await?;
    let api = apis::create(&mut tx, &caller, &new.identifier, &new.configuration).await?;
    commit(&caller, tx).await?;
    Ok(Created { location: format!("/api/v1/apis/{}", api.id), record: api.into() })
}

async fn read(caller: TenantCx, Path(id): Path<ApiId>) -> Result<Versioned<Api>, Problem> {
    Ok(versioned(find(&mut caller.read().await?, id).await?))
}

async fn update(
    caller: TenantCx,
    Path(id): Path<ApiId>,
    if_match: IfMatch,
    Json(wanted): Json<ApiUpdate>,
) -> Result<Versioned<Api>, Problem> {
    let mut tx = caller.begin().await?;
    let api = find(&mut tx, id).await?;
    refuse_our_own(&caller, &api.identifier)?;
    if_match.check(api.version)?;
    let enabled = wanted.enabled.unwrap_or(api.enabled);
    apis::update(&mut tx, &caller, &api, &wanted.configuration, enabled).await?;
    let api = find(&mut tx, id).await?;
    commit(&caller, tx).await?;
    Ok(versioned(api))
}

async fn find(tx: &mut Tx<Tenant>, id: ApiId) -> Result<apis::Api> {
    apis::find(tx, id).await?.ok_or_else(unknown)
}

/// Whoever could change the management API's scopes could give themselves every other one.
fn refuse_our_own(caller: &TenantCx, identifier: &str) -> Result<()> {
    if identifier == caller.tenant.api_audience() {
        return Err(Error::forbidden("the management API is kept by the service itself"));
    }
    Ok(())
}

fn versioned(api: apis::Api) -> Versioned<Api> {
    Versioned { version: api.version, record: api.into() }
}

impl From<apis::Api> for Api {
    fn from(api: apis::Api) -> Self {
        Self {
            id: api.id,
            identifier: api.identifier,
            enabled: api.enabled,
            configuration: api.configuration,
            created_at: api.created_at,
            updated_at: api.updated_at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_members_are_refused_wherever_they_stand() {
        let good = r#"{"identifier":"https://api.example","name":"Shop","scopes":[{"name":"orders:read"}]}"#;
        assert_eq!(serde_json::from_str::<NewApi>(good).unwrap().configuration.scopes.len(), 1);
        for bad in [
            r#"{"identifier":"https://api.example","name":"Shop","tenant_id":"x"}"#,
            r#"{"identifier":"https://api.example","name":"Shop","scopes":[{"name":"a:b","grant":"all"}]}"#,
        ] {
            assert!(serde_json::from_str::<NewApi>(bad).unwrap_err().to_string().contains("unknown field"));
        }
    }
}
