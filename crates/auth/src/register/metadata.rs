//! What an application says of itself (RFC 7591 §2, OpenID Connect Dynamic Client Registration §2), and back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_core::capability::Capability;
use svc_core::json::in_words;
use svc_core::{Error, OrInternal as _, Result};
use svc_domain::apps::registrations::Remarks;
use svc_domain::apps::{
    App, AuthMethod, Configuration, GrantType, IdTokenClaims, Kind, REDIRECT_ORIGINS, SubjectForm,
};
use svc_keys::{Algorithm, KeySet};
use url::Url;
use utoipa::ToSchema;

use super::policy::{self, Policy};

/// The metadata of an application. Members that we do not know are ignored.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(
    as = ClientMetadata,
    examples(json!({ "client_name": "Shop", "redirect_uris": ["https://app.example/callback"], "scope": "openid profile" }))
)]
#[expect(clippy::struct_excessive_bools, reason = "the members are those of the registration standards")]
pub struct Metadata {
    client_name: Option<String>,
    application_type: ApplicationType,
    redirect_uris: Vec<String>,
    post_logout_redirect_uris: Vec<String>,
    response_types: Option<Vec<String>>,
    grant_types: Option<Vec<String>>,
    token_endpoint_auth_method: Option<AuthMethod>,
    #[schema(value_type = Option<String>)]
    token_endpoint_auth_signing_alg: Option<Algorithm>,
    scope: Option<String>,
    #[schema(value_type = Option<Object>)]
    jwks: Option<Value>,
    jwks_uri: Option<String>,
    #[schema(value_type = Option<String>)]
    id_token_signed_response_alg: Option<Algorithm>,
    #[schema(value_type = Option<String>)]
    userinfo_signed_response_alg: Option<Algorithm>,
    #[schema(value_type = Option<String>)]
    authorization_signed_response_alg: Option<Algorithm>,
    #[schema(value_type = Option<String>)]
    introspection_signed_response_alg: Option<Algorithm>,
    #[schema(value_type = Option<String>)]
    request_object_signing_alg: Option<Algorithm>,
    #[schema(value_type = Option<String>)]
    backchannel_authentication_request_signing_alg: Option<Algorithm>,
    id_token_encrypted_response_alg: Option<String>,
    userinfo_encrypted_response_alg: Option<String>,
    authorization_encrypted_response_alg: Option<String>,
    introspection_encrypted_response_alg: Option<String>,
    request_object_encryption_alg: Option<String>,
    require_signed_request_object: bool,
    require_pushed_authorization_requests: bool,
    default_max_age: Option<u32>,
    require_auth_time: bool,
    default_acr_values: Vec<String>,
    dpop_bound_access_tokens: bool,
    tls_client_certificate_bound_access_tokens: bool,
    tls_client_auth_subject_dn: Option<String>,
    tls_client_auth_san_dns: Option<String>,
    tls_client_auth_san_uri: Option<String>,
    tls_client_auth_san_ip: Option<String>,
    tls_client_auth_san_email: Option<String>,
    authorization_details_types: Vec<String>,
    sector_identifier_uri: Option<String>,
    backchannel_logout_uri: Option<String>,
    backchannel_logout_session_required: bool,
    backchannel_token_delivery_mode: Option<String>,
    initiate_login_uri: Option<String>,
    client_uri: Option<String>,
    logo_uri: Option<String>,
    policy_uri: Option<String>,
    tos_uri: Option<String>,
    contacts: Vec<String>,
    software_id: Option<String>,
    software_version: Option<String>,
}

/// The new registration: all of its metadata, with the `client_id` of the application (RFC 7592 §2.2).
#[derive(Serialize, ToSchema)]
#[schema(
    as = ClientReplacement,
    examples(json!({ "client_id": "app_01jcqzv7y0e8kstk6yq6k3a4mf", "client_name": "Shop", "redirect_uris": ["https://app.example/callback"], "scope": "openid profile" }))
)]
pub struct Replacement {
    /// The application, as in the address.
    client_id: String,
    /// Its secret, which a replacement does not change.
    #[schema(nullable = false)]
    client_secret: Option<String>,
    #[serde(flatten)]
    metadata: Metadata,
}

/// A registration as it is answered (RFC 7591 §3.2.1, RFC 7592 §3).
#[derive(Serialize, ToSchema)]
#[schema(as = ClientInformation)]
pub struct Information {
    /// The application.
    #[schema(example = "app_01jcqzv7y0e8kstk6yq6k3a4mf")]
    client_id: String,
    /// Its secret, where it has a new one.
    #[schema(nullable = false)]
    client_secret: Option<String>,
    /// 0, because secrets do not expire.
    #[schema(nullable = false)]
    client_secret_expires_at: Option<i64>,
    /// When it registered, in seconds since the epoch.
    client_id_issued_at: i64,
    /// The bearer token that reads, replaces and deletes the registration.
    registration_access_token: String,
    /// Where that is done.
    registration_client_uri: String,
    /// `public` or `pairwise`.
    #[schema(nullable = false)]
    subject_type: Option<String>,
    #[serde(flatten)]
    metadata: Metadata,
}

