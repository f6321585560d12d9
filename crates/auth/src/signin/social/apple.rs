//! Sign in with Apple: its client secret is a token that a key of the operator signs, and it answers by a form.

use serde_json::{Value, json};
use svc_core::{OrInternal as _, Result, Seconds, Secret, Timestamp};
use svc_http::Params;
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
    /// Whom the secret is for.
    pub audience: String,
}

impl Signer {
    /// The secret of one call, which the key signs.
    pub fn secret(&self, client_id: &str, private_key: &Secret, now: Timestamp) -> Result<Secret> {
        let claims = json!({
            "iss": self.team_id, "sub": client_id, "aud": self.audience,
            "iat": now.as_secs(), "exp": (now + LIFE).as_secs(),
        });
        let claims = serde_json::to_vec(&claims).or_internal()?;
        let key = SigningKey::given(&self.key_id, private_key.expose())?;
        key.sign(Typ::Jwt, &claims).map(Secret::new)
    }
}

/// The full name that Apple posts in `user` beside its first answer for a person; no ID token has it.
pub fn name(params: &Params) -> Option<String> {
    let user: Value = serde_json::from_str(params.one("user")?).ok()?;
    let part = |name: &str| Some(user.pointer(name)?.as_str()?.trim()).filter(|part| !part.is_empty());
    let parts: Vec<&str> = ["/name/firstName", "/name/lastName"].into_iter().filter_map(part).collect();
    Some(parts.join(" "))
}
