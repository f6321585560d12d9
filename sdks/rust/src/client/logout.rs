//! That a session has ended at the issuer (OpenID Connect Back-Channel Logout 1.0).

use super::Client;
use crate::jwt::Jws;
use crate::{Claims, Error};

const EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";
/// The oldest logout token that counts.
const MAX_AGE_SECS: i64 = 600;
const LEEWAY_SECS: i64 = 60;

/// Says that a session has ended at the issuer: that of `session_id`, or where there is none every one of `subject` that began before
/// `at`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Logout {
    /// The `sid` of the ID token.
    pub session_id: Option<String>,
    /// The person.
    pub subject: Option<String>,
    /// When it was said, in seconds since 1970.
    pub at: i64,
}

impl Client {
    /// Judges the parameter `logout_token` of a form that the issuer posts to the application's `backchannel_logout_uri` (OpenID Connect
    /// Back-Channel Logout 1.0 §2.6). The status of an error is what to answer.
    pub async fn verify_logout_token(&self, token: &str) -> Result<Logout, Error> {
        let claims = self.logout_claims(token).await;
        let judged = claims.and_then(|claims| self.judge_logout(&claims, crate::now()));
        judged.map_err(|error| error.of(&self.config.issuer))
    }

    async fn logout_claims(&self, token: &str) -> Result<Claims, Error> {
        let jws = Jws::parse(token).filter(|jws| jws.is_typ("logout+jwt"));
        let jws = jws.ok_or_else(|| refused("it is malformed or of another type"))?;
        let (alg, kid) = (jws.text("alg"), jws.text("kid"));
        if kid.is_empty() || kid.len() > 128 {
            return Err(refused("it does not name its key"));
        }
        let key = self.keys.key(kid).await.map_err(Error::without_keys)?.filter(|key| key.alg == alg);
        let key = key.ok_or_else(|| refused("the issuer does not have its key"))?;
        jws.verify(&key).ok_or_else(|| refused("its signature or its claims are not valid"))
    }

    fn judge_logout(&self, claims: &Claims, now: i64) -> Result<Logout, Error> {
        let time = |name: &str| claims.time(name).ok().flatten();
        let times = time("iat").zip(time("exp"));
        let (iat, exp) = times.ok_or_else(|| refused("exp or iat is missing or malformed"))?;
        let is_logout = claims.member("events").is_some_and(|events| events[EVENT].is_object());
        let text = |name: &str| claims.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
        let (session_id, subject) = (text("sid"), text("sub"));
        let fault = if claims.text("iss") != Some(self.config.issuer.as_str()) {
            "it is of another issuer"
        } else if !claims.has_audience(&self.config.client_id) {
            "it is for another application"
        } else if exp + LEEWAY_SECS <= now || iat + MAX_AGE_SECS < now || iat > now + LEEWAY_SECS {
            "it is too old, or a clock is wrong"
        } else if !is_logout || claims.member("nonce").is_some() {
            // A nonce would make it an ID token.
            "it tells of no logout"
        } else if session_id.is_none() && subject.is_none() {
            "it names neither a session nor a person"
        } else {
            return Ok(Logout { session_id, subject, at: iat });
        };
        Err(refused(fault))
    }
}

fn refused(why: &str) -> Error {
    Error::new(400, "invalid_logout_token", format!("the logout token is refused: {why}"))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by a panic")]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Authentication, ClientConfig};

    const NOW: i64 = 1_800_000_000;
    const ISSUER: &str = "https://id.example";

    /// Judges claims of which some are changed, or taken away where they are null.
    fn judged(changes: &Value) -> Result<Logout, Error> {
        let mut claims = json!({
            "iss": ISSUER, "sub": "usr_1", "sid": "sess-1", "aud": "app", "iat": NOW, "exp": NOW + 120, "jti": "lgo-1",
            "events": {EVENT: {}},
        });
        for (name, value) in changes.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let mut members = claims.as_object().unwrap().clone();
        members.retain(|_, value| !value.is_null());
        let client = Client::new(ClientConfig::new(ISSUER, "app", Authentication::None)).unwrap();
        client.judge_logout(&Claims(members), NOW)
    }

    #[test]
    fn a_logout_token_names_the_session_that_has_ended() {
        let (session_id, subject) = (Some("sess-1".to_owned()), Some("usr_1".to_owned()));
        assert_eq!(judged(&json!({})).unwrap(), Logout { session_id, subject, at: NOW });
        assert_eq!(judged(&json!({"sid": null})).unwrap().session_id, None);
        assert_eq!(judged(&json!({"sub": null})).unwrap().subject, None);
        let good = [
            json!({"aud": ["other", "app"]}),
            json!({"iat": NOW + 60}),
            json!({"iat": NOW - 600}),
            json!({"exp": NOW - 59}),
        ];
        for changes in good {
            assert!(judged(&changes).is_ok(), "{changes}");
        }
    }

    #[test]
    fn a_logout_token_whose_claim_does_not_fit_is_refused() {
        let wrong = [
            json!({"iss": "https://id.example/"}),
            json!({"iss": null}),
            json!({"aud": "other"}),
            json!({"aud": null}),
            json!({"iat": NOW + 61}),
            json!({"iat": NOW - 601}),
            json!({"iat": null}),
            json!({"iat": "1800000000"}),
            json!({"exp": NOW - 60}),
            json!({"exp": null}),
            json!({"nonce": "n-1"}),
            json!({"events": null}),
            json!({"events": {}}),
            json!({"events": [EVENT]}),
            json!({"events": {EVENT: true}}),
            json!({"sid": null, "sub": null}),
            json!({"sid": 1, "sub": ""}),
        ];
        for changes in wrong {
            let error = judged(&changes).unwrap_err();
            assert_eq!((error.status, error.code.as_str()), (400, "invalid_logout_token"), "{changes}");
        }
    }
}
