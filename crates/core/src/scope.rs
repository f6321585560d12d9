//! A set of scope tokens (RFC 6749 §3.3): ordered, without duplicates, bounded.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Error;

/// The permissions that a request asks for or a token carries.
///
/// Stored as one string with the tokens in order: the access token of an administrator has some seventy, and a set of strings would
/// allocate each of them at every call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope(String);

/// Scopes that concern the person rather than an API (OpenID Connect Core §5.4, §11).
pub const STANDARD_SCOPES: &[&str] =
    &["openid", "profile", "email", "address", "phone", "roles", "groups", "offline_access"];

/// Most tokens in a scope.
const MOST_TOKENS: usize = 100;
/// Most bytes of a scope parameter.
const LONGEST: usize = 4096;

impl Scope {
    /// Whether the set holds `token`.
    pub fn has(&self, token: &str) -> bool {
        let mut left = self.0.as_str();
        while !left.is_empty() {
            let (before, middle, after) = halved(left);
            left = match token.cmp(middle) {
                Ordering::Less => before,
                Ordering::Equal => return true,
                Ordering::Greater => after,
            };
        }
        false
    }

    /// Whether nothing is in the set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether every token of `self` is in `other`.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.iter().all(|token| other.has(token))
    }

    /// The tokens in both sets.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Self {
        self.iter().filter(|token| other.has(token)).collect()
    }

    /// The tokens in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.iter().chain(other.iter()).collect()
    }

    /// The set that a text of our own names: what people allow in several requests, and by the names of claims, may be more than one
    /// request asks for.
    #[must_use]
    pub fn restored(text: &str) -> Self {
        Self::of(tokens(text).collect())
    }

    /// Drops every token that is not to be kept.
    pub fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        *self = self.iter().filter(|token| keeps(token)).collect();
    }

    /// The set without `token`.
    #[must_use]
    pub fn without(self, token: &str) -> Self {
        self.iter().filter(|one| *one != token).collect()
    }

    /// The tokens in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        tokens(&self.0)
    }

    /// The set of these tokens.
    fn of(mut tokens: Vec<&str>) -> Self {
        tokens.sort_unstable();
        tokens.dedup();
        Self(tokens.join(" "))
    }
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(' ').filter(|token| !token.is_empty())
}

/// The token around the middle of a text, and the tokens before and after it.
fn halved(text: &str) -> (&str, &str, &str) {
    let middle = text.floor_char_boundary(text.len() / 2);
    let (left, right) = text.split_at(middle);
    let (before, head) = left.rsplit_once(' ').unwrap_or(("", left));
    let (tail, after) = right.split_once(' ').unwrap_or((right, ""));
    let token = text.get(middle - head.len()..middle + tail.len());
    (before, token.unwrap_or_default(), after)
}

impl FromStr for Scope {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text.len() > LONGEST {
            return Err(Error::invalid_scope("the scope parameter is longer than 4096 bytes"));
        }
        let tokens: Vec<_> = tokens(text).collect();
        if !tokens.iter().all(|token| token.bytes().all(is_token_byte)) {
            return Err(Error::invalid_scope(
                "a scope has a character that RFC 6749 section 3.3 does not allow",
            ));
        }
        let scope = Self::of(tokens);
        if scope.iter().count() > MOST_TOKENS {
            return Err(Error::invalid_scope("more than 100 scopes"));
        }
        Ok(scope)
    }
}

fn is_token_byte(byte: u8) -> bool {
    matches!(byte, 0x21 | 0x23..=0x5B | 0x5D..=0x7E)
}

impl<'a> FromIterator<&'a str> for Scope {
    fn from_iter<I: IntoIterator<Item = &'a str>>(texts: I) -> Self {
        Self::of(texts.into_iter().flat_map(tokens).collect())
    }
}

impl FromIterator<String> for Scope {
    fn from_iter<I: IntoIterator<Item = String>>(texts: I) -> Self {
        let texts: Vec<_> = texts.into_iter().collect();
        texts.iter().map(String::as_str).collect()
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
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
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn order_and_repetition_do_not_matter() {
        let scope: Scope = "profile openid  openid".parse().unwrap();
        assert_eq!(scope.to_string(), "openid profile");
    }

    #[test]
    fn it_holds_the_tokens_that_a_set_of_them_holds() {
        let all: Vec<String> = (0..60).map(|n| "abc".repeat(n % 5) + &n.to_string()).collect();
        for most in [0, 1, 2, 3, 7, 60] {
            let some = &all[..most];
            let (scope, set) = (
                some.iter().rev().cloned().collect::<Scope>(),
                some.iter().cloned().collect::<BTreeSet<_>>(),
            );
            assert_eq!(scope.iter().collect::<Vec<_>>(), set.iter().collect::<Vec<_>>());
            assert_eq!(
                (scope.is_empty(), scope.to_string().parse::<Scope>().unwrap()),
                (set.is_empty(), scope.clone())
            );
            for token in all.iter().map(String::as_str).chain(["", " ", "a", "abc", "zz", "ä"]) {
                assert_eq!(scope.has(token), set.contains(token), "{token} in {scope}");
                assert!(!scope.clone().without(token).has(token));
            }
        }
    }

    #[test]
    fn sets_are_put_together_and_narrowed() {
        let scope = |text: &str| text.parse::<Scope>().unwrap();
        let (one, other) = (scope("email openid profile"), scope("address openid"));
        assert_eq!(one.union(&other), scope("address email openid profile"));
        assert_eq!(one.intersect(&other), scope("openid"));
        assert_eq!(one.clone().without("openid"), scope("profile email"));
        assert!(scope("openid").is_subset(&one) && Scope::default().is_subset(&one));
        assert!(!other.is_subset(&one));
        let mut kept = one;
        kept.retain(|token| token != "email");
        assert_eq!(kept, scope("openid profile"));
        assert_eq!(["b a", "", "a"].into_iter().collect::<Scope>(), scope("a b"));
    }

    #[test]
    fn what_the_rfc_forbids_is_refused() {
        for bad in ["a\"b", "a\\b", "ä", "a\tb", "a\u{0}"] {
            assert!(bad.parse::<Scope>().is_err(), "{bad:?}");
        }
        assert!("x".repeat(LONGEST + 1).parse::<Scope>().is_err());
        let many: Vec<String> = (0..=MOST_TOKENS).map(|n| format!("s{n}")).collect();
        assert!(many.join(" ").parse::<Scope>().is_err());
        assert_eq!(
            Scope::restored(&many.join(" ")),
            many.into_iter().collect::<Scope>(),
            "it was allowed bit by bit"
        );
    }
}
