//! How a mail that an administrator asks for is written: in the language of the person, with links to the tenant's own origin.

use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::mails::{self, NewMail};
use svc_domain::people::tenant_users::Person;
use svc_http::TenantCx;
use svc_keys::Purpose;

use crate::pages::{Branding, Mail, MailText, Pages};

/// The address of a person who can be written to.
pub fn address(person: &Person) -> Result<&str> {
    person.email.as_deref().ok_or_else(|| Error::conflict("this person has no e-mail address"))
}

/// Queues a mail to a person.
pub fn queue(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person, mail: &Mail<'_>) -> Result<()> {
    queue_to(caller, tx, (address(person)?, person.profile.locale.as_deref()), mail)
}

/// Queues a mail to an address, in the language if there is a known one.
pub fn queue_to(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (to, language): (&str, Option<&str>),
    mail: &Mail<'_>,
) -> Result<()> {
    let (pages, settings) = (caller.app.part::<Pages>()?, &caller.tenant.settings);
    let branding =
        Branding::new(&caller.tenant.name, settings.logo_uri.as_deref(), settings.accent.as_deref())
            .or_else(|_| Branding::new(&caller.tenant.name, None, None))?;
    let locale = pages.negotiate(language, None);
    let MailText { subject, text, html } = pages.mail(&locale, &branding, mail)?;
    let new = NewMail { to: to.to_owned(), subject, text, html };
    let sealer = caller.app.services.sealers.held(caller.tenant.id, Purpose::Messages)?;
    mails::enqueue(tx, caller, &sealer, new)
}

/// The address of a link.
pub fn link(caller: &TenantCx, path: &str, secret: &str) -> String {
    format!("{}{path}?token={secret}", caller.tenant.issuer)
}
