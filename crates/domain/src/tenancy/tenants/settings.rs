//! What the administrators of a tenant choose.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_config::Config;
use svc_core::capability::Without;
use svc_core::{Error, Result};
use svc_keys::Authorities;
use utoipa::ToSchema;

use super::adaptive_mfa::AdaptiveMfa;
use super::impersonation::Impersonation;
use super::limits::Limits;
use super::social_recovery::SocialRecovery;
use crate::checks::is_language;
use crate::tenancy::branding::Branding;

/// Most roles that demand a second factor.
const MOST_ROLES: usize = 50;

/// Choices that a tenant's administrators make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct TenantSettings {
    /// Whether people may register themselves.
    pub registration: bool,
    /// Whether people may not replace a forgotten password, by mail or by another proven factor.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_recovery: bool,
    /// Whether people prove the address of their account before they get in: they are mailed a link at sign-in where they have not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub verified_email_required: bool,
    /// Whether every sign-in needs a second factor.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub second_factor_required: bool,
    /// Roles whose people need a second factor at every sign-in, at most 50.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub second_factor_roles: BTreeSet<String>,
    /// What happens at unusual sign-ins, where the deployment rates them.
    #[serde(skip_serializing_if = "AdaptiveMfa::is_default")]
    pub adaptive_mfa: AdaptiveMfa,
    /// How people recover their accounts by guardians, where the deployment offers it.
    #[serde(skip_serializing_if = "SocialRecovery::is_default")]
    pub social_recovery: SocialRecovery,
    /// Whether support staff may act for people, and how.
    #[serde(skip_serializing_if = "Impersonation::is_default")]
    pub impersonation: Impersonation,
    /// An accent colour for the hosted pages, `#rrggbb`.
    pub accent: Option<String>,
    /// A logo for the hosted pages, an https URL.
    pub logo_uri: Option<String>,
    /// The privacy policy, linked from every hosted page, an https URL.
    pub policy_uri: Option<String>,
    /// The terms of service, linked from every hosted page, an https URL.
    pub tos_uri: Option<String>,
    /// The corner radius of the hosted pages, 0 to 24 pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<u32>,
    /// The typeface of the hosted pages: `system`, `humanist`, `geometric`, `rounded`, `serif` or `monospace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub font: Option<String>,
    /// The name from which mails come, at most 60 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sender_name: Option<String>,
    /// The language of pages and mails for people of whom no other is known, such as `de` or `pt-BR`; the nearest one that there is
    /// counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 35)]
    pub default_locale: Option<String>,
    /// Write an audit entry and an event for every client-credentials token in its own commit, instead of one entry per
    /// application, audience and second.
    pub record_every_token: bool,
    /// Whether an application may name itself by the https address of a document about it (Client ID Metadata Documents).
    pub client_id_metadata_documents: bool,
    /// Whether its tokens are signed with keys of its own, which no other tenant publishes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub own_signing_keys: bool,
    /// The authorities of client certificates, in PEM (RFC 8705 §2.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_ca_pem: Option<String>,
    /// Keys of the configuration that the tenant narrows.
    #[serde(skip_serializing_if = "Limits::is_empty")]
    pub limits: Limits,
    /// Capabilities that the tenant goes without.
    #[serde(skip_serializing_if = "Without::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub disabled_capabilities: Without,
}

impl TenantSettings {
    /// How its pages and mails look.
    pub fn branding(&self) -> Branding {
        let Self { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name, .. } = self.clone();
        Branding { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name }
    }

    /// Whether support staff who act for people must have signed in with a second factor: the tenant wants it of them, or it is demanded
    /// of everyone.
    pub fn wants_factor_of_staff(&self, config: &Config) -> bool {
        self.impersonation.second_factor_required || self.second_factor_required || config.two_factor.required
    }

    /// The same settings with this look.
    #[must_use]
    pub fn with_branding(&self, branding: Branding) -> Self {
        let Branding { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name } = branding;
        Self { accent, logo_uri, policy_uri, tos_uri, radius, font, sender_name, ..self.clone() }
    }
}

/// Refuses settings that no tenant can have.
pub fn check_settings(settings: &TenantSettings) -> Result<()> {
    let authorities = match settings.tls_client_ca_pem.as_deref().map(Authorities::from_pem) {
        Some(Err(error)) => Err(Error::bad_request(format!("tls_client_ca_pem: {}", error.detail()))),
        _ => Ok(()),
    };
    let capabilities = settings.disabled_capabilities.check();
    let roles = check_roles(&settings.second_factor_roles);
    let locale = check_locale(settings.default_locale.as_deref());
    Error::every([
        settings.branding().check(),
        authorities,
        capabilities,
        roles,
        locale,
        settings.limits.check(),
        settings.adaptive_mfa.check(),
        settings.social_recovery.check(),
        settings.impersonation.check(),
    ])
}

fn check_roles(roles: &BTreeSet<String>) -> Result<()> {
    if roles.len() <= MOST_ROLES && roles.iter().all(|role| (1..=100).contains(&role.len())) {
        return Ok(());
    }
    Err(Error::bad_request(format!(
        "second_factor_roles: name at most {MOST_ROLES} roles, each of 1 to 100 characters"
    )))
}

fn check_locale(locale: Option<&str>) -> Result<()> {
    if locale.is_none_or(is_language) {
        return Ok(());
    }
    Err(Error::bad_request("default_locale: give a language tag such as de or pt-BR"))
}
