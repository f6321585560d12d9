//! The e-mail address: another one takes effect once a link that was mailed to it was opened.

use svc_core::Result;
use svc_domain::people::accounts::Email;
use svc_http::{Params, Response};

use super::super::new_address::{self, AskOutcome};
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
    show: |here, told| -> Answering<'_, Response> { Box::pin(async move { show(&here, told, "") }) },
    act: Some(|here, form| -> Answering<'_, Acted> { Box::pin(act(here, form)) }),
};

/// Shows the address that counts, and the one that was typed where it could not be taken.
fn show(here: &Here<'_>, told: Told, typed: &str) -> Result<Response> {
    let person = &here.session.person;
    let page = AccountEmail {
        frame: here.frame(told)?,
        email: person.email.as_deref().map(Into::into),
        email_verified: person.email_verified,
        typed: typed.into(),
    };
    here.visit.page(&page)
}

async fn act(here: Here<'_>, form: &Params) -> Result<Acted> {
    let typed = form.one("email").unwrap_or_default();
    let error = match Email::parse(typed) {
        Err(_) => MessageKey::EmailInvalid,
        Ok(email) => match new_address::ask(&here.own(), &email).await? {
            AskOutcome::Mailed => return Ok(Acted::Done(MessageKey::AddressMailed)),
            AskOutcome::Same => MessageKey::EmailSame,
            AskOutcome::Enforced => MessageKey::EmailEnforced,
            AskOutcome::TooMany(wait) => MessageKey::too_many_attempts(wait),
        },
    };
    show(&here, Told { error: Some(error), ..Told::default() }, typed).map(Acted::Shown)
}