/// What kind of program it is (OpenID Connect Dynamic Client Registration §2).
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ApplicationType {
    #[default]
    Web,
    Native,
}

/// How tokens of backchannel authentication are delivered (OpenID CIBA §4).
const DELIVERY_MODE: &str = "poll";

/// Members whose values only we give out; what a client echoes of them says nothing new.
const OURS: &[&str] = &[
    "client_id",
    "client_secret",
    "client_secret_expires_at",
    "client_id_issued_at",
    "registration_access_token",
    "registration_client_uri",
];

impl Metadata {
    /// Reads a document; a member that is null or an empty text counts as absent (RFC 7592 §2.2).
    pub fn read(document: &Map<String, Value>) -> Result<Self> {
        let is_empty = |value: &Value| value.is_null() || value.as_str() == Some("");
        let told = document.iter().filter(|(name, value)| !is_empty(value) && !OURS.contains(&name.as_str()));
        let told: Map<String, Value> = told.map(|(name, value)| (name.clone(), value.clone())).collect();
        let says_type = told.contains_key("application_type");
        let mut read = fitted(&told)?;
        if !says_type && read.returns_to_a_device() {
            read.application_type = ApplicationType::Native;
        }
        Ok(read)
    }

    /// Whether an address can only be on the person's own device. Programs there often say no type, and would be web
    /// applications by default, which have no such address.
    fn returns_to_a_device(&self) -> bool {
        self.redirect_uris.iter().any(|uri| Url::parse(uri).is_ok_and(|url| url.scheme() != "https"))
    }

    /// The same application as one that authenticates with nothing.
    #[must_use]
    pub fn public(self) -> Self {
        Self { token_endpoint_auth_method: Some(AuthMethod::None), ..self }
    }

    /// Every address at which we, or a browser on our page, would call.
    pub fn called(&self) -> impl Iterator<Item = &str> {
        let called =
            [&self.jwks_uri, &self.sector_identifier_uri, &self.backchannel_logout_uri, &self.logo_uri];
        called.into_iter().flatten().map(String::as_str)
    }

    /// The document that proves the redirect URIs to be of one owner, and those.
    pub fn sector(&self) -> Option<(&str, &[String])> {
        self.sector_identifier_uri.as_deref().map(|uri| (uri, self.redirect_uris.as_slice()))
    }

    /// What only we give back.
    pub fn remarks(&self) -> Result<Remarks> {
        let words = [&self.software_id, &self.software_version].into_iter().flatten().chain(&self.contacts);
        if self.contacts.len() > 10 || words.into_iter().any(|word| word.len() > 200) {
            return Err(refused("contacts, software_id, software_version: too long"));
        }
        Ok(Remarks {
            contacts: self.contacts.clone(),
            software_id: self.software_id.clone(),
            software_version: self.software_version.clone(),
        })
    }

    /// What the application may do, as far as `policy` gives it.
    pub fn configuration(self, policy: &Policy) -> Result<Configuration> {
        self.refuse_what_we_cannot()?;
        let usual = || vec!["authorization_code".to_owned()];
        let grant_types = policy.grants(&self.grant_types.clone().unwrap_or_else(usual))?;
        self.check_responses(&grant_types)?;
        if policy::has_backchannel(policy.known(), &grant_types) {
            self.check_delivery()?;
        }
        let scope = policy.scope(self.scope.as_deref(), &grant_types)?;
        let method = self.token_endpoint_auth_method.unwrap_or_default();
        self.check_keys(method)?;
        if method.is_certificate() || self.tls_client_certificate_bound_access_tokens {
            policy.check_certificates()?;
        }
        policy.check_demands(self.demands())?;
        let authorization_details_types = policy.details_types(self.authorization_details_types.clone())?;
        let name = self.client_name.clone().unwrap_or_else(|| self.name_by_address());
        let configuration = Configuration {
            name,
            grant_types,
            scope,
            token_endpoint_auth_method: method,
            authorization_details_types,
            require_pkce: policy.require_pkce(),
            ..self.taken_over()
        };
        policy.check_algorithms(configuration.signed_for_it())?;
        Ok(configuration)
    }

