//! Sign in with Apple: its client secret is a token that a key of the operator signs, and it answers by a form.

use serde_json::json;
use svc_core::{OrInternal as _, Result, Seconds, Secret, Timestamp};
use svc_keys::jose::{SigningKey, Typ};

/// What it is called in addresses.
pub const ID: &str = "apple";
/// What it calls itself.
pub const ISSUER: &str = "https://appleid.apple.com";
/// How long a secret is good: for one call.
const LIFE: Seconds = Seconds(300);

/// What makes the secret.
#[derive(Clone, Debug)]
pub struct Signer {
    /// The id of the team.
    pub team_id: String,
    /// The id of the key.
    pub key_id: String,
    /// The key.
    pub private_key: Secret,
    /// Whom the secret is for.
    pub audience: String,
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
