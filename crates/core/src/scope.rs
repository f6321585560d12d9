//! A set of scope tokens (RFC 6749 §3.3): ordered, without duplicates, bounded.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Error;

/// The permissions that a request asks for or a token carries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(BTreeSet<String>);

/// Scopes that concern the person rather than an API (OpenID Connect Core §5.4, §11).
pub const STANDARD_SCOPES: &[&str] =
    &["openid", "profile", "email", "address", "phone", "roles", "groups", "offline_access"];

/// More tokens than any honest request carries.
const MOST_TOKENS: usize = 100;
/// Longest scope parameter in bytes.
const LONGEST: usize = 4096;

impl Scope {
    /// Whether the set holds `token`.
    pub fn has(&self, token: &str) -> bool {
        self.0.contains(token)
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every token of `self` is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.0.is_subset(&other.0)
    }

    /// The tokens in both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        Self(self.0.intersection(&other.0).cloned().collect())
    }

    /// The tokens in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(self.0.union(&other.0).cloned().collect())
    }

    /// Drops every token that is not to be kept.
    pub fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        self.0.retain(|token| keeps(token));
    }

    /// The set without `token`.
    #[must_use]
    pub fn without(mut self, token: &str) -> Self {
        self.0.remove(token);
        self
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl FromStr for Scope {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text.len() > LONGEST {
            return Err(Error::invalid_scope("the scope parameter is longer than 4096 bytes"));
        }
        let mut tokens = BTreeSet::new();
        for token in text.split(' ').filter(|token| !token.is_empty()) {
            if !token.bytes().all(is_token_byte) {
                return Err(Error::invalid_scope(
                    "a scope has a character that RFC 6749 section 3.3 does not allow",
                ));
            }
            tokens.insert(token.to_owned());
        }
        if tokens.len() > MOST_TOKENS {
            return Err(Error::invalid_scope("more than 100 scopes"));
        }
        Ok(Self(tokens))
    }
}

fn is_token_byte(byte: u8) -> bool {
    matches!(byte, 0x21 | 0x23..=0x5B | 0x5D..=0x7E)
}

impl<'a> FromIterator<&'a str> for Scope {
    fn from_iter<I: IntoIterator<Item = &'a str>>(tokens: I) -> Self {
        Self(tokens.into_iter().map(str::to_owned).collect())
    }
}

impl FromIterator<String> for Scope {
    fn from_iter<I: IntoIterator<Item = String>>(tokens: I) -> Self {
        Self(tokens.into_iter().collect())
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tokens = self.iter();
        tokens.next().map_or(Ok(()), |first| f.write_str(first))?;
        tokens.try_for_each(|token| write!(f, " {token}"))
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let scope = String::deserialize(deserializer)?.parse::<Self>();
        scope.map_err(|error| <D::Error as serde::de::Error>::custom(error.detail()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_repetition_do_not_matter() {
        let scope: Scope = "profile openid  openid".parse().unwrap();
        assert_eq!(scope.to_string(), "openid profile");
    }

    #[test]
    fn what_the_rfc_forbids_is_refused() {
        for bad in ["a\"b", "a\\b", "ä", "a\tb", "a\u{0}"] {
            assert!(bad.parse::<Scope>().is_err(), "{bad:?}");
        }
        assert!("x".repeat(LONGEST + 1).parse::<Scope>().is_err());
        let many: Vec<String> = (0..=MOST_TOKENS).map(|n| format!("s{n}")).collect();
        assert!(many.join(" ").parse::<Scope>().is_err());
    }
}