    /// What it demands of its own requests, by member and capability, and whether it does.
    fn demands(&self) -> [(&'static str, &'static Capability, bool); 3] {
        let pushes = self.require_pushed_authorization_requests;
        [
            ("dpop_bound_access_tokens", &Capability::DPOP, self.dpop_bound_access_tokens),
            ("require_pushed_authorization_requests", &Capability::PAR, pushes),
            ("require_signed_request_object", &Capability::JAR, self.require_signed_request_object),
        ]
    }

    /// The members that mean the same here.
    fn taken_over(self) -> Configuration {
        Configuration {
            kind: match self.application_type {
                ApplicationType::Web => Kind::Web,
                ApplicationType::Native => Kind::Native,
            },
            redirect_uris: self.redirect_uris,
            post_logout_redirect_uris: self.post_logout_redirect_uris,
            allowed_origins: vec![REDIRECT_ORIGINS.to_owned()],
            first_party: false,
            id_token_claims: Some(IdTokenClaims::Minimal),
            subject_type: Some(SubjectForm::Pairwise),
            sector_identifier_uri: self.sector_identifier_uri,
            jwks: self.jwks,
            jwks_uri: self.jwks_uri,
            token_endpoint_auth_signing_alg: self.token_endpoint_auth_signing_alg,
            id_token_signed_response_alg: self.id_token_signed_response_alg,
            userinfo_signed_response_alg: self.userinfo_signed_response_alg,
            authorization_signed_response_alg: self.authorization_signed_response_alg,
            introspection_signed_response_alg: self.introspection_signed_response_alg,
            request_object_signing_alg: self.request_object_signing_alg,
            backchannel_authentication_request_signing_alg: self
                .backchannel_authentication_request_signing_alg,
            require_signed_request_object: self.require_signed_request_object,
            require_pushed_authorization_requests: self.require_pushed_authorization_requests,
            default_max_age: self.default_max_age,
            require_auth_time: self.require_auth_time,
            default_acr_values: self.default_acr_values,
            dpop_bound_access_tokens: self.dpop_bound_access_tokens,
            tls_client_certificate_bound_access_tokens: self.tls_client_certificate_bound_access_tokens,
            tls_client_auth_subject_dn: self.tls_client_auth_subject_dn,
            tls_client_auth_san_dns: self.tls_client_auth_san_dns,
            tls_client_auth_san_uri: self.tls_client_auth_san_uri,
            tls_client_auth_san_ip: self.tls_client_auth_san_ip,
            tls_client_auth_san_email: self.tls_client_auth_san_email,
            backchannel_logout_uri: self.backchannel_logout_uri,
            backchannel_logout_session_required: self.backchannel_logout_session_required,
            initiate_login_uri: self.initiate_login_uri,
            client_uri: self.client_uri,
            logo_uri: self.logo_uri,
            policy_uri: self.policy_uri,
            tos_uri: self.tos_uri,
            ..Configuration::default()
        }
    }

    fn refuse_what_we_cannot(&self) -> Result<()> {
        let encryption = [
            &self.id_token_encrypted_response_alg,
            &self.userinfo_encrypted_response_alg,
            &self.authorization_encrypted_response_alg,
            &self.introspection_encrypted_response_alg,
            &self.request_object_encryption_alg,
        ];
        if encryption.into_iter().any(Option::is_some) {
            return Err(refused("encryption is not offered"));
        }
        Ok(())
    }

    fn check_delivery(&self) -> Result<()> {
        match self.backchannel_token_delivery_mode.as_deref() {
            None | Some(DELIVERY_MODE) => Ok(()),
            Some(_) => Err(refused("backchannel_token_delivery_mode: only poll is offered")),
        }
    }

    fn check_responses(&self, grant_types: &[String]) -> Result<()> {
        let uses_code = grant_types.iter().any(|grant| grant == "authorization_code");
        let responses = self.response_types.as_deref();
        if responses.is_some_and(|types| types.iter().any(|name| name != "code")) {
            return Err(refused("response_types: only code is offered"));
        }
        if !uses_code && responses.is_some_and(|types| !types.is_empty()) {
            return Err(refused("response_types: code goes with the grant type authorization_code"));
        }
        if uses_code && self.redirect_uris.is_empty() {
            return Err(Error::invalid_redirect_uri("redirect_uris: the authorization code needs one"));
        }
        if self.redirect_uris.len() > 50 || self.post_logout_redirect_uris.len() > 50 {
            return Err(Error::invalid_redirect_uri("redirect_uris: register at most 50"));
        }
        Ok(())
    }

    fn check_keys(&self, method: AuthMethod) -> Result<()> {
        match (&self.jwks, &self.jwks_uri) {
            (Some(_), Some(_)) => Err(refused("jwks and jwks_uri do not go together")),
            (None, None) if method == AuthMethod::PrivateKeyJwt => {
                Err(refused("private_key_jwt needs jwks or jwks_uri"))
            }
            (Some(jwks), None) => check_key_set(jwks),
            _ => Ok(()),
        }
    }

