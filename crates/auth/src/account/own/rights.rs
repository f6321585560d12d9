//! What a person may do through the management API, for pages that do the same.

use svc_core::Result;
use svc_domain::people::tenant_users::Person;
use svc_http::HostCx;

/// Whether the roles of a person permit a scope of the management API.
pub async fn permit(host: &HostCx, person: &Person, scope: &str) -> Result<bool> {
    let api = host.app.services.apis.find(&host.tenant, &host.tenant.api_audience()).await?;
    Ok(api.is_some_and(|api| api.permissions_of(&person.roles).has(scope)))
}
