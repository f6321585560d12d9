//! Between the redirect to the issuer and the answer: PKCE (RFC 7636), `state`, `nonce` and `iss` (RFC 9207).

use std::fmt;

use reqwest::Url;
use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq as _;

use crate::error::plain;
use crate::{Error, digest_of, random_text};

/// The S256 challenge of a verifier (RFC 7636 §4.2).
pub fn challenge(verifier: &str) -> String {
    digest_of(verifier)
}

/// Whether the verifier is well-formed and the one that the challenge was made of (RFC 7636 §4.6).
pub fn verify_challenge(verifier: &str, expected: &str) -> bool {
    let is_unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    (43..=128).contains(&verifier.len())
        && verifier.bytes().all(is_unreserved)
        && bool::from(challenge(verifier).as_bytes().ct_eq(expected.as_bytes()))
}

/// What a sign-in has to remember between its redirect and its callback: in a sealed cookie or a session, never in an address.
#[derive(Clone, Default, Serialize, Deserialize)]
pub struct Flow {
    /// Ties the callback to this browser.
    pub state: String,
    /// Ties the ID token to this sign-in.
    pub nonce: String,
    /// Ties the code to this sign-in.
    pub verifier: String,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// How long ago the person may have authenticated; any time unless given.
    pub max_age: Option<u64>,
    /// When the sign-in began, in seconds since 1970: `max_age` counts from then, since a second factor and consent may take their time.
    pub started_at: Option<i64>,
    /// The strengths of authentication (`acr`) that are enough; any unless given.
    pub acr_values: Vec<String>,
}

impl Flow {
    /// Draws the secrets of a sign-in whose answer goes to this address.
    pub fn start(redirect_uri: &str) -> Self {
        let (state, nonce, verifier) = (random_text(), random_text(), random_text());
        let (redirect_uri, started_at) = (redirect_uri.to_owned(), Some(crate::now()));
        Self { state, nonce, verifier, redirect_uri, started_at, ..Self::default() }
    }

    /// How long ago the person may have authenticated at this time.
    pub(crate) fn max_age_at(&self, now: i64) -> Option<u64> {
        let taken = self.started_at.and_then(|at| u64::try_from(now.saturating_sub(at)).ok());
        self.max_age.map(|secs| secs.saturating_add(taken.unwrap_or_default()))
    }
}

impl fmt::Debug for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[flow]")
    }
}

/// Why a callback brings no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The callback is not to be trusted: `duplicate_parameter`, `missing_state`, `state_mismatch`, `missing_issuer`, `issuer_mismatch`
    /// or `missing_code`.
    Callback(&'static str),
    /// The server's own answer, such as `access_denied`.
    Server(Error),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Callback(why) => write!(f, "the callback is refused: {why}"),
            Self::Server(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// Reads the answer to an authorization request (RFC 6749 §4.1.2, RFC 9207 §2.4); of its address path and query are enough.
pub fn callback(address: &str, state: &str, issuer: &str) -> Result<String, Refused> {
    let refused = |why| Err(Refused::Callback(why));
    let base = Url::parse("http://localhost").ok();
    let Ok(url) = Url::options().base_url(base.as_ref()).parse(address) else {
        return refused("missing_state");
    };
    let values = |name: &str| -> Vec<String> {
        url.query_pairs().filter(|(own, _)| own == name).map(|(_, value)| value.into_owned()).collect()
    };
    let all = ["state", "iss", "error", "code"].map(values);
    if all.iter().any(|values| values.len() > 1) {
        return refused("duplicate_parameter");
    }
    let [own_state, iss, error, code] = all.map(|values| values.into_iter().next().unwrap_or_default());
    if own_state.is_empty() || state.is_empty() {
        return refused("missing_state");
    }
    if !bool::from(own_state.as_bytes().ct_eq(state.as_bytes())) {
        return refused("state_mismatch");
    }
    if iss.is_empty() {
        return refused("missing_issuer");
    }
    if iss != issuer {
        return refused("issuer_mismatch");
    }
    if !error.is_empty() {
        let description = values("error_description").into_iter().next().unwrap_or_default();
        let error = Error::new(0, &plain(&error), plain(&description));
        return Err(Refused::Server(Error { tenant: issuer.to_owned(), ..error }));
    }
    if code.is_empty() { refused("missing_code") } else { Ok(code) }
}
