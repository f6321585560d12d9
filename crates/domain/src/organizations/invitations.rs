//! Invitations to an organization by mail: each is accepted once, by the account that has the address, or ends.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;
use svc_core::events::{
    OrganizationInvitationAccepted, OrganizationInvitationCreated, OrganizationInvitationRevoked,
};
use svc_core::{
    Actor, Cx, Digest, Error, OrganizationId, OrganizationInvitationId, Result, Seconds, TenantUserId,
    Timestamp,
};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use super::{Organization, members};
use crate::apis::roles;
use crate::document;
use crate::log::{Action, Meaning, change, check_version, record};
use crate::people::accounts::Email;
use crate::people::tenant_users::{self, Person};

/// An invitation that no one has accepted.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OrganizationInvitation)]
pub struct Invitation {
    /// Its id.
    #[schema(value_type = String)]
    pub id: OrganizationInvitationId,
    /// The organization to which the person is invited.
    #[schema(value_type = String)]
    pub organization_id: OrganizationId,
    /// The address to which it is mailed; the account that has it accepts.
    pub email: String,
    /// Names of the roles that the person gets in the organization.
    pub roles: Vec<String>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it was mailed last.
    #[schema(value_type = String, format = "date-time")]
    pub sent_at: Timestamp,
    /// When its link ends.
    #[schema(value_type = String, format = "date-time")]
    pub expires_at: Timestamp,
    /// How long a link of it works.
    #[serde(skip)]
    pub lifetime: Seconds,
    /// Whether it rests: the person who gave it last is suspended or removed, or has left the organization.
    #[serde(skip)]
    pub is_abandoned: bool,
    /// Grows with each mail.
    #[serde(skip)]
    pub version: i64,
}

/// An invitation to make.
pub struct NewInvitation<'a> {
    /// The address to which it is mailed.
    pub email: &'a Email,
    /// Names of roles of the tenant.
    pub roles: &'a [String],
    /// The digest of the secret in the link.
    pub digest: Digest,
    /// How long the link works.
    pub lifetime: Seconds,
}

/// Creates an invitation in place of the former one to the same address. `most` may wait in one organization.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, most): (OrganizationId, u32),
    new: NewInvitation<'_>,
) -> Result<Invitation> {
    let roles = members::checked(tx, new.roles).await?;
    tx.hold(&format!("invitations to {organization}"));
    let former = quiet_sql!(
        "gives way to the invitation that follows, which is recorded",
        "DELETE FROM organization_invitations WHERE tenant_id = $1 AND organization_id = $2 AND email_key = $3"
    );
    tx.execute(former, args![organization, new.email.key()]).await?;
    check_room(tx, cx, (organization, most)).await?;
    let invitation = Invitation {
        id: cx.id(),
        organization_id: organization,
        email: new.email.as_str().to_owned(),
        roles,
        created_at: cx.now,
        sent_at: cx.now,
        expires_at: cx.now + new.lifetime,
        lifetime: new.lifetime,
        is_abandoned: false,
        version: 1,
    };
    insert(tx, cx, &invitation, (new.email.key(), new.digest)).await?;
    Ok(invitation)
}

/// Counts those that may still be accepted, while no other transaction makes one.
async fn check_room(tx: &mut Tx<Tenant>, cx: &Cx, (organization, most): (OrganizationId, u32)) -> Result<()> {
    let count = sql!(
        "SELECT COUNT(*) AS count FROM (SELECT id FROM organization_invitations \
         WHERE tenant_id = $1 AND organization_id = $2 AND expires_at > $3 LIMIT $4) AS counted"
    );
    if tx.one(count, args![organization, cx.now, most]).await?.int("count")? < i64::from(most) {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "{most} invitations to the organization wait (invitations.max_open_per_organization); revoke those that will not be accepted"
    )))
}

async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    invitation: &Invitation,
    (email_key, digest): (String, Digest),
) -> Result<()> {
    let insert = change_sql!(
        "INSERT INTO organization_invitations (tenant_id, id, organization_id, email, email_key, roles, digest, lifetime, \
         created_at, sent_at, expires_at, version, inviter_id, inviter_is_member) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, 1, $11, $12)"
    );
    let (inviter, is_member) = inviter(tx, cx, invitation.organization_id).await?;
    let Invitation { id, organization_id, ref roles, .. } = *invitation;
    let meaning = Meaning::done(Action::OrganizationInvitationCreated, organization_id)
        .with(json!({ "invitation_id": id, "roles": roles }))
        .telling(OrganizationInvitationCreated { organization_id, invitation_id: id, roles: roles.clone() });
    let arguments = args![
        id,
        organization_id,
        &invitation.email,
        email_key,
        document::store(roles)?,
        digest,
        invitation.lifetime.0,
        cx.now,
        invitation.expires_at,
        inviter,
        is_member
    ];
    change(tx, cx, insert, arguments, meaning).await.map(|_| ())
}

