//! Text messages that a page or a call causes: their text in the language of the person, and the limits that keep phones from being
//! flooded and the operator from paying for it.

use svc_core::capability::Capability;
use svc_core::{AccountId, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::texts::{self, NewText};
use svc_domain::people::phones::{self, PhoneNumber};
use svc_http::HostCx;
use svc_keys::{Purpose, base64url, digest};

use crate::pages::{Locale, Pages, TextTopic};

const WINDOW: Seconds = Seconds(3600);
/// How long a notice is worth sending.
const NOTICE_LIFETIME: Seconds = Seconds(24 * 3600);

/// Fails where no message could be sealed now. Asked before it is known whether an account has the number: the answer must not
/// depend on that.
pub fn must_be_sealable(host: &HostCx) -> Result<()> {
    host.app.services.sealers.held(host.tenant.id, Purpose::Messages).map(drop)
}

/// Counts a request for a message; how long to wait where there were too many from this network address.
pub async fn requester_waits(host: &HostCx) -> Option<Seconds> {
    let config = host.app.live();
    let (most, window) =
        (config.auth.registration_rate_limit_max, config.auth.registration_rate_limit_window_secs);
    let key = format!("sms from {}", host.arrival.throttle_key());
    let count = host.app.coordination.incr(&key, window, host.cx.now).await;
    count.wait_beyond(most.into(), host.cx.now)
}

/// Who causes a message to a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// The person who knows the number.
    Stranger,
    /// The owner of an account that has the number, as far as a first proof, or a browser of former sign-ins, tells.
    Owner,
}

/// Counts a message to a number; how long to wait where it has had too many. The limit holds for the whole deployment; what strangers
/// use up is not the owner's.
pub async fn number_waits(host: &HostCx, (number, requester): (&PhoneNumber, Requester)) -> Option<Seconds> {
    let number = base64url(digest(number.as_str()).0);
    let key = match requester {
        Requester::Stranger => format!("sms to {number}"),
        Requester::Owner => format!("sms to {number} for its owner"),
    };
    let count = host.app.coordination.incr(&key, WINDOW, host.cx.now).await;
    let most = i64::from(host.app.config.sms.max_per_hour);
    count.wait_beyond(most, host.cx.now)
}

/// A message with a code, as it is written.
pub fn written(host: &HostCx, locale: &Locale, topic: TextTopic, code: &str) -> Result<String> {
    let pages = host.app.part::<Pages>()?;
    pages.text_message(locale, (topic, &host.tenant.name), (code, host.app.config.sms.lifetime_secs))
}

/// Tells the owner of an account of a new password, on the phone if they have proven one and messages are sent here. The line leads
/// nowhere.
pub async fn tell_owner(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    (account, locale): (AccountId, &Locale),
) -> Result<()> {
    if !host.offers(&Capability::SMS) || must_be_sealable(host).is_err() {
        return Ok(());
    }
    let Some(number) = phones::of_account(tx, account).await? else { return Ok(()) };
    let body = host.app.part::<Pages>()?.text_of_new_password(locale, &host.tenant.name)?;
    queue(host, tx, (&number, body), host.cx.now + NOTICE_LIFETIME)
}

/// Queues a message that is of use until then.
pub fn queue(
    host: &HostCx,
    tx: &mut Tx<Tenant>,
    (to, body): (&PhoneNumber, String),
    until: Timestamp,
) -> Result<()> {
    let new = NewText { to: to.as_str().to_owned(), body };
    let sealer = host.app.services.sealers.held(host.tenant.id, Purpose::Messages)?;
    texts::enqueue(tx, &host.cx, &sealer, &new, until)
}
