//! How strongly a person proved who they are (NIST SP 800-63B §4), as `acr` values name it (OpenID Connect Core §2).

use serde::{Deserialize, Serialize};

/// The authenticator assurance levels, in the order of their strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// One factor.
    #[serde(rename = "urn:svc:aal1")]
    Aal1,
    /// Two factors.
    #[serde(rename = "urn:svc:aal2")]
    Aal2,
    /// Two factors, one of them a key that cannot be copied or phished.
    #[serde(rename = "urn:svc:aal3")]
    Aal3,
}

impl Level {
    /// Every level, the weakest first.
    pub const ALL: &'static [Self] = &[Self::Aal1, Self::Aal2, Self::Aal3];

    /// The `acr` value.
    pub fn acr(self) -> &'static str {
        match self {
            Self::Aal1 => "urn:svc:aal1",
            Self::Aal2 => "urn:svc:aal2",
            Self::Aal3 => "urn:svc:aal3",
        }
    }

    /// The level that an `acr` value names, if it is one of ours.
    pub fn of(acr: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|level| level.acr() == acr)
    }
}

/// The `amr` value of a browser in which the person need not prove a second factor.
pub const TRUSTED_BROWSER: &str = "trusted_browser";

/// The `amr` values of providers whose word counts in one tenant: an organization's, and one that a tenant has chosen.
const WORDS: [&str; 2] = ["fed", "connector"];

/// Whether a sign-in by these methods (`amr`) rests on the word of such a provider alone, and proved nothing that is the account's
/// own.
pub fn is_vouched_alone(amr: &[String]) -> bool {
    let is_word = |value: &String| WORDS.contains(&value.as_str());
    let says_nothing = |value: &String| ["mfa", TRUSTED_BROWSER].contains(&value.as_str());
    amr.iter().any(is_word) && amr.iter().all(|value| is_word(value) || says_nothing(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_stored_as_it_is_told_and_outranks_the_one_before() {
        for level in Level::ALL {
            assert_eq!(serde_json::to_value(level).unwrap(), level.acr());
            assert_eq!(Level::of(level.acr()), Some(*level));
        }
        assert!(Level::ALL.is_sorted());
        assert_eq!(Level::of("urn:svc:aal4"), None);
    }

    #[test]
    fn the_word_of_a_provider_stands_alone_unless_the_account_has_proven_something_too() {
        let is_alone =
            |amr: &[&str]| is_vouched_alone(&amr.iter().copied().map(str::to_owned).collect::<Vec<_>>());
        for amr in [&["fed"][..], &["fed", "mfa"], &["fed", "mfa", "trusted_browser"], &["connector"]] {
            assert!(is_alone(amr), "{amr:?}");
        }
        for amr in [&[][..], &["pwd"], &["mfa"], &["fed", "otp", "mfa"], &["pwd", "fed"], &["social"]] {
            assert!(!is_alone(amr), "{amr:?}");
        }
    }
}
