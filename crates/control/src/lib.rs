//! The control plane: one file per tenant resource, one line each in [`routes`], and the OpenAPI document.

mod apis;
mod applications;
mod audit;
mod commit;
mod delegations;
mod listed;
pub mod openapi;
mod registration_tokens;
mod sessions;
mod signals;
mod tenant_users;
mod trusted_issuers;

use svc_http::Routes;

/// Every route of the plane but those of [`openapi`], whose document is made from the routes of all planes.
pub fn routes() -> Routes {
    Routes::default()
        .merge(applications::routes())
        .merge(apis::routes())
        .merge(registration_tokens::routes())
        .merge(tenant_users::routes())
        .merge(sessions::routes())
        .merge(delegations::routes())
        .merge(signals::routes())
        .merge(trusted_issuers::routes())
        .merge(audit::routes())
}

#[cfg(test)]
mod tests;
