//! What must stay on where people go without passwords.

use svc_config::Config;
use svc_core::capability::{Capability, Without};
use svc_core::{Error, Result};

use super::TenantSettings;

/// What a tenant goes without, level by level.
#[derive(Clone, Copy)]
pub struct Levels<'a> {
    /// The configuration of the deployment.
    pub config: &'a Config,
    /// What the tenant is called.
    pub slug: &'a str,
    /// What its plan and its settings take away.
    pub without: &'a [&'a Without],
}

impl Levels<'_> {
    /// Whether people sign in by what is mailed and can make no passkey: no app for codes is a second factor behind a mailbox.
    pub fn leave_no_second_factor(&self) -> bool {
        let has_passkeys = self.config.passkey.enabled && self.keep(&Capability::PASSKEYS);
        let has_passwords = self.keep(&Capability::PASSWORD) || self.are_of_operators() || !self.have_mail();
        !has_passwords && !has_passkeys
    }

    fn keep(&self, capability: &Capability) -> bool {
        let is_kept = self.without.iter().all(|level| level.keeps(capability));
        is_kept && self.config.oidc.disabled_capabilities.iter().all(|name| name != capability.name)
    }

    fn have_mail(&self) -> bool {
        let has_code = self.config.email_otp.enabled && self.keep(&Capability::EMAIL_OTP);
        has_code || (self.config.magic_link.enabled && self.keep(&Capability::MAGIC_LINK))
    }

    fn are_of_operators(&self) -> bool {
        self.config.tenant.default_tenant_slug.as_deref() == Some(self.slug)
    }
}

/// Refuses settings that demand second factors of people who could have none.
pub fn check_demanded(levels: Levels<'_>, settings: &TenantSettings) -> Result<()> {
    let demands = [
        ("second_factor_required", settings.second_factor_required),
        ("second_factor_roles", !settings.second_factor_roles.is_empty()),
    ];
    let demanded = demands.into_iter().find(|(_, is_made)| *is_made);
    match demanded.filter(|_| levels.config.two_factor.enabled && levels.leave_no_second_factor()) {
        Some((member, _)) => Err(Error::bad_request(out_of_reach(member))),
        None => Ok(()),
    }
}

/// What is said of a member that demands second factors where people could have none.
pub fn out_of_reach(member: &str) -> String {
    format!(
        "{member}: people sign in by a mailed code or link here, and a passkey alone is a second factor behind it; keep \"passkeys\" \
         or \"password\" on, or demand none"
    )
}

/// Refuses levels that together go without passwords, and without every way to sign in which needs nothing but an address: people who
/// have set up nothing else would be shut out, and invited ones would never get in. Where operators sign in at the tenant of this slug,
/// it keeps what they cannot do without.
pub fn check_passwordless(config: &Config, slug: &str, levels: &[&Without]) -> Result<()> {
    let all = Levels { config, slug, without: levels };
    if all.are_of_operators() {
        check_of_operators(levels)?;
    }
    if config.two_factor.enabled && config.two_factor.required && all.leave_no_second_factor() {
        return Err(Error::bad_request(out_of_reach("disabled_capabilities")));
    }
    if all.keep(&Capability::PASSWORD) || all.have_mail() {
        return Ok(());
    }
    Err(Error::bad_request(
        "disabled_capabilities: without \"password\", people who have set up nothing else sign in by \"email_otp\" or \
         \"magic_link\" alone; keep one of them, which the deployment switches on by email_otp.enabled or magic_link.enabled",
    ))
}

/// Refuses what would shut operators out: none of them could take it back.
fn check_of_operators(levels: &[&Without]) -> Result<()> {
    let keep = |capability: &Capability| levels.iter().all(|level| level.keeps(capability));
    let refused = if !keep(&Capability::PASSWORD) {
        "disabled_capabilities: operators sign in at this tenant, who may have no address; keep \"password\" on here"
    } else if !keep(&Capability::CONTROL_PLANE) {
        "disabled_capabilities: operators sign in at this tenant, and could do nothing more; keep \"control_plane\" on here"
    } else {
        return Ok(());
    };
    Err(Error::bad_request(refused))
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
        assert!(!check(&of_operators, &[&[], &["control_plane"]]) && check(&both, &[&["control_plane"]]));
        let mut demanding = config(true, true);
        demanding.two_factor.required = true;
        assert!(check(&demanding, &[&["password"]]) && check(&demanding, &[&["passkeys"]]));
        assert!(!check(&demanding, &[&["password"], &["passkeys"]]));
    }

    #[test]
    fn second_factors_are_demanded_where_people_can_have_them() {
        let check = |(codes, passkeys): (bool, bool), names: &[&str], settings: &TenantSettings| {
            let mut config = Config::default();
            (config.email_otp.enabled, config.magic_link.enabled) = (codes, false);
            config.passkey.enabled = passkeys;
            let without: Without = names.iter().copied().collect();
            let levels = Levels { config: &config, slug: "acme", without: &[&without] };
            check_demanded(levels, settings).map_err(|error| error.detail().to_owned())
        };
        let everyone = TenantSettings { second_factor_required: true, ..TenantSettings::default() };
        let some = TenantSettings {
            second_factor_roles: ["billing".to_owned()].into(),
            ..TenantSettings::default()
        };
        let both = &["password", "passkeys"][..];
        for (settings, member) in [(&everyone, "second_factor_required: "), (&some, "second_factor_roles: ")]
        {
            for (offered, names) in [((true, true), both), ((true, false), &["password"])] {
                assert!(check(offered, names, settings).unwrap_err().starts_with(member), "{names:?}");
            }
            for (offered, names) in
                [((true, true), &["password"][..]), ((true, true), &["passkeys"]), ((false, true), both)]
            {
                assert_eq!(check(offered, names, settings), Ok(()), "{names:?}");
            }
        }
        assert_eq!(check((true, false), both, &TenantSettings::default()), Ok(()));
    }
}
