//! Outgoing mail: queued in the transaction that calls for it, sealed while it waits, sent by a worker.

use serde::{Deserialize, Serialize};
use svc_core::{Cx, MailId, Result, Seconds, Timestamp};
use svc_db::{Row, System, Tenant, Tx, args, quiet_sql, quiet_system_sql};
use svc_keys::keyring::{Cell, Sealed, Sealer};

/// A mail to send.
#[derive(Clone, Debug)]
pub struct NewMail {
    /// The address.
    pub to: String,
    /// The subject line, without control characters.
    pub subject: String,
    /// The body as plain text.
    pub text: String,
    /// The body as HTML.
    pub html: String,
}

/// A mail that a worker has taken.
#[derive(Debug)]
pub struct DueMail {
    /// The tenant it is sent for, by id.
    pub tenant: String,
    /// Its id.
    pub id: MailId,
    /// What to send; an error where its text cannot be opened.
    pub mail: Result<NewMail>,
    /// How often it was tried before.
    pub attempts: i64,
}

/// What stands sealed: links in it are as good as a password.
#[derive(Serialize, Deserialize)]
struct Content {
    text: String,
    html: String,
}

/// Waits between attempts, in seconds; after the last the mail has failed.
const RETRIES: &[i64] = &[5, 30, 120, 900, 3600];

/// Queues a mail, its text sealed for messages.
pub fn enqueue(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer, mail: NewMail) -> Result<()> {
    let id: MailId = cx.id();
    let content = Content { text: mail.text, html: mail.html };
    let stored = Sealed::new(&content, &cell(&tx.tenant().to_string(), &id.to_string()), sealer, cx)?;
    let insert = quiet_sql!(
        "delivers what was recorded",
        "INSERT INTO mails (tenant_id, id, recipient, subject, body_text, body_html, content, state, attempts, due_at, \
         created_at) VALUES ($1, $2, $3, $4, '', '', $5, 'due', 0, $6, $6)"
    );
    tx.later(insert, args![id, mail.to, mail.subject, stored.into_column(), cx.now]);
    Ok(())
}

fn cell<'a>(tenant: &'a str, record: &'a str) -> Cell<'a> {
    Cell { table: "mails", column: "content", tenant, record }
}

/// Longer than one attempt at sending may take.
const LEASE: Seconds = Seconds(60);

/// Takes up to `limit` due mails; a worker that dies leaves them to be taken again when the lease is over.
pub async fn take_due(
    tx: &mut Tx<System>,
    sealer: &Sealer,
    now: Timestamp,
    limit: u32,
) -> Result<Vec<DueMail>> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE mails SET due_at = $2, attempts = attempts + 1 WHERE state = 'due' AND due_at <= $1 AND id IN \
         (SELECT id FROM mails WHERE state = 'due' AND due_at <= $1 ORDER BY due_at LIMIT $3) \
         RETURNING tenant_id, id, recipient, subject, body_text, body_html, content, attempts"
    );
    tx.all(update, args![now, now + LEASE, limit]).await?.iter().map(|row| due(row, sealer)).collect()
}

/// Notes that a mail was sent; its text, which may carry a secret link, goes.
pub async fn sent(tx: &mut Tx<System>, mail: &DueMail) -> Result<()> {
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE mails SET state = 'sent', body_text = '', body_html = '', content = NULL WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![&mail.tenant, mail.id]).await.map(|_| ())
}

/// Notes that an attempt failed; the mail is tried again later, or given up.
pub async fn failed(tx: &mut Tx<System>, mail: &DueMail, now: Timestamp) -> Result<()> {
    let wait = usize::try_from(mail.attempts - 1).ok().and_then(|attempt| RETRIES.get(attempt));
    let Some(wait) = wait else {
        // A link that was never delivered is as good as a password all the same.
        let update = quiet_system_sql!(
            "delivers what was recorded",
            "UPDATE mails SET state = 'failed', body_text = '', body_html = '', content = NULL WHERE tenant_id = $1 AND id = $2"
        );
        return tx.execute(update, args![&mail.tenant, mail.id]).await.map(|_| ());
    };
    let due_at = now + Seconds(*wait);
    let update = quiet_system_sql!(
        "delivers what was recorded",
        "UPDATE mails SET due_at = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.execute(update, args![&mail.tenant, mail.id, due_at]).await.map(|_| ())
}

fn due(row: &Row, sealer: &Sealer) -> Result<DueMail> {
    let (tenant, id): (_, MailId) = (row.text("tenant_id")?, row.parse("id")?);
    let content = match row.maybe_bytes("content")? {
        Some(stored) => Sealed::from_column(stored).open(&cell(&tenant, &id.to_string()), sealer),
        None => Ok(Content { text: row.text("body_text")?, html: row.text("body_html")? }),
    };
    let (to, subject) = (row.text("recipient")?, row.text("subject")?);
    let mail = content.map(|Content { text, html }| NewMail { to, subject, text, html });
    Ok(DueMail { tenant, id, mail, attempts: row.int("attempts")? })
}
