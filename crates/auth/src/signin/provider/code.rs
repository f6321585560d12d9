//! The way to a provider and back: authorization request, and the code that it brings (OpenID Connect Core §3.1.2, RFC 7636,
//! RFC 9207).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{Error, OrInternal as _, Result, Seconds, Timestamp};
use svc_db::coordination::Once;
use svc_http::{Bytes, HeaderMap, HeaderValue, HostCx, Params, header};
use svc_keys::jose::{Algorithm, Signer as _, Typ};
use svc_keys::{base64, base64url, digest, pkce, token};
use url::form_urlencoded::{self, Serializer};

use super::freshness::{self, Wanted};
use super::id_token;
use super::metadata::{Metadata, Providers};
use super::reach;
use super::refusal;
use super::registration::{Authentication, Endpoints, Proven, Registration, Speaks};
use super::userinfo;
use crate::hosted::{Visit, with_query};

/// Longer than a sign-in may take: an answer counts once.
pub(super) const REMEMBERED: Seconds = Seconds(3600);
/// How long a client assertion is valid.
const ASSERTION: Seconds = Seconds(60);
/// The type of a client assertion (RFC 7523 §2.2).
const JWT_BEARER: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// What the browser keeps, sealed, while the person is at a provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Away {
    /// Through what: the id of a connection or of a provider.
    pub through: String,
    /// To whom: an answer of another one is none.
    pub issuer: String,
    /// What the ID token has to repeat.
    pub nonce: String,
    /// What redeems the code.
    pub verifier: String,
    /// How fresh the sign-in there has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<Wanted>,
    /// When the person left; what an earlier version has sealed does not say.
    #[serde(default)]
    pub left_at: Option<Timestamp>,
}

/// What a sign-in asks of a provider.
#[derive(Clone, Copy, Default)]
pub struct Asks<'a> {
    /// Whom it is for, as the person has typed it.
    pub typed: Option<&'a str>,
    /// How old the sign-in there may be.
    pub max_age: Option<Seconds>,
    /// How strong it should be, in the provider's words, best first.
    pub acr_values: &'a [String],
}

/// Where a provider is, as far as a sign-in needs to know.
pub(super) enum Found {
    OpenId(std::sync::Arc<Metadata>),
    Oauth(Endpoints),
}

impl Found {
    pub(super) async fn of(host: &HostCx, client: &Registration) -> Result<Self> {
        Ok(match &client.speaks {
            Speaks::OpenId { at, issuer } => {
                let providers = host.app.part::<Providers>()?;
                Self::OpenId(providers.find(host, client.chosen_by, (at, issuer)).await?)
            }
            Speaks::Oauth(endpoints) => Self::Oauth(endpoints.clone()),
        })
    }

    fn authorization_endpoint(&self) -> &str {
        match self {
            Self::OpenId(metadata) => &metadata.authorization_endpoint,
            Self::Oauth(endpoints) => &endpoints.authorization_endpoint,
        }
    }

    fn token_endpoint(&self) -> &str {
        match self {
            Self::OpenId(metadata) => &metadata.token_endpoint,
            Self::Oauth(endpoints) => &endpoints.token_endpoint,
        }
    }

    fn names_itself(&self) -> bool {
        matches!(self, Self::OpenId(metadata) if metadata.authorization_response_iss_parameter_supported)
    }
}

