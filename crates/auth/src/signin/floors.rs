//! The strength that sign-ins must have whatever an application asks for: what the deployment and the tenant demand, and the control plane.

use svc_domain::apps::{App, control_plane};
use svc_domain::claims::assurance::Level;
use svc_http::HostCx;

/// The strength that every sign-in must have here, unless the person trusts the browser.
pub fn floor(host: &HostCx) -> Option<Level> {
    let (config, settings) = (&host.app.config.two_factor, &host.tenant.settings);
    let is_required = config.enabled && (config.required || settings.second_factor_required);
    is_required.then_some(Level::Aal2)
}

/// The strength that the sign-ins of an application must have, in whatever browser.
pub fn strict_floor(host: &HostCx, app: Option<&App>) -> Option<Level> {
    let is_of_operators = host.app.config.admin.second_factor_required && app.is_some_and(control_plane::is);
    is_of_operators.then_some(Level::Aal2)
}
