//! What a tenant's sign-in page offers besides signing in.

use svc_http::HostCx;

/// Whether people may register themselves.
pub fn sign_up(host: &HostCx) -> bool {
    host.app.config.user_self_service.registration_enabled && host.tenant.settings.registration
}

/// Whether a forgotten password can be replaced by mail.
pub fn recovery(host: &HostCx) -> bool {
    host.app.config.user_self_service.recovery_enabled && !host.tenant.settings.without_recovery
}
