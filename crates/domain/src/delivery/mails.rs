//! Outgoing mail. Its text is sealed while it waits, because its links can sign a person in. Its address, its
//! subject and the names in one that is not written yet are not: they are forgotten when it has gone out or is given up.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, Error, MailId, MailKind, Result, TenantUserId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_keys::keyring::{Cell, Sealed, Sealer};

use super::queue::{Delivery, New, Order, Queue, enqueue as queue};
use super::schedule::Schedule;

/// A mail to send.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// The address.
    pub to: String,
    /// The name from which it comes, if it is not the deployment's.
    pub sender_name: Option<String>,
    /// The subject line, without control characters.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML.
    pub html: String,
}

/// A mail as it waits.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mail {
    /// One that is written.
    Written(Written),
    /// One that is written when it is sent, because what queues it has no pages.
    LostGuardian(LostGuardian),
}

/// A mail that is written.
#[derive(Debug, Serialize, Deserialize)]
pub struct Written {
    pub(super) to: String,
    pub(super) subject: String,
    pub(super) content: Sealed<Content>,
}

/// Tells the owner of an account that one of their guardians is none any more.
#[derive(Debug, Serialize, Deserialize)]
pub struct LostGuardian {
    /// The owner.
    pub owner: TenantUserId,
    /// What the guardian was called: by the time at which the mail is written there may be no such person any more.
    pub guardian: String,
}

/// The sealed part of it.
#[derive(Serialize, Deserialize)]
pub(super) struct Content {
    pub text: String,
    pub html: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_name: Option<String>,
}

impl Queue for Mail {
    type Kind = MailKind;
    const QUEUE: &'static str = "mails";
    const SCHEDULE: Schedule = Schedule::HOURS;
    const ORDER: Order = Order::AsDue;
}

/// Queues a mail.
pub fn enqueue(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer, mail: NewMail) -> Result<()> {
    let (id, mail) = waiting(tx, cx, sealer, mail)?;
    queue(tx, &New::of(cx, id, mail))
}

/// Queues a mail that is not sent before `due`.
pub fn enqueue_for(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    (mail, due): (NewMail, Timestamp),
) -> Result<()> {
    let (id, mail) = waiting(tx, cx, sealer, mail)?;
    queue(tx, &New { due_at: Some(due), ..New::of(cx, id, mail) })
}

fn waiting(tx: &Tx<Tenant>, cx: &Cx, sealer: &Sealer, mail: NewMail) -> Result<(MailId, Mail)> {
    let NewMail { to, sender_name, subject, text, html } = mail;
    let id = cx.id();
    let content = Content { text, html, sender_name };
    let content = seal(&content, (&tx.tenant().to_string(), id), sealer, cx)?;
    Ok((id, Mail::Written(Written { to, subject, content })))
}

/// Queues the mail about a guardian whose membership has ended.
pub(crate) fn tell_of_lost_guardian(tx: &mut Tx<Tenant>, cx: &Cx, lost: LostGuardian) -> Result<()> {
    queue(tx, &New::of(cx, cx.id(), Mail::LostGuardian(lost)))
}

/// The mail of a delivery; an error where its text cannot be opened.
pub fn open(due: &Delivery<Mail>, sealer: &Sealer) -> Result<NewMail> {
    let Mail::Written(Written { to, subject, content }) = due.payload()? else {
        return Err(Error::internal("a mail was opened that is not written yet"));
    };
    let (tenant, id) = (due.tenant.to_string(), due.id.to_string());
    let Content { text, html, sender_name } = content.open(&cell(&tenant, &id), sealer)?;
    Ok(NewMail { to, sender_name, subject, text, html })
}

pub(super) fn seal(
    content: &Content,
    (tenant, id): (&str, MailId),
    sealer: &Sealer,
    cx: &Cx,
) -> Result<Sealed<Content>> {
    Sealed::new(content, &cell(tenant, &id.to_string()), sealer, cx)
}

fn cell<'a>(tenant: &'a str, record: &'a str) -> Cell<'a> {
    Cell { table: Mail::QUEUE, column: "content", tenant, record }
}
