//! Mails that a page causes: in which language they are written, and the limits that keep inboxes from being flooded.
//!
//! The limits hold for the whole deployment. Each requester has a budget of its own, so that strangers cannot use up the
//! mails of the browser in which the account's owner has signed in before.

use svc_core::capability::Capability;
use svc_core::{AccountId, Error, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::mails::{self, NewMail};
use svc_domain::people::accounts::{self, Account, Email};
use svc_http::HostCx;
use svc_keys::{Purpose, base64url, digest};

use super::devices::Device;
use super::paths::{ACCOUNT, FORGOT};
use super::visit::Visit;
use crate::pages::{Locale, Mail, MailText, MessageKey, Topic};

const WINDOW: Seconds = Seconds(3600);
/// Mails to one address that one requester can cause within the window.
const MOST_OF_REQUESTER: i64 = 5;
/// Mails to one address that all strangers together can cause within the window.
const MOST_OF_STRANGERS: i64 = 20;

/// The text of a mail in the language of the owner of the account, if there is one, or else in that of the visit, which may be another
/// person's.
pub fn written(visit: &Visit, account: Option<&Account>, mail: &Mail<'_>) -> Result<MailText> {
    let locale = language(visit, account.and_then(|account| account.profile.locale.as_deref()))?;
    visit.pages()?.mail(&locale, &visit.branding, mail)
}

/// Fails where no mail could be sealed now. Asked before it is known whether there is an account to write to: the answer must not
/// depend on that.
pub fn must_be_sealable(visit: &Visit) -> Result<()> {
    visit.host.app.services.sealers.held(visit.host.tenant.id, Purpose::Messages).map(drop)
}

/// Counts a request that sends mail; what to tell the person when there are too many from their address.
pub async fn too_many(visit: &Visit, purpose: &str) -> Option<MessageKey> {
    let config = visit.live();
    let auth = &config.auth;
    let key = format!("{purpose} {}", visit.host.arrival.throttle_key());
    let window = auth.registration_rate_limit_window_secs;
    let count = visit.host.app.coordination.incr(&key, window, visit.cx().now).await;
    let most = i64::from(auth.registration_rate_limit_max);
    count.wait_beyond(most, visit.cx().now).map(MessageKey::too_many_attempts)
}

/// Queues a mail.
pub fn queue(visit: &Visit, tx: &mut Tx<Tenant>, to: &str, text: MailText) -> Result<()> {
    let MailText { subject, text, html, sender_name } = text;
    let mail = NewMail { to: to.to_owned(), sender_name, subject, text, html };
    let sealer = visit.host.app.services.sealers.held(visit.host.tenant.id, Purpose::Messages)?;
    mails::enqueue(tx, visit.cx(), &sealer, mail)
}

/// Tells the owner of an account that something about it has changed, with the way to take it back, in the owner's language or else in
/// that of the visit; an account without an address gets no mail.
pub fn tell_owner(visit: &Visit, tx: &mut Tx<Tenant>, account: &Account, topic: Topic) -> Result<()> {
    let Some(to) = account.email.as_deref() else { return Ok(()) };
    let url = format!("{}{}", visit.host.origin(), undoing(&visit.host));
    let name = account.profile.name.as_deref();
    let mail = Mail { topic, name, organization: None, url: &url, code: None, time: None };
    queue(visit, tx, to, written(visit, Some(account), &mail)?)
}

/// The same of an account that has a session.
pub async fn tell_owner_of(
    visit: &Visit,
    tx: &mut Tx<Tenant>,
    account: AccountId,
    topic: Topic,
) -> Result<()> {
    let account = accounts::find(tx, account).await?;
    let account = account.ok_or_else(|| Error::internal("the account of a session is gone"))?;
    tell_owner(visit, tx, &account, topic)
}

/// The language of a person, or else that of the visit.
pub fn language(visit: &Visit, own: Option<&str>) -> Result<Locale> {
    Ok(visit.pages()?.negotiate(Some(&languages(visit, own)), None))
}

/// In which languages a person is written to, of which the first on offer is taken: their own, or else that of the visit, which another
/// person may have chosen.
pub fn languages(visit: &Visit, own: Option<&str>) -> String {
    format!("{} {}", own.unwrap_or_default(), visit.locale)
}

/// Where an owner takes a change of the account back: by a new password, or in the account centre where none replaces a forgotten one.
pub fn undoing(host: &HostCx) -> &'static str {
    if replaces_passwords(host) { FORGOT } else { ACCOUNT }
}

/// Whether a forgotten password can be replaced, by mail or by another proven factor.
pub fn replaces_passwords(host: &HostCx) -> bool {
    let is_enabled = host.app.config.user_self_service.recovery_enabled;
    is_enabled && host.offers(&Capability::PASSWORD) && !host.tenant.settings.without_recovery
}

/// Counts a mail that anyone can cause; whether it may be sent. The requester does not learn it. Called before a transaction
/// begins: the shared counter takes a connection of its own.
pub async fn may_be_sent(visit: &Visit, to: &str, account: Option<&Account>) -> bool {
    let address = base64url(digest(&to.to_ascii_lowercase()).0);
    let known = account.and_then(|account| {
        let device = Device::known(visit, account.id, account.credentials_changed_at)?;
        Some(base64url(device.counter(account.id).0))
    });
    let budgets = match known {
        Some(device) => vec![(format!("mail {address} to {device}"), MOST_OF_REQUESTER)],
        None => vec![
            (format!("mail {address} from {}", visit.host.arrival.throttle_key()), MOST_OF_REQUESTER),
            (format!("mail {address}"), MOST_OF_STRANGERS),
        ],
    };
    for (key, most) in budgets {
        let count = visit.host.app.coordination.incr(&key, WINDOW, visit.cx().now).await;
        if count.count > most {
            tracing::warn!(
                request_id = visit.cx().request_id,
                "an address has had too many mails; this one is not sent"
            );
            return false;
        }
    }
    true
}

/// Counts a mail that a person has sent to an address which they have not proven; how long the person waits where there were too many: of
/// theirs, to the address from their network, or to it from everywhere. The person learns of it, and an account in any tenant is enough
/// to ask: what one network uses up is not all that the address may get.
pub async fn asker_waits(
    host: &HostCx,
    what: &str,
    (asker, most): (String, i64),
    to: &Email,
) -> Option<Seconds> {
    let address = base64url(digest(&to.key()).0);
    let budgets = [
        (format!("{what} of {asker}"), most),
        (format!("{what} {address} from {}", host.arrival.throttle_key()), MOST_OF_REQUESTER),
        (format!("{what} {address}"), MOST_OF_STRANGERS),
    ];
    for (key, most) in budgets {
        let count = host.app.coordination.incr(&key, WINDOW, host.cx.now).await;
        if let Some(wait) = count.wait_beyond(most, host.cx.now) {
            return Some(wait);
        }
    }
    None
}
