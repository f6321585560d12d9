//! `/api/v1/apis`: protected APIs, their identifiers (audiences) and scopes (RFC 8707).

use serde::{Deserialize, Serialize};
use svc_core::{ApiId, AppId, Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{self, Api, Configuration, management};
use svc_domain::apps;
use svc_domain::lists::Order;
use svc_http::TenantCx;
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::privileges;
use crate::record::Record;
use crate::resource::Resource;

/// A new API.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "identifier": "https://api.example/", "name": "Notes", "scopes": [{ "name": "notes:read", "description": "Read notes" }] })))]
pub(crate) struct NewApi {
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
pub(crate) struct ApiUpdate {
    /// Unchanged unless given; null in a patch enables it.
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(flatten)]
    configuration: Configuration,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only the API of this identifier.
    #[param(nullable = false)]
    identifier: Option<String>,
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
    Resource::at("apis", "APIs")
        .may_read("See the APIs of this organisation")
        .may_write("Create, change and delete the APIs of this organisation")
        .crud::<Api>()
}

impl Record for Api {
    const ONE: &'static str = "an API";
    const MANY: &'static str = "APIs";

    type Stored = Self;
    type Id = ApiId;
    type Filter = Filter;
    type New = NewApi;
    type Created = Self;
    type Change = ApiUpdate;

    fn head(api: &Self) -> (ApiId, i64) {
        (api.id, api.version)
    }

    fn present(api: &Self) -> ApiUpdate {
        ApiUpdate { enabled: Some(api.enabled), configuration: api.configuration.clone() }
    }

    fn completed(api: &Self, wanted: ApiUpdate) -> ApiUpdate {
        ApiUpdate { enabled: wanted.enabled.or(Some(api.enabled)), ..wanted }
    }

    fn search(filter: &Filter) -> Option<&str> {
        filter.search.as_deref()
    }

    fn order(filter: &Filter) -> Option<Order> {
        filter.sort
    }

    fn names(api: &Self) -> Vec<&str> {
        vec![&api.configuration.name]
    }

    async fn list(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<ApiId>,
    ) -> Result<Vec<Self>> {
        let tenant = &caller.tenant;
        if let Some(named) = filter.identifier.as_deref() {
            return Ok(page.only(apis::find_by_identifier(tx, tenant, named).await?, Self::names));
        }
        let (order, wanted) = page.ordered();
        apis::list_by(tx, tenant, order, wanted).await
    }

    async fn find(caller: &TenantCx, tx: &mut Tx<Tenant>, id: ApiId) -> Result<Option<Self>> {
        apis::find(tx, &caller.tenant, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewApi) -> Result<(Self, Self)> {
        refuse_our_own(caller, &new.identifier)?;
        apis::refuse_issuer(&caller.tenant, &new.identifier)?;
        privileges::for_api(caller, None, Some(&new.configuration))?;
        check_servers(tx, &new.configuration, &[]).await?;
        let api = apis::create(tx, caller, &new.identifier, &new.configuration).await?;
        Ok((api.clone(), api))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, api: Self, wanted: ApiUpdate) -> Result<()> {
        if caller.tenant.keeps_api(&api.identifier) {
            check_our_own(caller, &api, &wanted)?;
        }
        privileges::for_api(caller, Some(&api.configuration), Some(&wanted.configuration))?;
        check_servers(tx, &wanted.configuration, &api.configuration.resource_servers).await?;
        apis::check_unpermitted(tx, &api, &wanted.configuration).await?;
        let enabled = wanted.enabled.unwrap_or(true);
        apis::update(tx, caller, &api, &wanted.configuration, enabled).await?;
        Ok(())
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, api: Self) -> Result<()> {
        refuse_our_own(caller, &api.identifier)?;
        privileges::for_api(caller, Some(&api.configuration), None)?;
        apis::delete(tx, caller, &api).await
    }
}

/// Refuses a resource server that there is not: none would answer for the API. One that is named already may have been deleted since.
async fn check_servers(tx: &mut Tx<Tenant>, wanted: &Configuration, named: &[String]) -> Result<()> {
    for server in wanted.resource_servers.iter().filter(|server| !named.contains(server)) {
        let found = match server.parse::<AppId>() {
            Ok(id) => apps::find(tx, id).await?,
            Err(_) => apps::find_by_handle(tx, server).await?,
        };
        if found.is_none_or(|app| app.client_id() != *server) {
            return Err(Error::bad_request(format!(
                "resource_servers: {server:?} is the `client_id` of no application of this tenant"
            )));
        }
    }
    Ok(())
}

/// A caller that could change the management API's scopes could give itself every other one, and with the control plane's those
/// of operators.
fn refuse_our_own(caller: &TenantCx, identifier: &str) -> Result<()> {
    if caller.tenant.keeps_api(identifier) {
        return Err(Error::forbidden("this API is kept by the service itself"));
    }
    Ok(())
}

/// Who answers for the management API and how long its tokens live is the choice of the tenant's administrators.
fn check_our_own(caller: &TenantCx, api: &Api, wanted: &ApiUpdate) -> Result<()> {
    let is_management = api.identifier == caller.tenant.api_audience();
    let is_switched = wanted.enabled.unwrap_or(true) != api.enabled;
    if is_management && !is_switched && management::is_choice(&api.configuration, &wanted.configuration) {
        return privileges::for_management_api(caller, &api.configuration, &wanted.configuration);
    }
    Err(Error::forbidden(
        "this API is kept by the service itself: of the management API, change `resource_servers` and \
         `access_token_lifetime_secs` alone",
    ))
}
