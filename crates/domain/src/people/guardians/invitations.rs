//! How a guardian comes and goes: invited by the person, accepted by the owner of the address, removed by either.

use serde_json::json;
use svc_core::events::{GuardianAccepted, GuardianInvited, GuardianRemoved};
use svc_core::{Cx, GuardianId, Result, Seconds, Timestamp};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql};

use super::list::{Guardian, of_person, proven_key};
use super::{MOST, held};
use crate::log::{Action, Meaning, change};
use crate::people::accounts::Email;
use crate::people::tenant_users::{Person, identifier_key};

/// The outcome of inviting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invited {
    /// A mail may go out.
    Invited(GuardianId),
    /// The address is the person's own.
    Own,
    /// The address is invited already, or a guardian's.
    Known,
    /// There are as many as one person may have.
    Full,
}

/// Invites the owner of an address; whether there is an account is not looked at.
pub async fn invite(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (email, lifetime): (&Email, Seconds),
) -> Result<Invited> {
    if person.email.as_deref().is_some_and(|own| identifier_key(own) == email.key()) {
        return Ok(Invited::Own);
    }
    tx.hold(&held(person.id));
    let lapsed = quiet_sql!(
        "gives way to the invitation that follows, which is recorded",
        "DELETE FROM guardians WHERE tenant_id = $1 AND tenant_user_id = $2 AND expires_at <= $3"
    );
    tx.execute(lapsed, args![person.id, cx.now]).await?;
    let present = of_person(tx, cx, person.id).await?;
    if present.iter().any(|one| identifier_key(&one.email) == email.key()) {
        return Ok(Invited::Known);
    }
    if present.len() >= MOST as usize {
        return Ok(Invited::Full);
    }
    let insert = change_sql!(
        "INSERT INTO guardians (tenant_id, id, tenant_user_id, email, email_key, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7)"
    );
    let id: GuardianId = cx.id();
    let meaning = Meaning::done(Action::GuardianInvited, person.id)
        .with(json!({ "guardian_id": id }))
        .telling(GuardianInvited { tenant_user_id: person.id, guardian_id: id });
    let arguments = args![id, person.id, email.as_str(), email.key(), cx.now, cx.now + lifetime];
    change(tx, cx, insert, arguments, meaning).await?;
    Ok(Invited::Invited(id))
}

/// Makes the person who has the invited address a guardian; false where the invitation is gone, or where they are one already.
pub async fn accept(tx: &mut Tx<Tenant>, cx: &Cx, guardian: &Person, invitation: &Guardian) -> Result<bool> {
    let Some(key) = proven_key(guardian) else { return Ok(false) };
    tx.hold(&held(invitation.person));
    let update = change_sql!(
        "UPDATE guardians SET guardian_id = $3, accepted_at = $4, expires_at = NULL WHERE tenant_id = $1 AND id = $2 \
         AND accepted_at IS NULL AND expires_at > $4 AND email_key = $5 AND tenant_user_id <> $3 \
         AND NOT EXISTS (SELECT 1 FROM guardians o WHERE o.tenant_id = $1 \
         AND o.tenant_user_id = guardians.tenant_user_id AND o.guardian_id = $3)"
    );
    let Guardian { id, person: tenant_user_id, .. } = *invitation;
    let meaning = Meaning::done(Action::GuardianAccepted, tenant_user_id)
        .with(json!({ "guardian_id": id, "by": guardian.id }))
        .telling(GuardianAccepted { tenant_user_id, guardian_id: id });
    Ok(change(tx, cx, update, args![id, guardian.id, cx.now, key], meaning).await? > 0)
}

/// Removes a guardian of a person; what they have confirmed goes with them. False where the person has none with this id.
pub async fn remove(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, id: GuardianId) -> Result<bool> {
    tx.hold(&held(person.id));
    let delete =
        change_sql!("DELETE FROM guardians WHERE tenant_id = $1 AND id = $2 AND tenant_user_id = $3");
    let meaning = removal(person.id, id, "removed");
    Ok(change(tx, cx, delete, args![id, person.id], meaning).await? > 0)
}

/// Removes the guardians whom someone has invited in a person's name at that time or later.
pub async fn remove_since(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person, since: Timestamp) -> Result<()> {
    tx.hold(&held(person.id));
    for guardian in of_person(tx, cx, person.id).await?.into_iter().filter(|one| one.created_at >= since) {
        let delete = change_sql!("DELETE FROM guardians WHERE tenant_id = $1 AND id = $2");
        change(tx, cx, delete, args![guardian.id], removal(person.id, guardian.id, "removed")).await?;
    }
    Ok(())
}

/// Ends a guardian's own part, or declines an invitation; false where it is not this person's.
pub async fn give_up(tx: &mut Tx<Tenant>, cx: &Cx, guardian: &Person, of: &Guardian) -> Result<bool> {
    if !of.is(guardian) && !of.waits_for(guardian) {
        return Ok(false);
    }
    tx.hold(&held(of.person));
    let delete = change_sql!("DELETE FROM guardians WHERE tenant_id = $1 AND id = $2");
    let reason = if of.accepted_at.is_some() { "left" } else { "declined" };
    Ok(change(tx, cx, delete, args![of.id], removal(of.person, of.id, reason)).await? > 0)
}

fn removal(tenant_user_id: svc_core::TenantUserId, guardian_id: GuardianId, reason: &'static str) -> Meaning {
    Meaning::done(Action::GuardianRemoved, tenant_user_id)
        .with(json!({ "guardian_id": guardian_id, "reason": reason }))
        .telling(GuardianRemoved { tenant_user_id, guardian_id, reason })
}
