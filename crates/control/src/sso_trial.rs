//! `POST …/sso-connections/{connection_id}/test`: what a provider publishes, looked at step by step (OpenID Connect Discovery §4).

use serde::{Deserialize, Serialize};
use svc_core::{OrganizationId, Result, SsoConnectionId};
use svc_domain::federation::sso::{self, ClientAuth, Configuration};
use svc_http::{Json, Limits, Path, Problem, TenantCx};
use svc_keys::KeySet;
use utoipa::ToSchema;

use crate::sso_connections::find;

/// Where a provider describes itself.
const DISCOVERY: &str = "/.well-known/openid-configuration";
/// The algorithms of ID tokens that are accepted.
const ALGORITHMS: &[&str] = &["ES256", "EdDSA", "PS256", "RS256"];

/// What a test of a connection has found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SsoTrial {
    /// Whether people could be led to the provider.
    is_usable: bool,
    /// What the provider must have registered for this tenant as redirect URI.
    redirect_uri: String,
    /// Where the provider may say that a session is over there (OpenID Connect Back-Channel Logout 1.0).
    backchannel_logout_uri: String,
    /// The steps in order; after one that failed the rest is skipped.
    steps: Vec<SsoTrialStep>,
}

/// One step of a test.
#[derive(Debug, Serialize, ToSchema)]
struct SsoTrialStep {
    /// What was looked at.
    step: &'static str,
    /// What came of it: `passed`, `warning` where sign-in works with less than there could be, or `failed`.
    outcome: &'static str,
    /// What was found, and what to do about it.
    detail: String,
}

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TrialOutcome {
    /// As it should be.
    Passed,
    /// Sign-in works, with less than there could be.
    Warning,
    /// Sign-in cannot work.
    Failed,
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
    #[serde(default)]
    id_token_signing_alg_values_supported: Vec<String>,
    #[serde(default)]
    code_challenge_methods_supported: Vec<String>,
}

/// The default of the standard (OpenID Connect Discovery §3).
fn usual_authentication() -> Vec<String> {
    vec!["client_secret_basic".to_owned()]
}

impl TrialOutcome {
    fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

type Found = std::result::Result<(TrialOutcome, String), String>;

pub(crate) async fn test(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, SsoConnectionId)>,
) -> Result<Json<SsoTrial>, Problem> {
    let mut tx = caller.begin().await?;
    let connection = find(&mut tx, ids).await?;
    sso::note_test(&mut tx, &caller, connection.id).await?;
    tx.commit().await?;
    let steps = steps(&caller, &connection.configuration).await;
    let is_usable = steps.iter().all(|step| step.outcome != TrialOutcome::Failed.name());
    let redirect_uri = format!("{}{}", caller.tenant.issuer, connection.return_path);
    let backchannel_logout_uri = format!("{redirect_uri}/backchannel-logout");
    Ok(Json(SsoTrial { is_usable, redirect_uri, backchannel_logout_uri, steps }))
}

async fn steps(caller: &TenantCx, configuration: &Configuration) -> Vec<SsoTrialStep> {
    let mut steps = Vec::new();
    let mut note = |step, found: Found| {
        let (outcome, detail) = found.unwrap_or_else(|why| (TrialOutcome::Failed, why));
        steps.push(SsoTrialStep { step, outcome: outcome.name(), detail });
        outcome != TrialOutcome::Failed
    };
    let url = format!("{}{DISCOVERY}", configuration.issuer.trim_end_matches('/'));
    let metadata = match document(caller, &url).await {
        Ok(metadata) => metadata,
        Err(why) => {
            note("discovery", Err(why));
            return steps;
        }
    };
    if !note("discovery", Ok(passed(format!("{url} describes the provider"))))
        || !note("issuer", issuer(&metadata, configuration))
        || !note("endpoints", endpoints(caller, &metadata))
    {
        return steps;
    }
    note("keys", keys(caller, &metadata).await);
    note("client_auth", client_auth(&metadata, configuration));
    note("id_token", id_token(&metadata));
    note("pkce", Ok(pkce(&metadata)));
    steps
}

async fn document(caller: &TenantCx, url: &str) -> std::result::Result<Metadata, String> {
    let body = fetched(caller, url).await?;
    serde_json::from_slice(&body).map_err(|error| format!("{url} is no document of a provider: {error}"))
}

async fn fetched(caller: &TenantCx, url: &str) -> std::result::Result<Vec<u8>, String> {
    let fetched = caller.app.outbound.get(url, Limits::default()).await;
    let fetched = fetched.map_err(|error| format!("{url}: {}", error.detail()))?;
    if fetched.status.is_success() {
        return Ok(fetched.body.to_vec());
    }
    Err(format!("{url} answered {}; look for the right issuer in the provider's settings", fetched.status))
}

fn issuer(metadata: &Metadata, configuration: &Configuration) -> Found {
    if metadata.issuer == configuration.issuer {
        return Ok(passed("the provider calls itself as the connection does".to_owned()));
    }
    Err(format!("the provider calls itself {:?}; set `issuer` to exactly that", metadata.issuer))
}

fn endpoints(caller: &TenantCx, metadata: &Metadata) -> Found {
    for (name, url) in [
        ("authorization_endpoint", &metadata.authorization_endpoint),
        ("token_endpoint", &metadata.token_endpoint),
        ("jwks_uri", &metadata.jwks_uri),
    ] {
        let url = url.as_ref().ok_or_else(|| format!("the metadata have no {name}"))?;
        caller.app.outbound.check(url).map_err(|error| format!("{name}: {}", error.detail()))?;
    }
    Ok(passed("authorization_endpoint, token_endpoint and jwks_uri can be called".to_owned()))
}

async fn keys(caller: &TenantCx, metadata: &Metadata) -> Found {
    let url = metadata.jwks_uri.as_deref().unwrap_or_default();
    let set = fetched(caller, url).await?;
    KeySet::parse(&set).map_err(|error| format!("{url}: {}", error.detail()))?;
    Ok(passed(format!("{url} has keys that are understood")))
}

fn client_auth(metadata: &Metadata, configuration: &Configuration) -> Found {
    let name = match configuration.client_auth {
        ClientAuth::ClientSecretBasic => "client_secret_basic",
        ClientAuth::ClientSecretPost => "client_secret_post",
        ClientAuth::PrivateKeyJwt => "private_key_jwt",
    };
    let supported = &metadata.token_endpoint_auth_methods_supported;
    if supported.iter().any(|method| method == name) {
        return Ok(passed(format!(
            "the provider takes {name}; whether it takes this client shows the first sign-in"
        )));
    }
    Err(format!("the provider takes {}; set `client_auth` to one of them", supported.join(", ")))
}

fn id_token(metadata: &Metadata) -> Found {
    let supported = &metadata.id_token_signing_alg_values_supported;
    if supported.iter().any(|algorithm| ALGORITHMS.contains(&algorithm.as_str())) {
        return Ok(passed(format!("ID tokens are signed with {}", supported.join(", "))));
    }
    Err(format!("ID tokens must be signed with one of {}", ALGORITHMS.join(", ")))
}

fn pkce(metadata: &Metadata) -> (TrialOutcome, String) {
    if metadata.code_challenge_methods_supported.iter().any(|method| method == "S256") {
        return passed("the provider holds codes to S256".to_owned());
    }
    let why = "the provider does not say that it supports PKCE with S256; the challenge is sent all the same";
    (TrialOutcome::Warning, why.to_owned())
}

fn passed(detail: String) -> (TrialOutcome, String) {
    (TrialOutcome::Passed, detail)
}
