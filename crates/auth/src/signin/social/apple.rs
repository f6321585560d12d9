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

/// The full name that Apple posts in `user` next to its first answer for a person; no ID token has it.
pub fn name(params: &Params) -> Option<String> {
    let user: Value = serde_json::from_str(params.one("user")?).ok()?;
    let part = |name: &str| Some(user.pointer(name)?.as_str()?.trim()).filter(|part| !part.is_empty());
    let parts: Vec<&str> = ["/name/firstName", "/name/lastName"].into_iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

#[cfg(test)]
mod tests {
    use svc_config::AppleProvider;
    use svc_keys::jose::Algorithm;
    use svc_keys::{base64, from_base64url};

    use super::super::provider::Secrecy;
    use super::super::registered::with_apple;
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);

    fn part(token: &str, nth: usize) -> Value {
        serde_json::from_slice(&from_base64url(token.split('.').nth(nth).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn at_its_public_address_a_secret_says_what_apple_asks_for() {
        let own = |text: &str| Some(text.to_owned());
        let (client_id, team_id, key_id) = (own("com.example.web"), own("DEF123GHIJ"), own("ABC123DEFG"));
        let settings = AppleProvider { client_id, team_id, key_id, ..AppleProvider::default() };
        let provider = with_apple(&settings).unwrap();
        let Secrecy::Apple(signer) = &provider.secrecy else { panic!("{provider:?}") };
        let pair = SigningKey::generate(Algorithm::Es256).unwrap();
        let body = base64(pair.to_pkcs8().unwrap().as_slice());
        let key = Secret::new(format!("-----BEGIN PRIVATE KEY-----\n{body}\n-----END PRIVATE KEY-----\n"));
        let secret = signer.secret(&provider.client_id, &key, NOW).unwrap();
        let header = part(secret.expose(), 0);
        assert_eq!((&header["alg"], &header["kid"]), (&json!("ES256"), &json!("ABC123DEFG")));
        let claims = json!({
            "iss": "DEF123GHIJ", "sub": "com.example.web", "aud": "https://appleid.apple.com",
            "iat": 1_800_000_000, "exp": 1_800_000_300,
        });
        assert_eq!(part(secret.expose(), 1), claims);
    }

    #[test]
    fn a_name_is_read_of_the_parts_that_are_there() {
        let name = |user: &str| name(&[("user", user)].into_iter().collect());
        for (user, expected) in [
            (r#"{"name":{"firstName":"Grace","lastName":"Hopper"}}"#, Some("Grace Hopper")),
            (r#"{"name":{"firstName":" ","lastName":"Hopper"}}"#, Some("Hopper")),
            (r#"{"name":{"firstName":"Grace","lastName":7}}"#, Some("Grace")),
            (r#"{"name":{},"email":"grace@acme.example"}"#, None),
            (r#"{"email":"grace@acme.example"}"#, None),
            ("[]", None),
            ("Grace", None),
        ] {
            assert_eq!(name(user).as_deref(), expected, "{user}");
        }
    }
}
