//! What a way to sign in is, and what it proves (RFC 8176, NIST SP 800-63B §4).

use std::pin::Pin;

use svc_core::{Cx, Digest, Result};
use svc_db::{Tenant, Tx};
use svc_domain::claims::assurance::Level;
use svc_domain::coordination::attempts;
use svc_domain::people::accounts;
use svc_domain::people::tenant_users::{self, Person};
use svc_http::{HostCx, Params, StatusCode};

use crate::hosted::Visit;
use crate::pages::MessageKey;

/// A way to prove who one is.
pub struct Method {
    /// The value of the form's `method`.
    pub id: &'static str,
    /// What kind of thing it proves.
    pub factor: Factor,
    /// The `amr` of a session that began with it.
    pub amr: &'static [&'static str],
    /// Whether the tenant offers it.
    pub is_offered: fn(&HostCx) -> bool,
    /// Judges what the form brought.
    pub finish: for<'a> fn(&'a Visit, &'a Params) -> Judging<'a>,
}

/// What kind of thing a method proves (NIST SP 800-63B §4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Something that the person knows.
    Knowledge,
}

impl Factor {
    /// The strength that it reaches by itself.
    pub fn level(self) -> Level {
        match self {
            Self::Knowledge => Level::Aal1,
        }
    }
}

/// A judgement being made.
pub type Judging<'a> = Pin<Box<dyn Future<Output = Result<Verdict>> + Send + 'a>>;

/// What a method found.
pub enum Verdict {
    /// The person is who they say.
    Proven(Box<Proof>),
    /// Not proven: the form is shown again, the same for every reason that could tell who has an account.
    Refused(StatusCode, MessageKey),
}

/// A proof that is to be settled in the transaction that begins the session.
pub struct Proof {
    /// Who, as read before the proof was judged.
    pub person: Person,
    /// How.
    pub method: &'static Method,
    /// The counter of wrong guesses, which a right one clears.
    pub subject: Digest,
    /// The hash of the password by today's parameters, where the stored one is by older ones.
    pub rehashed: Option<String>,
}

impl Proof {
    /// Clears the counter and returns the person as they are now; nobody, if they may not sign in any more or the
    /// password was changed while it was being judged.
    pub async fn settle(&self, tx: &mut Tx<Tenant>, cx: &Cx) -> Result<Option<Person>> {
        let person = tenant_users::find(tx, self.person.id).await?;
        let is_same = |person: &Person| person.may_sign_in() && person.password == self.person.password;
        let Some(person) = person.filter(is_same) else { return Ok(None) };
        attempts::clear(tx, self.subject).await?;
        if let (Some(old), Some(new)) = (&person.password, &self.rehashed) {
            accounts::rehash_password(tx, person.account_id, old, new).await?;
            tracing::debug!(request_id = cx.request_id, "a password hash was renewed");
        }
        Ok(Some(person))
    }
}
