//! Whom the person guards: invitations to answer, and recoveries in which they have a say.

use svc_core::events::BruteForceDetected;
use svc_core::{GuardianId, Result, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::coordination::attempts::{self, Reservation};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::people::guardians::{self, Answered, Guardian, called};
use svc_domain::people::tenant_users::{self, Person};
use svc_keys::digest;

use super::super::denied::Denied;
use super::super::recovery_letters::{Owner, lifetime};
use super::owner::Own;
use crate::pages::Topic;
use crate::signin::policy;

/// A person whom this one guards, or who has invited them.
pub struct Guarded {
    /// The guardian, who is this person.
    pub guardian: Guardian,
    /// What the other is called.
    pub name: String,
    /// When the other asked for recovery, where this guardian has a say in it.
    pub asked_at: Option<Timestamp>,
    /// Whether this guardian has said something to that.
    pub is_answered: bool,
}

/// Everyone whom the person guards, and who has invited them.
pub async fn all(own: &Own) -> Result<Vec<Guarded>> {
    let cx = own.cx();
    let mut tx = own.host.read().await?;
    let mut all = Vec::new();
    for guardian in guardians::guarded_by(&mut tx, cx, &own.person).await? {
        let Some(other) = tenant_users::find(&mut tx, guardian.person).await? else { continue };
        let case = guardians::open_case(&mut tx, cx, other.id).await?.filter(|case| case.hears(&guardian));
        let is_answered = match &case {
            Some(case) => guardians::has_answered(&mut tx, (case, &guardian)).await?,
            None => false,
        };
        let (name, asked_at) =
            (called(&other).unwrap_or_default().to_owned(), case.map(|case| case.opened_at));
        all.push(Guarded { guardian, name, asked_at, is_answered });
    }
    Ok(all)
}

/// Accepts an invitation, and tells the one who sent it; false where none waits for this person.
pub async fn accept(own: &Own, id: GuardianId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let Some(invitation) = mine(own, &mut tx, id).await? else { return Ok(false) };
    // The form that is sent again finds what it asks for.
    if invitation.is(&own.person) {
        return Ok(true);
    }
    if !guardians::accept(&mut tx, own.cx(), &own.person, &invitation).await? {
        return Ok(false);
    }
    tell(own, &mut tx, (&invitation, Topic::GuardianAccepted)).await?;
    tx.commit().await?;
    Ok(true)
}

/// Declines an invitation, or ends the part of a guardian; false where there is none with this id.
pub async fn give_up(own: &Own, id: GuardianId) -> Result<bool> {
    let mut tx = own.host.begin().await?;
    let Some(guardian) = mine(own, &mut tx, id).await? else { return Ok(false) };
    if !guardians::give_up(&mut tx, own.cx(), &own.person, &guardian).await? {
        return Ok(false);
    }
    tell(own, &mut tx, (&guardian, Topic::GuardianLeft)).await?;
    tx.commit().await?;
    Ok(true)
}

async fn mine(own: &Own, tx: &mut Tx<Tenant>, id: GuardianId) -> Result<Option<Guardian>> {
    let found = guardians::find(tx, own.cx(), id).await?;
    Ok(found.filter(|found| found.is(&own.person) || found.waits_for(&own.person)))
}

/// Tells the one who is guarded of a guardian who came or went.
async fn tell(own: &Own, tx: &mut Tx<Tenant>, (guardian, topic): (&Guardian, Topic)) -> Result<()> {
    let Some(other) = tenant_users::find(tx, guardian.person).await? else { return Ok(()) };
    Owner::quietly(&own.host, &other).tell_of_guardian(tx, (topic, called(&own.person).unwrap_or_default()))
}

/// Confirms that the other has asked, by the code that they have read out; tells them. False where the person does not guard
/// anyone by this id.
pub async fn confirm(own: &Own, id: GuardianId, code: &str) -> Result<std::result::Result<bool, Denied>> {
    let Some((guardian, other)) = guarded(own, id).await? else { return Ok(Ok(false)) };
    let counter = digest(&format!("recovery code typed by {id}"));
    let reserved =
        attempts::reserve(own.host.begin().await?, own.cx(), [counter], policy(&own.host.app)).await?;
    let [reservation] = reserved;
    if let Reservation::Locked { until } = reservation {
        return Ok(Err(Denied::TooMany(until - own.cx().now)));
    }
    let owner = Owner::told(&own.host, &other).await?;
    let mut tx = own.host.begin().await?;
    let answered = guardians::confirm(&mut tx, own.cx(), (&guardian, code), lifetime(&own.host)).await?;
    match answered {
        Answered::Counted { is_enough } => {
            let by = called(&own.person).unwrap_or_default();
            owner.tell(&mut tx, (Topic::RecoveryConfirmed, Some(by))).await?;
            if is_enough {
                owner.tell(&mut tx, (Topic::RecoveryReached, None)).await?;
            }
        }
        Answered::WrongCode => note_lock(own, &mut tx, reservation),
        Answered::Same | Answered::Over => {}
    }
    if answered != Answered::WrongCode {
        attempts::clear(&mut tx, counter);
    }
    tx.commit().await?;
    Ok(match answered {
        Answered::WrongCode => Err(Denied::RecoveryCodeWrong),
        Answered::Over => Err(Denied::RecoveryOver),
        Answered::Counted { .. } | Answered::Same => Ok(true),
    })
}

/// Says that the other has not asked; tells them. False as for [`confirm`].
pub async fn refuse(own: &Own, id: GuardianId) -> Result<std::result::Result<bool, Denied>> {
    let Some((guardian, other)) = guarded(own, id).await? else { return Ok(Ok(false)) };
    let owner = Owner::told(&own.host, &other).await?;
    let mut tx = own.host.begin().await?;
    match guardians::refuse(&mut tx, own.cx(), &guardian).await? {
        Answered::Counted { .. } => {
            owner
                .tell(&mut tx, (Topic::RecoveryRefused, Some(called(&own.person).unwrap_or_default())))
                .await?;
        }
        Answered::Over | Answered::WrongCode => return Ok(Err(Denied::RecoveryOver)),
        Answered::Same => {}
    }
    tx.commit().await?;
    Ok(Ok(true))
}

/// The guardian who is this person, and whom they guard.
async fn guarded(own: &Own, id: GuardianId) -> Result<Option<(Guardian, Person)>> {
    let mut tx = own.host.read().await?;
    let found = guardians::find(&mut tx, own.cx(), id).await?;
    let Some(guardian) = found.filter(|found| found.is(&own.person)) else { return Ok(None) };
    let other = tenant_users::find(&mut tx, guardian.person).await?;
    Ok(other.map(|other| (guardian, other)))
}

/// Records that the last guess was wrong, too.
fn note_lock(own: &Own, tx: &mut Tx<Tenant>, reservation: Reservation) {
    if let Reservation::Last { .. } = reservation {
        let attempts = Some(own.host.app.live().auth.brute_force_max_attempts);
        let tenant_user_id = Some(own.person.id);
        let locked = BruteForceDetected { tenant_user_id, reason: "recovery_codes", attempts };
        let meaning = Meaning::denied(Action::RecoveryConfirmed, own.person.id).with_event(locked);
        record(tx, own.cx(), meaning);
    }
}

/// How many people wait for this guardian.
pub async fn waiting(own: &Own) -> Result<usize> {
    let is_asked = |one: &&Guarded| one.asked_at.is_some() && !one.is_answered;
    let all = all(own).await?;
    Ok(all.iter().filter(|one| is_asked(one) || one.guardian.accepted_at.is_none()).count())
}
