//! The strength that sign-ins must have whatever an application asks for: what the deployment, the tenant and the
//! application's own settings demand, and the control plane.

use svc_domain::apps::{App, control_plane};
use svc_domain::claims::assurance::Level;
use svc_domain::people::tenant_users::Person;
use svc_http::HostCx;

/// The strength that every sign-in must have here, unless the person trusts the browser.
pub fn floor(host: &HostCx) -> Option<Level> {
    let (config, settings) = (&host.app.config.two_factor, &host.tenant.settings);
    let is_required = config.enabled && (config.required || settings.second_factor_required);
    is_required.then_some(Level::Aal2)
}

/// The same for the sign-ins of a person: some roles demand more than the tenant demands of everyone.
pub fn floor_of_person(host: &HostCx, person: &Person) -> Option<Level> {
    floor(host).max(floor_of_roles(host, person))
}

/// What the roles of a person demand.
pub fn floor_of_roles(host: &HostCx, person: &Person) -> Option<Level> {
    let demanding = &host.tenant.settings.second_factor_roles;
    let is_demanded =
        host.app.config.two_factor.enabled && person.roles.iter().any(|role| demanding.contains(role));
    is_demanded.then_some(Level::Aal2)
}

/// The strength that the sign-ins of an application must have, in whatever browser.
pub fn strict_floor(host: &HostCx, app: Option<&App>) -> Option<Level> {
    let demands = |app: &App| {
        app.configuration.second_factor_required
            || (host.app.config.admin.second_factor_required && control_plane::is(app))
    };
    app.is_some_and(demands).then_some(Level::Aal2)
}
