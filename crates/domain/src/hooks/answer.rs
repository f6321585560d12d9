//! What a hook answers, read strictly: whatever is not exactly an answer of the point is a fault of the hook.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::json;
use svc_keys::DEEPEST_CLAIM;

use super::Point;
use crate::claims::reserved::is_reserved;

/// Most bytes of an answer.
pub const MOST_ANSWER: usize = 16 * 1024;
/// Most bytes of the claims that it adds: tokens travel in headers.
const MOST_CLAIMS: usize = 4 * 1024;
const LONGEST_MESSAGE: usize = 200;

/// What a hook has decided.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// The decision.
    pub verdict: Verdict,
    /// Why, for who is refused.
    #[serde(default)]
    pub message: Option<String>,
    /// Claims for tokens.
    #[serde(default)]
    pub claims: Added,
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It may happen.
    Allow,
    /// It may not.
    Deny,
    /// It may, once the person has proven a second factor.
    RequireFactor,
}

/// Claims that hooks add to tokens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Added {
    /// To the access token.
    pub access_token: Map<String, Value>,
    /// To the ID token.
    pub id_token: Map<String, Value>,
}

impl Added {
    /// Adds the claims of a later hook, which count where both name one.
    pub fn merge(&mut self, later: Self) {
        self.access_token.extend(later.access_token);
        self.id_token.extend(later.id_token);
    }

    fn names(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.access_token.iter().chain(&self.id_token)
    }
}

/// The answer in a body, or what is wrong with it.
pub fn read(point: Point, body: &[u8]) -> Result<Answer, String> {
    let answer = parse(body)?;
    let is_fit = |text: &String| {
        text.chars().count() <= LONGEST_MESSAGE && !text.chars().any(char::is_control) && !text.is_empty()
    };
    if !answer.message.as_ref().is_none_or(is_fit) {
        return Err(format!("message: use 1 to {LONGEST_MESSAGE} characters without control characters"));
    }
    check(point, &answer)?;
    Ok(answer)
}

/// The members of a body. serde alone would also read a list of them, and keep the last of those that occur twice.
fn parse(body: &[u8]) -> Result<Answer, String> {
    let members = json::object(body, json::DEEPEST).map_err(|error| format!("the body: {error}"))?;
    if !members.get("verdict").is_none_or(Value::is_string) {
        return Err("verdict: expected a text".to_owned());
    }
    if !members.get("claims").is_none_or(Value::is_object) {
        return Err("claims: expected an object".to_owned());
    }
    serde_json::from_value(Value::Object(members)).map_err(|error| format!("the body: {error}"))
}

