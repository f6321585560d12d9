//! Connectors, the tenant's own providers: each is described like one that the operator has registered at.

use std::sync::Arc;

use svc_config::{AppleProvider, GenericProvider, HttpUrl, ProviderClientAuth, SocialProvider};
use svc_domain::federation::connectors::{ClientAuth, Configuration, Connector, Preset};

use super::preset::PRESETS;
use super::provider::{Belief, Held, Provider, Reads};
use super::registered::{other, well_known, with_apple};

/// The provider of a connector. Its id is that of the record, so that no name of another provider is taken for it, here or in another
/// tenant.
pub fn of_tenant(connector: &Arc<Connector>) -> Option<Provider> {
    let secret =
        if connector.has_client_secret { Held::Sealed(Arc::clone(connector)) } else { Held::Nothing };
    Some(Provider { id: connector.id.to_string(), secret, ..described(&connector.configuration)? })
}

/// What follows of it from what was chosen.
fn described(configuration: &Configuration) -> Option<Provider> {
    let known = match configuration.preset {
        Some(Preset::Apple) => with_apple(&apple(configuration)?),
        Some(preset) => {
            let preset = PRESETS.iter().find(|known| known.id == preset.id())?;
            well_known(preset, &registration(configuration)?)
        }
        None => other(&generic(configuration)?),
    }?;
    let counts_here_alone = configuration.is_of_tenants_choice();
    let reads = match known.reads {
        // The tenant could make it say any address.
        reads if counts_here_alone => Reads { belief: Belief::Never, ..reads },
        reads => reads,
    };
    Some(Provider {
        name: configuration.display_name.clone().unwrap_or(known.name),
        counts_here_alone,
        reads,
        ..known
    })
}

fn registration(configuration: &Configuration) -> Option<SocialProvider> {
    Some(SocialProvider {
        client_id: Some(configuration.client_id.clone()),
        base_url: address(configuration.base_url.as_ref())?,
        ..SocialProvider::default()
    })
}

fn apple(configuration: &Configuration) -> Option<AppleProvider> {
    Some(AppleProvider {
        client_id: Some(configuration.client_id.clone()),
        team_id: configuration.team_id.clone(),
        key_id: configuration.key_id.clone(),
        base_url: address(configuration.base_url.as_ref())?,
        ..AppleProvider::default()
    })
}

fn generic(configuration: &Configuration) -> Option<GenericProvider> {
    Some(GenericProvider {
        id: Some(configuration.name.clone()),
        issuer_url: address(configuration.issuer.as_ref())?,
        authorization_endpoint: address(configuration.authorization_endpoint.as_ref())?,
        token_endpoint: address(configuration.token_endpoint.as_ref())?,
        userinfo_endpoint: address(configuration.userinfo_endpoint.as_ref())?,
        client_id: Some(configuration.client_id.clone()),
        client_auth: match configuration.client_auth {
            ClientAuth::ClientSecretBasic => ProviderClientAuth::Basic,
            ClientAuth::ClientSecretPost => ProviderClientAuth::Post,
        },
        pkce: configuration.pkce,
        scopes: configuration.scopes.clone(),
        subject_claim: configuration.subject_claim.clone(),
        email_claim: configuration.email_claim.clone(),
        name_claim: configuration.name_claim.clone(),
        ..GenericProvider::default()
    })
}

/// An address that may be left out; nothing where it is there and cannot be read, so that no other one takes its place.
#[expect(clippy::option_option, reason = "an address that cannot be read is not one that is left out")]
fn address(text: Option<&String>) -> Option<Option<HttpUrl>> {
    text.map(|text| HttpUrl::parse(text)).transpose().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::apple;
    use super::*;

    fn chosen(more: &Value) -> Provider {
        let mut wanted = json!({ "name": "own", "client_id": "svc" });
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        described(&serde_json::from_value(wanted).unwrap()).unwrap()
    }

    #[test]
    fn every_preset_that_a_tenant_can_choose_is_known() {
        let mut known: Vec<&str> = PRESETS.iter().map(|preset| preset.id).chain([apple::ID]).collect();
        known.sort_unstable();
        assert_eq!(known, Preset::ALL.iter().map(|preset| preset.id()).collect::<Vec<_>>());
    }

    #[test]
    fn a_provider_is_believed_where_the_tenant_has_no_say_in_who_answers() {
        let apple = json!({ "preset": "apple", "team_id": "T", "key_id": "K" });
        let elsewhere = json!({ "preset": "gitlab", "base_url": "https://gitlab.acme.example" });
        let own = json!({ "issuer": "https://login.acme.example" });
        for (wanted, name, here_alone) in [
            (json!({ "preset": "github" }), "GitHub", false),
            (apple, "Apple", false),
            (elsewhere, "GitLab", true),
            (own, "own", true),
        ] {
            let provider = chosen(&wanted);
            assert_eq!((provider.name.as_str(), provider.counts_here_alone), (name, here_alone), "{wanted}");
            assert_eq!(matches!(provider.reads.belief, Belief::Never), here_alone, "{wanted}");
        }
    }

    #[test]
    fn an_address_that_cannot_be_read_is_not_taken_for_the_public_one() {
        let wanted = json!({ "name": "own", "client_id": "svc", "preset": "gitlab", "base_url": "gitlab" });
        assert!(described(&serde_json::from_value(wanted).unwrap()).is_none());
    }
}
