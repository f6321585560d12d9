//! What a browser carries for us between two pages: sealed, bound to tenant and browser, short-lived.
//!
//! There is no server-side state before sign-in, so that strangers cannot fill the database with it. The seal and the
//! binding to the browser's cookie are also what refuses forged forms (CSRF, login CSRF).

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_core::{AppId, Cx, Digest, Error, OrInternal as _, Result, Seconds, TenantId, Timestamp};
use svc_keys::{Sealer, base64url, constant_time_eq, from_base64url};

/// Longest sealed text that is looked at, in bytes; it also travels in the address of GET /auth/continue.
const LONGEST: usize = 12 * 1024;

/// What may be sealed; each kind by a label of its own, so that none passes as another.
pub trait Carried: Serialize + DeserializeOwned {
    /// Names the kind.
    const LABEL: &'static str;
    /// When it ceases to be accepted; `login` is how long a sign-in may take (`oidc.login_transaction_lifetime_secs`).
    fn expires_at(&self, now: Timestamp, login: Seconds) -> Timestamp;
    /// The application that a person is sent back to when it does not open any more. It stands in front of the sealed
    /// text, legible and unproven.
    fn app(&self) -> Option<AppId> {
        None
    }
}

/// Stands between the application and the sealed text; base64url has no such character.
const SEPARATOR: char = '~';

/// The application that a state names, which proves nothing.
pub fn named_app(text: &str) -> Option<AppId> {
    text.split_once(SEPARATOR)?.0.parse().ok()
}

/// Seals for, and opens from, one browser at one tenant.
pub struct Envelope<'a> {
    /// What seals on every node of the deployment.
    pub sealer: &'a Sealer,
    /// The tenant.
    pub tenant: TenantId,
    /// The digest of the browser's cookie.
    pub browser: Digest,
    /// The call.
    pub cx: &'a Cx,
    /// How long a sign-in may take.
    pub login: Seconds,
}

#[derive(Serialize, Deserialize)]
struct Contents<T> {
    browser: String,
    until: Timestamp,
    content: T,
}

impl Envelope<'_> {
    /// The text that the browser carries.
    pub fn seal<T: Carried>(&self, content: &T) -> Result<String> {
        let until = content.expires_at(self.cx.now, self.login);
        let contents = Contents { browser: base64url(self.browser.0), until, content };
        let plain = serde_json::to_vec(&contents).or_internal()?;
        let app = content.app().map(|app| app.to_string()).unwrap_or_default();
        let sealed = self.sealer.seal(&[T::LABEL, &self.tenant.to_string(), &app], &plain, self.cx)?;
        let separator = if app.is_empty() { String::new() } else { SEPARATOR.to_string() };
        Ok(app + &separator + &base64url(sealed))
    }

    /// What the browser brought back; 403 where it is not ours, of this tenant and of this browser.
    pub fn open<T: Carried>(&self, text: Option<&str>) -> Result<T> {
        let contents: Contents<T> = text.and_then(|text| self.unsealed(text)).ok_or_else(foreign)?;
        if !constant_time_eq(contents.browser.as_bytes(), base64url(self.browser.0).as_bytes()) {
            return Err(foreign());
        }
        if contents.until <= self.cx.now {
            return Err(Error::expired_token(
                "this page was open for too long; start again at the application",
            ));
        }
        Ok(contents.content)
    }

    fn unsealed<T: Carried>(&self, text: &str) -> Option<Contents<T>> {
        let text = Some(text).filter(|text| text.len() <= LONGEST)?;
        let (app, sealed) = text.split_once(SEPARATOR).unwrap_or(("", text));
        let sealed = from_base64url(sealed)?;
        let plain = self.sealer.open(&[T::LABEL, &self.tenant.to_string(), app], &sealed)?;
        serde_json::from_slice(&plain).ok()
    }
}

#[track_caller]
fn foreign() -> Error {
    Error::forbidden("this form was not opened in this browser, or its cookies are blocked; start again")
}

#[cfg(test)]
mod tests {
    use svc_core::{Class, SeededEntropy};
    use svc_keys::{Keyring, Purpose};

    use super::*;
    use crate::fixtures::{NOW, cx, tenant_id};

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note(String);

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Other(String);

    impl Carried for Note {
        const LABEL: &'static str = "note";

        fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
            now + Seconds(900)
        }
    }

    impl Carried for Other {
        const LABEL: &'static str = "other";

        fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
            now + Seconds(900)
        }
    }

    struct Home(Sealer, TenantId, Digest, Cx);

    impl Home {
        fn new(key: u64, tenant: u64, browser: u8, now: Timestamp) -> Self {
            let sealer = Keyring::ephemeral(&SeededEntropy::new(key), NOW).sealer(Purpose::Forms);
            Self(sealer, tenant_id(tenant), Digest([browser; 32]), cx(now))
        }

        fn envelope(&self) -> Envelope<'_> {
            Envelope { sealer: &self.0, tenant: self.1, browser: self.2, cx: &self.3, login: Seconds(900) }
        }

        fn sealed(&self) -> String {
            self.envelope().seal(&Note("hello".to_owned())).unwrap()
        }
    }

    #[test]
    fn a_state_comes_back_only_to_its_browser_its_tenant_and_its_deployment() {
        let home = Home::new(1, 1, 1, NOW);
        let text = home.sealed();
        assert_eq!(home.envelope().open::<Note>(Some(&text)).unwrap(), Note("hello".to_owned()));
        for (key, tenant, browser) in [(2, 1, 1), (1, 2, 1), (1, 1, 2)] {
            let opened = Home::new(key, tenant, browser, NOW).envelope().open::<Note>(Some(&text));
            assert_eq!(opened.unwrap_err().class(), Class::Forbidden);
        }
    }

    #[test]
    fn missing_forged_and_overlong_states_are_forbidden() {
        let home = Home::new(1, 1, 1, NOW);
        let long = "A".repeat(LONGEST + 1);
        for bad in [None, Some(""), Some("x"), Some("AAAA"), Some(&*long)] {
            let opened = home.envelope().open::<Note>(bad);
            assert_eq!(opened.unwrap_err().class(), Class::Forbidden, "{bad:?}");
        }
    }

    #[test]
    fn what_was_sealed_as_one_kind_never_opens_as_another() {
        let home = Home::new(1, 1, 1, NOW);
        let opened = home.envelope().open::<Other>(Some(&home.sealed()));
        assert_eq!(opened.unwrap_err().class(), Class::Forbidden);
    }

    #[test]
    fn a_state_opens_until_the_second_in_which_it_ends() {
        let text = Home::new(1, 1, 1, NOW).sealed();
        let later = |seconds| Home::new(1, 1, 1, NOW + Seconds(seconds));
        assert!(later(899).envelope().open::<Note>(Some(&text)).is_ok());
        let opened = later(900).envelope().open::<Note>(Some(&text));
        assert_eq!(opened.unwrap_err().class(), Class::ExpiredToken);
    }
}
