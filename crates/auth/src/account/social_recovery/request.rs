//! What the browser that asks for recovery keeps in its cookie; the same where there is no such account.

use serde::{Deserialize, Serialize};
use svc_core::{Digest, Result, Seconds, Timestamp};
use svc_domain::people::tenant_users::identifier_key;
use svc_http::SetCookie;
use svc_keys::{digest, token};

use super::super::recovery_letters::lifetime;
use crate::hosted::{Carried, Visit};
use crate::signin::sent_code::digits;

/// Longer than any case: two lifetimes and the longest time of waiting.
const COOKIE_LIFETIME: Seconds = Seconds(100 * 86_400);
/// Digits of the code: few enough to be read out, and too many to be guessed before guesses lock.
const CODE_DIGITS: u32 = 8;

/// A recovery that this browser has asked for.
#[derive(Serialize, Deserialize)]
pub struct RecoveryRequest {
    /// Names the browser in the case.
    secret: String,
    /// The code that guardians are given.
    code: String,
    /// The name that was typed, which the page repeats.
    pub username: String,
    /// When.
    at: Timestamp,
}

impl Carried for RecoveryRequest {
    const LABEL: &'static str = "recovery by guardians";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + COOKIE_LIFETIME
    }
}

impl RecoveryRequest {
    /// A new one.
    pub fn new(visit: &Visit, username: &str) -> Self {
        let entropy = &*visit.cx().entropy;
        let (secret, code) = (token(entropy), digits(CODE_DIGITS, entropy));
        Self { secret, code, username: username.to_owned(), at: visit.cx().now }
    }

    /// What this browser has asked for.
    pub fn here(visit: &Visit) -> Option<Self> {
        visit.open_from_cookie(visit.browser.recovery()?)
    }

    /// By what the browser is found in the case.
    pub fn digest(&self) -> Digest {
        digest(&self.secret)
    }

    /// The code without spaces.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// The code as it is read out.
    pub fn spoken(&self) -> String {
        let (first, second) = self.code.split_at_checked(4).unwrap_or((&self.code, ""));
        format!("{first} {second}")
    }

    /// Whether it was for this name.
    pub fn is_for(&self, username: &str) -> bool {
        identifier_key(&self.username) == identifier_key(username)
    }

    /// Whether a case of that time is over that guardians have not confirmed.
    pub fn is_over(&self, visit: &Visit) -> bool {
        self.at + lifetime(&visit.host) <= visit.cx().now
    }

    /// The cookie.
    pub fn cookie(&self, visit: &Visit) -> Result<SetCookie> {
        visit.browser.recovery_cookie(&visit.seal_for_cookie(self)?, COOKIE_LIFETIME)
    }
}