/// The person who invites, and whether they do it as a member of the organization; nothing where an application does.
async fn inviter(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<(Option<TenantUserId>, Option<i64>)> {
    let person = match &cx.actor {
        Actor::User(sub) | Actor::Delegated { sub, .. } => {
            tenant_users::find_by_subject(tx, sub).await?.map(|person| person.id)
        }
        Actor::ApiKey { id, .. } => {
            let select = sql!("SELECT tenant_user_id FROM api_keys WHERE tenant_id = $1 AND id = $2");
            let key = tx.optional(select, args![id]).await?;
            key.map(|key| key.maybe_parse("tenant_user_id")).transpose()?.flatten()
        }
        _ => None,
    };
    let Some(person) = person else { return Ok((None, None)) };
    let member = members::find_member(tx, organization, person).await?;
    Ok((Some(person), Some(i64::from(member.is_some()))))
}

/// Gives an invitation another secret and a whole lifetime again, as the caller's own; the link that was mailed before ends. `most` may
/// wait in one organization.
pub async fn renew(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (present, most): (&Invitation, u32),
    (digest, lifetime): (Digest, Seconds),
) -> Result<Invitation> {
    // One that has lapsed waits again.
    if present.expires_at <= cx.now {
        tx.hold(&format!("invitations to {}", present.organization_id));
        check_room(tx, cx, (present.organization_id, most)).await?;
    }
    let update = change_sql!(
        "UPDATE organization_invitations SET digest = $3, sent_at = $4, expires_at = $5, inviter_id = $7, \
         inviter_is_member = $8, version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let (inviter, is_member) = inviter(tx, cx, present.organization_id).await?;
    let expires_at = cx.now + lifetime;
    let meaning = Meaning::done(Action::OrganizationInvitationResent, present.organization_id)
        .with(json!({ "invitation_id": present.id }));
    let arguments = args![present.id, digest, cx.now, expires_at, present.version, inviter, is_member];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the invitation")?;
    let version = present.version + 1;
    Ok(Invitation { sent_at: cx.now, expires_at, lifetime, is_abandoned: false, version, ..present.clone() })
}

/// Revokes an invitation; returns whether it was there.
pub async fn revoke(tx: &mut Tx<Tenant>, cx: &Cx, invitation: &Invitation) -> Result<bool> {
    let delete = change_sql!("DELETE FROM organization_invitations WHERE tenant_id = $1 AND id = $2");
    let Invitation { id: invitation_id, organization_id, .. } = *invitation;
    let meaning = Meaning::done(Action::OrganizationInvitationRevoked, organization_id)
        .with(json!({ "invitation_id": invitation_id }))
        .telling(OrganizationInvitationRevoked { organization_id, invitation_id });
    Ok(change(tx, cx, delete, args![invitation_id], meaning).await? > 0)
}

/// Spends an invitation: one statement, so that of N at once one wins. Returns whether this one did.
pub async fn spend(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest) -> Result<bool> {
    let delete = quiet_sql!(
        "is used once; its outcome is recorded",
        "DELETE FROM organization_invitations WHERE tenant_id = $1 AND digest = $2 AND expires_at > $3"
    );
    Ok(tx.execute(delete, args![digest, cx.now]).await? > 0)
}

/// The same of an invitation that its holder names by its id.
pub async fn spend_one(tx: &mut Tx<Tenant>, cx: &Cx, id: OrganizationInvitationId) -> Result<bool> {
    let delete = quiet_sql!(
        "is used once; its outcome is recorded",
        "DELETE FROM organization_invitations WHERE tenant_id = $1 AND id = $2 AND expires_at > $3"
    );
    Ok(tx.execute(delete, args![id, cx.now]).await? > 0)
}

/// Makes the person who accepts a member with the roles of the invitation, besides those that the person has there. Roles that
/// were deleted since are left out. `conflict` where the organization has no room.
pub async fn accept(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, most): (&Organization, u32),
    (invitation, person): (&Invitation, &Person),
) -> Result<()> {
    let present = members::find_member(tx, organization.id, person.id).await?;
    let mut names: BTreeSet<String> = roles::known(tx, &invitation.roles).await?.into_iter().collect();
    names.extend(present.iter().flat_map(|member| member.roles.iter().cloned()));
    let names: Vec<String> = names.into_iter().collect();
    members::add(tx, cx, (organization, most), (person, present.as_ref(), &names)).await?;
    let meaning = Meaning::done(Action::OrganizationInvitationAccepted, organization.id)
        .with(json!({ "invitation_id": invitation.id, "tenant_user_id": person.id }))
        .telling(OrganizationInvitationAccepted {
            organization_id: organization.id,
            invitation_id: invitation.id,
            tenant_user_id: person.id,
        });
    record(tx, cx, meaning);
    Ok(())
}

/// Reads invitations; the argument says which.
macro_rules! invitations_sql {
    ($which:literal) => {
        sql!(
            "SELECT i.id, i.organization_id, i.email, i.roles, i.lifetime, i.created_at, i.sent_at, i.expires_at, i.version, \
             (SELECT COUNT(*) FROM tenant_users u WHERE u.tenant_id = $1 AND u.id = i.inviter_id \
             AND (u.status IN ('suspended', 'removed') OR i.inviter_is_member > 0 AND NOT EXISTS \
             (SELECT 1 FROM organization_members m WHERE m.tenant_id = $1 AND m.organization_id = i.organization_id \
             AND m.tenant_user_id = u.id))) AS abandoned FROM organization_invitations i WHERE i.tenant_id = $1 AND ",
            $which
        )
    };
}

/// One invitation of an organization.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: OrganizationInvitationId,
) -> Result<Option<Invitation>> {
    let select = invitations_sql!("organization_id = $2 AND id = $3");
    tx.optional(select, args![organization, id]).await?.as_ref().map(invitation).transpose()
}

