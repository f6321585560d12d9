//! The people of an organization, with the roles that each has there, and its owner.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;
use svc_core::events::{
    OrganizationMemberAdded, OrganizationMemberRemoved, OrganizationMemberRoleChanged,
    OrganizationOwnerChanged,
};
use svc_core::{Class, Cx, Error, OrganizationId, Result, SsoConnectionId, TenantUserId, Timestamp};
use svc_db::{Change, Row, Tenant, TenantSql, Tx, after, args, change_sql, quiet_sql, sql};
use utoipa::ToSchema;

use super::Organization;
use crate::apis::roles;
use crate::document;
use crate::grants::ending;
use crate::log::{Action, Meaning, change, change_later, check_version};
use crate::people::tenant_users::{self, Person, Status};
use crate::people::{sessions, withdrawn};

/// Most roles of one member.
const MOST_ROLES: usize = 100;

/// A member of an organization.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OrganizationMember)]
pub struct Member {
    /// The tenant user.
    #[schema(value_type = String)]
    pub tenant_user_id: TenantUserId,
    /// Names of the roles that the person was given in the organization.
    pub roles: Vec<String>,
    /// These roles, and those of groups of the organization's directory.
    pub effective_roles: Vec<String>,
    /// When the person became a member.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When the roles last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// Makes a person a member with these roles, or gives the `present` member these roles; returns whether anything changed. `most`
/// members may be there.
pub async fn add(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, most): (&Organization, u32),
    (person, present, roles): (&Person, Option<&Member>, &[String]),
) -> Result<bool> {
    check_person(person)?;
    let roles = checked(tx, roles).await?;
    let id = (organization.id, person.id);
    match present {
        Some(present) if present.roles == roles => Ok(false),
        Some(present) => set_roles(tx, cx, id, (present, &roles)).await.map(|()| true),
        None => {
            check_room(tx, organization.id, most).await?;
            insert(tx, cx, id, &roles).await.map(|()| true)
        }
    }
}

/// Keeps the membership of a person whom this transaction has just made one of the tenant, without roles: it is sent with the next
/// statement, and its failure is the failure of that. The caller asks then whether it [`has_room_for_all`].
pub(crate) fn add_later(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization_id: OrganizationId,
    tenant_user_id: TenantUserId,
) {
    tx.hold(&members_of(organization_id));
    let meaning = joined((organization_id, tenant_user_id), &[]);
    change_later(tx, cx, insertion(), args![organization_id, tenant_user_id, cx.now], meaning);
}

/// Whether no more than `most` are members, those whom [`add_later`] has kept among them.
pub(crate) async fn has_room_for_all(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    most: u32,
) -> Result<bool> {
    are_fewer(tx, organization, most.saturating_add(1)).await
}

/// What is answered where there is no room.
pub(crate) fn full(most: u32) -> Error {
    Error::conflict(format!("the organization has {most} members (organizations.max_members)"))
}

/// Refuses a person who cannot belong to an organization.
pub(super) fn check_person(person: &Person) -> Result<()> {
    if person.status == Status::Removed {
        return Err(tenant_users::stays_removed());
    }
    person.must_be_known()
}

/// Counts while no other transaction adds members, so that the number is never exceeded.
async fn check_room(tx: &mut Tx<Tenant>, organization: OrganizationId, most: u32) -> Result<()> {
    tx.hold(&members_of(organization));
    if are_fewer(tx, organization, most).await? { Ok(()) } else { Err(full(most)) }
}

/// Whether an organization has fewer members than that. What was a membership of a person whom the tenant has removed since stays for
/// the history, and is looked at only where there seem to be too many.
async fn are_fewer(tx: &mut Tx<Tenant>, organization: OrganizationId, most: u32) -> Result<bool> {
    let ever = sql!("SELECT members FROM organization_sizes WHERE tenant_id = $1 AND organization_id = $2");
    let ever = tx.optional(ever, args![organization]).await?.map_or(Ok(0), |size| size.int("members"))?;
    if ever < i64::from(most) {
        return Ok(true);
    }
    let present = sql!(
        "SELECT COUNT(*) AS count FROM (SELECT tenant_user_id FROM organization_records \
         WHERE tenant_id = $1 AND organization_id = $2 AND status <> 'removed' LIMIT $3) AS counted"
    );
    Ok(tx.one(present, args![organization, most]).await?.int("count")? < i64::from(most))
}

