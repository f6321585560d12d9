//! A provider on this machine at which people sign in: honest or dishonest, as a test wants it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use svc_keys::Algorithm;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use url::Url;

use super::Harness;
use crate::client_keys::signer::Signer;

/// A provider: what it says with the next code, and what it was sent.
pub struct Provider {
    pub issuer: String,
    pub signer: Signer,
    /// The ID tokens by the codes that bring them.
    pub tokens: Arc<Mutex<BTreeMap<String, String>>>,
    /// The requests to its token endpoint.
    pub asked: Arc<Mutex<Vec<String>>>,
    /// What else it answers, by path.
    pub pages: Arc<Mutex<BTreeMap<String, Value>>>,
    /// The status of an answer where it is not 200, by path.
    pub statuses: Arc<Mutex<BTreeMap<String, u16>>>,
}

impl Provider {
    /// Answers on a port of its own.
    pub async fn serve() -> Self {
        Self::signing_by(Signer::new(Algorithm::Es256)).await
    }

    /// The same with a key of its own.
    pub async fn signing_by(signer: Signer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let (tokens, asked, pages, statuses) =
            (Arc::default(), Arc::default(), Arc::default(), Arc::default());
        let provider =
            Self { issuer: issuer.clone(), signer: signer.clone(), tokens, asked, pages, statuses };
        let (tokens, asked) = (Arc::clone(&provider.tokens), Arc::clone(&provider.asked));
        let (pages, statuses) = (Arc::clone(&provider.pages), Arc::clone(&provider.statuses));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let request = read(&mut stream).await;
                let path =
                    request.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default();
                let page = pages.lock().unwrap().get(path).cloned();
                let status = statuses.lock().unwrap().get(path).copied().unwrap_or(200);
                let body = if let Some(page) = page {
                    page
                } else if request.starts_with("GET /.well-known/openid-configuration ") {
                    json!({
                        "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
                        "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
                        "id_token_signing_alg_values_supported": [signer.algorithm.name()],
                        "code_challenge_methods_supported": ["S256"],
                    })
                } else if request.starts_with("GET /jwks ") {
                    signer.jwks()
                } else {
                    asked.lock().unwrap().push(request.clone());
                    let form = request.split("\r\n\r\n").nth(1).unwrap_or_default();
                    let code = url::form_urlencoded::parse(form.as_bytes()).find(|(name, _)| name == "code");
                    let token = code.and_then(|(_, code)| tokens.lock().unwrap().remove(&*code));
                    json!({ "id_token": token, "token_type": "Bearer", "access_token": "x" })
                };
                let body = body.to_string();
                let head = format!(
                    "HTTP/1.1 {status} Said\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            }
        });
        provider
    }

    /// Signs a person in there, and returns the address to which the browser goes back.
    pub fn vouch(
        &self,
        request: &AuthorizationRequest,
        h: &Harness,
        change: impl FnOnce(&mut Value),
    ) -> String {
        let now = h.operator().now.as_secs();
        let mut claims = json!({
            "iss": self.issuer, "sub": "248289", "aud": "svc", "iat": now, "exp": now + 300,
            "nonce": request.param("nonce"), "email": "grace@acme.example", "name": "Grace Hopper", "groups": ["writers"],
        });
        if request.asks("max_age").is_some() {
            claims["auth_time"] = json!(now);
        }
        change(&mut claims);
        let code = format!("code-{}", request.param("nonce"));
        let token = self.signer.sign(&self.signer.header(), &claims);
        self.tokens.lock().unwrap().insert(code.clone(), token);
        request.back(code)
    }
}

/// Reads a request to its end.
pub async fn read(stream: &mut tokio::net::TcpStream) -> String {
    let (mut request, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        let count = stream.read(&mut buffer).await.unwrap_or_default();
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            assert!(count > 0, "the request is cut off");
            continue;
        };
        let length =
            head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) || count == 0 {
            return text;
        }
    }
}

/// The authorization request with which a browser is sent to a provider.
pub struct AuthorizationRequest(pub Url);

impl AuthorizationRequest {
    /// A parameter of the address.
    pub fn param(&self, name: &str) -> String {
        self.asks(name).unwrap()
    }

    /// A parameter that may not be there.
    pub fn asks(&self, name: &str) -> Option<String> {
        self.0.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }

    /// The address to which the browser goes back with a code.
    pub fn back(&self, code: String) -> String {
        let back: Vec<_> = [("code", code), ("state", self.param("state"))].to_vec();
        let path = Url::parse(&self.param("redirect_uri")).unwrap().path().to_owned();
        format!("{path}?{}", url::form_urlencoded::Serializer::new(String::new()).extend_pairs(back).finish())
    }
}
