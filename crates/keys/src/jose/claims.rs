//! The claims of a verified token (RFC 7519 §4), read strictly.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::{Error, Result, Seconds, Timestamp, json};

use super::DEEPEST;

/// Most lists and objects inside each other in a claim: a token with one that has more cannot be read again.
pub const DEEPEST_CLAIM: usize = DEEPEST - 1;

/// The largest integer that every JSON implementation reads alike.
const LARGEST_INTEGER: i64 = 1 << 53;
/// The same among numbers with a fraction.
const LARGEST_FRACTION: f64 = 9_007_199_254_740_992.0;

/// The times of a token, in seconds since the epoch (RFC 7519 §4.1.4 to §4.1.6).
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// `exp`: the end.
    pub exp: i64,
    /// `nbf`: the beginning.
    pub nbf: i64,
    /// `iat`: when it was issued.
    pub iat: i64,
}

/// Claims of a type of the caller's own, which say from when to when they are good.
pub trait Dated {
    /// Their times.
    fn times(&self) -> Times;
}

impl Times {
    /// Holds them against `now` by the rules of [`Claims::check_time`].
    pub(super) fn check(self, now: Timestamp, ahead: Seconds) -> Result<()> {
        if read_time("exp", Some(self.exp))? <= now {
            return Err(expired());
        }
        for (name, secs) in [("nbf", self.nbf), ("iat", self.iat)] {
            if read_time(name, Some(secs))? > now + ahead {
                return Err(in_future(name));
            }
        }
        Ok(())
    }
}

/// Reads a payload that [`Claims::parse`] has found to be one into a type of the caller's own.
pub(super) fn read<T: DeserializeOwned>(payload: &[u8]) -> Result<T> {
    serde_json::from_slice(payload).map_err(not_claims)
}

/// A JSON object whose signature has been verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Claims(Map<String, Value>);

impl Claims {
    /// Reads a payload: an object without repeated members, of bounded depth.
    pub(super) fn parse(payload: &[u8]) -> Result<Self> {
        json::object(payload, DEEPEST).map(Self).map_err(not_claims)
    }

    /// A claim as it stands.
    pub fn member(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A claim that is a string.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.member(name)?.as_str()
    }

    /// A `NumericDate` claim, of which a fraction is dropped (RFC 7519 §2); what is not a number from 0 to 2^53 is an error.
    pub fn time(&self, name: &str) -> Result<Option<Timestamp>> {
        let Some(value) = self.member(name) else { return Ok(None) };
        read_time(name, whole_secs(value)).map(Some)
    }

    /// A `NumericDate` claim that has to be there.
    pub fn required_time(&self, name: &str) -> Result<Timestamp> {
        self.time(name)?.ok_or_else(|| Error::invalid_token(format!("the token has no {name}")))
    }

    /// The `aud` claim, in either of its forms; members that are not strings are left out.
    pub fn audiences(&self) -> impl Iterator<Item = &str> {
        let aud = self.member("aud");
        let one = aud.and_then(Value::as_str);
        let many = aud.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        one.into_iter().chain(many)
    }

    /// Whether the token is meant for `audience`.
    pub fn has_audience(&self, audience: &str) -> bool {
        self.audiences().any(|aud| aud == audience)
    }

    /// Holds `exp` (required, exact), `nbf` and `iat` against `now`.
    ///
    /// `ahead` is how far in the future the issuer's clock may have stamped `nbf` and `iat`.
    pub fn check_time(&self, now: Timestamp, ahead: Seconds) -> Result<()> {
        if self.required_time("exp")? <= now {
            return Err(expired());
        }
        for name in ["nbf", "iat"] {
            if self.time(name)?.is_some_and(|time| time > now + ahead) {
                return Err(in_future(name));
            }
        }
        Ok(())
    }

    /// Reads the claims into a type of the caller's own.
    pub fn read<T: DeserializeOwned>(self) -> Result<T> {
        serde_json::from_value(Value::Object(self.0)).map_err(not_claims)
    }

    /// All claims.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }
}

/// The seconds of a number, rounded down: an end is never later for it.
fn whole_secs(value: &Value) -> Option<i64> {
    if let Some(secs) = value.as_i64() {
        return Some(secs);
    }
    let secs = value.as_f64().filter(|secs| (0.0..LARGEST_FRACTION).contains(secs))?;
    secs.floor().to_string().parse().ok()
}

fn read_time(name: &str, secs: Option<i64>) -> Result<Timestamp> {
    secs.filter(|secs| (0..=LARGEST_INTEGER).contains(secs))
        .map(Timestamp::from_secs)
        .ok_or_else(|| Error::invalid_token(format!("the token's {name} is not a time")))
}

