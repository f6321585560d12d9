//! What a tenant's sign-in page offers besides signing in.

use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_domain::apps::{App, control_plane};
use svc_http::HostCx;

use super::floors;
use crate::hosted::mail;
use crate::hosted::paths::ASK_GUARDIANS;

/// Whether people sign in with passwords.
pub fn password(host: &HostCx) -> bool {
    host.offers(&Capability::PASSWORD)
}

/// Whether people may register themselves.
pub fn sign_up(host: &HostCx) -> bool {
    host.app.config.user_self_service.registration_enabled && host.tenant.settings.registration
}

/// Refuses where they may not.
pub fn must_have_sign_up(host: &HostCx) -> Result<()> {
    if sign_up(host) { Ok(()) } else { Err(Error::not_found("registration is not open here")) }
}

/// Whether they may do so by a mailed code, without a password.
pub fn sign_up_by_code(host: &HostCx) -> bool {
    let is_enabled = host.app.config.email_otp.registration_enabled;
    is_enabled && sign_up(host) && host.offers(&Capability::EMAIL_OTP)
}

/// Whether people choose guardians who recover their account together.
pub fn social_recovery(host: &HostCx) -> bool {
    password(host) && host.tenant.settings.social_recovery.is_offered(&host.app.config)
}

/// Refuses where people have no guardians.
pub fn must_have_guardians(host: &HostCx) -> Result<()> {
    if social_recovery(host) {
        return Ok(());
    }
    Err(Error::not_found("people have no guardians here"))
}

/// Where guardians are asked, where a forgotten password cannot be replaced by mail.
pub fn only_guardians(host: &HostCx) -> Option<&'static str> {
    (social_recovery(host) && !recovery(host)).then_some(ASK_GUARDIANS)
}

/// Whether a forgotten password can be replaced, by mail or by another proven factor.
pub fn recovery(host: &HostCx) -> bool {
    mail::replaces_passwords(host)
}

/// Whether people may come to an application as guests: not where every sign-in must prove more than that.
pub fn guests(host: &HostCx, app: &App) -> bool {
    let demands_more = floors::floor(host).max(floors::strict_floor(host, Some(app))).is_some();
    let is_offered = host.offers(&Capability::ANONYMOUS) && app.keeps(&Capability::ANONYMOUS);
    is_offered && !demands_more && !control_plane::is(app)
}

#[cfg(test)]
mod tests {
    use svc_config::Config;
    use svc_core::capability::Without;

    use super::*;
    use crate::fixtures::tenant;

    #[test]
    fn passwords_stay_where_people_would_be_locked_out_without_them() {
        let names = |names: &[&str]| names.iter().copied().collect::<Without>();
        for (codes, of_plan, of_tenant, slug, is_offered) in [
            (true, &[][..], &["password"][..], "acme", false),
            (false, &[], &["password"], "acme", true),
            (true, &["email_otp"], &["password"], "acme", true),
            (true, &["password"], &["email_otp"], "acme", true),
            (true, &["password"], &[], "acme", false),
            (true, &["password"], &[], "operators", true),
        ] {
            let mut config = Config::default();
            (config.email_otp.enabled, config.magic_link.enabled) = (codes, false);
            config.tenant.default_tenant_slug = Some("operators".to_owned());
            let mut tenant = tenant();
            tenant.slug = slug.to_owned();
            tenant.plan.disabled_capabilities = names(of_plan);
            tenant.settings.disabled_capabilities = names(of_tenant);
            let found = tenant.offers(&config, &Capability::PASSWORD);
            assert_eq!(found, is_offered, "{codes} {of_plan:?} {of_tenant:?} {slug}");
        }
    }
}
