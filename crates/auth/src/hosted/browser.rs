//! The cookies of the hosted pages: one names the browser, one its session, one who has signed in there, one the language
//! (RFC 6265bis §4.1.3).

use svc_core::{Digest, Entropy, Result, Seconds};
use svc_http::{Cookies, SetCookie};
use svc_keys::{base64url, constant_time_eq, digest, token};

use super::signed_in::SignedIn;
use super::tokens::{MOST, SEPARATOR, is_token, listed};

/// Names a browser before a person signs in, so that a form can be bound to it.
const BROWSER: &str = "svc_browser";
/// Says who has signed in in this browser before.
const DEVICE: &str = "svc_device";
/// Says that its owner is not asked for a second factor here.
const TRUSTED: &str = "svc_trusted";
/// Says which language the person chose.
const LANGUAGE: &str = "svc_language";
/// Says which recovery by guardians the browser has asked for.
const RECOVERY: &str = "svc_recovery";
/// Names the session in which support staff act for a person.
const ACTING: &str = "svc_acting";
/// What the browser carries while a person is at a provider that takes no long `state`.
const AWAY: &str = "svc_away";
/// Longest value of that cookie: browsers drop longer ones.
const LONGEST_AWAY: usize = 4000;
/// How long the language is remembered.
const LANGUAGE_AGE: Seconds = Seconds(365 * 86_400);
/// Longer than any mailed link lives: a person who follows one in the same browser goes on where they were.
const BROWSER_AGE: Seconds = Seconds(2 * 86_400);

/// What a browser's cookies say, and how ours are written.
pub struct Browser {
    /// Who is signed in.
    pub signed_in: SignedIn,
    token: String,
    device: Option<String>,
    trusted: Vec<String>,
    recovery: Option<String>,
    acting: Option<String>,
    away: Option<String>,
    language: Option<String>,
    is_secure: bool,
}

impl Browser {
    /// Reads the cookies; a browser that has none yet is given a name.
    pub fn of(cookies: &Cookies, session_name: &str, issuer: &str, entropy: &dyn Entropy) -> Self {
        // Browsers drop `Secure` cookies over plain http, which configuration allows for local addresses only.
        let is_secure = issuer.starts_with("https:");
        let read =
            |name: &str| cookies.one(&SetCookie::wire_name(name, is_secure)).filter(|value| is_token(value));
        let known = read(BROWSER).map(str::to_owned);
        Self {
            token: known.unwrap_or_else(|| token(entropy)),
            device: cookies.one(&SetCookie::wire_name(DEVICE, is_secure)).map(str::to_owned),
            trusted: cookies
                .one(&SetCookie::wire_name(TRUSTED, is_secure))
                .and_then(|value| listed(value, MOST))
                .unwrap_or_default(),
            recovery: cookies.one(&SetCookie::wire_name(RECOVERY, is_secure)).map(str::to_owned),
            acting: cookies.one(&SetCookie::wire_name(ACTING, is_secure)).map(str::to_owned),
            away: cookies.one(&SetCookie::wire_name(AWAY, is_secure)).map(str::to_owned),
            language: cookies.one(&SetCookie::wire_name(LANGUAGE, is_secure)).map(str::to_owned),
            signed_in: SignedIn::of(cookies, session_name, is_secure),
            is_secure,
        }
    }

    /// What forms are bound to.
    pub fn digest(&self) -> Digest {
        digest(&self.token)
    }

    /// The same as text, to be kept with what goes on in this browser alone.
    pub fn digest_as_text(&self) -> String {
        base64url(self.digest().0)
    }

    /// Whether this is the browser whose digest was kept.
    pub fn has_digest(&self, kept: &str) -> bool {
        constant_time_eq(kept.as_bytes(), self.digest_as_text().as_bytes())
    }

    /// Whether the browser has a session, or had one.
    pub fn has_session(&self) -> bool {
        self.signed_in.is_any()
    }

