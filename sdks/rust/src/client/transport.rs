//! Requests to the issuer, proven by the application's secret or key and bound by its proofs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use reqwest::header::HeaderMap;
use reqwest::{Method, RequestBuilder};
use serde::de::DeserializeOwned;
use serde_json::json;

use super::{Authentication, Client};
use crate::{Error, ProofKey, discovery, form_encoded, random_text};

const LARGEST_ANSWER: usize = 1024 * 1024;
const ASSERTION: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// Parameters whose values no error repeats.
const CONFIDENTIAL: [&str; 13] = [
    "code",
    "code_verifier",
    "refresh_token",
    "subject_token",
    "actor_token",
    "device_code",
    "token",
    "assertion",
    "password",
    "auth_req_id",
    "id_token_hint",
    "login_hint_token",
    "request",
];

/// A success of the server.
pub(super) struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    pub(super) fn read<T: DeserializeOwned>(&self, issuer: &str) -> Result<T, Error> {
        serde_json::from_slice(&self.body).map_err(|_| {
            let error = Error::invalid_answer("the answer is no JSON of the expected shape");
            error.in_answer(self.status, &self.headers).of(issuer)
        })
    }
}

impl Client {
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        endpoint: &str,
        form: &[(&str, &str)],
    ) -> Result<T, Error> {
        self.send(endpoint, form).await?.read(&self.config.issuer)
    }

    /// Sends a form, once more where the server asks for a nonce in the proof (RFC 9449 §8).
    pub(super) async fn send(&self, endpoint: &str, form: &[(&str, &str)]) -> Result<Answer, Error> {
        let secrets: Vec<&str> =
            form.iter().filter(|(name, _)| CONFIDENTIAL.contains(name)).map(|(_, value)| *value).collect();
        let answer = match self.send_once(endpoint, form).await {
            Err(error) if self.wants_nonce(&error) => self.send_once(endpoint, form).await,
            answer => answer,
        };
        answer.map_err(|error| error.without(&secrets))
    }

    /// Asks with an access token.
    pub(super) async fn ask(&self, endpoint: &str, access_token: &str) -> Result<Answer, Error> {
        let answer = match self.ask_once(endpoint, access_token).await {
            Err(error) if self.wants_nonce(&error) => self.ask_once(endpoint, access_token).await,
            answer => answer,
        };
        answer.map_err(|error| error.without(&[access_token]))
    }

    /// Whether tokens are bound to a key of this client.
    pub(crate) fn has_proof_key(&self) -> bool {
        self.config.proof_key.is_some()
    }

    /// Whether the same request may pass with another proof (RFC 9449 §8, §9).
    pub(crate) fn wants_nonce(&self, error: &Error) -> bool {
        error.code == "use_dpop_nonce" && self.has_proof_key()
    }

    /// Adds an access token by the scheme that it is bound by (RFC 9449 §7.1).
    pub(crate) async fn bound(
        &self,
        request: RequestBuilder,
        method: &Method,
        address: &str,
        access_token: &str,
    ) -> Result<RequestBuilder, Error> {
        let scheme = if self.has_proof_key() { "DPoP" } else { "Bearer" };
        let request = request.header("authorization", format!("{scheme} {access_token}"));
        self.proven(request, method, address, Some(access_token)).await
    }

    async fn ask_once(&self, endpoint: &str, access_token: &str) -> Result<Answer, Error> {
        let request = self.http.request(Method::GET, endpoint);
        self.answer(self.bound(request, &Method::GET, endpoint, access_token).await?).await
    }

    async fn send_once(&self, endpoint: &str, form: &[(&str, &str)]) -> Result<Answer, Error> {
        let client_id = self.config.client_id.as_str();
        let mut form = form.to_vec();
        form.retain(|(name, value)| *name != "client_id" && (*name != "scope" || !value.is_empty()));
        let mut request = self.http.request(Method::POST, endpoint).header("accept", "application/json");
        let mut credential = match &self.config.authentication {
            Authentication::Key(key, kid) => self.assertion(key, kid)?,
            _ => String::new(),
        };
        match &self.config.authentication {
            Authentication::None => form.push(("client_id", client_id)),
            // Both halves are form-encoded (RFC 6749 §2.3.1).
            Authentication::Basic(secret) => {
                let (name, secret) = (form_encoded(client_id), form_encoded(secret));
                credential = STANDARD.encode(format!("{name}:{secret}"));
                request = request.basic_auth(name, Some(secret));
            }
            Authentication::Post(secret) => {
                form.extend([("client_id", client_id), ("client_secret", secret)])
            }
            Authentication::Key(..) => {
                form.extend([("client_id", client_id), ("client_assertion_type", ASSERTION)]);
                form.push(("client_assertion", &credential));
            }
        }
        let answer =
            self.answer(self.proven(request, &Method::POST, endpoint, None).await?.form(&form)).await;
        let secret = match &self.config.authentication {
            Authentication::Basic(secret) | Authentication::Post(secret) => secret.as_str(),
            _ => "",
        };
        answer.map_err(|error| error.without(&[secret, &credential]))
    }

    async fn proven(
        &self,
        request: RequestBuilder,
        method: &Method,
        endpoint: &str,
        access_token: Option<&str>,
    ) -> Result<RequestBuilder, Error> {
        let Some(key) = &self.config.proof_key else { return Ok(request) };
        let nonce = self.nonce.lock().await.clone();
        let proof = key.proof(method.as_str(), endpoint, access_token, nonce.as_deref());
        Ok(request.header("dpop", proof.map_err(|error| error.of(&self.config.issuer))?))
    }

    async fn answer(&self, request: RequestBuilder) -> Result<Answer, Error> {
        let issuer = &self.config.issuer;
        let response = self.http.send(request).await.map_err(|error| error.of(issuer))?;
        let (status, headers) = (response.status(), response.headers().clone());
        self.keep_nonce(&headers).await;
        let body = discovery::bounded(response, LARGEST_ANSWER).await.map_err(|error| error.of(issuer))?;
        if status.is_success() {
            return Ok(Answer { status: status.as_u16(), headers, body });
        }
        Err(Error::answered(status.as_u16(), &headers, &body, issuer))
    }

    /// Takes the nonce of an answer for the next proof (RFC 9449 §8.2).
    pub(crate) async fn keep_nonce(&self, headers: &HeaderMap) {
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
            .map_err(|error| error.of(&self.config.issuer))
    }

    pub(super) fn not_offered(&self) -> Error {
        Error::new(0, "unsupported", "the issuer does not offer this").of(&self.config.issuer)
    }
}
