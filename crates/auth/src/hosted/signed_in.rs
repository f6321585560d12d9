//! The two cookies that hold the sessions of a browser: that of the account which acts, and those of the other accounts that are
//! signed in as well (RFC 6265bis §4.1.3).
//!
//! Every value is the secret of a session, so that nothing but the secrets themselves needs a seal.

use svc_core::{Digest, Result, Seconds};
use svc_http::{Cookies, SetCookie};
use svc_keys::digest;

use super::tokens::{MOST, SEPARATOR, is_token, listed};

/// The first part of the second cookie, where the person has chosen the account that acts.
const CHOSEN: &str = "1";
/// The same where nothing was chosen since an account came or went.
const OPEN: &str = "0";

/// The cookies of a browser's sessions; the second only where it changes.
pub type SessionCookies = (SetCookie, Option<SetCookie>);

/// What the two cookies say.
pub struct SignedIn {
    name: String,
    is_secure: bool,
    present: Option<String>,
    others: Vec<String>,
    is_chosen: bool,
    has_second: bool,
}

impl SignedIn {
    /// Reads the cookies. What is misshapen counts as absent.
    pub fn of(cookies: &Cookies, name: &str, is_secure: bool) -> Self {
        let read = |name: &str| cookies.one(&SetCookie::wire_name(name, is_secure));
        let present = read(name).filter(|value| is_token(value)).map(str::to_owned);
        let second = read(&second_name(name));
        let (is_chosen, others) = second.and_then(parts).unwrap_or_default();
        Self { name: name.to_owned(), is_secure, present, others, is_chosen, has_second: second.is_some() }
    }

    /// The digest of the secret of the account that acts.
    pub fn present(&self) -> Option<Digest> {
        self.present.as_deref().map(digest)
    }

    /// The same where no other account is signed in.
    pub fn only(&self) -> Option<Digest> {
        self.present().filter(|_| !self.has_others())
    }

    /// Whether there is any session.
    pub fn is_any(&self) -> bool {
        self.present.is_some() || !self.others.is_empty()
    }

    /// Whether there are sessions besides the one of the account that acts.
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// The secrets, that of the account that acts first.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.present.iter().chain(&self.others).map(String::as_str)
    }

    /// Whether the person has chosen the account of this secret as the one that acts.
    pub fn is_chosen(&self, secret: &str) -> bool {
        self.is_chosen && self.present.as_deref() == Some(secret)
    }

    /// The cookies that hold these secrets from now on, the first for the account that acts.
    pub fn cookies(&self, secrets: &[&str], is_chosen: bool, lifetime: Seconds) -> Result<SessionCookies> {
        let Some((present, others)) = secrets.split_first() else {
            return Ok((SetCookie::clear(&self.name, self.is_secure)?, self.without_second()?));
        };
        let present = SetCookie::set(&self.name, present, Some(lifetime), self.is_secure)?;
        if others.is_empty() {
            return Ok((present, self.without_second()?));
        }
        let mark = if is_chosen { CHOSEN } else { OPEN };
        let value = [mark].iter().chain(others).copied().collect::<Vec<_>>().join(SEPARATOR);
        let second = SetCookie::set(&second_name(&self.name), &value, Some(lifetime), self.is_secure)?;
        Ok((present, Some(second)))
    }

    fn without_second(&self) -> Result<Option<SetCookie>> {
        self.has_second.then(|| SetCookie::clear(&second_name(&self.name), self.is_secure)).transpose()
    }
}

fn second_name(name: &str) -> String {
    format!("{name}_others")
}

/// The mark and the secrets of the second cookie, if it is one of ours.
fn parts(value: &str) -> Option<(bool, Vec<String>)> {
    let (mark, secrets) = value.split_once(SEPARATOR)?;
    // The account that acts is in the first cookie.
    let secrets = listed(secrets, MOST - 1)?;
    [CHOSEN, OPEN].contains(&mark).then_some((mark == CHOSEN, secrets))
}

#[cfg(test)]
mod tests {
    use svc_http::header::{COOKIE, SET_COOKIE};
    use svc_http::{HeaderMap, IntoResponse as _};

    use super::*;

    fn secret(letter: &str) -> String {
        format!("{}A", letter.repeat(42))
    }

    fn read(cookie: &str) -> SignedIn {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, cookie.parse().unwrap());
        SignedIn::of(&Cookies::of(&headers), "svc_session", true)
    }

    fn written(signed_in: &SignedIn, secrets: &[&str], is_chosen: bool) -> Vec<String> {
        let response = signed_in.cookies(secrets, is_chosen, Seconds(60)).unwrap();
        let response = (response, "").into_response();
        let set = response.headers().get_all(SET_COOKIE).iter();
        set.map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap().to_owned()).collect()
    }

    #[test]
    fn what_was_written_is_read_again_in_the_same_order() {
        let (a, b, c) = (secret("a"), secret("b"), secret("c"));
        let cookies = written(&read(""), &[&a, &b, &c], true);
        assert_eq!(
            cookies,
            [format!("__Host-svc_session={a}"), format!("__Host-svc_session_others=1.{b}.{c}")]
        );
        let again = read(&cookies.join("; "));
        assert_eq!(again.secrets().collect::<Vec<_>>(), [&a, &b, &c]);
        assert!(again.is_chosen(&a) && !again.is_chosen(&b) && again.has_others());
        assert_eq!(again.present(), Some(digest(&a)));
        assert!(!read(&written(&again, &[&a, &b], false).join("; ")).is_chosen(&a));
    }

    #[test]
    fn the_second_cookie_goes_with_the_last_of_the_others_and_is_not_sent_without_need() {
        let (a, b) = (secret("a"), secret("b"));
        assert_eq!(written(&read(""), &[&a], false), [format!("__Host-svc_session={a}")]);
        let two = read(&format!("__Host-svc_session={a}; __Host-svc_session_others=0.{b}"));
        assert_eq!(
            written(&two, &[&a], false),
            [format!("__Host-svc_session={a}"), "__Host-svc_session_others=".to_owned()]
        );
        assert_eq!(written(&two, &[], false), ["__Host-svc_session=", "__Host-svc_session_others="]);
    }

    #[test]
    fn a_second_cookie_that_is_not_ours_counts_for_nothing() {
        let a = secret("a");
        let many = vec![secret("b"); MOST].join(".");
        for bad in [
            "",
            "1",
            "1.",
            "2.x",
            &format!("2.{a}"),
            &format!("1.{a}x"),
            &format!("1.{a}."),
            &format!("1.{many}"),
            &a,
        ] {
            let signed_in = read(&format!("__Host-svc_session={a}; __Host-svc_session_others={bad}"));
            assert_eq!(signed_in.secrets().collect::<Vec<_>>(), [&a], "{bad}");
            assert!(!signed_in.is_chosen(&a), "{bad}");
        }
        let planted = read(&format!("svc_session={a}; svc_session_others=1.{a}"));
        assert!(!planted.is_any(), "over https a name without the prefix is a neighbour's");
    }
}