/// What transactions hold that count members, or rely on one.
fn members_of(organization: OrganizationId) -> String {
    format!("members of {organization}")
}

pub(super) async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization_id, tenant_user_id): (OrganizationId, TenantUserId),
    roles: &[String],
) -> Result<()> {
    let meaning = joined((organization_id, tenant_user_id), roles);
    let arguments = args![organization_id, tenant_user_id, cx.now];
    let inserted = change(tx, cx, insertion(), arguments, meaning).await;
    inserted.map_err(|error| error.if_taken("the person became a member meanwhile"))?;
    insert_roles(tx, (organization_id, tenant_user_id), roles);
    Ok(())
}

fn insertion() -> Change<TenantSql> {
    change_sql!(
        "INSERT INTO organization_members (tenant_id, organization_id, tenant_user_id, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $4, 1)"
    )
}

fn joined((organization_id, tenant_user_id): (OrganizationId, TenantUserId), roles: &[String]) -> Meaning {
    Meaning::done(Action::OrganizationMemberAdded, organization_id)
        .with(json!({ "tenant_user_id": tenant_user_id, "roles": roles }))
        .telling(OrganizationMemberAdded { organization_id, tenant_user_id, roles: roles.to_vec() })
}

async fn set_roles(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization_id, tenant_user_id): (OrganizationId, TenantUserId),
    (present, roles): (&Member, &[String]),
) -> Result<()> {
    let update = change_sql!(
        "UPDATE organization_members SET updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND organization_id = $2 AND tenant_user_id = $3 AND version = $5"
    );
    let mut held = by_groups(tx, (organization_id, tenant_user_id)).await?;
    held.extend(roles.iter().cloned());
    let held = held.into_iter().collect();
    let meaning = Meaning::done(Action::OrganizationMemberRoleChanged, organization_id)
        .with(json!({ "tenant_user_id": tenant_user_id, "roles": roles }))
        .telling(OrganizationMemberRoleChanged { organization_id, tenant_user_id, roles: held });
    let arguments = args![organization_id, tenant_user_id, cx.now, present.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the member")?;
    let delete = quiet_sql!(
        "goes with the member, whose change is recorded",
        "DELETE FROM organization_roles WHERE tenant_id = $1 AND organization_id = $2 AND tenant_user_id = $3"
    );
    tx.later(delete, args![organization_id, tenant_user_id]);
    insert_roles(tx, (organization_id, tenant_user_id), roles);
    Ok(())
}

/// The roles that a member has by groups of the organization's directory.
async fn by_groups(
    tx: &mut Tx<Tenant>,
    (organization, person): (OrganizationId, TenantUserId),
) -> Result<BTreeSet<String>> {
    let select = sql!(
        "SELECT g.role FROM scim_group_members p JOIN scim_group_roles g ON g.tenant_id = p.tenant_id \
         AND g.organization_id = p.organization_id AND g.group_id = p.group_id \
         WHERE p.tenant_id = $1 AND p.organization_id = $2 AND p.user_id = $3"
    );
    tx.all(select, args![organization, person]).await?.iter().map(|row| row.text("role")).collect()
}

fn insert_roles(
    tx: &mut Tx<Tenant>,
    (organization, person): (OrganizationId, TenantUserId),
    roles: &[String],
) {
    for role in roles {
        let insert = quiet_sql!(
            "goes with the member, whose change is recorded",
            "INSERT INTO organization_roles (tenant_id, organization_id, tenant_user_id, role) VALUES ($1, $2, $3, $4)"
        );
        tx.later(insert, args![organization, person, role]);
    }
}

/// Takes a person out of an organization, which ends their tokens there, that its providers speak for them, and the sessions for which
/// they have; returns whether the person was in it. The owner stays until another one is.
pub async fn remove(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: &Organization,
    person: TenantUserId,
) -> Result<bool> {
    tx.hold(&members_of(organization.id));
    let delete = change_sql!(
        "DELETE FROM organization_members WHERE tenant_id = $1 AND organization_id = $2 AND tenant_user_id = $3 \
         AND tenant_user_id NOT IN (SELECT owner_id FROM organizations WHERE tenant_id = $1 AND id = $2)"
    );
    let meaning = Meaning::done(Action::OrganizationMemberRemoved, organization.id)
        .with(json!({ "tenant_user_id": person }))
        .telling(OrganizationMemberRemoved { organization_id: organization.id, tenant_user_id: person });
    if change(tx, cx, delete, args![organization.id, person], meaning).await? > 0 {
        forget(tx, (organization.id, person));
        ending::of_membership(tx, cx, (organization.id, person)).await?;
        // Boxed: few members have such sessions.
        Box::pin(end_vouched(tx, cx, (organization.id, person))).await?;
        return Ok(true);
    }
    if organization.owner_id == person {
        return Err(Error::conflict("the owner cannot be taken out; make another member the owner first"));
    }
    Ok(false)
}

/// Lets no one leave an organization, and no connection of it stop counting, from the next statement on, until this transaction ends: what
/// that has begun ends with it then.
pub fn keep_members(tx: &mut Tx<Tenant>, organization: OrganizationId) {
    tx.share(&members_of(organization));
}

/// Ends the sessions that began with the word of a connection of an organization, or of any, and waits for those that are about to begin.
/// The caller does it before the connection changes.
pub(crate) async fn end_all_vouched(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, connection): (OrganizationId, Option<SsoConnectionId>),
) -> Result<()> {
    tx.hold(&members_of(organization));
    withdrawn::of_organization(tx, cx, (organization, connection)).await
}

