//! The way to a provider and back: authorization request, and the code that it brings (OpenID Connect Core §3.1.2, RFC 7636,
//! RFC 9207).

use serde::{Deserialize, Serialize};
use serde_json::json;
use svc_core::{Error, OrInternal as _, Result, Seconds, SsoConnectionId};
use svc_db::coordination::Once;
use svc_domain::federation::sso::{self, ClientAuth, Connection};
use svc_http::{Bytes, HeaderMap, HeaderValue, HostCx, Limits, Params, header};
use svc_keys::jose::{Algorithm, Signer as _, Typ};
use svc_keys::{Purpose, base64, base64url, digest, pkce, token};
use url::form_urlencoded::{self, Serializer};

use super::provider::{Metadata, Providers};
use super::said::Said;
use super::token as id_token;
use crate::hosted::{Visit, with_query};

/// Longer than a sign-in may take: an answer counts once.
const REMEMBERED: Seconds = Seconds(3600);
/// How long a client assertion is valid.
const ASSERTION: Seconds = Seconds(60);
/// The type of a client assertion (RFC 7523 §2.2).
const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// What the browser keeps, sealed, while the person is at a provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Away {
    /// Through which connection.
    pub connection: SsoConnectionId,
    /// To whom: an answer of another one is none.
    pub issuer: String,
    /// What the ID token has to repeat.
    pub nonce: String,
    /// What redeems the code.
    pub verifier: String,
}

/// The address at the provider, and what to keep for the way back.
pub async fn leave(visit: &Visit, connection: &Connection, typed: Option<&str>) -> Result<(String, Away)> {
    let configuration = &connection.configuration;
    let metadata = visit.host.app.part::<Providers>()?.find(&visit.host, &configuration.issuer).await?;
    let (nonce, verifier) = (token(&*visit.cx().entropy), token(&*visit.cx().entropy));
    let challenge = pkce::s256(&verifier);
    let (scope, redirect_uri) = (configuration.scopes.join(" "), redirect_uri(&visit.host, connection));
    let params = [
        ("response_type", "code"),
        ("client_id", &configuration.client_id),
        ("redirect_uri", &redirect_uri),
        ("scope", &scope),
        ("nonce", &nonce),
        ("code_challenge", &challenge),
        ("code_challenge_method", "S256"),
    ];
    let hint = typed.map(|typed| ("login_hint", typed));
    let url = with_query(&metadata.authorization_endpoint, params.into_iter().chain(hint));
    let issuer = configuration.issuer.clone();
    Ok((url, Away { connection: connection.id, issuer, nonce, verifier }))
}

/// What the provider says, by the answer that the browser brings back; each answer counts once, on any node.
pub async fn redeem(visit: &Visit, connection: &Connection, away: &Away, params: &Params) -> Result<Said> {
    let host = &visit.host;
    if connection.configuration.issuer != away.issuer {
        return Err(Error::conflict("the connection leads to another provider by now"));
    }
    let metadata = host.app.part::<Providers>()?.find(host, &away.issuer).await?;
    match params.one("iss") {
        Some(iss) if iss != away.issuer => return Err(Error::conflict("the answer is of another provider")),
        None if metadata.authorization_response_iss_parameter_supported => {
            return Err(Error::conflict("the answer does not say whose it is"));
        }
        _ => {}
    }
    if let Some(error) = params.one("error") {
        let known: String = error.chars().filter(char::is_ascii_graphic).take(100).collect();
        return Err(Error::conflict(format!("the provider refused: {known}")));
    }
    let code = params.one("code").ok_or_else(|| Error::conflict("the answer has no code"))?;
    let key = format!("sso {}", base64url(digest(&away.nonce).0));
    let now = visit.cx().now;
    let once = Once::between(key, now - REMEMBERED, now + REMEMBERED);
    if !host.app.coordination.note(&once, now).await? {
        return Err(Error::conflict("the answer was used before"));
    }
    let token = exchange(host, connection, (&metadata, away, code)).await?;
    id_token::read(host, connection, (&metadata, &away.nonce), &token).await
}

/// Where the provider of a connection sends people back to.
fn redirect_uri(host: &HostCx, connection: &Connection) -> String {
    format!("{}{}", host.tenant.issuer, connection.return_path)
}

/// The ID token of a code.
async fn exchange(
    host: &HostCx,
    connection: &Connection,
    (metadata, away, code): (&Metadata, &Away, &str),
) -> Result<String> {
    let mut form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("redirect_uri", redirect_uri(host, connection)),
        ("code_verifier", away.verifier.clone()),
    ];
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    authenticate(host, connection, metadata, (&mut form, &mut headers)).await?;
    let body = Bytes::from(Serializer::new(String::new()).extend_pairs(form).finish());
    let answer = host.app.outbound.post(&metadata.token_endpoint, headers, body, Limits::default()).await?;
    if answer.status != 200 {
        return Err(Error::conflict(format!("the provider's token endpoint: status {}", answer.status)));
    }
    let answer: serde_json::Value = serde_json::from_slice(&answer.body)
        .map_err(|cause| Error::conflict("the provider's token endpoint: no JSON").caused_by(cause))?;
    let id_token = answer.get("id_token").and_then(serde_json::Value::as_str);
    id_token.map(str::to_owned).ok_or_else(|| Error::conflict("the provider gave no ID token"))
}

/// Proves the tenant at the provider (OpenID Connect Core §9).
async fn authenticate(
    host: &HostCx,
    connection: &Connection,
    metadata: &Metadata,
    (form, headers): (&mut Vec<(&'static str, String)>, &mut HeaderMap),
) -> Result<()> {
    let configuration = &connection.configuration;
    if configuration.client_auth == ClientAuth::PrivateKeyJwt {
        let assertion = assertion(host, &configuration.client_id, &metadata.token_endpoint).await?;
        form.push(("client_id", configuration.client_id.clone()));
        form.push(("client_assertion_type", JWT_BEARER.to_owned()));
        form.push(("client_assertion", assertion));
        return Ok(());
    }
    let sealer = host.app.services.sealers.of(host.tenant.id, Purpose::Credentials, &host.cx).await?;
    let secret = sso::client_secret(connection, host.tenant.id.reference(), &sealer)?;
    let secret = secret.ok_or_else(|| Error::conflict("the connection has no client secret"))?;
    if configuration.client_auth == ClientAuth::ClientSecretPost {
        form.push(("client_id", configuration.client_id.clone()));
        form.push(("client_secret", secret.expose().to_owned()));
        return Ok(());
    }
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(&configuration.client_id), encoded(secret.expose()));
    let mut value = HeaderValue::try_from(format!("Basic {}", base64(pair))).or_internal()?;
    value.set_sensitive(true);
    headers.insert(header::AUTHORIZATION, value);
    Ok(())
}

async fn assertion(host: &HostCx, client_id: &str, audience: &str) -> Result<String> {
    let now = host.cx.now;
    let claims = json!({
        "iss": client_id, "sub": client_id, "aud": audience, "jti": token(&*host.cx.entropy),
        "iat": now.as_secs(), "exp": (now + ASSERTION).as_secs(),
    });
    let ring = host.app.services.keys.ring(host.tenant.id);
    ring.sign(Algorithm::Es256, Typ::Jwt, claims.to_string().as_bytes()).await
}
