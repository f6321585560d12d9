//! Mails to the people who made what the service has deactivated.

use svc_core::{Actor, Cx, Result};
use svc_db::{Tenant, Tx};
use svc_keys::keyring::Sealer;

use super::mails::{self, NewMail};
use crate::people::tenant_users;

/// The person to tell of what is made by this caller; an application learns of it by the event alone.
pub(super) fn owner(cx: &Cx) -> Option<String> {
    match &cx.actor {
        Actor::User(sub) => Some(sub.clone()),
        _ => None,
    }
}

/// Queues a mail to an owner who may sign in and has a proven address.
pub(super) async fn tell(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    owner: &str,
    (subject, paragraphs): (&str, [&str; 3]),
) -> Result<()> {
    let person = tenant_users::find_by_subject(tx, owner).await?;
    let person = person.filter(|person| person.may_sign_in() && person.email_verified);
    let Some(to) = person.and_then(|person| person.email) else { return Ok(()) };
    let html = paragraphs.map(|text| format!("<p>{}</p>", escaped(text))).concat();
    let mail =
        NewMail { to, sender_name: None, subject: subject.to_owned(), text: paragraphs.join("\n\n"), html };
    mails::enqueue(tx, cx, sealer, mail)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
