//! The control plane: one file per tenant resource, one line each in `resources`, and the OpenAPI document.

mod api_keys;
mod apis;
mod applications;
mod audit;
mod authzen;
mod branding;
mod connectors;
mod consents;
mod control_plane;
mod csv;
mod custom_domains;
mod delegations;
mod directory_groups;
mod events;
mod groups;
mod hook_modules;
mod hooks;
mod impersonations;
mod imports;
mod managed;
pub mod openapi;
mod organization_api_keys;
mod organization_domains;
mod organization_invitations;
mod organization_issuers;
mod organization_record;
mod organizations;
mod page;
mod policies;
mod privileges;
mod record;
mod registration_tokens;
mod resource;
mod roles;
mod rotation;
mod scim;
mod scim_schemas;
mod scim_targets;
mod scim_tokens;
mod sessions;
mod sign_up_fields;
mod signals;
mod sso_connections;
mod sso_trial;
mod tenant_settings;
mod tenant_users;
mod terms;
mod texts;
mod trusted_issuers;
mod usage;
mod webhooks;

use svc_core::{Error, Result};
use svc_http::{Routes, TenantCx};
use svc_keys::Purpose;
use svc_keys::keyring::Sealer;

pub use crate::audit::streams::check_destination;
use crate::resource::{Resource, ScopeSentence};
pub use crate::scim_schemas::declare_scim_schema;
pub use crate::scim_targets::check_scim_target;

/// Every resource of the plane that has the form of our own API, in the order of its documentation.
fn resources() -> Vec<Resource> {
    vec![
        tenant_settings::resource(),
        branding::resource(),
        texts::resource(),
        terms::resource(),
        sign_up_fields::resource(),
        custom_domains::resource(),
        usage::resource(),
        applications::resource(),
        apis::resource(),
        api_keys::resource(),
        registration_tokens::resource(),
        tenant_users::resource(),
        imports::resource(),
        roles::resource(),
        groups::resource(),
        organizations::resource(),
        connectors::resource(),
        sso_connections::resource(),
        organization_api_keys::resource(),
        organization_issuers::resource(),
        policies::resource(),
        scim_tokens::resource(),
        scim_schemas::resource(),
        scim_targets::resource(),
        sessions::resource(),
        impersonations::resource(),
        consents::resource(),
        delegations::resource(),
        trusted_issuers::resource(),
        audit::resource(),
        audit::streams::resource(),
        webhooks::resource(),
        hooks::resource(),
        hook_modules::resource(),
        events::resource(),
        events::types(),
    ]
}

/// Scopes that no resource declares: of standards, of other planes, and of what reaches across resources.
const FURTHER_SCOPES: &[ScopeSentence] = &[
    authzen::EVALUATE,
    ("identity:approve", "See what waits for your approval, and decide it"),
    ("identity:read", "See your account: who you are, how you sign in, and what you have allowed"),
    ("identity:write", "Change your account: your profile, how you sign in, and what you have allowed"),
    ("metrics:read", "Read the metrics of the service"),
    (privileges::GRANT, privileges::SENTENCE),
    ("ssf.manage", "Receive signals about people, and choose which"),
    ("ssf.read", "See which signals about people are asked for"),
];

/// Every route of the plane but those of [`openapi`], whose document is made from the routes of all planes.
pub fn routes() -> Routes {
    let all = resources().into_iter().map(Resource::routes);
    all.fold(Routes::default(), Routes::merge)
        .merge(authzen::routes())
        .merge(signals::routes())
        .merge(control_plane::routes())
        .merge(scim::routes())
}

/// Every scope of the management API with the sentence that people read at consent, by name.
pub fn scopes() -> Vec<(&'static str, &'static str)> {
    let mut scopes: Vec<_> = resources().iter().flat_map(Resource::scopes).collect();
    scopes.extend(FURTHER_SCOPES);
    // A former word may be the present one of another resource, whose sentence counts.
    scopes.sort_by_key(|(name, _)| *name);
    scopes.dedup_by_key(|(name, _)| *name);
    scopes
}

/// What a record of another tenant and a record that does not exist have in common.
pub(crate) fn unknown() -> Error {
    Error::unknown_id()
}

/// The same of a record that this member of a body names.
pub(crate) fn unknown_at(member: &str) -> Error {
    Error::not_found(format!("{member}: no record has this id"))
}

/// What keeps secrets of the caller's tenant.
pub(crate) async fn sealer(caller: &TenantCx) -> Result<Sealer> {
    caller.app.services.sealers.of(caller.tenant.id, Purpose::Credentials, caller).await
}

#[cfg(test)]
mod tests;
