//! The cookie of a session in which support staff act for a person. It stands next to the cookie of the staff member's own session,
//! counts before it, and tells every page whom the browser acts for.

use serde::{Deserialize, Serialize};
use svc_core::{Digest, Seconds, Timestamp};
use svc_keys::digest;

use super::paths::END_IMPERSONATION;
use super::sealed::Carried;
use crate::pages::ActingFor;

/// What the cookie says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActingCookie {
    secret: String,
    /// What the person is called.
    account: String,
    ends_at: Timestamp,
}

impl Carried for ActingCookie {
    const LABEL: &'static str = "acting for a person";

    fn expires_at(&self, _: Timestamp, _: Seconds) -> Timestamp {
        self.ends_at
    }
}

/// The form that ends it, on every page.
#[derive(Serialize, Deserialize)]
pub struct Stop;

impl Carried for Stop {
    const LABEL: &'static str = "end of acting for a person";

    fn expires_at(&self, now: Timestamp, _: Seconds) -> Timestamp {
        now + Seconds(3600)
    }
}

impl ActingCookie {
    /// That of a session that has just begun.
    pub fn new(secret: String, account: &str, ends_at: Timestamp) -> Self {
        Self { secret, account: account.to_owned(), ends_at }
    }

    /// When the session ends.
    pub fn ends_at(&self) -> Timestamp {
        self.ends_at
    }

    /// The digest by which the session is found.
    pub fn digest(&self) -> Digest {
        digest(&self.secret)
    }

    /// What every page says of it, with the sealed form that ends it where the page may have one.
    pub fn banner(&self, flow: Option<String>) -> ActingFor {
        ActingFor {
            account: self.account.as_str().into(),
            action: END_IMPERSONATION.into(),
            flow: flow.map(Into::into),
        }
    }
}
