//! An application that asks the issuer for tokens (RFC 6749).

mod authorization;
mod device;
mod grants;
mod logout;
mod transport;

use std::fmt;
use std::sync::{Arc, PoisonError};

use serde::Deserialize;
use tokio::sync::{Mutex, OnceCell};

pub use self::authorization::SignIn;
pub use self::device::Device;
pub use self::logout::Logout;
use crate::sending::Sender;
use crate::{Error, Http, Keys, Metadata, ProofKey, RemoteKeys, discovery};

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

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Basic(_) => "client_secret_basic",
            Self::Post(_) => "client_secret_post",
            Self::Key(..) => "private_key_jwt",
        })
    }
}

/// Which application asks.
#[derive(Debug)]
pub struct ClientConfig {
    /// The issuer, byte for byte.
    pub issuer: String,
    /// The application.
    pub client_id: String,
    /// How it proves itself.
    pub authentication: Authentication,
    /// Binds the tokens to itself (DPoP); it also makes the proofs of requests with them.
    pub proof_key: Option<Arc<ProofKey>>,
    /// The keys of ID tokens; those of the issuer unless given.
    pub keys: Option<Keys>,
    /// How requests are sent.
    pub http: Http,
}

impl ClientConfig {
    /// The usual: keys by discovery, tokens that are not bound.
    pub fn new(issuer: &str, client_id: &str, authentication: Authentication) -> Self {
        let (issuer, client_id) = (issuer.to_owned(), client_id.to_owned());
        Self { issuer, client_id, authentication, proof_key: None, keys: None, http: Http::default() }
    }
}

/// Asks the issuer for tokens. One serves all requests of an application.
pub struct Client {
    config: ClientConfig,
    keys: Keys,
    http: Sender,
    found: OnceCell<Metadata>,
    /// How often the metadata could not be fetched, and why the last time.
    failed: std::sync::Mutex<(u64, Option<Error>)>,
    nonce: Mutex<Option<String>>,
}

impl Client {
    /// A client; nothing is fetched yet.
    pub fn new(mut config: ClientConfig) -> Result<Self, Error> {
        if !discovery::is_safe(&config.issuer) || config.client_id.is_empty() {
            return Err(Error::local("an issuer on https and a client id are needed").of(&config.issuer));
        }
        let fetched = || RemoteKeys::with_http(&config.issuer, &config.http).map(Keys::Remote);
        let keys = config.keys.take().map_or_else(fetched, Ok)?;
        let (found, failed, nonce) = (OnceCell::new(), std::sync::Mutex::default(), Mutex::default());
        let http = config.http.sender()?;
        Ok(Self { config, keys, http, found, failed, nonce })
    }

    /// The issuer's metadata, fetched once.
    pub async fn metadata(&self) -> Result<&Metadata, Error> {
        let (seen, _) = self.failures();
        self.found.get_or_try_init(|| self.discovered(seen)).await
    }

    /// Fetches the metadata. Those who have waited for an issuer that hangs do not wait for it once more each.
    async fn discovered(&self, seen: u64) -> Result<Metadata, Error> {
        if let (count, Some(failure)) = self.failures()
            && count > seen
        {
            return Err(failure);
        }
        let found = Metadata::discover(&self.http, &self.config.issuer).await;
        if let Err(failure) = &found {
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
            *failed = (failed.0 + 1, Some(failure.clone()));
        }
        found
    }

    fn failures(&self) -> (u64, Option<Error>) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[client {} of {}]", self.config.client_id, self.config.issuer)
    }
}

/// An answer of the token endpoint (RFC 6749 §5.1). Printing it does not show the tokens.
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
