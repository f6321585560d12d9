//! Rules of `[social]`, `[generic_oauth]` and `[oauth_proxy]`: what a registration at a provider needs, that no two are called
//! the same, and what a relay needs.

use std::collections::BTreeSet;

use super::guards::crosses_a_network_in_clear;
use super::load::fault::Fault;
use super::load::web::HttpUrl;
use super::{AppleProvider, Config, GenericProvider, OauthProxy, SocialProvider};

/// Least length of a secret whose codes others see, such as the one that deployments share with their relay.
pub(super) const SHORTEST_SECRET: usize = 32;

/// Every broken rule.
pub fn faults(config: &Config) -> Vec<Fault> {
    let social = &config.social;
    let presets = [
        ("google", &social.google),
        ("github", &social.github),
        ("microsoft", &social.microsoft),
        ("gitlab", &social.gitlab),
        ("discord", &social.discord),
        ("facebook", &social.facebook),
        ("linkedin", &social.linkedin),
        ("x", &social.x),
        ("slack", &social.slack),
        ("spotify", &social.spotify),
    ];
    let mut taken: BTreeSet<&str> = presets.iter().map(|(id, _)| *id).chain(["apple"]).collect();
    let mut faults: Vec<Fault> = presets.into_iter().filter_map(preset).collect();
    faults.extend(apple(&social.apple));
    if config.security.production {
        faults.extend(in_clear(config, &presets));
    }
    // Production refuses a relay however it is set up, with the words of its own rule.
    if config.oauth_proxy.enabled && !config.security.production {
        faults.extend(relay(&config.oauth_proxy));
    }
    for (nth, provider) in config.generic_oauth.providers.iter().enumerate() {
        faults.extend(generic(&format!("generic_oauth.providers[{nth}]"), provider));
        if let Some(id) = provider.id.as_deref().filter(|id| !taken.insert(id)) {
            let key = format!("generic_oauth.providers[{nth}].id");
            faults.push(Fault::new(key, format!("\"{id}\" is another provider's"), "choose another id"));
        }
    }
    faults
}

fn preset((id, provider): (&str, &SocialProvider)) -> Option<Fault> {
    let is_missing = provider.client_id.is_some() && provider.client_secret.is_none();
    is_missing.then(|| missing(format!("social.{id}.client_secret")))
}

/// What a sign-in rests on crosses no network in clear.
fn in_clear(config: &Config, presets: &[(&str, &SocialProvider)]) -> Vec<Fault> {
    let mut addresses = Vec::new();
    if config.social.enabled {
        let apple = &config.social.apple;
        let presets = presets.iter().map(|(id, one)| (*id, &one.client_id, &one.base_url));
        for (id, client_id, url) in presets.chain([("apple", &apple.client_id, &apple.base_url)]) {
            addresses.push((format!("social.{id}.base_url"), url.as_ref().filter(|_| client_id.is_some())));
        }
    }
    let others = config.generic_oauth.providers.iter().filter(|_| config.generic_oauth.enabled);
    for (nth, provider) in others.enumerate() {
        for (key, url) in [
            ("issuer_url", &provider.issuer_url),
            ("authorization_endpoint", &provider.authorization_endpoint),
            ("token_endpoint", &provider.token_endpoint),
            ("userinfo_endpoint", &provider.userinfo_endpoint),
        ] {
            addresses.push((format!("generic_oauth.providers[{nth}].{key}"), url.as_ref()));
        }
    }
    let broken = addresses.into_iter().filter(|(_, url)| url.is_some_and(crosses_a_network_in_clear));
    let fault = "must use https in production, unless it is on this machine";
    broken.map(|(key, _)| Fault::new(key, fault, "use https, or a provider on this machine")).collect()
}

fn apple(provider: &AppleProvider) -> Vec<Fault> {
    if provider.client_id.is_none() {
        return Vec::new();
    }
    let needed = [
        ("team_id", provider.team_id.is_none()),
        ("key_id", provider.key_id.is_none()),
        ("private_key", provider.private_key.is_none()),
    ];
    let missed = needed.into_iter().filter(|(_, is_missing)| *is_missing);
    missed.map(|(key, _)| missing(format!("social.apple.{key}"))).collect()
}

fn generic(section: &str, provider: &GenericProvider) -> Vec<Fault> {
    let is_openid = provider.issuer_url.is_some();
    let endpoints = [
        ("authorization_endpoint", provider.authorization_endpoint.is_some()),
        ("token_endpoint", provider.token_endpoint.is_some()),
        ("userinfo_endpoint", provider.userinfo_endpoint.is_some()),
    ];
    let is_oauth = endpoints.iter().any(|(_, is_set)| *is_set);
    let mut faults = Vec::new();
    for (key, is_missing) in [("id", provider.id.is_none()), ("client_id", provider.client_id.is_none())] {
        faults.extend(is_missing.then(|| missing(format!("{section}.{key}"))));
    }
    match (is_openid, is_oauth) {
        (true, true) => faults.push(Fault::new(
            format!("{section}.issuer_url"),
            "comes with endpoints, which its metadata name",
            "remove the endpoints, or the issuer",
        )),
        (false, false) => faults.push(missing(format!("{section}.issuer_url"))),
        (false, true) => {
            let missed = endpoints.iter().filter(|(_, is_set)| !is_set);
            faults.extend(missed.map(|(key, _)| missing(format!("{section}.{key}"))));
        }
        (true, false) => {}
    }
    if provider.id.as_deref().is_some_and(|id| !is_id(id)) {
        let fault = "is no name of 1 to 40 lower-case letters, digits and hyphens";
        faults.push(Fault::new(format!("{section}.id"), fault, "choose such a name"));
    }
    if provider.client_secret.is_none() && !provider.pkce {
        let fault = "is off for a client without a secret, which nothing else protects";
        faults.push(Fault::new(format!("{section}.pkce"), fault, "switch it on, or set client_secret"));
    }
    faults
}

