//! What an application may do; the words are those of RFC 7591 §2 where it has them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use svc_core::Scope;
use svc_core::capability::Without;
use svc_keys::jose::Algorithm;
use url::Url;
use utoipa::ToSchema;

use super::words::{
    AssertionTarget, AuthMethod, IdTokenClaims, Kind, OrganizationUsage, Profile, RequirePkce,
    RequirePkceValue, SubjectForm,
};
use crate::claims::custom::CustomClaim;
use crate::claims::ways::Ways;
use crate::document::{self, Extensible};

/// What an application may do; the words are those of RFC 7591 where it has them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = ApplicationConfiguration)]
#[expect(clippy::struct_excessive_bools, reason = "the members are those of the registration standards")]
pub struct Configuration {
    /// What people read at consent.
    #[schema(required = true, min_length = 1, max_length = 120)]
    pub name: String,
    /// `web`, `spa`, `native` or `machine`.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// Compared character for character.
    #[serde(deserialize_with = "document::each_once")]
    pub redirect_uris: Vec<String>,
    /// Where sign-out may return to, compared character for character.
    #[serde(deserialize_with = "document::each_once")]
    pub post_logout_redirect_uris: Vec<String>,
    /// The grants that it may use.
    #[serde(deserialize_with = "document::each_once")]
    pub grant_types: Vec<String>,
    /// How it authenticates; exactly so, unless `additional_auth_methods` names another way. An application of type `spa` or
    /// `native` that does not say is public (`none`), any other uses `client_secret_basic`.
    pub token_endpoint_auth_method: AuthMethod,
    /// The other way to send its secret: `client_secret_post` next to `client_secret_basic`, or the reverse.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub additional_auth_methods: Vec<AuthMethod>,
    /// The scopes that it may ask for.
    #[schema(value_type = String)]
    pub scope: Scope,
    /// The API that its tokens are for when a request names none; `urn:svc:management-api` is the management API, whatever
    /// the issuer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audience: Option<String>,
    /// First-party applications do not ask for consent.
    pub first_party: bool,
    /// Whether a confidential application must use PKCE: `true`, `false`, or `"or_nonce"`, which accepts a request without
    /// a challenge that has `openid` and a `nonce`. Public applications always must.
    #[schema(value_type = RequirePkceValue)]
    pub require_pkce: RequirePkce,
    /// `ES256`, `EdDSA` or `RS256`; by default `RS256` (OpenID Connect Core §2), for the profile `fapi2` `ES256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub id_token_signed_response_alg: Option<Algorithm>,
    /// `scopes`: the ID token has the claims of the granted scopes too. `minimal`: they are at UserInfo only. By default
    /// `scopes`, for the profile `fapi2` `minimal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token_claims: Option<IdTokenClaims>,
    /// Set to get UserInfo as a signed JWT.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub userinfo_signed_response_alg: Option<Algorithm>,
    /// `ES256`, `EdDSA` or `RS256`: what signs authorization responses that are asked for as JWT (JARM §3); by default as
    /// for ID tokens without a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub authorization_signed_response_alg: Option<Algorithm>,
    /// The same for introspection that is asked for as JWT (RFC 9701 §6).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub introspection_signed_response_alg: Option<Algorithm>,
    /// Origins whose scripts may call the token and UserInfo endpoints; `+` stands for those of the redirect URIs, and is
    /// the default of type `spa`.
    #[serde(deserialize_with = "document::each_once")]
    pub allowed_origins: Vec<String>,
    /// `standard` or `fapi2`, which tightens everything that the profile names.
    pub profile: Profile,
    /// Public keys for assertions and request objects (RFC 7517 §5), inline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub jwks: Option<Value>,
    /// The https address of those keys; not together with `jwks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// The only algorithm accepted for client assertions; by default any that the profile allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub token_endpoint_auth_signing_alg: Option<Algorithm>,
    /// The only algorithm accepted for request objects; by default any that the profile allows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub request_object_signing_alg: Option<Algorithm>,
    /// The same for signed requests at `/bc-authorize` (OpenID CIBA §4); by default `request_object_signing_alg`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub backchannel_authentication_request_signing_alg: Option<Algorithm>,
    /// Whether authorization requests must be signed (RFC 9101 §10.5).
    pub require_signed_request_object: bool,
    /// Whether authorization requests must be pushed first (RFC 9126 §6).
    pub require_pushed_authorization_requests: bool,
    /// How many seconds ago people may have signed in at most, where a request has no `max_age` (OpenID Connect Dynamic Client
    /// Registration §2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_max_age: Option<u32>,
    /// Whether it requires the claim `auth_time` in ID tokens; ours always have it.
    pub require_auth_time: bool,
    /// The strengths of sign-in that it prefers, where a request has neither `acr_values` nor the claim `acr`.
    #[serde(deserialize_with = "document::each_once", skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 10)]
    pub default_acr_values: Vec<String>,
    /// Whether its access tokens are always bound to a key (RFC 9449 §5.2).
    pub dpop_bound_access_tokens: bool,
    /// Whether its access tokens are always bound to the certificate of its connection (RFC 8705 §3.4).
    pub tls_client_certificate_bound_access_tokens: bool,
    /// With `tls_client_auth`, one of five: the subject of its certificate, as RFC 4514 writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_auth_subject_dn: Option<String>,
    /// A DNS name of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_auth_san_dns: Option<String>,
    /// A URI of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_auth_san_uri: Option<String>,
    /// An IP address of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_auth_san_ip: Option<String>,
    /// An e-mail address of its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls_client_auth_san_email: Option<String>,
    /// The types of `authorization_details` that it may ask for (RFC 9396 §10); none unless they are named.
    #[serde(deserialize_with = "document::each_once")]
    pub authorization_details_types: Vec<String>,
    /// Whether it knows people by the tenant's subjects or by those of its sector (OpenID Connect Core §8). By default
    /// `public` for first-party applications; others always get `pairwise`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject_type: Option<SubjectForm>,
    /// The https address whose host is the sector, and which lists the redirect URIs (OpenID Connect Core §8.1).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sector_identifier_uri: Option<String>,
    /// Whether people prove two factors for it, in a browser that they trust too.
    pub second_factor_required: bool,
    /// The ways to sign in that it accepts, such as `["passkey", "sso"]`; every one unless given. A sign-in begins with one of them,
    /// or uses one that only follows another, such as `totp`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<String>>, min_items = 1, max_items = 20)]
    pub sign_in_methods: Option<Ways>,
    /// Whether a token exchange without an `actor_token` gives it tokens that do not name it as actor (RFC 8693 §1.1).
    pub may_impersonate: bool,
    /// The other authorization servers for which it may ask identity assertions (ID-JAG).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identity_assertions: Vec<AssertionTarget>,
    /// The address to which logout tokens are sent (OpenID Connect Back-Channel Logout §2.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backchannel_logout_uri: Option<String>,
    /// Whether it requires the claim `sid` in logout tokens; ours always have it.
    pub backchannel_logout_session_required: bool,
    /// Where sign-in may be started on its behalf (OpenID Connect Core §4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initiate_login_uri: Option<String>,
    /// Its home page, shown at consent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_uri: Option<String>,
    /// Shown at consent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logo_uri: Option<String>,
    /// Shown at consent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_uri: Option<String>,
    /// Shown at consent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tos_uri: Option<String>,
    /// `deny`: it takes no `organization`. `allow`: a request may name one. `require`: its tokens always count in one, and
    /// people who belong to several choose. By default `allow`, for applications that registered themselves `deny`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_usage: Option<OrganizationUsage>,
    /// Custom claims about the person in its ID tokens and UserInfo; at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 20)]
    pub custom_claims: Vec<CustomClaim>,
    /// Capabilities that it goes without, of those that the tenant has.
    #[serde(skip_serializing_if = "Without::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub disabled_capabilities: Without,
}