    /// The sealed text that says who has signed in here before.
    pub fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }

    /// The cookie that says who has signed in here.
    pub fn device_cookie(&self, sealed: &str, lifetime: Seconds) -> Result<SetCookie> {
        SetCookie::set(DEVICE, sealed, Some(lifetime), self.is_secure)
    }

    /// What says which people trust this browser, the latest first.
    pub fn trusted(&self) -> impl Iterator<Item = &str> {
        self.trusted.iter().map(String::as_str)
    }

    /// The cookie that says so.
    pub fn trusted_cookie(&self, secrets: &[&str], lifetime: Seconds) -> Result<SetCookie> {
        SetCookie::set(TRUSTED, &secrets.join(SEPARATOR), Some(lifetime), self.is_secure)
    }

    /// The sealed text that says which recovery the browser has asked for.
    pub fn recovery(&self) -> Option<&str> {
        self.recovery.as_deref()
    }

    /// The cookie that says so.
    pub fn recovery_cookie(&self, sealed: &str, lifetime: Seconds) -> Result<SetCookie> {
        SetCookie::set(RECOVERY, sealed, Some(lifetime), self.is_secure)
    }

    /// Takes it away.
    pub fn forget_recovery(&self) -> Result<SetCookie> {
        SetCookie::clear(RECOVERY, self.is_secure)
    }

    /// The sealed text that says for whom support staff act here.
    pub fn acting(&self) -> Option<&str> {
        self.acting.as_deref()
    }

    /// The cookie that says so.
    pub fn acting_cookie(&self, sealed: &str, lifetime: Seconds) -> Result<SetCookie> {
        SetCookie::set(ACTING, sealed, Some(lifetime), self.is_secure)
    }

    /// Takes it away.
    pub fn forget_acting(&self) -> Result<SetCookie> {
        SetCookie::clear(ACTING, self.is_secure)
    }

    /// The sealed text that the browser carries while a person is at a provider, by its name.
    pub fn away(&self, name: &str) -> Option<&str> {
        self.away.as_deref()?.strip_prefix(name)?.strip_prefix(SEPARATOR)
    }

    /// The cookie that carries it, for as long as the person may be away; nothing where the text is too long for one. The last one
    /// counts: in several tabs, that of the last.
    pub fn away_cookie(&self, name: &str, sealed: &str, lifetime: Seconds) -> Result<Option<SetCookie>> {
        let value = format!("{name}{SEPARATOR}{sealed}");
        let is_short = value.len() <= LONGEST_AWAY;
        is_short.then(|| SetCookie::set(AWAY, &value, Some(lifetime), self.is_secure)).transpose()
    }

    /// Removes it, once the person is back.
    pub fn forget_away(&self) -> Result<SetCookie> {
        SetCookie::clear(AWAY, self.is_secure)
    }

    /// The language that the person chose, as the cookie says it.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The cookie that says which language the person chose.
    pub fn language_cookie(&self, tag: &str) -> Result<SetCookie> {
        SetCookie::set(LANGUAGE, tag, Some(LANGUAGE_AGE), self.is_secure)
    }

    /// The cookie that makes the browser recognisable; every page sends it, so that it outlives the page's form.
    pub fn introduce(&self) -> Result<SetCookie> {
        SetCookie::set(BROWSER, &self.token, Some(BROWSER_AGE), self.is_secure)
    }
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;
    use svc_http::HeaderMap;
    use svc_http::header::COOKIE;

    use super::*;

    const TOKEN: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

    fn browser(cookie: &str, issuer: &str) -> Browser {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, cookie.parse().unwrap());
        Browser::of(&Cookies::of(&headers), "svc_session", issuer, &SeededEntropy::new(1))
    }

    #[test]
    fn a_browser_keeps_the_name_that_it_was_given() {
        let known = browser(&format!("__Host-svc_browser={TOKEN}"), "https://id.example");
        assert_eq!(known.digest(), digest(TOKEN));
        assert_ne!(browser("", "https://id.example").digest(), digest(TOKEN));
    }

    #[test]
    fn over_https_only_cookies_that_no_other_host_can_plant_count() {
        let planted = format!("svc_session={TOKEN}; svc_browser={TOKEN}");
        assert!(!browser(&planted, "https://id.example").has_session());
        assert_ne!(browser(&planted, "https://id.example").digest(), digest(TOKEN));
        assert_eq!(browser(&planted, "http://localhost:8080").signed_in.present(), Some(digest(TOKEN)));
    }

    #[test]
    fn doubled_and_misshapen_cookies_count_as_none() {
        for bad in [
            format!("__Host-svc_session={TOKEN}; __Host-svc_session={TOKEN}"),
            format!("__Host-svc_session={TOKEN}A"),
            "__Host-svc_session=".to_owned(),
            "__Host-svc_session=../../etc/passwd".to_owned(),
        ] {
            assert!(!browser(&bad, "https://id.example").has_session(), "{bad}");
        }
    }

    #[test]
    fn a_browser_that_several_people_trust_says_so_in_one_cookie() {
        let trusted = |value: &str| {
            let browser = browser(&format!("svc_trusted={value}"), "http://localhost:8080");
            browser.trusted().count()
        };
        assert_eq!(trusted(TOKEN), 1);
        assert_eq!(trusted(&[TOKEN; 3].join(SEPARATOR)), 3);
        for bad in ["", "x", &format!("{TOKEN}."), &[TOKEN; MOST + 1].join(SEPARATOR)] {
            assert_eq!(trusted(bad), 0, "{bad}");
        }
    }
}
