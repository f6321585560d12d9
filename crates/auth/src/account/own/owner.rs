//! The person at their own account, whether by a page or by the API.

use svc_core::{Cx, Result, Seconds, SessionId};
use svc_db::{Tenant, Tx};
use svc_domain::people::accounts;
use svc_domain::people::credentials::Owner;
use svc_domain::people::tenant_users::Person;
use svc_http::HostCx;

use super::super::ends::take_in_ends;
use super::super::written::Sender;
use crate::hosted::mail::undoing;
use crate::pages::{Mail, Topic};

/// A person at their own account.
pub struct Own {
    /// The tenant's host, and the call, made by the person.
    pub host: HostCx,
    /// The person.
    pub person: Person,
    /// The session in which they are here; the token of an application may be of none.
    pub session: Option<SessionId>,
    /// The languages in which they are written to, if any are known; the first on offer is taken.
    pub language: Option<String>,
}

impl Own {
    /// A person who calls the host.
    pub fn new(
        host: HostCx,
        (person, session): (Person, Option<SessionId>),
        language: Option<String>,
    ) -> Self {
        let cx = host.cx.acting_as(person.actor());
        Self { host: HostCx { cx, ..host }, person, session, language }
    }

    /// The call, made by the person.
    pub fn cx(&self) -> &Cx {
        &self.host.cx
    }

    /// Goes on as a call at this instant, so that a change that ends everything older ends also what was begun since the call began.
    pub fn catch_up(&mut self) {
        self.host.cx.now = self.host.app.clock.now().max(self.host.cx.now);
    }

    /// Whose credentials are changed.
    pub fn owner(&self) -> Owner {
        Owner { session: self.session, ..Owner::from(&self.person) }
    }

    /// Refuses where the account has other credentials by now than when the call began. Asked once the credentials or guardians are held
    /// that are changed.
    pub async fn must_be_as_read(&self, tx: &mut Tx<Tenant>) -> Result<()> {
        accounts::must_be_as_read(tx, self.person.account_id, self.person.credentials_changed_at).await
    }

    /// Mails the owner that something about the account has changed, with the way to take it back; an account without an address
    /// gets no mail.
    pub fn tell(&self, tx: &mut Tx<Tenant>, topic: Topic) -> Result<()> {
        self.mail(tx, topic, (undoing(&self.host), None))
    }

    /// Mails the owner a link to a page of ours, with a time that the mail names, if it names one.
    pub fn mail(
        &self,
        tx: &mut Tx<Tenant>,
        topic: Topic,
        (path, time): (&str, Option<Seconds>),
    ) -> Result<()> {
        let Some(to) = self.person.email.as_deref() else { return Ok(()) };
        let url = format!("{}{path}", self.host.origin());
        let name = self.person.profile.name.as_deref();
        let mail = Mail { topic, name, organization: None, url: &url, code: None, time };
        Sender::from(&self.host).queue_to(tx, (to, self.language.as_deref()), &mail)
    }

    /// Lets this node know at once which tokens have ended; others hear of it within a second.
    pub async fn take_in_ends(&self) -> Result<()> {
        take_in_ends(&self.host).await
    }
}