impl Extensible for Configuration {
    // The strictest type, and no further way to authenticate. The defaults of the other words accept or reveal more.
    const MAY_FALL_BACK: &'static [&'static str] = &["type", "additional_auth_methods", "custom_claims"];
}

/// Among `allowed_origins`: the origins of the redirect URIs.
pub const REDIRECT_ORIGINS: &str = "+";

impl Configuration {
    /// The origins whose scripts may call, as browsers write them: of an address its origin.
    pub fn origins(&self) -> BTreeSet<String> {
        let listed = self.allowed_origins.iter().filter(|origin| *origin != REDIRECT_ORIGINS);
        let has_default = self.kind == Kind::Spa && self.allowed_origins.is_empty();
        let takes_redirects =
            has_default || self.allowed_origins.iter().any(|origin| origin == REDIRECT_ORIGINS);
        let redirects = self.redirect_uris.iter().filter(|_| takes_redirects);
        let origin = |uri: &String| {
            let url = Url::parse(uri).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
            Some(url.origin().ascii_serialization())
        };
        listed.chain(redirects).filter_map(origin).collect()
    }

    /// What signs its ID tokens, and what it is told without asking.
    pub fn id_token_algorithm(&self) -> Algorithm {
        self.id_token_signed_response_alg.unwrap_or_else(|| self.usual_algorithm())
    }

