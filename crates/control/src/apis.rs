//! `/api/v1/apis`: protected APIs, their identifiers (audiences) and scopes (RFC 8707).

use serde::{Deserialize, Serialize};
use svc_core::{ApiId, Error, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{self, Configuration};
use svc_http::{ListRequest, TenantCx};
use utoipa::{IntoParams, ToSchema};

use crate::privileges;
use crate::record::{Record, only};
use crate::resource::Resource;

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
#[schema(examples(json!({ "identifier": "https://api.example/", "name": "Notes", "scopes": [{ "name": "notes:read", "description": "Read notes" }] })))]
struct NewApi {
    /// An absolute URI without a fragment, unique in the tenant; it never changes.
    #[schema(min_length = 1, max_length = 500)]
    identifier: String,
    #[serde(flatten)]
    configuration: Configuration,
}

/// What can be changed of an API: members that are left out take their defaults.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Notes", "scopes": [{ "name": "notes:read", "description": "Read your notes" }] })))]
struct ApiUpdate {
    /// As it is unless given.
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only the API of this identifier.
    #[param(nullable = false)]
    identifier: Option<String>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("apis", "APIs")
        .may_read("See the APIs of this organisation")
        .may_write("Create, change and delete the APIs of this organisation")
        .crud::<Api>()
}

impl Record for Api {
    const ONE: &'static str = "an API";
    const MANY: &'static str = "APIs";

    type Stored = apis::Api;
    type Id = ApiId;
    type Filter = Filter;
    type New = NewApi;
    type Created = Self;
    type Change = ApiUpdate;

    fn head(api: &apis::Api) -> (ApiId, i64) {
        (api.id, api.version)
    }

    fn present(api: &apis::Api) -> ApiUpdate {
        ApiUpdate { enabled: Some(api.enabled), configuration: api.configuration.clone() }
    }

    async fn list(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &ListRequest<ApiId>,
    ) -> Result<Vec<apis::Api>> {
        match filter.identifier {
            Some(named) => Ok(only(apis::find_by_identifier(tx, &caller.tenant, &named).await?, page)),
            None => apis::list(tx, &caller.tenant, page.after, page.fetch()).await,
        }
    }

    async fn find(caller: &TenantCx, tx: &mut Tx<Tenant>, id: ApiId) -> Result<Option<apis::Api>> {
        apis::find(tx, &caller.tenant, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewApi) -> Result<(apis::Api, Self)> {
        refuse_our_own(caller, &new.identifier)?;
        privileges::for_api(caller, None, Some(&new.configuration))?;
        let api = apis::create(tx, caller, &new.identifier, &new.configuration).await?;
        Ok((api.clone(), api.into()))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, api: apis::Api, wanted: ApiUpdate) -> Result<()> {
        refuse_our_own(caller, &api.identifier)?;
        privileges::for_api(caller, Some(&api.configuration), Some(&wanted.configuration))?;
        let enabled = wanted.enabled.unwrap_or(api.enabled);
        apis::update(tx, caller, &api, &wanted.configuration, enabled).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, api: apis::Api) -> Result<()> {
        refuse_our_own(caller, &api.identifier)?;
        privileges::for_api(caller, Some(&api.configuration), None)?;
        apis::delete(tx, caller, &api).await
    }
}

/// A caller that could change the management API's scopes could give itself every other one.
fn refuse_our_own(caller: &TenantCx, identifier: &str) -> Result<()> {
    if identifier == caller.tenant.api_audience() {
        return Err(Error::forbidden("the management API is kept by the service itself"));
    }
    Ok(())
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
