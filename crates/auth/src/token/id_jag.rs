//! The identity assertion JWT authorization grant (draft-ietf-oauth-identity-assertion-authz-grant §3): what we tell
//! another authorization server about a person, for one application of it.

use serde::Serialize;
use serde_json::{Value, json};
use svc_core::{Error, OrInternal as _, Scope, Seconds};
use svc_domain::keys::signing_keys::default_algorithm;
use svc_keys::jose::{Signer as _, Typ};

use super::approval::{Approval, Assertion, Subject};
use super::grant::Request;
use super::tokens::Tokens;

/// The type in requests and responses of a token exchange.
pub const TOKEN_TYPE: &str = "urn:ietf:params:oauth:token-type:id-jag";

/// What discovery says of it, where drafts are published.
pub fn publish(document: &mut Value) {
    let Value::Object(members) = document else { return };
    let profiles = json!(["urn:ietf:params:oauth:grant-profile:id-jag"]);
    members.insert("authorization_grant_profiles_supported".to_owned(), profiles);
    members.insert("identity_chaining_requested_token_types_supported".to_owned(), json!([TOKEN_TYPE]));
}

/// It is presented at once, and once.
const LIFETIME: Seconds = Seconds(300);

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    sub: &'a str,
    aud: &'a str,
    client_id: &'a str,
    jti: String,
    exp: i64,
    iat: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<&'a str>,
    #[serde(skip_serializing_if = "Scope::is_empty")]
    scope: &'a Scope,
    auth_time: i64,
    #[serde(skip_serializing_if = "str::is_empty")]
    acr: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    amr: &'a [String],
}

/// Signs the assertion; it stands where an access token would (RFC 8693 §2.2.1).
pub(super) async fn issue(
    request: &Request<'_>,
    approval: &Approval,
    assertion: &Assertion,
    sub: &str,
) -> Result<Tokens, Error> {
    let Subject::Person(_, authentication) = &approval.subject else {
        return Err(Error::internal("an identity assertion is about a person"));
    };
    let host = request.host;
    let now = host.cx.now;
    let end = approval.bounds.ends_at.map_or(now + LIFETIME, |end| end.min(now + LIFETIME));
    let claims = Claims {
        iss: &host.tenant.issuer,
        sub,
        aud: &approval.audience,
        client_id: &assertion.client_id,
        jti: svc_keys::token(&*host.cx.entropy),
        exp: end.as_secs(),
        iat: now.as_secs(),
        resource: assertion.resource.as_deref(),
        scope: &approval.scope,
        auth_time: authentication.auth_time.as_secs(),
        acr: &authentication.acr,
        amr: &authentication.amr,
    };
    let payload = serde_json::to_vec(&claims).or_internal()?;
    let algorithm = default_algorithm(&host.app.config.jwt);
    let token = host.app.services.keys.ring(host.tenant.id).sign(algorithm, Typ::IdJag, &payload).await?;
    Ok(Tokens {
        access_token: token,
        // It is no access token, whatever the member is called (RFC 8693 §2.2.1).
        token_type: "N_A",
        expires_in: end.as_secs() - now.as_secs(),
        scope: approval.scope.clone(),
        id_token: None,
        refresh_token: None,
        issued_token_type: Some(TOKEN_TYPE),
        authorization_details: Vec::new(),
    })
}
