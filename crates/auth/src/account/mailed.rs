//! What goes out by mail and comes back as a link: limits, texts, single-use secrets, and the way back into a flow.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::mails::{self, NewMail};
use svc_domain::people::links::{self, Link, LinkKind};
use svc_http::{Response, StatusCode};
use svc_keys::{base64url, constant_time_eq, digest};

use crate::hosted::Visit;
use crate::pages::{Done, Mail, MailText, MessageKey, Outcome, Page};
use crate::signin::Flow;

/// Mails to one address within [`MAIL_WINDOW`], so that nobody's inbox can be flooded through us.
const MOST_MAILS: i64 = 5;
const MAIL_WINDOW: Seconds = Seconds(3600);

/// A flow that waits for its person to come back from their inbox; it goes on in the browser where it began, only.
#[derive(Serialize, Deserialize)]
pub struct Onward {
    browser: String,
    flow: Flow,
}

impl Onward {
    /// The flow of this browser.
    pub fn new(visit: &Visit, flow: Flow) -> Self {
        Self { browser: base64url(visit.browser.digest().0), flow }
    }

    /// The flow, if this is the browser where it began; in any other, whoever sent the link could be its owner.
    pub fn here(self, visit: &Visit) -> Option<Flow> {
        let this = base64url(visit.browser.digest().0);
        let is_same = constant_time_eq(self.browser.as_bytes(), this.as_bytes());
        is_same.then(|| Flow { since: visit.cx().now, ..self.flow })
    }
}

/// The address of a link: always the tenant's own origin, whatever host the request named.
pub fn link(visit: &Visit, path: &str, secret: &str) -> String {
    format!("{}{path}?token={secret}", visit.host.origin())
}

/// The text of a mail in the language of the visit.
pub fn written(visit: &Visit, mail: &Mail<'_>) -> Result<MailText> {
    visit.pages()?.mail(&visit.locale, &visit.branding, mail)
}

/// Queues a mail that anybody can cause, unless the address has had enough of them; whoever asked is not told.
pub async fn send(visit: &Visit, tx: &mut Tx<Tenant>, to: &str, text: MailText) -> Result<()> {
    let address = base64url(digest(&to.to_ascii_lowercase()).0);
    // This node's memory: the shared counter would need a second connection while this transaction holds one.
    let count =
        visit.host.app.coordination.incr_here(&format!("mail {address}"), MAIL_WINDOW, visit.cx().now);
    if count.count > MOST_MAILS {
        tracing::warn!(
            request_id = visit.cx().request_id,
            "an address has been sent too many mails; this one is not"
        );
        return Ok(());
    }
    notify(visit, tx, to, text).await
}

/// Queues a mail about something that has happened: no number of others keeps it back.
pub async fn notify(visit: &Visit, tx: &mut Tx<Tenant>, to: &str, text: MailText) -> Result<()> {
    let MailText { subject, text, html } = text;
    mails::enqueue(tx, visit.cx(), &NewMail { to: to.to_owned(), subject, text, html }).await
}

/// Counts a request that sends mail; what to tell the person when there are too many from their address.
pub async fn too_many(visit: &Visit, purpose: &str) -> Option<MessageKey> {
    let auth = &visit.config().auth;
    let key = format!("{purpose} {}", visit.host.arrival.throttle_key());
    let window = auth.registration_rate_limit_window_secs;
    let count = visit.host.app.coordination.incr(&key, window, visit.cx().now).await;
    let most = i64::from(auth.registration_rate_limit_max);
    (count.count > most).then(|| MessageKey::too_many_attempts(count.resets_at - visit.cx().now))
}

/// What a live link was made with; see [`links::find`].
pub async fn peek<T: DeserializeOwned>(
    visit: &Visit,
    secret: &str,
    kind: LinkKind,
) -> Result<Option<Link<T>>> {
    let mut tx = visit.host.read().await?;
    links::find(&mut tx, visit.cx(), digest(secret), kind).await
}

/// The page of a link that has been followed, is too old, or never was one.
pub fn dead_link(visit: &Visit) -> Result<Response> {
    let page = Page::Done(Done { outcome: Outcome::LinkExpired, continue_url: None });
    visit.page_as(StatusCode::BAD_REQUEST, &page, None)
}

/// The page at the end of an errand that has no flow to go on with.
pub fn done(visit: &Visit, outcome: Outcome) -> Result<Response> {
    visit.page(&Page::Done(Done { outcome, continue_url: None }))
}
