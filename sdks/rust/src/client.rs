use std::fmt;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderMap;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::sync::{Mutex, OnceCell};

use crate::{Claims, Error, Flow, Metadata, ProofKey, challenge, discovery, random_text};

const LARGEST_ANSWER: usize = 4 * 1024 * 1024;

/// How the application proves itself.
pub enum Authentication {
    /// It does not: a public client.
    None,
    /// A secret, by HTTP Basic.
    Basic(String),
    /// A secret, in the form.
    Post(String),
    /// An assertion signed by this key, of this id (`private_key_jwt`, RFC 7523 §2.2).
    Key(ProofKey, String),
}

/// Which application asks.
pub struct ClientConfig {
    /// The issuer, byte for byte.
    pub issuer: String,
    /// The application.
    pub client_id: String,
    /// How it proves itself.
    pub authentication: Authentication,
    /// Binds the tokens to itself (DPoP).
    pub proof_key: Option<ProofKey>,
}

/// Asks the issuer for tokens.
pub struct Client {
    config: ClientConfig,
    http: reqwest::Client,
    found: OnceCell<Metadata>,
    nonce: Mutex<Option<String>>,
}

/// An answer of the token endpoint. Printing it does not show the tokens.
#[derive(Clone, Deserialize)]
#[expect(missing_docs, reason = "the members are those of RFC 6749 §5.1")]
pub struct Tokens {
    pub access_token: String,
    pub token_type: String,
    pub refresh_token: Option<String>,
    pub id_token: Option<String>,
    pub scope: Option<String>,
    #[serde(default)]
    pub expires_in: u64,
    pub issued_token_type: Option<String>,
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[tokens for {} s]", self.expires_in)
    }
}

/// A device that waits for its person (RFC 8628 §3.2).
#[derive(Clone, Deserialize)]
#[expect(missing_docs, reason = "the members are those of RFC 8628 §3.2")]
pub struct Device {
    device_code: String,
    pub user_code: String,
    pub verification_uri: String,
    pub verification_uri_complete: Option<String>,
    pub expires_in: u64,
    #[serde(default = "five")]
    pub interval: u64,
}

fn five() -> u64 {
    5
}

impl Client {
    /// A client; nothing is fetched yet.
    pub fn new(config: ClientConfig) -> Result<Self, Error> {
        Ok(Self { config, http: discovery::http()?, found: OnceCell::new(), nonce: Mutex::default() })
    }

    /// The issuer's metadata, fetched once.
    pub async fn metadata(&self) -> Result<&Metadata, Error> {
        self.found.get_or_try_init(|| Metadata::discover(&self.http, &self.config.issuer)).await
    }

    /// Where to send the browser; `extra` has further parameters such as `acr_values`, `organization` or `prompt`.
    pub async fn authorization_url(
        &self,
        flow: &Flow,
        redirect_uri: &str,
        scope: &str,
        extra: &[(&str, &str)],
    ) -> Result<String, Error> {
        let endpoint = &self.metadata().await?.authorization_endpoint;
        let mut url = Url::parse(endpoint).map_err(|_| Error::local("the endpoint is malformed"))?;
        let own = [
            ("response_type", "code"),
            ("client_id", &self.config.client_id),
            ("redirect_uri", redirect_uri),
            ("scope", scope),
            ("state", &flow.state),
            ("nonce", &flow.nonce),
            ("code_challenge", &challenge(&flow.verifier)),
            ("code_challenge_method", "S256"),
        ];
        if extra.iter().any(|(name, _)| own.iter().any(|(set, _)| set == name)) {
            return Err(Error::local("a parameter is set by the flow"));
        }
        url.query_pairs_mut().extend_pairs(own).extend_pairs(extra);
        Ok(url.into())
    }

    /// Redeems the code of a callback.
    pub async fn exchange_code(&self, flow: &Flow, code: &str, redirect_uri: &str) -> Result<Tokens, Error> {
        let form = [("code", code), ("redirect_uri", redirect_uri), ("code_verifier", &flow.verifier)];
        self.grant("authorization_code", &form).await
    }

    /// A token of the application itself (RFC 6749 §4.4).
    pub async fn client_credentials(&self, scope: &str, resource: Option<&str>) -> Result<Tokens, Error> {
        let form: Vec<_> = [("scope", scope)].into_iter().chain(resource.map(|uri| ("resource", uri))).collect();
        self.grant("client_credentials", &form).await
    }

    /// Renews tokens (RFC 6749 §6). Keep the refresh token of the answer, if it has one.
    pub async fn refresh(&self, refresh_token: &str) -> Result<Tokens, Error> {
        self.grant("refresh_token", &[("refresh_token", refresh_token)]).await
    }

    /// Exchanges an access token for one of another API (RFC 8693).
    pub async fn exchange_token(&self, subject_token: &str, resource: &str, scope: &str) -> Result<Tokens, Error> {
        let form = [
            ("subject_token", subject_token),
            ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ("resource", resource),
            ("scope", scope),
        ];
        self.grant("urn:ietf:params:oauth:grant-type:token-exchange", &form).await
    }

    /// Asks for the code that the person types in on another device.
    pub async fn start_device(&self, scope: &str) -> Result<Device, Error> {
        let endpoint = self.metadata().await?.device_authorization_endpoint.as_deref();
        self.post(endpoint.ok_or_else(not_offered)?, &[("scope", scope)]).await
    }