/// The address at the provider, and what to keep for the way back; `through` is what it is known as here.
pub async fn leave(
    visit: &Visit,
    client: &Registration,
    (through, asks): (&str, Asks<'_>),
) -> Result<(String, Away)> {
    let Asks { typed, max_age, acr_values } = asks;
    let found = Found::of(&visit.host, client).await?;
    let (nonce, verifier) = (token(&*visit.cx().entropy), token(&*visit.cx().entropy));
    let challenge = pkce::s256(&verifier);
    let (scope, acr_values) = (client.scopes.join(" "), acr_values.join(" "));
    let renewal = client.renewal.params(max_age);
    let mut params = vec![
        ("response_type", "code"),
        ("client_id", client.client_id.as_str()),
        ("redirect_uri", client.redirect_uri.as_str()),
    ];
    params.extend((!scope.is_empty()).then_some(("scope", scope.as_str())));
    params.extend(matches!(found, Found::OpenId(_)).then_some(("nonce", nonce.as_str())));
    if client.uses_pkce {
        params.extend([("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")]);
    }
    params.extend(client.answers_by_form.then_some(("response_mode", "form_post")));
    params.extend(typed.map(|typed| ("login_hint", typed)));
    params.extend((!acr_values.is_empty()).then_some(("acr_values", acr_values.as_str())));
    params.extend(renewal.iter().map(|(name, value)| (*name, value.as_str())));
    let url = with_query(found.authorization_endpoint(), params);
    let (through, issuer) = (through.to_owned(), client.issuer().to_owned());
    let now = visit.cx().now;
    let wanted = client.renewal.wanted(max_age, now);
    Ok((url, Away { through, issuer, nonce, verifier, wanted, left_at: Some(now) }))
}

/// What the provider gives for the answer that the browser brings back; each answer counts once, on any node.
pub async fn redeem(visit: &Visit, client: &Registration, away: &Away, params: &Params) -> Result<Proven> {
    let host = &visit.host;
    if client.issuer() != away.issuer {
        return Err(Error::conflict("the connection leads to another provider by now"));
    }
    let found = Found::of(host, client).await?;
    match params.one("iss") {
        Some(iss) if iss != away.issuer && matches!(found, Found::OpenId(_)) => {
            return Err(Error::conflict("the answer is of another provider"));
        }
        None if found.names_itself() => {
            return Err(Error::conflict("the answer does not say whose it is"));
        }
        _ => {}
    }
    if let Some(error) = params.one("error") {
        return Err(refusal::refused(error));
    }
    let code = params.one("code").ok_or_else(|| Error::conflict("the answer has no code"))?;
    let key = format!("sso {}", base64url(digest(&away.nonce).0));
    let now = visit.cx().now;
    // No answer was there before the question: what a store has lost by then does not concern it.
    let once = Once::between(key, away.left_at.unwrap_or(now - REMEMBERED), now + REMEMBERED);
    if !host.app.coordination.note(&once, now).await? {
        return Err(Error::conflict("the answer was used before"));
    }
    let given = exchange(host, client, (found.token_endpoint(), away, code)).await?;
    let text = |name: &str| given.get(name).and_then(Value::as_str).map(str::to_owned);
    let access_token = text("access_token");
    let (document, seen_at) = match &found {
        Found::OpenId(metadata) => {
            let token = text("id_token").ok_or_else(|| Error::conflict("the provider gave no ID token"))?;
            let access_token = access_token.as_deref();
            let tokens = (token.as_str(), access_token);
            let claims = id_token::read(host, client, (metadata, &away.nonce), tokens).await?.into_map();
            let seen_at = freshness::seen_at(&claims, away.wanted.as_ref(), now)?;
            (userinfo::completed(host, client, (metadata, access_token), claims).await?, seen_at)
        }
        Found::Oauth(endpoints) => {
            let token = access_token.as_deref();
            let token = token.ok_or_else(|| Error::conflict("the provider gave no access token"))?;
            let at = (client.chosen_by, endpoints.userinfo_endpoint.as_str());
            (userinfo::person(host, at, token).await?, None)
        }
    };
    Ok(Proven { document, access_token, seen_at })
}

/// What the token endpoint gives for a code.
async fn exchange(
    host: &HostCx,
    client: &Registration,
    (token_endpoint, away, code): (&str, &Away, &str),
) -> Result<Value> {
    let mut form = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("redirect_uri", client.redirect_uri.clone()),
    ];
    if client.uses_pkce {
        form.push(("code_verifier", away.verifier.clone()));
    }
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    authenticate(host, client, token_endpoint, (&mut form, &mut headers)).await?;
    let body = Bytes::from(Serializer::new(String::new()).extend_pairs(form).finish());
    let place = ("token endpoint", client.chosen_by, token_endpoint);
    let answer = reach::post(host, place, (headers, body)).await?;
    if answer.status != 200 {
        return Err(refusal::not_exchanged(answer.status.as_u16(), &answer.body));
    }
    let given: Value = serde_json::from_slice(&answer.body)
        .map_err(|cause| Error::conflict("the provider's token endpoint: no JSON").caused_by(cause))?;
    if given.get("error").is_some_and(Value::is_string) {
        // GitHub and Slack answer errors with this status too.
        return Err(refusal::not_exchanged(200, &answer.body));
    }
    Ok(given)
}

/// Proves us at the provider (OpenID Connect Core §9).
async fn authenticate(
    host: &HostCx,
    client: &Registration,
    token_endpoint: &str,
    (form, headers): (&mut Vec<(&'static str, String)>, &mut HeaderMap),
) -> Result<()> {
    let client_id = client.client_id.clone();
    match &client.authentication {
        Authentication::Basic(secret) => {
            let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let pair = format!("{}:{}", encoded(&client_id), encoded(secret.expose()));
            let mut value = HeaderValue::try_from(format!("Basic {}", base64(pair))).or_internal()?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        Authentication::Post(secret) => {
            form.extend([("client_id", client_id), ("client_secret", secret.expose().to_owned())]);
        }
        Authentication::PrivateKeyJwt => {
            let assertion = assertion(host, &client_id, token_endpoint).await?;
            form.extend([("client_id", client_id), ("client_assertion_type", JWT_BEARER.to_owned())]);
            form.push(("client_assertion", assertion));
        }
        Authentication::None => form.push(("client_id", client_id)),
    }
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
