//! A phone number for an account: it counts once its owner has signed in again and typed the code that was sent to it.

use svc_core::{OrInternal as _, Result, Seconds};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::credentials::{self, Kind};
use svc_domain::people::phones::{self, PhoneNumber};

use super::super::denied::Denied;
use super::credentials::remove as remove_credential;
use super::owner::Own;
use crate::hosted::texts::{self, Requester};
use crate::pages::{Changed, Pages, TextTopic, Topic};
use crate::signin::methods::sms::terms;
use crate::signin::sent_code::SentCode;

/// The outcome of asking for a number.
pub enum AskOutcome {
    /// A code is on its way; what its confirmation needs to know, which is not for the person to read.
    Sent(String),
    /// The account has this number already.
    Same,
    /// Too many codes were asked for; in so long there may be another.
    TooMany(Seconds),
}

/// The number that the person has proven.
pub async fn number(own: &Own) -> Result<Option<PhoneNumber>> {
    phones::of_account(&mut own.host.read().await?, own.person.account_id).await
}

/// Sends a code to a number.
pub async fn ask(own: &Own, after: &PhoneNumber) -> Result<AskOutcome> {
    let host = &own.host;
    if number(own).await?.as_ref() == Some(after) {
        return Ok(AskOutcome::Same);
    }
    texts::must_be_sealable(host)?;
    if let Some(wait) = texts::requester_waits(host).await {
        return Ok(AskOutcome::TooMany(wait));
    }
    if let Some(wait) = texts::number_waits(host, (after, Requester::Stranger)).await {
        return Ok(AskOutcome::TooMany(wait));
    }
    let (sent, code) = SentCode::new(own.cx(), after.as_str(), terms(host));
    let pages = host.app.part::<Pages>()?;
    let locale = pages.negotiate_at(&host.tenant, own.language.as_deref(), None);
    let body = texts::written(host, &locale, TextTopic::NewNumber, &code)?;
    let mut tx = host.begin().await?;
    record(&mut tx, own.cx(), Meaning::done(Action::PhoneChangeRequested, own.person.id));
    texts::queue(host, &mut tx, (after, body), sent.until)?;
    tx.commit().await?;
    Ok(AskOutcome::Sent(serde_json::to_string(&sent).or_internal()?))
}

/// The number that a code is on its way to.
pub fn sent_to(kept: &str) -> Option<String> {
    serde_json::from_str::<SentCode>(kept).ok().map(|sent| sent.to)
}

/// Gives the account the number, proven by the code that was sent to it, and mails its owner.
pub async fn confirm(own: &Own, kept: &str, typed: &str) -> Result<std::result::Result<(), Denied>> {
    let (host, cx) = (&own.host, own.cx());
    let Ok(sent) = serde_json::from_str::<SentCode>(kept) else { return Ok(Err(Denied::TextCodeWrong)) };
    let counted = sent.count(host, ("phone", terms(host))).await?;
    let may_count = !counted.is_locked() && cx.now < sent.until && sent.is(typed);
    if !may_count || !sent.spend(host).await? {
        return Ok(Err(Denied::TextCodeWrong));
    }
    let number = PhoneNumber::parse(&sent.to)?;
    let mut tx = host.begin().await?;
    let holder = phones::find(&mut tx, &number).await?;
    if holder.is_some_and(|holder| holder.account != own.person.account_id) {
        return Ok(Err(Denied::PhoneTaken));
    }
    phones::set(&mut tx, cx, &own.person, &number).await?;
    own.must_be_as_read(&mut tx).await?;
    own.tell(&mut tx, Topic::CredentialAdded(Changed::Phone))?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// Removes the number, and mails its owner; false where there is none.
pub async fn remove(own: &Own) -> Result<std::result::Result<bool, Denied>> {
    let all = credentials::of_account(&mut own.host.read().await?, own.person.account_id).await?;
    match all.iter().find(|one| one.kind == Some(Kind::Phone)) {
        Some(one) => remove_credential(own, one.id, &[Kind::Phone]).await,
        None => Ok(Ok(false)),
    }
}
