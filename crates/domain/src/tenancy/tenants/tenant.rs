//! A tenant: its issuer, the audiences of its own APIs, and the capabilities that it has.

use std::sync::Arc;

use svc_config::{Config, PhoneProvider, Registration};
use svc_core::TenantId;
use svc_core::capability::Capability;
use url::Url;

use super::TenantSettings;
use crate::tenancy::plans::Entitlements;
use crate::tenancy::switches::Switches;
use crate::tenancy::texts::Texts;

/// A tenant as every request sees it.
#[derive(Debug)]
pub struct Tenant {
    /// The boundary that its rows carry.
    pub id: TenantId,
    /// The host label.
    pub slug: String,
    /// What people read.
    pub name: String,
    /// A domain of its own, if any.
    pub custom_domain: Option<String>,
    /// A suspended tenant answers nothing.
    pub is_active: bool,
    /// Choices of its administrators.
    pub settings: TenantSettings,
    /// Texts of its own.
    pub texts: Arc<Texts>,
    /// What its plan takes away.
    pub plan: Entitlements,
    /// What operators have switched off for every tenant.
    pub switches: Switches,
    /// The issuer identifier: every URL that we publish for it starts with this, byte for byte.
    pub issuer: String,
    /// Grows with each change.
    pub version: i64,
}

/// What the management API is stored as, wherever an audience is stored: its identifier follows the issuer, and is computed
/// at every use.
pub const MANAGEMENT: &str = "urn:svc:management-api";

/// What the API of the control plane is stored as, for the same reason.
pub const CONTROL_PLANE: &str = "urn:svc:control-plane";

impl Tenant {
    /// Whether the tenant has a capability: as far as the deployment has it, because a level can only narrow.
    pub fn offers(&self, config: &Config, capability: &Capability) -> bool {
        self.offers_with(&self.settings, config, capability)
    }

    /// The same with other settings than memory has.
    pub fn offers_with(&self, settings: &TenantSettings, config: &Config, capability: &Capability) -> bool {
        let is_left = self.leaves(settings, config, capability)
            || capability.name == Capability::PASSWORD.name && self.needs_passwords(settings, config);
        is_left && self.switches.keeps(capability)
    }

    /// Whether configuration, plan and settings leave a capability on.
    fn leaves(&self, settings: &TenantSettings, config: &Config, capability: &Capability) -> bool {
        self.is_configured(settings, config, capability)
            && self.plan.disabled_capabilities.keeps(capability)
            && settings.disabled_capabilities.keeps(capability)
    }

    /// Whether people would be locked out without passwords, however that came about: operators, who may have no address, and all where
    /// nothing is mailed, or where a second factor is demanded that only a passkey could be behind what is mailed.
    fn needs_passwords(&self, settings: &TenantSettings, config: &Config) -> bool {
        let mailed = [&Capability::EMAIL_OTP, &Capability::MAGIC_LINK];
        let is_operators = config.tenant.default_tenant_slug.as_deref() == Some(self.slug.as_str());
        let demands = settings.second_factor_required || !settings.second_factor_roles.is_empty();
        let is_demanded = config.two_factor.enabled && (config.two_factor.required || demands);
        let has_passkeys = config.passkey.enabled && self.leaves(settings, config, &Capability::PASSKEYS);
        is_operators
            || !mailed.into_iter().any(|way| self.leaves(settings, config, way))
            || (is_demanded && !has_passkeys)
    }

    /// Whether operators have switched a capability off: for a while, so that what waits for it stays.
    pub fn is_paused(&self, capability: &Capability) -> bool {
        !self.switches.keeps(capability)
    }

    /// Whether the configuration leaves a capability on.
    pub fn has_configured(&self, config: &Config, capability: &Capability) -> bool {
        self.is_configured(&self.settings, config, capability)
    }

    fn is_configured(&self, settings: &TenantSettings, config: &Config, capability: &Capability) -> bool {
        let has_organizations = || self.offers_with(settings, config, &Capability::ORGANIZATIONS);
        let is_on = match capability.name {
            "authorization_details" => config.oidc.authorization_details,
            "anonymous" => config.anonymous.enabled,
            "api_keys" => config.api_keys.enabled,
            "custom_domains" => config.custom_domains.enabled,
            "device" => config.device_authorization.enabled,
            "dynamic_registration" => config.oidc.dynamic_registration != Registration::Off,
            "email_otp" => config.email_otp.enabled,
            "enterprise_sso" => config.enterprise_sso.enabled && has_organizations(),
            "hooks" => config.hooks.enabled,
            "magic_link" => config.magic_link.enabled,
            "organizations" => config.organizations.enabled,
            "proxy" => config.proxy.enabled,
            "scim" => config.scim.enabled && has_organizations(),
            "siwe" => config.siwe.enabled,
            "sms" => config.sms.enabled && config.phone.provider != PhoneProvider::None,
            "verified_domains" => config.verified_domains.enabled && has_organizations(),
            "webhooks" => config.webhooks.enabled,
            "mtls" => config.server.mtls.is_offered(),
            "control_plane" => config.tenant.default_tenant_slug.as_deref() == Some(self.slug.as_str()),
            "impersonation" => settings.impersonation.enabled,
            "client_id_metadata_documents" => settings.client_id_metadata_documents,
            _ => true,
        };
        let is_disabled = config.oidc.disabled_capabilities.iter().any(|name| name == capability.name);
        is_on && !is_disabled
    }

    /// The issuer at the port where clients are asked for certificates, if that is published (RFC 8705 §5).
    pub fn mtls_origin(&self, config: &Config) -> Option<String> {
        if !self.offers(config, &Capability::MTLS) {
            return None;
        }
        let mut url = Url::parse(&self.issuer).ok()?;
        url.set_port(Some(config.server.mtls.published_port()?)).ok()?;
        Some(url.as_str().trim_end_matches('/').to_owned())
    }

    /// The host of its issuer.
    pub fn host(&self) -> String {
        let issuer = Url::parse(&self.issuer).ok();
        issuer.and_then(|issuer| issuer.host_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The audience of our own management APIs for this tenant.
    pub fn api_audience(&self) -> String {
        format!("{}/api", self.issuer)
    }

    /// The audience of the control plane, which the default tenant alone has.
    pub fn control_plane_audience(&self) -> String {
        format!("{}/control-plane", self.issuer)
    }

    /// Whether an audience is that of an API which the service itself keeps.
    pub fn keeps_api(&self, audience: &str) -> bool {
        self.stored_audience(audience) != audience
    }

    /// The audience that a stored one means: those of the service's own APIs follow the issuer, so their names are stored instead.
    pub fn audience_of(&self, stored: &str) -> String {
        match stored {
            MANAGEMENT => self.api_audience(),
            CONTROL_PLANE => self.control_plane_audience(),
            other => other.to_owned(),
        }
    }

    /// How an audience is stored; the reverse of [`Tenant::audience_of`].
    pub fn stored_audience<'a>(&self, audience: &'a str) -> &'a str {
        match audience.strip_prefix(&self.issuer) {
            Some("/api") => MANAGEMENT,
            Some("/control-plane") => CONTROL_PLANE,
            _ => audience,
        }
    }
}
