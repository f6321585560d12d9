//! The mail by whose link people register, or sign in where the address belongs to an account already.

use serde::{Deserialize, Serialize};
use svc_core::{Result, Seconds, TenantUserId};
use svc_domain::people::accounts::{self, Account, Email};
use svc_domain::people::links::{self, LinkKind, NewLink};
use svc_http::HostCx;
use svc_keys::{digest, token};

use super::beginnings::Beginnings;
use super::flow::Flow;
use super::onward::Onward;
use super::session::guest;
use crate::hosted::{Visit, mail};
use crate::pages::{Mail, Topic};

/// The page behind the link.
pub const VERIFY: &str = "/auth/verify";
/// How long an address may be confirmed.
const LIFETIME: Seconds = Seconds(24 * 3600);

/// What the link in the mail stands for.
#[derive(Serialize, Deserialize)]
pub struct Pending {
    /// The address that it proves.
    pub email: String,
    /// None for an invitation, which no flow has led to.
    #[serde(default)]
    pub onward: Option<Onward>,
    /// The guest who keeps the account by it.
    #[serde(default)]
    pub guest: Option<TenantUserId>,
}

impl Pending {
    /// By what the account can be entered that the link makes.
    pub async fn beginnings(&self, host: &HostCx) -> Result<Beginnings> {
        match &self.onward {
            Some(onward) => Beginnings::of_flow(host, onward.flow()).await,
            None => Ok(Beginnings::of_tenant(host)),
        }
    }
}

/// Sends the link, by which the guest of this browser keeps the account. The mail says whether there is an account; the page after
/// it is the same.
pub async fn send(visit: &Visit, email: &Email, flow: Option<&Flow>) -> Result<()> {
    mail::must_be_sealable(visit)?;
    let account = accounts::find_by_email(&mut visit.host.read().await?, email).await?;
    if mail::may_be_sent(visit, email.as_str(), account.as_ref()).await {
        send_to(visit, email, account.as_ref(), flow).await
    } else {
        Ok(())
    }
}

/// The same where the account is known, and the mail counted. Link and mail are written with the commit, in as many round trips as a
/// code would take.
pub async fn send_to(
    visit: &Visit,
    email: &Email,
    account: Option<&Account>,
    flow: Option<&Flow>,
) -> Result<()> {
    let topic = if account.is_some() { Topic::AccountExists } else { Topic::VerifyEmail };
    mail_link(visit, (email, topic), account, flow).await
}

/// Mails the owner of an account, who has signed in, the link that proves its address; not more often than other mails go there.
pub async fn prove(visit: &Visit, account: &Account, flow: Option<&Flow>) -> Result<()> {
    mail::must_be_sealable(visit)?;
    let Some(email) = account.email.as_deref().map(Email::parse).transpose()? else { return Ok(()) };
    if mail::may_be_sent(visit, email.as_str(), Some(account)).await {
        mail_link(visit, (&email, Topic::ProveAddress), Some(account), flow).await
    } else {
        Ok(())
    }
}

async fn mail_link(
    visit: &Visit,
    (email, topic): (&Email, Topic),
    account: Option<&Account>,
    flow: Option<&Flow>,
) -> Result<()> {
    let (cx, guest) = (visit.cx(), guest(visit).await?.map(|guest| guest.id));
    let secret = token(&*cx.entropy);
    let url = format!("{}{VERIFY}?token={secret}", visit.host.origin());
    let text = mail::written(
        visit,
        account,
        &Mail { topic, name: None, organization: None, url: &url, code: None, time: Some(LIFETIME) },
    )?;
    let onward = flow.map(|flow| Onward::new(visit, flow.clone()));
    let payload = Pending { email: email.as_str().to_owned(), onward, guest };
    let (kind, account) = (LinkKind::VerifyEmail, account.map(|account| account.id));
    let new = NewLink { digest: digest(&secret), kind, account, payload: &payload, lifetime: LIFETIME };
    let mut tx = visit.host.begin().await?;
    links::create_later(&mut tx, cx, &new)?;
    mail::queue(visit, &mut tx, email.as_str(), text)?;
    tx.commit().await
}