    /// Polls until the person has decided (RFC 8628 §3.5).
    pub async fn await_device(&self, device: &Device) -> Result<Tokens, Error> {
        let mut interval = Duration::from_secs(device.interval.max(1));
        let ends = tokio::time::Instant::now() + Duration::from_secs(device.expires_in);
        loop {
            tokio::time::sleep(interval).await;
            let form = [("device_code", device.device_code.as_str())];
            match self.grant("urn:ietf:params:oauth:grant-type:device_code", &form).await {
                Err(error) if tokio::time::Instant::now() < ends => match error.code.as_str() {
                    "authorization_pending" => interval = interval.max(error.retry_after.unwrap_or_default()),
                    "slow_down" => interval += Duration::from_secs(5),
                    _ => return Err(error),
                },
                decided => return decided,
            }
        }
    }

    /// Takes a token back (RFC 7009).
    pub async fn revoke(&self, token: &str) -> Result<(), Error> {
        let endpoint = self.metadata().await?.revocation_endpoint.as_deref().ok_or_else(not_offered)?;
        self.send(endpoint, &[("token", token)]).await.map(|_| ())
    }

    /// The claims about the person (OpenID Connect Core 1.0 §5.3), whose `sub` has to be that of the ID token if there is one.
    pub async fn userinfo(&self, access_token: &str, subject: Option<&str>) -> Result<Claims, Error> {
        let endpoint = self.metadata().await?.userinfo_endpoint.as_deref().ok_or_else(not_offered)?;
        let mut request = self.http.get(endpoint);
        let scheme = match &self.config.proof_key {
            Some(key) => {
                request = request.header("dpop", key.proof("GET", endpoint, Some(access_token), None)?);
                "DPoP"
            }
            None => "Bearer",
        };
        let body = self.answer(request.header("authorization", format!("{scheme} {access_token}"))).await?;
        let claims: Map<String, Value> = serde_json::from_slice(&body).map_err(|_| malformed())?;
        let claims = Claims(claims);
        let is_known = claims.text("sub").is_some_and(|sub| subject.is_none_or(|subject| subject == sub));
        is_known.then_some(claims).ok_or_else(|| Error::local("the claims are about somebody else"))
    }

    /// Asks the token endpoint. Grants are not repeated: what was redeemed is spent.
    pub async fn grant(&self, grant_type: &str, form: &[(&str, &str)]) -> Result<Tokens, Error> {
        let endpoint = &self.metadata().await?.token_endpoint;
        let form: Vec<_> = [("grant_type", grant_type)].into_iter().chain(form.iter().copied()).collect();
        self.post(endpoint, &form).await
    }

    async fn post<T: DeserializeOwned>(&self, endpoint: &str, form: &[(&str, &str)]) -> Result<T, Error> {
        serde_json::from_slice(&self.send(endpoint, form).await?).map_err(|_| malformed())
    }

    /// Sends a form, once more where the server asks for a nonce in the proof (RFC 9449 §8).
    async fn send(&self, endpoint: &str, form: &[(&str, &str)]) -> Result<Vec<u8>, Error> {
        match self.send_once(endpoint, form).await {
            Err(error) if error.code == "use_dpop_nonce" && self.config.proof_key.is_some() => {
                self.send_once(endpoint, form).await
            }
            answer => answer,
        }
    }

    async fn send_once(&self, endpoint: &str, form: &[(&str, &str)]) -> Result<Vec<u8>, Error> {
        let client_id = self.config.client_id.as_str();
        let mut form = form.to_vec();
        form.retain(|(name, value)| *name != "scope" || !value.is_empty());
        let mut request = self.http.post(endpoint).header("accept", "application/json");
        let assertion;
        match &self.config.authentication {
            Authentication::None => form.push(("client_id", client_id)),
            Authentication::Basic(secret) => {
                request = request.basic_auth(form_encoded(client_id), Some(form_encoded(secret)));
            }
            Authentication::Post(secret) => form.extend([("client_id", client_id), ("client_secret", secret)]),
            Authentication::Key(key, kid) => {
                assertion = self.assertion(key, kid)?;
                form.push(("client_id", client_id));
                form.push(("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"));
                form.push(("client_assertion", &assertion));
            }
        }
        if let Some(key) = &self.config.proof_key {
            let nonce = self.nonce.lock().await.clone();
            request = request.header("dpop", key.proof("POST", endpoint, None, nonce.as_deref())?);
        }
        self.answer(request.form(&form)).await
    }

    async fn answer(&self, request: reqwest::RequestBuilder) -> Result<Vec<u8>, Error> {
        let response = request.send().await.map_err(Error::unanswered)?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        self.keep_nonce(&headers).await;
        let body = discovery::bounded(response, LARGEST_ANSWER).await?;
        if status == 200 { Ok(body) } else { Err(Error::answered(status, &headers, &body, &self.config.issuer)) }
    }

    async fn keep_nonce(&self, headers: &HeaderMap) {
        if let Some(nonce) = headers.get("dpop-nonce").and_then(|nonce| nonce.to_str().ok()) {
            *self.nonce.lock().await = Some(nonce.to_owned());
        }
    }

    /// Proves the application by its key; for this issuer, a minute, once.
    fn assertion(&self, key: &ProofKey, kid: &str) -> Result<String, Error> {
        let (now, own) = (crate::now(), &self.config.client_id);
        let claims = json!({
            "iss": own, "sub": own, "aud": self.config.issuer, "jti": random_text(), "iat": now, "exp": now + 60,
        });
        key.sign(&json!({"typ": "JWT", "alg": "ES256", "kid": kid}), &claims)
    }
}

/// Both halves of a Basic credential are form-encoded (RFC 6749 §2.3.1).
fn form_encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    let encode = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    text.bytes().map(encode).collect()
}

fn malformed() -> Error {
    Error::local("the answer is no JSON of the expected shape")
}

fn not_offered() -> Error {
    Error::local("the issuer does not offer this")
}