    /// What signs its authorization responses.
    pub fn authorization_response_algorithm(&self) -> Algorithm {
        self.authorization_signed_response_alg.unwrap_or_else(|| self.usual_algorithm())
    }

    /// What signs answers about tokens for it.
    pub fn introspection_algorithm(&self) -> Algorithm {
        self.introspection_signed_response_alg.unwrap_or_else(|| self.usual_algorithm())
    }

    /// The default of the standards, which the profile `fapi2` forbids.
    fn usual_algorithm(&self) -> Algorithm {
        if self.profile == Profile::Fapi2 { Algorithm::Es256 } else { Algorithm::Rs256 }
    }

    /// The same with what an administrator has bounded an application by that registered itself: no later registration of its own
    /// takes that back (RFC 7592 §2.2). What it was given beyond a registration goes, as its addresses may be others now.
    #[must_use]
    pub fn bounded_as(self, present: &Self) -> Self {
        Self {
            profile: present.profile,
            second_factor_required: present.second_factor_required,
            sign_in_methods: present.sign_in_methods.clone(),
            organization_usage: present.organization_usage,
            disabled_capabilities: present.disabled_capabilities.clone(),
            ..self
        }
    }

    /// Everything that it chose to be signed for it, and by what.
    pub fn signed_for_it(&self) -> impl Iterator<Item = Algorithm> {
        let chosen = [
            self.id_token_signed_response_alg,
            self.userinfo_signed_response_alg,
            self.authorization_signed_response_alg,
            self.introspection_signed_response_alg,
        ];
        chosen.into_iter().flatten()
    }

    /// Whether its ID tokens have the claims of the granted scopes.
    pub fn id_token_claims(&self) -> IdTokenClaims {
        let default =
            if self.profile == Profile::Fapi2 { IdTokenClaims::Minimal } else { IdTokenClaims::Scopes };
        self.id_token_claims.unwrap_or(default)
    }

    /// By which subjects it knows people.
    pub fn subject_form(&self) -> SubjectForm {
        let default = if self.first_party { SubjectForm::Public } else { SubjectForm::Pairwise };
        self.subject_type.filter(|_| self.first_party).unwrap_or(default)
    }

    /// Every way in which it may authenticate.
    pub fn auth_methods(&self) -> impl Iterator<Item = AuthMethod> {
        std::iter::once(self.token_endpoint_auth_method).chain(self.additional_auth_methods.iter().copied())
    }

