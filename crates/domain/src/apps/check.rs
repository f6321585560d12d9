//! What an application may be: its handle, and a configuration whose parts go together.

use svc_core::capability::Capability;
use svc_core::{Error, Result};
use svc_keys::{Algorithm, KeySet};

use super::configuration::{Configuration, REDIRECT_ORIGINS};
use super::rules::Rules;
use super::words::{AuthMethod, Profile, SubjectForm};
use super::{REGISTERED, certificate, control_plane};
use crate::apis::is_details_type;
use crate::claims::custom;
use crate::names;
use crate::web_uri::is_web_uri;

/// Most types of authorization details that one application may ask for.
const MOST_DETAILS_TYPES: usize = 50;

/// Refuses a handle that is malformed, or that the service keeps.
pub(super) fn handle(handle: &str) -> Result<()> {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    if (1..=63).contains(&handle.len()) && handle.bytes().all(allowed) {
        if handle.starts_with(REGISTERED) {
            return Err(Error::bad_request(
                "handle: `dcr_` is reserved for applications that register themselves",
            ));
        }
        if handle == control_plane::HANDLE {
            return Err(Error::bad_request("handle: `control-plane` is the application of operators"));
        }
        Ok(())
    } else {
        Err(Error::bad_request("handle: use 1 to 63 lower-case letters, digits, hyphens and underscores"))
    }
}

/// Refuses a configuration that could not work, or that breaks the rules of the deployment; `has_secret` tells whether the application has
/// one.
pub(super) fn configuration(rules: &Rules, configuration: &Configuration, has_secret: bool) -> Result<()> {
    Error::every([
        names::check(&configuration.name, 120)
            .map_err(|error| Error::invalid_client_metadata(error.detail())),
        check_methods(configuration, has_secret),
        check_keys(configuration),
        certificate::check(configuration),
        rules.check_grants(configuration),
        check_subject(configuration),
        check_details_types(&configuration.authorization_details_types),
        rules.check_redirect_uris(configuration),
        check_addresses(configuration),
        check_capabilities(configuration),
        check_ways(configuration),
        check_acr_values(&configuration.default_acr_values),
        custom::check(&configuration.custom_claims)
            .map_err(|error| Error::invalid_client_metadata(error.detail())),
    ])
}

fn check_subject(configuration: &Configuration) -> Result<()> {
    if configuration.subject_type == Some(SubjectForm::Public) && !configuration.first_party {
        return refused("subject_type: public is for first-party applications; leave it out for pairwise");
    }
    Ok(())
}

fn check_details_types(types: &[String]) -> Result<()> {
    if types.len() > MOST_DETAILS_TYPES || !types.iter().all(|name| is_details_type(name)) {
        return refused(format!(
            "authorization_details_types: name at most {MOST_DETAILS_TYPES} types, as APIs call them"
        ));
    }
    Ok(())
}

/// What it goes without, which cannot be something that it must use.
fn check_capabilities(configuration: &Configuration) -> Result<()> {
    let without = &configuration.disabled_capabilities;
    let known = without.check_of_application();
    known.map_err(|error| Error::invalid_client_metadata(error.detail()))?;
    let is_fapi2 = configuration.profile == Profile::Fapi2;
    let is_bound = configuration.tls_client_certificate_bound_access_tokens;
    let needed = [
        (&Capability::DPOP, configuration.dpop_bound_access_tokens || (is_fapi2 && !is_bound)),
        (&Capability::MTLS, is_bound || configuration.token_endpoint_auth_method.is_certificate()),
        (&Capability::PAR, is_fapi2 || configuration.require_pushed_authorization_requests),
        (&Capability::JAR, configuration.require_signed_request_object),
    ];
    match needed.into_iter().find(|(capability, is_needed)| *is_needed && !without.keeps(capability)) {
        Some((capability, _)) => {
            refused(format!("disabled_capabilities: the application must use {}", capability.name))
        }
        None => Ok(()),
    }
}

/// The ways to sign in that it accepts.
fn check_ways(configuration: &Configuration) -> Result<()> {
    let Some(ways) = &configuration.sign_in_methods else { return Ok(()) };
    if ways.is_every() {
        return refused(
            "sign_in_methods: name a way to sign in, or leave it out where every one is accepted",
        );
    }
    ways.check("sign_in_methods").map_err(|error| Error::invalid_client_metadata(error.detail()))
}

/// Values that we do not know are kept: no sign-in reaches them.
fn check_acr_values(values: &[String]) -> Result<()> {
    let is_one = |value: &String| {
        (1..=100).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic())
    };
    if values.len() <= 10 && values.iter().all(is_one) {
        return Ok(());
    }
    refused("default_acr_values: name at most 10 values, each of 1 to 100 characters without spaces")
}

