//! The e-mail address: another one takes effect once a link that was mailed to it was opened.

use svc_core::Result;
use svc_domain::people::accounts::Email;
use svc_http::{Params, Response};

use super::super::new_address::{self, Asked};
use super::section::{Acted, Answering, Here, Section, Told, Whose};
use crate::pages::{AccountEmail, MessageKey};

/// The section.
pub const SECTION: Section = Section {
    id: "email",
    title: "account-email",
    path: "/account/email",
    is_offered: |_| true,
    is_sensitive: true,
    whose: Whose::People,
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told) }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

fn show(here: &Here<'_>, told: Told) -> Result<Response> {
    let person = &here.session.person;
    let page = AccountEmail {
        frame: here.frame(told)?,
        email: person.email.as_deref().map(Into::into),
        email_verified: person.email_verified,
    };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let Ok(email) = Email::parse(form.one("email").unwrap_or_default()) else {
        return Ok(Acted::Fault(MessageKey::EmailInvalid));
    };
    Ok(match new_address::ask(&here.own(), &email).await? {
        Asked::Mailed => Acted::Done(MessageKey::AddressMailed),
        Asked::Same => Acted::Fault(MessageKey::EmailSame),
        Asked::Enforced => Acted::Fault(MessageKey::EmailEnforced),
        Asked::TooMany(wait) => Acted::Fault(MessageKey::too_many_attempts(wait)),
    })
}