    /// Whether it asks by name for something to be signed with `algorithm`.
    pub fn asks_for(&self, algorithm: Algorithm) -> bool {
        self.signed_for_it().any(|chosen| chosen == algorithm)
    }
}

impl Default for Configuration {
    fn default() -> Self {
        Self {
            name: String::new(),
            kind: Kind::default(),
            redirect_uris: Vec::new(),
            post_logout_redirect_uris: Vec::new(),
            grant_types: vec!["authorization_code".to_owned()],
            token_endpoint_auth_method: AuthMethod::default(),
            additional_auth_methods: Vec::new(),
            scope: ["openid", "profile", "email"].into_iter().collect(),
            audience: None,
            first_party: false,
            require_pkce: RequirePkce::OrNonce,
            id_token_signed_response_alg: None,
            id_token_claims: None,
            userinfo_signed_response_alg: None,
            authorization_signed_response_alg: None,
            introspection_signed_response_alg: None,
            allowed_origins: Vec::new(),
            profile: Profile::default(),
            jwks: None,
            jwks_uri: None,
            token_endpoint_auth_signing_alg: None,
            request_object_signing_alg: None,
            backchannel_authentication_request_signing_alg: None,
            require_signed_request_object: false,
            require_pushed_authorization_requests: false,
            default_max_age: None,
            require_auth_time: false,
            default_acr_values: Vec::new(),
            dpop_bound_access_tokens: false,
            tls_client_certificate_bound_access_tokens: false,
            tls_client_auth_subject_dn: None,
            tls_client_auth_san_dns: None,
            tls_client_auth_san_uri: None,
            tls_client_auth_san_ip: None,
            tls_client_auth_san_email: None,
            authorization_details_types: Vec::new(),
            subject_type: None,
            sector_identifier_uri: None,
            second_factor_required: false,
            sign_in_methods: None,
            may_impersonate: false,
            identity_assertions: Vec::new(),
            backchannel_logout_uri: None,
            backchannel_logout_session_required: false,
            initiate_login_uri: None,
            client_uri: None,
            logo_uri: None,
            policy_uri: None,
            tos_uri: None,
            organization_usage: None,
            custom_claims: Vec::new(),
            disabled_capabilities: Without::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plus_stands_for_the_origins_of_the_redirect_uris_and_is_the_default_in_browsers() {
        let redirect_uris = vec![
            "https://a.example/cb".to_owned(),
            "https://a.example/x".to_owned(),
            "com.example.a:/cb".to_owned(),
        ];
        let of = |kind, allowed: &[&str]| {
            let allowed_origins = allowed.iter().map(|origin| (*origin).to_owned()).collect();
            let redirect_uris = redirect_uris.clone();
            let configuration =
                Configuration { kind, redirect_uris, allowed_origins, ..Configuration::default() };
            configuration.origins().into_iter().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(of(Kind::Web, &[]), "");
        assert_eq!(of(Kind::Spa, &[]), "https://a.example");
        assert_eq!(of(Kind::Spa, &["https://b.example"]), "https://b.example");
        assert_eq!(of(Kind::Web, &["+", "https://b.example"]), "https://a.example https://b.example");
    }

    #[test]
    fn an_origin_counts_as_browsers_write_it() {
        for (listed, written) in [
            ("https://b.example/", "https://b.example"),
            ("HTTPS://B.Example:443", "https://b.example"),
            ("http://localhost:3000/", "http://localhost:3000"),
            ("https://bücher.example", "https://xn--bcher-kva.example"),
        ] {
            let allowed_origins = vec![listed.to_owned()];
            let configuration = Configuration { allowed_origins, ..Configuration::default() };
            assert_eq!(configuration.origins().into_iter().collect::<Vec<_>>(), [written], "{listed}");
        }
    }
}