/// How it authenticates, and whether it has what that takes.
fn check_methods(configuration: &Configuration, has_secret: bool) -> Result<()> {
    let method = configuration.token_endpoint_auth_method;
    let goes_with_secret = if method.has_secret() == has_secret {
        Ok(())
    } else {
        refused(format!("token_endpoint_auth_method: {} and the secret do not go together", method.name()))
    };
    let others = &configuration.additional_auth_methods;
    let is_other_place = |other: &AuthMethod| method.has_secret() && other.has_secret() && *other != method;
    let names_other_place = if others.len() <= 1 && others.iter().all(is_other_place) {
        Ok(())
    } else {
        refused(
            "additional_auth_methods: name client_secret_post next to client_secret_basic, or the reverse",
        )
    };
    Error::every([goes_with_secret, names_other_place])
}

/// The addresses besides redirect URIs.
fn check_addresses(configuration: &Configuration) -> Result<()> {
    let audiences = configuration.identity_assertions.iter().map(|target| &target.audience);
    let of_pages = [
        ("logo_uri", &configuration.logo_uri),
        ("policy_uri", &configuration.policy_uri),
        ("tos_uri", &configuration.tos_uri),
        ("client_uri", &configuration.client_uri),
        ("sector_identifier_uri", &configuration.sector_identifier_uri),
        ("backchannel_logout_uri", &configuration.backchannel_logout_uri),
        ("initiate_login_uri", &configuration.initiate_login_uri),
    ];
    let addresses = of_pages.iter().filter_map(|(name, uri)| Some((*name, uri.as_ref()?)));
    let origins = configuration.allowed_origins.iter().filter(|origin| *origin != REDIRECT_ORIGINS);
    let all = audiences.map(|audience| ("identity_assertions", audience));
    let all = all.chain(addresses).chain(origins.map(|origin| ("allowed_origins", origin)));
    Error::every(all.map(|(name, uri)| check_address(name, uri)))
}

fn check_address(name: &str, uri: &str) -> Result<()> {
    if !is_web_uri(uri) {
        return refused(format!("{name}: {uri:?} is not an https URL"));
    }
    match name {
        "backchannel_logout_uri" if uri.contains('#') => {
            refused("backchannel_logout_uri: a fragment is not allowed")
        }
        "initiate_login_uri" if !uri.starts_with("https://") => refused("initiate_login_uri: use https"),
        "allowed_origins" if uri.contains('*') => refused(
            "allowed_origins: * stands for nothing else; list each origin, or + for those of the redirect URIs",
        ),
        _ => Ok(()),
    }
}

/// Keys, and what an application needs them for.
fn check_keys(configuration: &Configuration) -> Result<()> {
    let is_fapi2 = configuration.profile == Profile::Fapi2;
    let method = configuration.token_endpoint_auth_method;
    let has_key = method == AuthMethod::PrivateKeyJwt || method.is_certificate();
    let proves_by_key = if is_fapi2 && !has_key {
        refused(
            "token_endpoint_auth_method: the profile fapi2 needs private_key_jwt, tls_client_auth or \
             self_signed_tls_client_auth",
        )
    } else {
        Ok(())
    };
    let incoming = [
        configuration.token_endpoint_auth_signing_alg,
        configuration.request_object_signing_alg,
        configuration.backchannel_authentication_request_signing_alg,
    ];
    let mut all = incoming.into_iter().flatten().chain(configuration.signed_for_it());
    let goes_without_rsa = if is_fapi2 && all.any(|algorithm| algorithm == Algorithm::Rs256) {
        refused("the profile fapi2 goes without RS256")
    } else {
        Ok(())
    };
    Error::every([proves_by_key, check_key_source(configuration), goes_without_rsa])
}

/// Where the keys come from, if any are needed.
fn check_key_source(configuration: &Configuration) -> Result<()> {
    let Configuration { token_endpoint_auth_method: method, jwks, jwks_uri, .. } = configuration;
    let has_keys = [AuthMethod::PrivateKeyJwt, AuthMethod::SelfSignedTlsClientAuth].contains(method);
    let needs_keys = has_keys || configuration.require_signed_request_object;
    match (jwks, jwks_uri) {
        (Some(_), Some(_)) => refused("jwks: give either jwks or jwks_uri"),
        (None, None) if needs_keys => refused("jwks: give the public keys, as jwks or as jwks_uri"),
        (Some(jwks), None) => {
            let set = KeySet::from_json(jwks);
            let set =
                set.map_err(|error| Error::invalid_client_metadata(format!("jwks: {}", error.detail())))?;
            if set.is_empty() && !set.has_certificates() {
                return refused("jwks: no key is a public EC P-256, OKP Ed25519 or RSA key for signatures");
            }
            Ok(())
        }
        (None, Some(uri)) if !is_web_uri(uri) => refused("jwks_uri: use an https URL"),
        (None, _) => Ok(()),
    }
}

#[track_caller]
pub(super) fn refused<T>(why: impl Into<String>) -> Result<T> {
    Err(Error::invalid_client_metadata(why))
}