    /// Who gives no name is called by the place that it returns to.
    fn name_by_address(&self) -> String {
        let first = self.redirect_uris.first().and_then(|uri| Url::parse(uri).ok());
        let host = first.as_ref().and_then(Url::host_str).map(str::to_owned);
        host.unwrap_or_else(|| "Unnamed application".to_owned())
    }
}

/// Members of an application that the registration standards do not know.
const OWN_MEMBERS: &[&str] = &[
    "name",
    "type",
    "audience",
    "first_party",
    "require_pkce",
    "id_token_claims",
    "additional_auth_methods",
    "allowed_origins",
    "profile",
    "second_factor_required",
    "sign_in_methods",
    "may_impersonate",
    "identity_assertions",
    "organization_usage",
    "custom_claims",
    "disabled_capabilities",
];

/// The metadata in force, as RFC 7591 §3.2.1 gives it back; `known` are the grants that exist.
pub fn told(app: &App, remarks: &Remarks, known: &[GrantType]) -> Result<Map<String, Value>> {
    let configuration = &app.configuration;
    let stored = serde_json::to_value(configuration).or_internal()?;
    let Value::Object(mut told) = stored else { return Err(Error::internal("a configuration is an object")) };
    for ours in OWN_MEMBERS {
        told.remove(*ours);
    }
    let is_native = configuration.kind == Kind::Native;
    let id_token_algorithm = configuration.id_token_algorithm();
    let uses_code = app.allows_grant("authorization_code");
    told.extend([
        ("client_id".to_owned(), json!(app.client_id())),
        ("client_name".to_owned(), json!(configuration.name)),
        ("application_type".to_owned(), json!(if is_native { "native" } else { "web" })),
        ("response_types".to_owned(), json!(if uses_code { vec!["code"] } else { Vec::new() })),
        ("id_token_signed_response_alg".to_owned(), json!(id_token_algorithm.name())),
    ]);
    if policy::has_backchannel(known, &configuration.grant_types) {
        told.insert("backchannel_token_delivery_mode".to_owned(), json!(DELIVERY_MODE));
    }
    if let Value::Object(remarks) = serde_json::to_value(remarks).or_internal()? {
        told.extend(remarks);
    }
    Ok(told)
}

/// Reads the members, of which each may be left out. The reader says what it met and not where, so that the one which does not fit
/// is looked for. What was sent there is not said, because it may be a secret.
fn fitted(members: &Map<String, Value>) -> Result<Metadata> {
    let read = |members: Map<String, Value>| serde_json::from_value::<Metadata>(Value::Object(members));
    let misfit = |(name, value): (&String, &Value)| {
        let error = read(Map::from_iter([(name.clone(), value.clone())])).err()?.to_string();
        let expected = error.rsplit_once(", expected ").map(|(_, expected)| in_words(expected));
        Some(format!("{name}: {}", expected.map_or(error, |expected| format!("expected {expected}"))))
    };
    read(members.clone()).map_err(|error| {
        let why = members.iter().find_map(misfit).unwrap_or_else(|| error.to_string());
        Error::invalid_client_metadata(why)
    })
}

/// A key set that is public, and small enough to be searched with every assertion.
fn check_key_set(jwks: &Value) -> Result<()> {
    const SECRET: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
    let keys =
        jwks.get("keys").and_then(Value::as_array).ok_or_else(|| refused("jwks: there are no keys"))?;
    if keys.is_empty() || keys.len() > KeySet::MOST {
        return Err(refused("jwks: register 1 to 50 keys"));
    }
    let is_public = |key: &Value| {
        key.as_object().is_some_and(|key| SECRET.iter().all(|member| !key.contains_key(*member)))
    };
    if keys.iter().all(is_public) {
        Ok(())
    } else {
        Err(refused("jwks: a key holds a secret; it is burnt, make another and send its public half"))
    }
}

#[track_caller]
fn refused(why: &str) -> Error {
    Error::invalid_client_metadata(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members<T: utoipa::PartialSchema>() -> Vec<String> {
        let schema = serde_json::to_value(T::schema()).unwrap();
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn every_member_of_an_application_is_one_of_the_standards_or_is_kept_back() {
        let standard = members::<Metadata>();
        // It is sent next to the metadata.
        let is_told = |name: &String| standard.contains(name) || name == "subject_type";
        for member in members::<Configuration>() {
            assert_ne!(is_told(&member), OWN_MEMBERS.contains(&member.as_str()), "{member}");
        }
    }
}
