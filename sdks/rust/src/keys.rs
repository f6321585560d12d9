//! The keys of an issuer (RFC 7517 §5), kept in memory.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Mutex, OwnedMutexGuard};
use tokio::task::JoinHandle;

use crate::discovery::{self, Metadata};
use crate::sending::Sender;
use crate::{Error, Http, PublicKey};

const LARGEST_SET: usize = 256 * 1024;
const MOST_KEYS: usize = 50;
/// As long as the issuer's answers may be kept: a key that leaked is gone then.
const FRESH_SECS: i64 = 300;
const PAUSE_SECS: i64 = 30;
/// The same while there are no keys at all, since nothing can be verified without.
const START_PAUSE_SECS: i64 = 1;

type Set = HashMap<String, Arc<PublicKey>>;

/// Where the keys of tokens come from.
#[derive(Clone, Debug)]
pub enum Keys {
    /// A set that never changes.
    Static(Arc<HashMap<String, Arc<PublicKey>>>),
    /// The set that the issuer's discovery document leads to.
    Remote(Arc<RemoteKeys>),
}

impl Keys {
    /// The keys of a JSON Web Key Set that never changes.
    pub fn from_json(set: &Value) -> Result<Self, Error> {
        Ok(Self::Static(Arc::new(parse(set)?)))
    }

    /// The keys of an issuer, fetched when they are needed first.
    pub fn of_issuer(issuer: &str) -> Result<Self, Error> {
        RemoteKeys::new(issuer).map(Self::Remote)
    }

    pub(crate) async fn key(&self, kid: &str) -> Result<Option<Arc<PublicKey>>, Error> {
        match self {
            Self::Static(keys) => Ok(keys.get(kid).cloned()),
            Self::Remote(keys) => keys.key(kid).await,
        }
    }
}

/// Keys that are fetched again after five minutes or for a `kid` that is not known, and never twice within thirty seconds. What was
/// fetched stays in use while the issuer is out of reach. Until the first have come, they are asked for once in a second.
pub struct RemoteKeys {
    issuer: String,
    http: Sender,
    /// How long one fetch may take.
    patience: Duration,
    now: fn() -> i64,
    state: RwLock<State>,
    /// When it was tried last. The holder is the one that fetches.
    tried: Arc<Mutex<Option<i64>>>,
}

#[derive(Default)]
struct State {
    keys: Option<(Set, i64)>,
    failure: Option<Error>,
}

impl RemoteKeys {
    /// A source for the issuer; nothing is fetched yet.
    pub fn new(issuer: &str) -> Result<Arc<Self>, Error> {
        Self::with_http(issuer, &Http::default())
    }

    /// The same by another client, or with other limits.
    pub fn with_http(issuer: &str, http: &Http) -> Result<Arc<Self>, Error> {
        Self::made(issuer, http, crate::now)
    }

    /// The same by another clock, for tests.
    pub fn with_clock(issuer: &str, now: fn() -> i64) -> Result<Arc<Self>, Error> {
        Self::made(issuer, &Http::default(), now)
    }

    fn made(issuer: &str, http: &Http, now: fn() -> i64) -> Result<Arc<Self>, Error> {
        if !discovery::is_safe(issuer) {
            return Err(Error::local("the issuer is no https address").of(issuer));
        }
        let (state, tried) = (RwLock::default(), Arc::default());
        let (issuer, patience) = (issuer.to_owned(), http.keys_timeout);
        Ok(Arc::new(Self { issuer, http: http.sender()?, patience, now, state, tried }))
    }

    async fn key(self: &Arc<Self>, kid: &str) -> Result<Option<Arc<PublicKey>>, Error> {
        if let Some((key, is_fresh)) = self.known(kid) {
            // The key is known: no request waits for the set to be fetched again.
            if !is_fresh && let Ok(tried) = Arc::clone(&self.tried).try_lock_owned() {
                drop(self.start(tried));
            }
            return Ok(Some(key));
        }
        let tried = Arc::clone(&self.tried).lock_owned().await;
        if let Some((key, _)) = self.known(kid) {
            return Ok(Some(key));
        }
        if let Some(fetching) = self.start(tried) {
            // A task that was cancelled with its runtime has fetched nothing.
            let _ = fetching.await;
        }
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        match (&state.keys, &state.failure) {
            (Some((keys, _)), _) => Ok(keys.get(kid).cloned()),
            (None, Some(failure)) => Err(failure.clone()),
            (None, None) => {
                Err(Error::new(0, "unanswered", "the issuer's keys were not fetched").of(&self.issuer))
            }
        }
    }

    fn known(&self, kid: &str) -> Option<(Arc<PublicKey>, bool)> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        let (keys, at) = state.keys.as_ref()?;
        keys.get(kid).map(|key| (Arc::clone(key), is_younger((self.now)() - at, FRESH_SECS)))
    }

    fn has_keys(&self) -> bool {
        self.state.read().unwrap_or_else(PoisonError::into_inner).keys.is_some()
    }

    /// Fetches in a task of its own, so that a caller that goes away leaves no mark on the others.
    fn start(self: &Arc<Self>, mut tried: OwnedMutexGuard<Option<i64>>) -> Option<JoinHandle<()>> {
        let (now, has_keys) = ((self.now)(), self.has_keys());
        let pause = if has_keys { PAUSE_SECS } else { START_PAUSE_SECS };
        if tried.is_some_and(|at| is_younger(now - at, pause)) {
            return None;
        }
        *tried = Some(now);
        let own = Arc::clone(self);
        Some(tokio::spawn(async move {
            let fetched = tokio::time::timeout(own.patience, own.fetch()).await;
            let late = |_| Err(Error::new(0, "unanswered", "the issuer's keys did not come in time"));
            if !has_keys {
                // Those who have waited for an issuer that hangs, longer than the pause, do not wait for it once more each.
                *tried = Some((own.now)());
            }
            let mut state = own.state.write().unwrap_or_else(PoisonError::into_inner);
            match fetched.unwrap_or_else(late) {
                Ok(keys) => *state = State { keys: Some((keys, now)), failure: None },
                Err(failure) => state.failure = Some(failure.of(&own.issuer)),
            }
            drop(tried);
        }))
    }

    async fn fetch(&self) -> Result<Set, Error> {
        let found = Metadata::discover(&self.http, &self.issuer).await?;
        let body = discovery::fetch(&self.http, &found.jwks_uri, &self.issuer, LARGEST_SET).await?;
        parse(&serde_json::from_slice(&body).map_err(|_| malformed())?)
    }
}

impl fmt::Debug for RemoteKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[keys of {}]", self.issuer)
    }
}

/// Whether an age is below a limit. A negative one comes from a clock that was set back: without this, no key would be fetched until it
/// is where it was.
fn is_younger(age: i64, limit: i64) -> bool {
    (0..limit).contains(&age)
}

/// Keys of kinds that sign nothing here are left out.
fn parse(set: &Value) -> Result<Set, Error> {
    let keys = set["keys"].as_array().filter(|keys| keys.len() <= MOST_KEYS).ok_or_else(malformed)?;
    let named = |jwk: &Value| {
        let key = PublicKey::from_jwk(jwk).or_else(|| PublicKey::rsa_from_jwk(jwk, "RS256"))?;
        Some((jwk["kid"].as_str()?.to_owned(), Arc::new(key)))
    };
    Ok(keys.iter().filter_map(named).collect())
}

fn malformed() -> Error {
    Error::invalid_answer("the key set is malformed")
}