/// The invitation of an organization to this address: there is one at most.
pub async fn find_by_email(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    email: &Email,
) -> Result<Option<Invitation>> {
    let select = invitations_sql!("organization_id = $2 AND email_key = $3");
    tx.optional(select, args![organization, email.key()]).await?.as_ref().map(invitation).transpose()
}

/// The invitation of a link that may still be followed; it stays unspent, so that a mail scanner's GET does no harm. What a person gave
/// counts no longer than that person may give it.
pub async fn find_live(tx: &mut Tx<Tenant>, cx: &Cx, digest: Digest) -> Result<Option<Invitation>> {
    let select = invitations_sql!("digest = $2 AND expires_at > $3");
    let found = tx.optional(select, args![digest, cx.now]).await?.as_ref().map(invitation).transpose()?;
    Ok(found.filter(|found| !found.is_abandoned))
}

/// The invitations that wait for an address, oldest first, at most a hundred.
pub async fn waiting_for(tx: &mut Tx<Tenant>, cx: &Cx, email: &Email) -> Result<Vec<Invitation>> {
    let select = invitations_sql!("email_key = $2 AND expires_at > $3 ORDER BY id LIMIT 100");
    let rows = tx.all(select, args![email.key(), cx.now]).await?;
    let mut found: Vec<Invitation> = rows.iter().map(invitation).collect::<Result<_>>()?;
    found.retain(|one| !one.is_abandoned);
    Ok(found)
}

/// A page of the invitations to an organization by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (cursor, limit): (Option<OrganizationInvitationId>, u32),
) -> Result<Vec<Invitation>> {
    let select = invitations_sql!("organization_id = $2 AND id > $3 ORDER BY id LIMIT $4");
    let rows = tx.all(select, args![organization, svc_db::after(cursor), limit]).await?;
    rows.iter().map(invitation).collect()
}

fn invitation(row: &Row) -> Result<Invitation> {
    Ok(Invitation {
        id: row.parse("id")?,
        organization_id: row.parse("organization_id")?,
        email: row.text("email")?,
        roles: document::load(row, "roles")?,
        created_at: row.time("created_at")?,
        sent_at: row.time("sent_at")?,
        expires_at: row.time("expires_at")?,
        lifetime: Seconds(row.int("lifetime")?),
        is_abandoned: row.int("abandoned")? > 0,
        version: row.int("version")?,
    })
}
