//! Access tokens for the management API.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Mutex;

use crate::{Client, Error};

/// Where the access token of a call comes from. Printing it does not show the token.
pub enum TokenSource {
    /// A token, or an API key, that does not change.
    Static(String),
    /// Client credentials: this scope of this API, renewed half a minute before the token ends.
    Credentials(Box<Client>, String, Option<String>, Box<Kept>),
}

/// What all callers share: the token that is there, or the failure of those who waited for one.
#[derive(Default)]
pub struct Kept {
    state: Mutex<State>,
    /// How many requests have failed.
    failures: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The token and its end.
    present: Option<(String, i64)>,
    /// Why the last request for one failed.
    failure: Option<Error>,
}

impl TokenSource {
    /// By client credentials.
    pub fn credentials(client: Client, scope: &str, resource: Option<&str>) -> Self {
        Self::Credentials(Box::new(client), scope.to_owned(), resource.map(str::to_owned), Box::default())
    }

    pub(super) async fn token(&self) -> Result<String, Error> {
        let (client, scope, resource, kept) = match self {
            Self::Static(token) => return Ok(token.clone()),
            Self::Credentials(client, scope, resource, kept) => (client, scope, resource, kept),
        };
        let seen = kept.failures.load(Ordering::SeqCst);
        let mut state = kept.state.lock().await;
        let State { present, failure } = &mut *state;
        if let Some((token, ends)) = present
            && crate::now() + 30 < *ends
        {
            return Ok(token.clone());
        }
        // Those who have waited for an issuer that hangs do not wait for it once more each.
        if let Some(failure) = failure.as_ref().filter(|_| kept.failures.load(Ordering::SeqCst) > seen) {
            return Err(failure.clone());
        }
        match client.client_credentials(scope, resource.as_deref()).await {
            Ok(tokens) => {
                let ends = crate::now().saturating_add(i64::try_from(tokens.expires_in).unwrap_or(0));
                *present = Some((tokens.access_token.clone(), ends));
                Ok(tokens.access_token)
            }
            Err(error) => {
                *failure = Some(error.clone());
                kept.failures.fetch_add(1, Ordering::SeqCst);
                Err(error)
            }
        }
    }

    /// The client whose key the tokens are bound to, if they are.
    pub(super) fn prover(&self) -> Option<&Client> {
        match self {
            Self::Credentials(client, ..) if client.has_proof_key() => Some(client),
            _ => None,
        }
    }

    /// Drops a token that was refused, unless another one has come since. Says whether another one may pass.
    pub(super) async fn forget(&self, refused: &str) -> bool {
        let Self::Credentials(_, _, _, kept) = self else { return false };
        let mut state = kept.state.lock().await;
        if state.present.as_ref().is_some_and(|(token, _)| token == refused) {
            state.present = None;
        }
        true
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[token source]")
    }
}
