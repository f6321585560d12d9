//! A sign-in under way: state, nonce and verifier, sealed in a cookie of the browser that asked.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, Entropy, OrInternal as _, Result, Seconds};
use svc_http::{Cookies, SetCookie};
use svc_keys::{base64url, from_base64url, pkce, token};
use url::Url;

use super::{Party, TRANSACTION};
use crate::dev::demo::Client;

/// What the answer must match.
#[derive(Serialize, Deserialize)]
pub struct Transaction {
    /// The application that the relying party poses as.
    pub handle: String,
    /// Comes back with the answer.
    pub state: String,
    /// Comes back in the ID token.
    pub nonce: String,
    /// Proves to the token endpoint that the code is ours.
    pub verifier: String,
}

const CONTEXT: &[u8] = b"sign-in under way";
const LIFETIME: Seconds = Seconds(15 * 60);

impl Transaction {
    /// A fresh one.
    pub fn begin(handle: &str, entropy: &dyn Entropy) -> Self {
        Self {
            handle: handle.to_owned(),
            state: token(entropy),
            nonce: token(entropy),
            verifier: token(entropy),
        }
    }

    /// The one that the browser carries.
    pub fn of(party: &Party, cookies: &Cookies) -> Option<Self> {
        let sealed = cookies.one(&SetCookie::wire_name(TRANSACTION, party.is_secure()))?;
        let plain = party.sealing.open(CONTEXT, &from_base64url(sealed)?)?;
        serde_json::from_slice(&plain).ok()
    }

    /// The cookie that the browser carries it in.
    pub fn cookie(&self, party: &Party, cx: &Cx) -> Result<SetCookie> {
        let plain = serde_json::to_vec(self).or_internal()?;
        let sealed = base64url(party.sealing.seal(CONTEXT, &plain, &*cx.entropy)?);
        SetCookie::set(TRANSACTION, &sealed, Some(LIFETIME), party.is_secure())
    }

    /// Where the browser goes to be signed in.
    pub fn authorization_url(&self, party: &Party, client: &Client, prompt: Option<&str>) -> Result<String> {
        let mut url = Url::parse(&format!("{}/oauth/authorize", party.issuer)).or_internal()?;
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &client.id)
            .append_pair("redirect_uri", &party.redirect_uri())
            .append_pair("scope", "openid profile email address phone")
            .append_pair("state", &self.state)
            .append_pair("nonce", &self.nonce)
            .append_pair("code_challenge", &pkce::s256(&self.verifier))
            .append_pair("code_challenge_method", "S256");
        if let Some(prompt) = prompt {
            url.query_pairs_mut().append_pair("prompt", prompt);
        }
        Ok(url.into())
    }
}
