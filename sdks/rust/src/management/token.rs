//! Access tokens for the management API.

use std::fmt;

use tokio::sync::Mutex;

use crate::{Client, Error};

/// Where the access token of a call comes from. Printing it does not show the token.
pub enum TokenSource {
    /// A token, or an API key, that does not change.
    Static(String),
    /// Client credentials: this scope of this API, renewed half a minute before the token ends.
    Credentials(Box<Client>, String, Option<String>, Mutex<Option<(String, i64)>>),
}

impl TokenSource {
    /// By client credentials.
    pub fn credentials(client: Client, scope: &str, resource: Option<&str>) -> Self {
        Self::Credentials(Box::new(client), scope.to_owned(), resource.map(str::to_owned), Mutex::default())
    }

    pub(super) async fn token(&self) -> Result<String, Error> {
        let (client, scope, resource, kept) = match self {
            Self::Static(token) => return Ok(token.clone()),
            Self::Credentials(client, scope, resource, kept) => (client, scope, resource, kept),
        };
        let mut kept = kept.lock().await;
        if let Some((token, ends)) = &*kept
            && crate::now() + 30 < *ends
        {
            return Ok(token.clone());
        }
        let tokens = client.client_credentials(scope, resource.as_deref()).await?;
        let ends = crate::now().saturating_add(i64::try_from(tokens.expires_in).unwrap_or(0));
        *kept = Some((tokens.access_token.clone(), ends));
        Ok(tokens.access_token)
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
        let mut kept = kept.lock().await;
        if kept.as_ref().is_some_and(|(token, _)| token == refused) {
            *kept = None;
        }
        true
    }
}

impl fmt::Debug for TokenSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[token source]")
    }
}