fn check(point: Point, Answer { verdict, claims, .. }: &Answer) -> Result<(), String> {
    if *verdict == Verdict::RequireFactor && !point.asks_for_factors() {
        return Err("verdict: require_factor is an answer about a first factor alone".to_owned());
    }
    if claims.names().next().is_none() {
        return Ok(());
    }
    if !point.takes_claims() || *verdict != Verdict::Allow {
        return Err("claims: only what allows tokens adds claims to them".to_owned());
    }
    if let Some((name, _)) = claims.names().find(|(name, _)| is_reserved(name)) {
        return Err(format!("claims: {name} is a claim of the standards or of this service"));
    }
    if claims.names().any(|(name, value)| name.is_empty() || value.is_null()) {
        return Err("claims: a claim has a name and a value".to_owned());
    }
    if !claims.names().all(|(_, value)| json::is_within(value, DEEPEST_CLAIM)) {
        return Err(format!("claims: use at most {DEEPEST_CLAIM} lists and objects inside each other"));
    }
    match serde_json::to_vec(claims) {
        Ok(bytes) if bytes.len() <= MOST_CLAIMS => Ok(()),
        _ => Err(format!("claims: use at most {MOST_CLAIMS} bytes")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_json(body: &Value) -> Result<Answer, String> {
        read(Point::PreToken, body.to_string().as_bytes())
    }

    #[test]
    fn an_answer_is_exactly_what_it_may_be() {
        for good in [
            json!({ "verdict": "allow" }),
            json!({ "verdict": "deny", "message": "Not today" }),
            json!({ "verdict": "allow", "claims": {} }),
            json!({ "verdict": "allow", "claims": { "access_token": { "tier": 3 }, "id_token": { "x": [] } } }),
        ] {
            assert!(read_json(&good).is_ok(), "{good}");
        }
        for bad in [
            json!({}),
            json!([]),
            json!({ "verdict": "ALLOW" }),
            json!({ "verdict": "require_factor" }),
            json!({ "verdict": "allow", "more": 1 }),
            json!({ "verdict": "deny", "message": "" }),
            json!({ "verdict": "deny", "message": "a\nb" }),
            json!({ "verdict": "deny", "message": "x".repeat(201) }),
            json!({ "verdict": "deny", "claims": { "access_token": { "tier": 3 } } }),
            json!({ "verdict": "allow", "claims": { "userinfo": {} } }),
            json!({ "verdict": "allow", "claims": { "access_token": { "": 1 } } }),
            json!({ "verdict": "allow", "claims": { "access_token": { "tier": null } } }),
            json!({ "verdict": "allow", "claims": { "access_token": { "tier": "x".repeat(4096) } } }),
        ] {
            assert!(read_json(&bad).is_err(), "{bad}");
        }
        for bad in [json!(["allow"]), json!({ "verdict": { "allow": null } })] {
            assert!(read_json(&bad).is_err(), "{bad}");
        }
        assert!(read_json(&json!({ "verdict": "allow", "claims": [{ "tier": 3 }, {}] })).is_err());
        assert!(read(Point::PreToken, b"{\"verdict\":\"allow\"} trailing").is_err());
        assert!(read(Point::PreToken, b"{\"verdict\":\"allow\",\"verdict\":\"allow\"}").is_err());
    }

    #[test]
    fn claims_are_such_that_their_token_can_be_read_again() {
        let nested = |depth: usize| (1..depth).fold(json!([]), |inner, _| json!([inner]));
        let claims =
            |tier: Value| json!({ "verdict": "allow", "claims": { "access_token": { "tier": tier } } });
        assert!(read_json(&claims(nested(DEEPEST_CLAIM))).is_ok());
        assert!(
            read_json(&claims(nested(DEEPEST_CLAIM + 1))).unwrap_err().starts_with("claims: use at most")
        );
        assert!(read_json(&claims(json!("a\0b"))).unwrap_err().contains("NUL"));
        let twice = br#"{"verdict":"allow","claims":{"access_token":{"tier":1,"tier":2}}}"#;
        assert!(read(Point::PreToken, twice).unwrap_err().contains("occurs twice"));
    }

    #[test]
    fn where_no_tokens_are_issued_there_are_no_claims() {
        let claims = json!({ "verdict": "allow", "claims": { "access_token": { "tier": 3 } } }).to_string();
        assert!(read(Point::PreRegistration, claims.as_bytes()).is_err());
        assert!(read(Point::PreRegistration, b"{\"verdict\":\"deny\"}").is_ok());
    }

    #[test]
    fn a_factor_is_asked_for_after_a_first_one_alone() {
        let body = b"{\"verdict\":\"require_factor\"}";
        assert_eq!(read(Point::PostFirstFactor, body).unwrap().verdict, Verdict::RequireFactor);
        assert!(read(Point::PreRegistration, body).is_err() && read(Point::PreToken, body).is_err());
    }

    #[test]
    fn claims_of_the_standards_and_of_the_service_are_not_added() {
        for name in ["sub", "aud", "scope", "roles", "act", "cnf", "email", "org", "acr"] {
            for place in ["access_token", "id_token"] {
                let body = json!({ "verdict": "allow", "claims": { place: { name: "x" } } });
                assert!(read_json(&body).unwrap_err().contains(name), "{name}");
            }
        }
    }

    #[test]
    fn of_two_hooks_the_later_one_counts() {
        let added = |value: i64| Added {
            access_token: Map::from_iter([("tier".to_owned(), json!(value))]),
            ..Added::default()
        };
        let mut first = added(1);
        first.merge(added(2));
        assert_eq!(first, added(2));
    }
}
