//! What must stay on where people go without passwords.

use svc_config::Config;
use svc_core::capability::{Capability, Without};
use svc_core::{Error, Result};

/// Refuses levels that together go without passwords, and without every way to sign in which needs nothing but an address: people who
/// have set up nothing else would be shut out, and invited ones would never get in. The tenant of this slug keeps them where operators
/// sign in, who may have no address.
pub fn check_passwordless(config: &Config, slug: &str, levels: &[&Without]) -> Result<()> {
    let keeps = |capability: &Capability| {
        let is_kept = levels.iter().all(|level| level.keeps(capability));
        is_kept && config.oidc.disabled_capabilities.iter().all(|name| name != capability.name)
    };
    let has_code = config.email_otp.enabled && keeps(&Capability::EMAIL_OTP);
    let has_link = config.magic_link.enabled && keeps(&Capability::MAGIC_LINK);
    let is_operators = config.tenant.default_tenant_slug.as_deref() == Some(slug);
    if is_operators && levels.iter().any(|level| !level.keeps(&Capability::PASSWORD)) {
        return Err(Error::bad_request(
            "disabled_capabilities: operators sign in at this tenant, who may have no address; keep \"password\" on here",
        ));
    }
    if keeps(&Capability::PASSWORD) || has_code || has_link {
        return Ok(());
    }
    Err(Error::bad_request(
        "disabled_capabilities: without \"password\", people who have set up nothing else sign in by \"email_otp\" or \
         \"magic_link\" alone; keep one of them, which the deployment switches on by email_otp.enabled or magic_link.enabled",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_go_where_a_mailed_way_stays() {
        let config = |codes, links| {
            let mut config = Config::default();
            (config.email_otp.enabled, config.magic_link.enabled) = (codes, links);
            config
        };
        let check = |config: &Config, levels: &[&[&str]]| {
            let levels: Vec<Without> = levels.iter().map(|names| names.iter().copied().collect()).collect();
            check_passwordless(config, "acme", &levels.iter().collect::<Vec<_>>()).is_ok()
        };
        let (none, codes, both) = (config(false, false), config(true, false), config(true, true));
        assert!(check(&none, &[&[]]) && check(&none, &[&["email_otp", "magic_link"]]));
        assert!(!check(&none, &[&["password"]]));
        assert!(check(&codes, &[&["password"]]) && check(&codes, &[&["password", "magic_link"]]));
        assert!(!check(&codes, &[&["password", "email_otp"]]));
        assert!(!check(&codes, &[&["email_otp"], &["password"]]));
        assert!(check(&both, &[&["email_otp"], &["password"]]));
        let mut everywhere = config(false, true);
        everywhere.oidc.disabled_capabilities = vec!["password".to_owned()];
        assert!(check(&everywhere, &[]) && !check(&everywhere, &[&["magic_link"]]));
        let mut of_operators = config(true, true);
        of_operators.tenant.default_tenant_slug = Some("acme".to_owned());
        assert!(!check(&of_operators, &[&["password"]]) && check(&of_operators, &[&["email_otp"]]));
    }
}
