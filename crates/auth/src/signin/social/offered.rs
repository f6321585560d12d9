//! The providers that the operator has registered at: well-known ones, Apple, and those of `[generic_oauth]`.

use svc_config::{Config, GenericProvider, HttpUrl, ProviderClientAuth};
use svc_core::capability::Capability;
use svc_core::{Result, Secret};
use svc_http::HostCx;

use super::apple;
use super::preset::{PRESETS, Preset};
use super::said::{Belief, Reads};
use crate::signin::provider::{Authentication, Endpoints, Registration, Speaks};

/// A provider that people can sign in with.
#[derive(Clone, Debug)]
pub struct Provider {
    /// What it is called in addresses.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// How it speaks, and where.
    pub speaks: Speaks,
    /// What it calls us.
    pub client_id: String,
    /// What proves us there.
    pub client_secret: Option<Secret>,
    /// How.
    pub secrecy: Secrecy,
    /// What it is asked for.
    pub scopes: Vec<String>,
    /// Whether it takes a challenge.
    pub uses_pkce: bool,
    /// How it speaks of people.
    pub reads: Reads<String>,
}

/// How a secret proves us.
#[derive(Clone, Debug)]
pub enum Secrecy {
    /// In the `Authorization` header.
    Basic,
    /// In the body.
    Post,
    /// In the body, made for each call.
    Apple(apple::Signer),
}

/// Every provider that people can sign in with here.
pub fn offered(host: &HostCx) -> Vec<Provider> {
    if host.offers(&Capability::SOCIAL) { registered(&host.app.config) } else { Vec::new() }
}

/// One of them.
pub fn find(host: &HostCx, id: &str) -> Option<Provider> {
    offered(host).into_iter().find(|provider| provider.id == id)
}

fn registered(config: &Config) -> Vec<Provider> {
    let (social, generic) = (&config.social, &config.generic_oauth);
    let presets =
        PRESETS.iter().filter_map(|preset| well_known(preset, config)).chain(apple::provider(&social.apple));
    let others = generic.providers.iter().filter_map(other);
    presets.filter(|_| social.enabled).chain(others.filter(|_| generic.enabled)).collect()
}

fn well_known(preset: &Preset, config: &Config) -> Option<Provider> {
    let registered = (preset.registered)(&config.social);
    Some(Provider {
        id: preset.id.to_owned(),
        name: preset.name.to_owned(),
        speaks: (preset.speaks)(registered.base_url.as_ref().map(HttpUrl::as_str)),
        client_id: registered.client_id.clone()?,
        client_secret: registered.client_secret.clone(),
        secrecy: preset.secrecy.clone(),
        scopes: preset.scopes.iter().map(|&scope| scope.to_owned()).collect(),
        uses_pkce: preset.uses_pkce,
        reads: preset.reads.clone().map(str::to_owned),
    })
}

fn other(settings: &GenericProvider) -> Option<Provider> {
    let id = settings.id.clone()?;
    let speaks = match &settings.issuer_url {
        Some(issuer) => Speaks::OpenId { at: issuer.as_str().to_owned(), issuer: issuer.as_str().to_owned() },
        None => Speaks::Oauth(Endpoints {
            authorization_endpoint: settings.authorization_endpoint.as_ref()?.as_str().to_owned(),
            token_endpoint: settings.token_endpoint.as_ref()?.as_str().to_owned(),
            userinfo_endpoint: settings.userinfo_endpoint.as_ref()?.as_str().to_owned(),
            name: settings.userinfo_endpoint.as_ref()?.as_str().to_owned(),
        }),
    };
    let belief = Belief::Claim(settings.email_verified_claim.clone());
    Some(Provider {
        name: settings.display_name.clone().unwrap_or_else(|| id.clone()),
        id,
        speaks,
        client_id: settings.client_id.clone()?,
        client_secret: settings.client_secret.clone(),
        secrecy: match settings.client_auth {
            ProviderClientAuth::Basic => Secrecy::Basic,
            ProviderClientAuth::Post => Secrecy::Post,
        },
        scopes: settings.scopes.clone(),
        uses_pkce: settings.pkce,
        reads: Reads {
            subject: settings.subject_claim.clone(),
            email: settings.email_claim.clone(),
            name: settings.name_claim.clone(),
            label: settings.email_claim.clone(),
            belief: if settings.trusted_email { belief } else { Belief::Never },
        },
    })
}

impl Provider {
    /// Where the provider sends people back to, behind the tenant's issuer.
    pub fn return_path(&self) -> String {
        format!("/auth/return/{}", self.id)
    }

    /// What this tenant is there.
    pub fn client(&self, host: &HostCx) -> Result<Registration> {
        let authentication = match (&self.secrecy, &self.client_secret) {
            (Secrecy::Apple(key), _) => Authentication::Post(key.secret(&self.client_id, host.cx.now)?),
            (_, None) => Authentication::None,
            (Secrecy::Basic, Some(secret)) => Authentication::Basic(secret.clone()),
            (Secrecy::Post, Some(secret)) => Authentication::Post(secret.clone()),
        };
        Ok(Registration {
            speaks: self.speaks.clone(),
            client_id: self.client_id.clone(),
            authentication,
            scopes: self.scopes.clone(),
            redirect_uri: format!("{}{}", host.tenant.issuer, self.return_path()),
            uses_pkce: self.uses_pkce,
            reads: self.reads.wanted(),
            answers_by_form: matches!(self.secrecy, Secrecy::Apple(_)),
        })
    }
}
