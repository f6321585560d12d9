//! Whom the person has chosen as guardians, how many of them are needed, and the recovery that someone has asked them for.

use svc_core::{GuardianId, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::people::accounts::Email;
use svc_domain::people::guardians::{self, Browser, Case, FEWEST, Guardian, Invited, Rules, Stage, called};
use svc_domain::tenancy::tenants::{LONGEST_WAIT_HOURS, SocialRecovery};

use super::super::denied::Denied;
use super::super::written::Sender;
use super::owner::Own;
use crate::hosted::mail::asker_waits;
use crate::hosted::paths::{GUARDING, OWN_GUARDIANS};
use crate::pages::{Mail, Topic};

/// Most invitations that one person sends in an hour.
const MOST_INVITATIONS: i64 = 20;

/// What the person has chosen, and what happens.
pub struct Chosen {
    /// The guardians, and those who are invited.
    pub guardians: Vec<Guardian>,
    /// What is needed; what one begins with where nothing was chosen.
    pub rules: Rules,
    /// Whether the person has chosen these rules, and enough guardians count.
    pub is_ready: bool,
    /// The recovery that someone has asked for, with how far it is for each browser.
    pub asked: Option<(Case, Vec<(Browser, Stage)>)>,
}

/// What the person has chosen, and what happens.
pub async fn chosen(own: &Own) -> Result<Chosen> {
    let (cx, person) = (own.cx(), own.person.id);
    let mut tx = own.host.read().await?;
    let guardians = guardians::of_person(&mut tx, cx, person).await?;
    let chosen = guardians::rules(&mut tx, person).await?;
    let usual = Rules { threshold: FEWEST, wait: settings(own).usual_wait(&own.host.app.config) };
    let rules = chosen.unwrap_or(usual);
    let rules = Rules { wait: rules.wait.max(settings(own).least_wait(&own.host.app.config)), ..rules };
    let is_ready = chosen.is_some() && active(&guardians) >= rules.threshold;
    let asked = match guardians::case(&mut tx, cx, person).await? {
        Some((case, browsers)) => {
            let mut all = Vec::new();
            for browser in browsers {
                let stage = guardians::stage(&mut tx, cx, (&case, browser.digest)).await?;
                all.push((browser, stage));
            }
            Some((case, all))
        }
        None => None,
    };
    Ok(Chosen { guardians, rules, is_ready, asked })
}

/// Whether someone asks the guardians to recover the account.
pub async fn is_asked(own: &Own) -> Result<bool> {
    let case = guardians::open_case(&mut own.host.read().await?, own.cx(), own.person.id).await?;
    Ok(case.is_some())
}

/// Whether fewer guardians count by now than the person has chosen to be needed: they may be suspended or gone.
pub async fn are_too_few(own: &Own) -> Result<bool> {
    let mut tx = own.host.read().await?;
    let Some(rules) = guardians::rules(&mut tx, own.person.id).await? else { return Ok(false) };
    let all = guardians::of_person(&mut tx, own.cx(), own.person.id).await?;
    Ok(active(&all) < rules.threshold)
}

/// How many of them count.
pub fn active(guardians: &[Guardian]) -> u32 {
    u32::try_from(guardians.iter().filter(|one| one.is_active).count()).unwrap_or(u32::MAX)
}

/// Fewest hours of waiting that can be chosen.
pub fn least_hours(own: &Own) -> u32 {
    hours(settings(own).least_wait(&own.host.app.config))
}

/// A time of waiting in whole hours.
pub fn hours(wait: Seconds) -> u32 {
    u32::try_from(wait.0 / 3600).unwrap_or(u32::MAX)
}

fn settings(own: &Own) -> &SocialRecovery {
    &own.host.tenant.settings.social_recovery
}

/// Invites the owner of an address by mail; the person does not learn whether there is an account.
pub async fn invite(own: &Own, email: &Email) -> Result<std::result::Result<(), Denied>> {
    let asker = (own.person.id.to_string(), MOST_INVITATIONS);
    if let Some(wait) = asker_waits(&own.host, "guardians", asker, email).await {
        return Ok(Err(Denied::TooMany(wait)));
    }
    let config = &own.host.app.config;
    let hours = own.host.tenant.settings.limits.invitations.lifetime_hours(config);
    let lifetime = Seconds::from_hours(hours);
    let mut tx = own.host.begin().await?;
    match guardians::invite(&mut tx, own.cx(), &own.person, (email, lifetime)).await? {
        Invited::Invited(_) => {}
        Invited::Own => return Ok(Err(Denied::GuardianSelf)),
        Invited::Known => return Ok(Err(Denied::GuardianKnown)),
        Invited::Full => return Ok(Err(Denied::GuardiansFull)),
    }
    own.must_be_as_read(&mut tx).await?;
    let url = format!("{}{GUARDING}", own.host.origin());
    let (topic, person) = (Topic::GuardianInvitation, Some(called(&own.person).unwrap_or_default()));
    let mail = Mail { topic, name: None, organization: person, url: &url, code: None, time: Some(lifetime) };
    // In the language of the tenant: the person may not learn which language another reads, nor whether there is an account.
    Sender::from(&own.host).queue_to(&mut tx, (email.as_str(), None), &mail)?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// Removes a guardian, with what they have confirmed; false where the person has none with this id.
pub async fn remove(own: &Own, id: GuardianId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let is_removed = guardians::remove(&mut tx, own.cx(), &own.person, id).await?;
    own.must_be_as_read(&mut tx).await?;
    tx.commit().await?;
    Ok(is_removed)
}

/// Lets so many guardians be needed, and the account wait for so many hours.
pub async fn set_rules(
    own: &Own,
    (threshold, wait_hours): (u32, u32),
) -> Result<std::result::Result<(), Denied>> {
    let least = least_hours(own);
    if !(least..=LONGEST_WAIT_HOURS).contains(&wait_hours) {
        return Ok(Err(Denied::WaitOut(least)));
    }
    let mut tx = own.host.begin().await?;
    let rules = Rules { threshold, wait: Seconds::from_hours(wait_hours) };
    if !guardians::set_rules(&mut tx, own.cx(), &own.person, rules).await? {
        tx.rollback().await?;
        return Ok(Err(Denied::ThresholdOut));
    }
    own.must_be_as_read(&mut tx).await?;
    own.mail(&mut tx, Topic::GuardianRules, (OWN_GUARDIANS, None))?;
    tx.commit().await?;
    Ok(Ok(()))
}

/// Cancels the recovery that someone has asked for; false where there is none.
pub async fn cancel(own: &Own) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let is_cancelled = cancelled(own, &mut tx).await?;
    tx.commit().await?;
    Ok(is_cancelled)
}

async fn cancelled(own: &Own, tx: &mut Tx<Tenant>) -> Result<bool> {
    match guardians::open_case(tx, own.cx(), own.person.id).await? {
        Some(case) => guardians::cancel(tx, own.cx(), &case).await,
        None => Ok(false),
    }
}
