use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde_json::Value;

use crate::discovery::{self, Metadata};
use crate::{Error, PublicKey};

const LARGEST_SET: usize = 256 * 1024;
const MOST_KEYS: usize = 50;
const FETCH_TIMEOUT: Duration = Duration::from_secs(5);
const FRESH_SECS: i64 = 600;
const PAUSE_SECS: i64 = 30;

type Set = HashMap<String, Arc<PublicKey>>;

/// Where the keys of tokens come from.
pub enum Keys {
    /// A set that never changes.
    Static(HashMap<String, Arc<PublicKey>>),
    /// The set that the issuer's discovery document leads to.
    Remote(Arc<RemoteKeys>),
}

impl Keys {
    /// The keys of a JSON Web Key Set (RFC 7517 §5) that never changes.
    pub fn from_json(set: &Value) -> Result<Self, Error> {
        parse(set).map(Self::Static)
    }

    pub(crate) async fn key(&self, kid: &str) -> Result<Option<Arc<PublicKey>>, Error> {
        match self {
            Self::Static(keys) => Ok(keys.get(kid).cloned()),
            Self::Remote(keys) => keys.key(kid).await,
        }
    }
}

/// Keys that are kept in memory, fetched anew after ten minutes or for a `kid` that is not known, and never twice within thirty seconds;
/// what was fetched stays in use while the issuer is out of reach.
pub struct RemoteKeys {
    issuer: String,
    http: reqwest::Client,
    now: fn() -> i64,
    known: RwLock<Option<(Arc<Set>, i64)>>,
    /// When it was tried last, and why that failed.
    tried: tokio::sync::Mutex<(Option<i64>, Option<Error>)>,
}

impl RemoteKeys {
    /// A source for the issuer; nothing is fetched yet.
    pub fn new(issuer: &str) -> Result<Arc<Self>, Error> {
        Self::with_clock(issuer, crate::now)
    }

    /// The same by another clock, for tests.
    pub fn with_clock(issuer: &str, now: fn() -> i64) -> Result<Arc<Self>, Error> {
        Ok(Arc::new(Self {
            issuer: issuer.to_owned(),
            http: discovery::http()?,
            now,
            known: RwLock::default(),
            tried: tokio::sync::Mutex::default(),
        }))
    }

    async fn key(self: &Arc<Self>, kid: &str) -> Result<Option<Arc<PublicKey>>, Error> {
        if let Some((key, is_fresh)) = self.known(kid) {
            if !is_fresh {
                // The key is known: nobody waits for the set to be fetched anew.
                let own = Arc::clone(self);
                tokio::spawn(async move {
                    if let Ok(mut tried) = own.tried.try_lock() {
                        own.try_fetch(&mut tried).await;
                    }
                });
            }
            return Ok(Some(key));
        }
        let mut tried = self.tried.lock().await;
        if let Some((key, _)) = self.known(kid) {
            return Ok(Some(key));
        }
        self.try_fetch(&mut tried).await;
        match (self.known(kid), self.is_empty(), &tried.1) {
            (Some((key, _)), _, _) => Ok(Some(key)),
            (None, true, Some(error)) => Err(error.clone()),
            _ => Ok(None),
        }
    }

    fn known(&self, kid: &str) -> Option<(Arc<PublicKey>, bool)> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let (keys, at) = known.as_ref()?;
        keys.get(kid).map(|key| (Arc::clone(key), (self.now)() - at < FRESH_SECS))
    }

    fn is_empty(&self) -> bool {
        self.known.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    async fn try_fetch(&self, tried: &mut (Option<i64>, Option<Error>)) {
        let now = (self.now)();
        if tried.0.is_some_and(|at| now - at < PAUSE_SECS) {
            return;
        }
        tried.0 = Some(now);
        let fetched = tokio::time::timeout(FETCH_TIMEOUT, self.fetch()).await;
        match fetched.unwrap_or_else(|_| Err(Error::local("the issuer's keys did not come in time"))) {
            Ok(keys) => {
                *self.known.write().unwrap_or_else(PoisonError::into_inner) = Some((Arc::new(keys), now));
                tried.1 = None;
            }
            Err(error) => tried.1 = Some(error),
        }
    }

    async fn fetch(&self) -> Result<Set, Error> {
        let found = Metadata::discover(&self.http, &self.issuer).await?;
        let body = discovery::fetch(&self.http, &found.jwks_uri, &self.issuer, LARGEST_SET).await?;
        parse(&serde_json::from_slice(&body).map_err(|_| malformed())?)
    }
}

fn parse(set: &Value) -> Result<Set, Error> {
    let keys = set["keys"].as_array().filter(|keys| keys.len() <= MOST_KEYS).ok_or_else(malformed)?;
    // Keys of kinds that sign no access tokens are for others.
    let named = |jwk: &Value| Some((jwk["kid"].as_str()?.to_owned(), Arc::new(PublicKey::from_jwk(jwk)?)));
    Ok(keys.iter().filter_map(named).collect())
}

fn malformed() -> Error {
    Error::local("the key set is malformed")
}
