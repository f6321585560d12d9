//! Mails to the people who made what the service has deactivated.

use svc_core::{Actor, Cx, Result};
use svc_db::{Row, Tenant, TenantSql, Tx, args};
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

/// The subject of a mail, and its paragraphs.
pub(super) type Notice = (&'static str, [String; 3]);

/// Queues a mail to the owner of each row that `take` yields; returns how many rows those are. `notice` writes the mail, unless only a
/// newer version of the service understands the row.
pub(super) async fn tell_each(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    take: TenantSql,
    notice: fn(&Row) -> Result<Option<Notice>>,
) -> Result<u64> {
    let rows = tx.all(take, args![false]).await?;
    for row in &rows {
        if let Some(owner) = row.maybe_text("owner")?
            && let Some((subject, paragraphs)) = notice(row)?
        {
            let paragraphs = paragraphs.each_ref().map(String::as_str);
            tell(tx, cx, sealer, &owner, (subject, paragraphs)).await?;
        }
    }
    Ok(u64::try_from(rows.len()).unwrap_or_default())
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
