//! A test of an SSO connection: what its provider publishes, looked at step by step (OpenID Connect Discovery §4).

use serde::Deserialize;
use svc_domain::federation::sso::{ClientAuth, Configuration};
use svc_keys::KeySet;
use svc_keys::jose::Algorithm;

use crate::app::App;
use crate::outbound::Limits;

/// Where a provider describes itself.
const DISCOVERY: &str = "/.well-known/openid-configuration";

/// One step of a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was checked.
    pub part: Part,
    /// What was found.
    pub finding: Finding,
}

/// What is looked at, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Whether the provider describes itself.
    Discovery,
    /// What it calls itself.
    Issuer,
    /// Where it is reached.
    Endpoints,
    /// Its keys.
    Keys,
    /// How it lets clients prove themselves.
    ClientAuth,
    /// How it signs ID tokens.
    IdToken,
    /// Whether it holds codes to a challenge (RFC 7636).
    Pkce,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it should be.
    Passed,
    /// Sign-in works, with less than there could be.
    Warning,
    /// Sign-in cannot work.
    Failed,
}

/// What a step has found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are what `detail` says")]
pub enum Finding {
    /// The provider describes itself.
    Described { url: String },
    /// An address gives no answer.
    Unreachable { url: String, why: String },
    /// An address answers with an error.
    Refused { url: String, status: String },
    /// What is there describes no provider.
    NoDocument { url: String, why: String },
    /// The provider calls itself as the connection does.
    SameIssuer,
    /// It calls itself something else.
    OtherIssuer { issuer: String },
    /// Every address that is needed can be called.
    Endpoints,
    /// One is not named.
    EndpointMissing { name: &'static str },
    /// One is an address that is never called.
    EndpointOutOfReach { name: &'static str, why: String },
    /// There are keys.
    Keys { url: String },
    /// What is there is no key set.
    NoKeys { url: String, why: String },
    /// The provider takes the way of the connection.
    ClientAuth { method: &'static str },
    /// It takes others.
    OtherClientAuth { methods: String },
    /// It signs ID tokens so that they count.
    IdTokens { algorithms: String },
    /// It does not.
    OtherIdTokens { accepted: String },
    /// It holds codes to their challenge.
    Pkce,
    /// It does not say that it does.
    PkceUnsaid,
}

/// What the metadata of a provider say, as far as it is looked at.
#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: Option<String>,
    token_endpoint: Option<String>,
    jwks_uri: Option<String>,
    #[serde(default = "usual_authentication")]
    token_endpoint_auth_methods_supported: Vec<String>,
    id_token_signing_alg_values_supported: Option<Vec<String>>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
}

/// The default of the standard (OpenID Connect Discovery §3).
fn usual_authentication() -> Vec<String> {
    vec!["client_secret_basic".to_owned()]
}

/// What a provider that names no algorithm has to sign by (OpenID Connect Discovery §3): sign-in looks at the tokens alone.
const USUAL_ALGORITHM: Algorithm = Algorithm::Rs256;

/// Looks at the provider of a connection. What cannot be looked at after a step that failed is left out.
pub async fn look(app: &App, configuration: &Configuration) -> Vec<Step> {
    let step = |part, finding| Step { part, finding };
    let url = format!("{}{DISCOVERY}", configuration.issuer.trim_end_matches('/'));
    let metadata = match document(app, &url).await {
        Ok(metadata) => metadata,
        Err(finding) => return vec![step(Part::Discovery, finding)],
    };
    let mut steps = vec![
        step(Part::Discovery, Finding::Described { url }),
        step(Part::Issuer, issuer(&metadata, configuration)),
    ];
    if is_usable(&steps) {
        steps.push(step(Part::Endpoints, endpoints(app, &metadata)));
    }
    if is_usable(&steps) {
        steps.push(step(Part::Keys, keys(app, &metadata).await));
        steps.push(step(Part::ClientAuth, client_auth(&metadata, configuration)));
        steps.push(step(Part::IdToken, id_token(&metadata)));
        steps.push(step(Part::Pkce, pkce(&metadata)));
    }
    steps
}

/// Whether people can be sent to the provider.
pub fn is_usable(steps: &[Step]) -> bool {
    steps.iter().all(|step| step.finding.outcome() != Outcome::Failed)
}

async fn document(app: &App, url: &str) -> Result<Metadata, Finding> {
    let body = fetched(app, url).await?;
    serde_json::from_slice(&body)
        .map_err(|error| Finding::NoDocument { url: url.to_owned(), why: error.to_string() })
}

async fn fetched(app: &App, url: &str) -> Result<Vec<u8>, Finding> {
    let url = url.to_owned();
    match app.outbound.get(&url, Limits::default()).await {
        Ok(fetched) if fetched.is_document() => Ok(fetched.body.to_vec()),
        Ok(fetched) => Err(Finding::Refused { url, status: fetched.status.to_string() }),
        Err(error) => Err(Finding::Unreachable { url, why: error.detail().to_owned() }),
    }
}

fn issuer(metadata: &Metadata, configuration: &Configuration) -> Finding {
    if metadata.issuer == configuration.issuer {
        return Finding::SameIssuer;
    }
    Finding::OtherIssuer { issuer: metadata.issuer.clone() }
}

fn endpoints(app: &App, metadata: &Metadata) -> Finding {
    for (name, url) in [
        ("authorization_endpoint", &metadata.authorization_endpoint),
        ("token_endpoint", &metadata.token_endpoint),
        ("jwks_uri", &metadata.jwks_uri),
    ] {
        let Some(url) = url else { return Finding::EndpointMissing { name } };
        if let Err(error) = app.outbound.check(url) {
            return Finding::EndpointOutOfReach { name, why: error.detail().to_owned() };
        }
    }
    Finding::Endpoints
}

async fn keys(app: &App, metadata: &Metadata) -> Finding {
    let url = metadata.jwks_uri.clone().unwrap_or_default();
    let set = match fetched(app, &url).await {
        Ok(set) => set,
        Err(finding) => return finding,
    };
    match KeySet::parse(&set) {
        Ok(_) => Finding::Keys { url },
        Err(error) => Finding::NoKeys { url, why: error.detail().to_owned() },
    }
}

fn client_auth(metadata: &Metadata, configuration: &Configuration) -> Finding {
    let method = match configuration.client_auth {
        ClientAuth::ClientSecretBasic => "client_secret_basic",
        ClientAuth::ClientSecretPost => "client_secret_post",
        ClientAuth::PrivateKeyJwt => "private_key_jwt",
    };
    let supported = &metadata.token_endpoint_auth_methods_supported;
    if supported.iter().any(|known| known == method) {
        return Finding::ClientAuth { method };
    }
    Finding::OtherClientAuth { methods: supported.join(", ") }
}

fn id_token(metadata: &Metadata) -> Finding {
    let usual = || vec![USUAL_ALGORITHM.name().to_owned()];
    let supported = metadata.id_token_signing_alg_values_supported.clone().unwrap_or_else(usual);
    if supported.iter().any(|name| Algorithm::from_name(name).is_some()) {
        return Finding::IdTokens { algorithms: supported.join(", ") };
    }
    let accepted: Vec<_> = Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
    Finding::OtherIdTokens { accepted: accepted.join(", ") }
}

fn pkce(metadata: &Metadata) -> Finding {
    let is_supported = metadata.code_challenge_methods_supported.iter().any(|method| method == "S256");
    if is_supported { Finding::Pkce } else { Finding::PkceUnsaid }
}

impl Part {
    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Discovery => "discovery",
            Self::Issuer => "issuer",
            Self::Endpoints => "endpoints",
            Self::Keys => "keys",
            Self::ClientAuth => "client_auth",
            Self::IdToken => "id_token",
            Self::Pkce => "pkce",
        }
    }

