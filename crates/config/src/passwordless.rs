//! Rules for a deployment in which people go without passwords: everyone still gets in.

use super::Config;
use super::load::fault::Fault;

/// People who have set up nothing else are to get in.
pub fn faults(config: &Config) -> Vec<Fault> {
    let is_off = |name: &str| config.oidc.disabled_capabilities.iter().any(|off| off == name);
    let has_code = config.email_otp.enabled && !is_off("email_otp");
    let has_link = config.magic_link.enabled && !is_off("magic_link");
    let fault = || {
        let what =
            "goes without \"password\", and without a code or link by mail that everyone can sign in by";
        Fault::new("oidc.disabled_capabilities", what, "set email_otp.enabled or magic_link.enabled to true")
    };
    let of_operators = || {
        let what = "goes without \"password\", by which operators sign in at tenant.default_tenant_slug";
        Fault::new("oidc.disabled_capabilities", what, "switch it off in plans or tenants instead")
    };
    let of_factors = || {
        let what = "goes without \"password\" and without passkeys, while two_factor.required demands what no mailed code is";
        Fault::new(
            "oidc.disabled_capabilities",
            what,
            "keep passkeys on, or set two_factor.required to false",
        )
    };
    let has_passkeys = config.passkey.enabled && !is_off("passkeys");
    let lacks_factors = config.two_factor.required && !has_passkeys;
    let has_operators = config.tenant.default_tenant_slug.is_some();
    let faults = [
        (!has_code && !has_link).then(fault),
        has_operators.then(of_operators),
        lacks_factors.then(of_factors),
    ];
    faults.into_iter().flatten().filter(|_| is_off("password")).collect()
}
