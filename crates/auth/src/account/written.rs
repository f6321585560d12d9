//! How a mail is written that no page shows on: in the language of the person, with links to the tenant's own origin.

use svc_core::{Cx, Error, Result, Timestamp};
use svc_db::{Tenant as Space, Tx};
use svc_domain::delivery::mails::{self, NewMail};
use svc_domain::organizations::Look;
use svc_domain::people::tenant_users::Person;
use svc_domain::tenancy::tenants::Tenant;
use svc_http::{App, HostCx, TenantCx};
use svc_keys::Purpose;

use crate::pages::{Branding, Mail, MailText, Pages};

/// On whose behalf a mail is sent.
#[derive(Clone, Copy)]
pub struct Sender<'a> {
    /// The application.
    pub app: &'a App,
    /// The tenant.
    pub tenant: &'a Tenant,
    /// The call.
    pub cx: &'a Cx,
    /// The look of the organization that it is about.
    pub look: Option<&'a Look>,
}

impl<'a> From<&'a TenantCx> for Sender<'a> {
    fn from(caller: &'a TenantCx) -> Self {
        Self { app: &caller.app, tenant: &caller.tenant, cx: &caller.cx, look: None }
    }
}

impl<'a> From<&'a HostCx> for Sender<'a> {
    fn from(host: &'a HostCx) -> Self {
        Self { app: &host.app, tenant: &host.tenant, cx: &host.cx, look: None }
    }
}

/// The address of a person who can be written to.
pub fn address(person: &Person) -> Result<&str> {
    person.email.as_deref().ok_or_else(|| Error::conflict("this person has no e-mail address"))
}

/// Queues a mail to a person.
pub fn queue(caller: &TenantCx, tx: &mut Tx<Space>, person: &Person, mail: &Mail<'_>) -> Result<()> {
    Sender::from(caller).queue_to(tx, (address(person)?, person.profile.locale.as_deref()), mail)
}

impl Sender<'_> {
    /// Queues a mail to an address, in the language if there is a known one.
    pub fn queue_to(self, tx: &mut Tx<Space>, to: (&str, Option<&str>), mail: &Mail<'_>) -> Result<()> {
        self.queue_for(tx, to, mail, None)
    }

    /// The same for a time to come, if there is one.
    pub fn queue_for(
        self,
        tx: &mut Tx<Space>,
        to: (&str, Option<&str>),
        mail: &Mail<'_>,
        due: Option<Timestamp>,
    ) -> Result<()> {
        let new = self.written(to, mail)?;
        let sealer = self.app.services.sealers.held(self.tenant.id, Purpose::Messages)?;
        match due {
            Some(due) => mails::enqueue_for(tx, self.cx, &sealer, (new, due)),
            None => mails::enqueue(tx, self.cx, &sealer, new),
        }
    }

    /// A mail to an address, in the language if there is a known one.
    pub fn written(self, (to, language): (&str, Option<&str>), mail: &Mail<'_>) -> Result<NewMail> {
        let pages = self.app.part::<Pages>()?;
        let branding = Branding::of(self.tenant, self.look)?;
        let locale = pages.negotiate_at(self.tenant, language, None);
        let MailText { subject, text, html, sender_name } = pages.mail(&locale, &branding, mail)?;
        Ok(NewMail { to: to.to_owned(), sender_name, subject, text, html })
    }

    /// The address of a link.
    pub fn link(self, path: &str, secret: &str) -> String {
        format!("{}{path}?token={secret}", self.tenant.issuer)
    }
}
