//! The mail that asks the owner of an account whether a sign-in was theirs, with the link by which they say no.

use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds, SessionId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_domain::people::login_history::{network_of, words};
use svc_domain::people::tenant_users::Person;
use svc_keys::{digest, token};

use crate::hosted::paths::WAS_THIS_YOU;
use crate::hosted::{Visit, mail};
use crate::pages::{Mail, MailText, Topic};

/// How long a link may be followed: mails are read after the holidays, too.
pub const LIFETIME: Seconds = Seconds(7 * 86_400);

/// Most of these mails that an account gets in an hour: an attacker who has its password could send any number.
const MOST_AN_HOUR: i64 = 5;

/// The sign-in that a link is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The session that began, if one did.
    pub session: Option<SessionId>,
    /// When it was.
    pub at: Timestamp,
    /// The browser, in a word.
    pub browser: String,
    /// The system, in a word.
    pub os: String,
    /// The network that it came from.
    pub network: String,
    /// The address of the account at that time, to which the link is mailed.
    #[serde(default)]
    pub email: Option<String>,
}

/// A mail that is ready to be queued with its link.
pub struct Notice {
    to: String,
    text: MailText,
    secret: String,
    subject: Subject,
    account: svc_core::AccountId,
}

impl Subject {
    /// The sign-in of this visit.
    pub fn of(visit: &Visit, session: Option<SessionId>) -> Self {
        let (browser, os) = words(&visit.user_agent);
        let network = network_of(visit.cx());
        Self {
            session,
            at: visit.cx().now,
            browser: browser.to_owned(),
            os: os.to_owned(),
            network,
            email: None,
        }
    }
}

/// Writes the mail in the person's language, or else in that of the visit; nothing where there is no address to send it to, or
/// where no mail can be sealed now.
pub fn written(
    visit: &Visit,
    person: &Person,
    (topic, subject): (Topic, &Subject),
) -> Result<Option<Notice>> {
    let Some(to) = person.email.clone().filter(|_| mail::must_be_sealable(visit).is_ok()) else {
        return Ok(None);
    };
    let secret = token(&*visit.cx().entropy);
    let url = format!("{}{WAS_THIS_YOU}?token={secret}", visit.host.origin());
    let locale = mail::language(visit, person.profile.locale.as_deref())?;
    let name = person.profile.name.as_deref();
    let mail = Mail { topic, name, organization: None, url: &url, code: None, time: Some(LIFETIME) };
    let text = visit.pages()?.mail(&locale, &visit.branding, &mail)?;
    let subject = Subject { email: Some(to.clone()), ..subject.clone() };
    Ok(Some(Notice { to, text, secret, subject, account: person.account_id }))
}

impl Notice {
    /// Queues the mail, and makes its link work; not more often than an owner reads. The history of sign-ins has them all.
    pub async fn send(self, visit: &Visit, tx: &mut Tx<Tenant>) -> Result<()> {
        let new = NewLink {
            digest: digest(&self.secret),
            kind: LinkKind::WasThisYou,
            account: Some(self.account),
            payload: &self.subject,
            lifetime: LIFETIME,
        };
        if links::made_lately(tx, visit.cx(), &new).await? >= MOST_AN_HOUR {
            return Ok(());
        }
        links::create(tx, visit.cx(), new).await?;
        mail::queue(visit, tx, &self.to, self.text)
    }
}