fn expired() -> Error {
    Error::invalid_token("the token has expired")
}

fn in_future(name: &str) -> Error {
    Error::invalid_token(format!("the token's {name} lies in the future"))
}

fn not_claims(cause: serde_json::Error) -> Error {
    Error::invalid_token("the token's claims are malformed").caused_by(cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_secs(1_000);

    fn claims(json: &str) -> Claims {
        Claims::parse(json.as_bytes()).unwrap()
    }

    #[test]
    fn a_token_ends_at_the_very_second_of_its_expiry() {
        let token = claims(r#"{"exp":1001}"#);
        assert!(token.check_time(NOW, Seconds(0)).is_ok());
        assert!(token.check_time(NOW + Seconds(1), Seconds(0)).is_err());
        assert!(claims(r#"{"exp":1000}"#).check_time(NOW, Seconds(60)).is_err());
    }

    #[test]
    fn a_claim_is_read_to_its_depth_and_no_further() {
        let nested = |depth: usize| format!(r#"{{"x":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert!(Claims::parse(nested(DEEPEST_CLAIM).as_bytes()).is_ok());
        assert!(Claims::parse(nested(DEEPEST_CLAIM + 1).as_bytes()).is_err());
    }

    #[test]
    fn a_future_stamp_is_tolerated_only_as_far_as_told() {
        for name in ["nbf", "iat"] {
            let token = claims(&format!(r#"{{"exp":2000,"{name}":1010}}"#));
            assert!(token.check_time(NOW, Seconds(10)).is_ok());
            assert!(token.check_time(NOW, Seconds(9)).is_err());
        }
    }

    #[test]
    fn a_fraction_of_a_second_is_dropped() {
        let time = |text: &str| claims(&format!(r#"{{"iat":{text}}}"#)).time("iat").unwrap();
        for (text, secs) in [
            ("1764495000.25", 1_764_495_000),
            ("1001.999", 1001),
            ("1001.0", 1001),
            ("1e3", 1000),
            ("0.5", 0),
        ] {
            assert_eq!(time(text), Some(Timestamp::from_secs(secs)), "{text}");
        }
        let check = |text: &str| claims(text).check_time(NOW, Seconds(10));
        assert!(check(r#"{"exp":1001.5,"nbf":1010.9,"iat":1010.9}"#).is_ok());
        for bad in [r#"{"exp":1000.9}"#, r#"{"exp":2000,"nbf":1011.1}"#, r#"{"exp":2000,"iat":1011.1}"#] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_time_that_is_no_number_of_seconds_is_refused() {
        let texts = ["\"1001\"", "\"1001.5\"", "\"NaN\"", "null", "true", "[1001]"];
        let numbers =
            ["-1", "-0.5", "9007199254740993", "9007199254740993.5", "18446744073709551615", "1e300"];
        for bad in texts.into_iter().chain(numbers) {
            for name in ["exp", "nbf", "iat"] {
                let exp = if name == "exp" { "" } else { r#""exp":2000,"# };
                let token = claims(&format!(r#"{{{exp}"{name}":{bad}}}"#));
                assert!(token.check_time(NOW, Seconds(60)).is_err(), "{name} {bad}");
            }
        }
        assert!(claims("{}").check_time(NOW, Seconds(60)).is_err());
    }

    #[test]
    fn times_of_a_type_of_the_callers_own_are_held_to_the_same_rules() {
        let check = |exp, nbf, iat| Times { exp, nbf, iat }.check(NOW, Seconds(10));
        assert!(check(1001, 1010, 1010).is_ok());
        for (exp, nbf, iat) in
            [(1000, 0, 0), (1001, 1011, 0), (1001, 0, 1011), (1001, -1, 0), (LARGEST_INTEGER + 1, 0, 0)]
        {
            assert!(check(exp, nbf, iat).is_err(), "{exp} {nbf} {iat}");
        }
    }

    #[test]
    fn an_audience_is_a_string_or_a_list_of_strings() {
        assert!(claims(r#"{"aud":"a"}"#).has_audience("a"));
        assert!(claims(r#"{"aud":["b","a"]}"#).has_audience("a"));
        for other in [r#"{"aud":["b",{"x":"a"}]}"#, r#"{"aud":"ab"}"#, r#"{"aud":{"a":"a"}}"#, "{}"] {
            assert!(!claims(other).has_audience("a"), "{other}");
        }
    }
}
