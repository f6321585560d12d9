//! Sign in with Apple: its client secret is a token that a key of the operator signs, and it answers by a form.

use serde_json::json;
use svc_config::AppleProvider;
use svc_core::{OrInternal as _, Result, Seconds, Secret, Timestamp};
use svc_keys::jose::{SigningKey, Typ};

use super::offered::{Provider, Secrecy};
use super::said::{Belief, Reads};
use crate::signin::provider::Speaks;

/// What it is called in addresses.
pub const ID: &str = "apple";
const ISSUER: &str = "https://appleid.apple.com";
/// How long a secret is good: for one call.
const LIFE: Seconds = Seconds(300);

/// What makes the secret.
#[derive(Clone, Debug)]
pub struct Signer {
    team_id: String,
    key_id: String,
    private_key: Secret,
    audience: String,
}

/// Apple, where the operator has registered there.
pub fn provider(settings: &AppleProvider) -> Option<Provider> {
    let client_id = settings.client_id.clone()?;
    let at = settings.base_url.as_ref().map_or(ISSUER, |own| own.as_str()).trim_end_matches('/').to_owned();
    let key = Signer {
        team_id: settings.team_id.clone()?,
        key_id: settings.key_id.clone()?,
        private_key: settings.private_key.clone()?,
        audience: at.clone(),
    };
    Some(Provider {
        id: ID.to_owned(),
        name: "Apple".to_owned(),
        speaks: Speaks::OpenId { at: at.clone(), issuer: at },
        client_id,
        client_secret: None,
        secrecy: Secrecy::Apple(key),
        scopes: ["openid", "email", "name"].map(str::to_owned).to_vec(),
        uses_pkce: false,
        reads: Reads {
            subject: "sub",
            email: "email",
            name: "name",
            label: "email",
            belief: Belief::Claim("email_verified"),
        }
        .map(str::to_owned),
    })
}

impl Signer {
    /// The secret of one call.
    pub fn secret(&self, client_id: &str, now: Timestamp) -> Result<Secret> {
        let claims = json!({
            "iss": self.team_id, "sub": client_id, "aud": self.audience,
            "iat": now.as_secs(), "exp": (now + LIFE).as_secs(),
        });
        let claims = serde_json::to_vec(&claims).or_internal()?;
        let key = SigningKey::given(&self.key_id, self.private_key.expose())?;
        key.sign(Typ::Jwt, &claims).map(Secret::new)
    }
}
