//! The ways to sign in that are accepted somewhere: by an application, or in an organization.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, Timestamp};

/// The name by which an organization's own provider is called as a way to sign in.
pub const SSO: &str = "sso";
/// The name by which the other providers are called at which people have accounts.
const SOCIAL: &str = "social";
/// Most ways in one list.
const MOST: usize = 20;

/// Ways to sign in by their names, such as `password`, `passkey` or `sso`; every one where none is named. A sign-in begins with one
/// of them, or uses one that only follows another, such as `totp`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ways(Vec<String>);

/// How a person has signed in.
#[derive(Clone, Copy, Debug)]
pub struct PastSignIn<'a> {
    /// When it was.
    pub at: Timestamp,
    /// What it may have begun with: several where what is recorded is the same, and [`SSO`] where a provider has vouched for the
    /// person that counts.
    pub began: &'a [&'a str],
    /// What has followed, of the ways that count there.
    pub later: &'a [&'a str],
    /// Whether a second factor was among them.
    pub is_strong: bool,
}

impl Ways {
    /// Whether every way is accepted.
    pub fn is_every(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether nothing but this way is accepted.
    pub fn is_alone(&self, way: &str) -> bool {
        !self.is_every() && self.0.iter().all(|name| name == way)
    }

    /// Whether providers alone lead in.
    pub fn are_of_providers(&self) -> bool {
        !self.is_every() && self.0.iter().all(|name| name == SSO || name == SOCIAL)
    }

    /// Whether a sign-in is accepted that begins with a way, where `is_later` says of a named way that it follows the first one. The
    /// sign-in page asks what can follow, and [`Self::fit`] what has followed.
    pub fn accepts(&self, first: &str, is_later: impl Fn(&str) -> bool) -> bool {
        self.is_every() || self.0.iter().any(|name| name == first || is_later(name))
    }

    /// Whether a sign-in that was made is accepted.
    pub fn fit(&self, made: &PastSignIn<'_>) -> bool {
        let is_accepted = |first: &&str| self.accepts(first, |name| made.later.contains(&name));
        self.is_every() || made.began.iter().any(is_accepted)
    }

    /// Refuses what names no ways; `member` is what the list is called.
    pub fn check(&self, member: &str) -> Result<()> {
        let is_word = |name: &String| {
            (1..=40).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        };
        if self.0.len() <= MOST && self.0.iter().all(is_word) {
            return Ok(());
        }
        Err(Error::bad_request(format!(
            "{member}: name at most {MOST} ways to sign in, such as `password`, `passkey` or `sso`"
        )))
    }
}

impl<'a> FromIterator<&'a str> for Ways {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        Self(names.into_iter().map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made<'a>(began: &'a [&'a str], later: &'a [&'a str]) -> PastSignIn<'a> {
        PastSignIn { at: Timestamp::from_secs(1_700_000_000), began, later, is_strong: false }
    }

    #[test]
    fn a_sign_in_counts_by_what_it_began_with_or_by_one_that_only_follows() {
        for (names, fitting) in [
            (&[][..], &["password", "password totp", "passkey", "nothing"][..]),
            (&["password"], &["password", "password totp"]),
            (&["passkey", "sso"], &["passkey"]),
            (&["totp"], &["password totp"]),
            (&["kerberos"], &[]),
        ] {
            let ways: Ways = names.iter().copied().collect();
            for (name, made) in [
                ("password", made(&["password"], &[])),
                ("password totp", made(&["password"], &["totp"])),
                ("passkey", made(&["passkey"], &[])),
                ("nothing", made(&[], &[])),
            ] {
                assert_eq!(ways.fit(&made), fitting.contains(&name), "{names:?}: {name}");
            }
        }
    }

    #[test]
    fn a_page_offers_what_a_sign_in_can_begin_with() {
        let ways: Ways = ["passkey", "totp"].into_iter().collect();
        let can_follow = |name: &str| name == "totp";
        assert!(ways.accepts("passkey", |_| false) && !ways.accepts("password", |_| false));
        assert!(ways.accepts("password", can_follow));
        assert!(Ways::default().accepts("password", |_| false));
        let alone = |names: &[&str]| names.iter().copied().collect::<Ways>().is_alone(SSO);
        assert!(alone(&[SSO]) && !alone(&[SSO, "passkey"]) && !alone(&[]));
        let of_providers = |names: &[&str]| names.iter().copied().collect::<Ways>().are_of_providers();
        assert!(of_providers(&[SSO]) && of_providers(&[SSO, SOCIAL]));
        assert!(!of_providers(&[SOCIAL, "totp"]) && !of_providers(&[]));
    }

    #[test]
    fn what_names_no_ways_is_refused_with_its_member_first() {
        let many: Vec<_> = (0..21).map(|_| "password").collect();
        let check = |names: &[&str]| names.iter().copied().collect::<Ways>().check("sign_in_methods");
        for bad in [&["Pass word"][..], &[""], &["passkey", "pass-key"], &many] {
            let refused = check(bad).unwrap_err();
            assert!(refused.detail().starts_with("sign_in_methods: name at most 20"), "{bad:?}: {refused:?}");
        }
        assert!(check(&[]).is_ok() && check(&many[..20]).is_ok());
    }
}
