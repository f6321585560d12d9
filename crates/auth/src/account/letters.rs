//! Mails to members on behalf of a tenant's administrators: the same links as people ask for themselves.

use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::mails::{self, NewMail};
use svc_domain::people::tenant_users::Person;
use svc_http::{Letters, TenantCx};

use super::{recovery, sign_up};
use crate::pages::{Branding, Mail, MailText, Pages};

/// What the management API has mailed.
pub const LETTERS: Letters = Letters {
    invitation: |caller, tx, person| Box::pin(sign_up::invite(caller, tx, person)),
    recovery: |caller, tx, person| Box::pin(recovery::offer(caller, tx, person)),
};

/// The address of a person who can be written to.
pub(super) fn address(person: &Person) -> Result<&str> {
    person.email.as_deref().ok_or_else(|| Error::conflict("this person has no e-mail address"))
}

/// Queues a mail in the person's language.
pub(super) fn queue(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person, mail: &Mail<'_>) -> Result<()> {
    let (pages, settings) = (caller.app.part::<Pages>()?, &caller.tenant.settings);
    let branding =
        Branding::new(&caller.tenant.name, settings.logo_uri.as_deref(), settings.accent.as_deref())
            .or_else(|_| Branding::new(&caller.tenant.name, None, None))?;
    let locale = pages.negotiate(person.profile.locale.as_deref(), None);
    let MailText { subject, text, html } = pages.mail(&locale, &branding, mail)?;
    let new = NewMail { to: address(person)?.to_owned(), subject, text, html };
    mails::enqueue(tx, caller, &caller.app.services.messages, new)
}

/// The address of a link, at the tenant's own origin.
pub(super) fn link(caller: &TenantCx, path: &str, secret: &str) -> String {
    format!("{}{path}?token={secret}", caller.tenant.issuer)
}