/// Deployments that share a callback share a secret, and the relay lists those that it serves.
fn relay(settings: &OauthProxy) -> Vec<Fault> {
    let secret = match &settings.secret {
        None => Some(missing("oauth_proxy.secret".to_owned())),
        Some(secret) => (secret.expose().len() < SHORTEST_SECRET).then(|| {
            let what = format!("is shorter than {SHORTEST_SECRET} characters");
            Fault::new("oauth_proxy.secret", what, "make a longer one, such as by openssl rand -hex 32")
        }),
    };
    let origins = &settings.allowed_origins;
    let nowhere = (settings.relay_url.is_none() && origins.is_empty()).then(|| {
        let fix = "list the origins of the previews, or set oauth_proxy.relay_url where this is a preview";
        Fault::new("oauth_proxy.allowed_origins", "is empty, so that this relay serves no deployment", fix)
    });
    let wrong = origins.iter().filter(|origin| !is_origin(origin)).map(|origin| {
        let fix =
            "write scheme, host and port, such as https://pr-7.example.com or https://*.preview.example.com";
        Fault::new("oauth_proxy.allowed_origins", format!("{origin:?} is no origin"), fix)
    });
    secret.into_iter().chain(nowhere).chain(wrong).collect()
}

/// An origin in its one spelling; `*.` in front of the host stands for all below it.
fn is_origin(text: &str) -> bool {
    let host = text.replacen("://*.", "://", 1);
    !host.contains('*') && HttpUrl::parse(&host).is_ok_and(|url| url.origin() == host)
}

fn is_id(id: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=40).contains(&id.len()) && id.bytes().all(allowed)
}

fn missing(key: String) -> Fault {
    Fault::new(key, "is missing", "set it")
}

#[cfg(test)]
mod tests {
    use crate::Config;
    use crate::fixtures::env;

    fn broken(text: &str) -> String {
        Config::load(Some(("svc.toml", text)), &env(&[]))
            .err()
            .map(|faults| faults.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn a_provider_says_where_it_is_once() {
        let with = |more: &str| {
            broken(&format!("[[generic_oauth.providers]]\nid = \"corp\"\nclient_id = \"svc\"\n{more}\n"))
        };
        assert!(with("issuer_url = \"https://a.example\"").is_empty());
        for (more, key) in [
            ("", "issuer_url"),
            ("token_endpoint = \"https://a.example/t\"", "authorization_endpoint"),
            ("issuer_url = \"https://a.example\"\ntoken_endpoint = \"https://a.example/t\"", "issuer_url"),
            ("issuer_url = \"https://a.example\"\npkce = false", "pkce"),
        ] {
            let faults = with(more);
            assert!(faults.contains(key), "{more}: {faults}");
        }
    }

    #[test]
    fn production_speaks_to_providers_over_https_or_on_this_machine() {
        let social =
            "[social]\nenabled = true\n[social.gitlab]\nclient_id = \"a\"\nclient_secret = \"b\"\nbase_url";
        let generic = "[generic_oauth]\nenabled = true\n[[generic_oauth.providers]]\nid = \"corp\"\nclient_id = \"a\"\n\
                       issuer_url";
        for (section, key) in
            [(social, "social.gitlab.base_url"), (generic, "generic_oauth.providers[0].issuer_url")]
        {
            let at = |production: bool, url: &str| {
                let text = format!("[security]\nproduction = {production}\n{section} = \"{url}\"\n");
                broken(&text).contains(&format!("{key}: must use https"))
            };
            assert!(at(true, "http://id.corp.internal:8080"), "{key}");
            for good in ["https://id.corp.internal:8443", "http://localhost:8080", "http://127.0.0.1:8080"] {
                assert!(!at(true, good), "{key}: {good}");
            }
            assert!(!at(false, "http://keycloak:8080"), "{key}");
        }
        let unused = social.replace("enabled = true", "enabled = false");
        let text = format!("[security]\nproduction = true\n{unused} = \"http://id.corp.internal\"\n");
        assert!(!broken(&text).contains("must use https"));
    }

    #[test]
    fn a_relay_has_a_secret_and_says_whom_it_serves() {
        let with = |more: &str| broken(&format!("[oauth_proxy]\nenabled = true\n{more}\n"));
        let secret = "secret = \"0123456789abcdef0123456789abcdef\"";
        assert!(with(&format!("{secret}\nrelay_url = \"https://dev.example.com\"")).is_empty());
        assert!(with(&format!("{secret}\nallowed_origins = [\"https://*.preview.example.com\"]")).is_empty());
        assert!(with(secret).contains("oauth_proxy.allowed_origins"));
        assert!(with("relay_url = \"https://dev.example.com\"").contains("oauth_proxy.secret"));
        assert!(
            with("relay_url = \"https://dev.example.com\"\nsecret = \"short\"")
                .contains("oauth_proxy.secret")
        );
        for origin in [
            "preview.example.com",
            "https://a.example/",
            "https://a.example/path",
            "https://*",
            "ftp://a.example",
        ] {
            let faults = with(&format!("{secret}\nallowed_origins = [\"{origin}\"]"));
            assert!(faults.contains("oauth_proxy.allowed_origins"), "{origin}: {faults}");
        }
    }
}