/// Forgets what the providers of an organization call a person: they speak for its members, and what they say opens the whole tenant.
fn forget(tx: &mut Tx<Tenant>, (organization, person): (OrganizationId, TenantUserId)) {
    let delete = quiet_sql!(
        "goes with the member, whose end is recorded",
        "DELETE FROM sso_identities WHERE tenant_id = $1 AND tenant_user_id = $3 AND connection_id IN \
         (SELECT id FROM sso_connections WHERE tenant_id = $1 AND organization_id = $2)"
    );
    tx.later(delete, args![organization, person]);
}

/// Ends the sessions that began with the word of a provider of an organization. Others of the person go on: they rest on what is the
/// person's own, or on the word of another one.
async fn end_vouched(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, person): (OrganizationId, TenantUserId),
) -> Result<()> {
    let select = sql!(
        "SELECT s.id FROM sso_sessions v JOIN sso_connections c ON c.tenant_id = v.tenant_id AND c.id = v.connection_id \
         JOIN sessions s ON s.tenant_id = v.tenant_id AND s.id = v.session_id \
         WHERE v.tenant_id = $1 AND c.organization_id = $2 AND s.tenant_user_id = $3 AND s.ended_at IS NULL ORDER BY s.id"
    );
    let vouched = tx.all(select, args![organization, person]).await?;
    if vouched.is_empty() {
        return Ok(());
    }
    let person = tenant_users::find(tx, person).await?;
    let person = person.ok_or_else(|| Error::internal("a session has no person"))?;
    for row in vouched {
        match sessions::revoke(tx, cx, &person, row.parse("id")?).await {
            // It has just ended in another way.
            Err(error) if error.class() == Class::NotFound => {}
            ended => ended?,
        }
    }
    Ok(())
}