    /// Whether nothing comes after it.
    pub fn is_last(self) -> bool {
        self == Self::Pkce
    }
}

impl Outcome {
    /// Its name in answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

impl Finding {
    /// What it means for sign-in.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Described { .. }
            | Self::SameIssuer
            | Self::Endpoints
            | Self::Keys { .. }
            | Self::ClientAuth { .. }
            | Self::IdTokens { .. }
            | Self::Pkce => Outcome::Passed,
            Self::PkceUnsaid => Outcome::Warning,
            Self::Unreachable { .. }
            | Self::Refused { .. }
            | Self::NoDocument { .. }
            | Self::OtherIssuer { .. }
            | Self::EndpointMissing { .. }
            | Self::EndpointOutOfReach { .. }
            | Self::NoKeys { .. }
            | Self::OtherClientAuth { .. }
            | Self::OtherIdTokens { .. } => Outcome::Failed,
        }
    }

    /// What was found, and what to do about it, for those who call the API.
    pub fn detail(&self) -> String {
        match self {
            Self::Described { url } => format!("{url} describes the provider"),
            Self::Unreachable { url, why } | Self::NoKeys { url, why } => format!("{url}: {why}"),
            Self::Refused { url, status } => {
                format!("{url} answered {status}; look for the right issuer in the provider's settings")
            }
            Self::NoDocument { url, why } => format!("{url} is no document of a provider: {why}"),
            Self::SameIssuer => "the provider calls itself as the connection does".to_owned(),
            Self::OtherIssuer { issuer } => {
                format!("the provider calls itself {issuer:?}; set `issuer` to exactly that")
            }
            Self::Endpoints => {
                "authorization_endpoint, token_endpoint and jwks_uri can be called".to_owned()
            }
            Self::EndpointMissing { name } => format!("the metadata have no {name}"),
            Self::EndpointOutOfReach { name, why } => format!("{name}: {why}"),
            Self::Keys { url } => format!("{url} has keys that are understood"),
            Self::ClientAuth { method } => {
                format!("the provider takes {method}; whether it takes this client shows the first sign-in")
            }
            Self::OtherClientAuth { methods } => {
                format!("the provider takes {methods}; set `client_auth` to one of them")
            }
            Self::IdTokens { algorithms } => format!("ID tokens are signed with {algorithms}"),
            Self::OtherIdTokens { accepted } => format!("ID tokens must be signed with one of {accepted}"),
            Self::Pkce => "the provider holds codes to S256".to_owned(),
            Self::PkceUnsaid => {
                "the provider does not say that it supports PKCE with S256; the challenge is sent all the same"
                    .to_owned()
            }
        }
    }
}
