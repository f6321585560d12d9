//! The providers that the operator has registered at: well-known ones, Apple, and those of `[generic_oauth]`.

use svc_config::{AppleProvider, Config, GenericProvider, HttpUrl, ProviderClientAuth, SocialProvider};

use super::apple;
use super::preset::{PRESETS, Preset};
use super::provider::{Belief, Held, Provider, Reads, Secrecy};
use crate::signin::provider::{Endpoints, Renewal, Speaks};

/// Every provider at which the operator has registered.
pub fn registered(config: &Config) -> Vec<Provider> {
    let (social, generic_oauth) = (&config.social, &config.generic_oauth);
    let presets = PRESETS.iter().filter_map(|preset| well_known(preset, (preset.registered)(social)));
    let presets = presets.chain(with_apple(&social.apple));
    let others = generic_oauth.providers.iter().filter_map(other);
    presets.filter(|_| social.enabled).chain(others.filter(|_| generic_oauth.enabled)).collect()
}

/// A well-known provider, where there is a registration at it.
pub fn well_known(preset: &Preset, registered: &SocialProvider) -> Option<Provider> {
    Some(Provider {
        id: preset.id.to_owned(),
        name: preset.name.to_owned(),
        speaks: (preset.speaks)(registered.base_url.as_ref().map(HttpUrl::as_str)),
        client_id: registered.client_id.clone()?,
        secret: Held::given(registered.client_secret.as_ref()),
        secrecy: preset.secrecy.clone(),
        scopes: preset.scopes.iter().map(|&scope| scope.to_owned()).collect(),
        uses_pkce: preset.uses_pkce,
        renewal: preset.renewal,
        wants_short_state: preset.wants_short_state,
        counts_here_alone: false,
        reads: preset.reads.clone().map(str::to_owned),
    })
}

/// Apple, where there is a registration at it.
pub fn with_apple(settings: &AppleProvider) -> Option<Provider> {
    let client_id = settings.client_id.clone()?;
    let at =
        settings.base_url.as_ref().map_or(apple::ISSUER, |own| own.as_str()).trim_end_matches('/').to_owned();
    let key = apple::Signer {
        team_id: settings.team_id.clone()?,
        key_id: settings.key_id.clone()?,
        audience: at.clone(),
    };
    Some(Provider {
        id: apple::ID.to_owned(),
        name: "Apple".to_owned(),
        speaks: Speaks::OpenId { at: at.clone(), issuer: at },
        client_id,
        secret: Held::given(settings.private_key.as_ref()),
        secrecy: Secrecy::Apple(key),
        scopes: ["openid", "email", "name"].map(str::to_owned).to_vec(),
        uses_pkce: false,
        // It asks every time.
        renewal: Renewal::Unknown,
        wants_short_state: false,
        counts_here_alone: false,
        reads: Reads {
            subject: "sub",
            email: "email",
            name: "name",
            label: "email",
            belief: Belief::Claim("email_verified"),
        }
        .map(str::to_owned),
    })
}

/// Any other provider.
pub fn other(settings: &GenericProvider) -> Option<Provider> {
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
        secret: Held::given(settings.client_secret.as_ref()),
        secrecy: match settings.client_auth {
            ProviderClientAuth::Basic => Secrecy::Basic,
            ProviderClientAuth::Post => Secrecy::Post,
        },
        scopes: settings.scopes.clone(),
        uses_pkce: settings.pkce,
        renewal: settings
            .issuer_url
            .as_ref()
            .map_or(Renewal::Unknown, |issuer| Renewal::of_issuer(issuer.as_str())),
        wants_short_state: false,
        counts_here_alone: false,
        reads: Reads {
            subject: settings.subject_claim.clone(),
            email: settings.email_claim.clone(),
            name: settings.name_claim.clone(),
            label: settings.email_claim.clone(),
            belief: if settings.trusted_email { belief } else { Belief::Never },
        },
    })
}