/// Makes another member the owner; returns whether anything changed. `bad_request` where the person is no member.
pub async fn transfer(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: &Organization,
    to: TenantUserId,
) -> Result<bool> {
    if organization.owner_id == to {
        return Ok(false);
    }
    // The member stays one until the commit.
    tx.hold(&members_of(organization.id));
    if find_member(tx, organization.id, to).await?.is_none() || !is_held(tx, to).await? {
        return Err(Error::bad_request("tenant_user_id: name a member of the organization"));
    }
    let update = change_sql!(
        "UPDATE organizations SET owner_id = $3, updated_at = $4, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $5"
    );
    let meaning = Meaning::done(Action::OrganizationOwnerChanged, organization.id)
        .with(json!({ "from": organization.owner_id, "to": to }))
        .telling(OrganizationOwnerChanged { organization_id: organization.id, owner_id: to });
    let arguments = args![organization.id, to, cx.now, organization.version];
    check_version(change(tx, cx, update, arguments, meaning).await?, "the organization")?;
    Ok(true)
}

/// Holds a person until the transaction ends; false where they have just been removed from the tenant.
pub(super) async fn is_held(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<bool> {
    let update = quiet_sql!(
        "holds a row",
        "UPDATE tenant_users SET delete_at = delete_at WHERE tenant_id = $1 AND id = $2 AND status <> 'removed'"
    );
    Ok(tx.execute(update, args![person]).await? > 0)
}

/// One present member.
pub async fn find_member(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    person: TenantUserId,
) -> Result<Option<Member>> {
    let select = sql!(
        "SELECT tenant_user_id, roles, held_roles, created_at, updated_at, version FROM organization_records \
         WHERE tenant_id = $1 AND organization_id = $2 AND tenant_user_id = $3 AND status <> 'removed'"
    );
    tx.optional(select, args![organization, person]).await?.as_ref().map(member).transpose()
}

/// Each role that a person has in some organization, also in one that is suspended, once and in order.
pub async fn roles_in_any(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Vec<String>> {
    let select = sql!(
        "SELECT held_roles FROM organization_records WHERE tenant_id = $1 AND tenant_user_id = $2 AND status <> 'removed'"
    );
    let mut roles = BTreeSet::new();
    for row in tx.all(select, args![person]).await? {
        roles.extend(document::load::<BTreeSet<String>>(&row, "held_roles")?);
    }
    Ok(roles.into_iter().collect())
}

/// A page of the present members by id, after `cursor`; with a role, of those to whom the organization has given it.
pub async fn list_members(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    role: Option<&str>,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<Vec<Member>> {
    let all = sql!(
        "SELECT tenant_user_id, roles, held_roles, created_at, updated_at, version FROM organization_records \
         WHERE tenant_id = $1 AND organization_id = $2 AND tenant_user_id > $3 AND status <> 'removed' \
         ORDER BY tenant_user_id LIMIT $4"
    );
    let of_role = sql!(
        "SELECT m.tenant_user_id, m.roles, m.held_roles, m.created_at, m.updated_at, m.version FROM organization_roles r \
         JOIN organization_records m ON m.tenant_id = r.tenant_id AND m.organization_id = r.organization_id \
         AND m.tenant_user_id = r.tenant_user_id WHERE r.tenant_id = $1 AND r.organization_id = $2 AND r.role = $5 \
         AND r.tenant_user_id > $3 AND m.status <> 'removed' ORDER BY r.tenant_user_id LIMIT $4"
    );
    let rows = match role {
        Some(role) => tx.all(of_role, args![organization, after(cursor), limit, role]).await?,
        None => tx.all(all, args![organization, after(cursor), limit]).await?,
    };
    rows.iter().map(member).collect()
}

fn member(row: &Row) -> Result<Member> {
    let roles: BTreeSet<String> = document::load(row, "roles")?;
    let held: BTreeSet<String> = document::load(row, "held_roles")?;
    Ok(Member {
        tenant_user_id: row.parse("tenant_user_id")?,
        roles: roles.into_iter().collect(),
        effective_roles: held.into_iter().collect(),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}

/// Each role once and in order; all of them are roles of the tenant.
pub(super) async fn checked(tx: &mut Tx<Tenant>, names: &[String]) -> Result<Vec<String>> {
    if names.len() > MOST_ROLES {
        return Err(Error::bad_request(format!("roles: use at most {MOST_ROLES}")));
    }
    roles::check_known(tx, names).await?;
    Ok(names.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect())
}
