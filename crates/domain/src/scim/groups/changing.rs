//! Changes of groups of directories, each with its members in one transaction.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use svc_core::{Class, Cx, Error, OrganizationId, Result, ScimGroupId, TenantUserId};
use svc_db::{Tenant, Tx, args, change_sql};

use super::telling::Before;
use super::{Content, ProvisionedGroup, members};
use crate::document;
use crate::log::{Action, Meaning, audit, change, check_version};
use crate::scim::key;

/// Most groups of one directory.
const MOST: i64 = 10_000;
/// How many ids of people one audit entry names.
const NAMED: usize = 100;
const TAKEN: &str = "externalId: another group has it";

/// Provisions a group. `conflict` where another group has the id of the directory.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
    new: &Content,
) -> Result<ScimGroupId> {
    tx.hold(&format!("SCIM groups of {organization}"));
    if super::count(tx, organization).await? >= MOST {
        return Err(Error::conflict(format!("the directory has {MOST} groups, the most that it may have")));
    }
    let id: ScimGroupId = cx.id();
    let insert = change_sql!(
        "INSERT INTO scim_groups (tenant_id, organization_id, id, display_name, name_key, external_id, document, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, 1)"
    );
    let arguments = args![
        organization,
        id,
        &new.display_name,
        key(&new.display_name),
        new.external_id.clone(),
        document::store(&new.document)?,
        cx.now
    ];
    let meaning = Meaning::done(Action::ScimGroupCreated, id).with(json!({
        "organization_id": organization,
        "display_name": new.display_name,
        "members": new.members.len(),
        "added": named(&new.members),
    }));
    change(tx, cx, insert, arguments, meaning).await.map_err(unique)?;
    for person in &new.members {
        members::add(tx, (organization, id), *person).await?;
    }
    Ok(id)
}

/// Makes the group, and who is in it, so; returns whether anything changed.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, present): (OrganizationId, &ProvisionedGroup),
    (members_before, new): (&BTreeSet<TenantUserId>, &Content),
) -> Result<bool> {
    let added: BTreeSet<_> = new.members.difference(members_before).copied().collect();
    let removed: BTreeSet<_> = members_before.difference(&new.members).copied().collect();
    let is_same = new.display_name == present.display_name
        && new.external_id == present.external_id
        && new.document == present.document;
    if is_same && added.is_empty() && removed.is_empty() {
        return Ok(false);
    }
    let concerned = if present.roles.is_empty() { BTreeSet::new() } else { &added | &removed };
    let roles = Before::of(tx, organization, &concerned).await?;
    let update = change_sql!(
        "UPDATE scim_groups SET display_name = $4, name_key = $5, external_id = $6, document = $7, updated_at = $8, \
         version = version + 1 WHERE tenant_id = $1 AND organization_id = $2 AND id = $3 AND version = $9"
    );
    let arguments = args![
        organization,
        present.id,
        &new.display_name,
        key(&new.display_name),
        new.external_id.clone(),
        document::store(&new.document)?,
        cx.now,
        present.version
    ];
    let meaning = Meaning::done(Action::ScimGroupUpdated, present.id).with(json!({
        "organization_id": organization,
        "display_name": new.display_name,
        "members": new.members.len(),
        "added": named(&added),
        "removed": named(&removed),
    }));
    let written = change(tx, cx, update, arguments, meaning).await.map_err(unique)?;
    check_version(written, "the group")?;
    let before = called(&present.display_name, present.external_id.as_deref());
    let after = called(&new.display_name, new.external_id.as_deref());
    audit::tell_changes(tx, &present.id.to_string(), &before, &after);
    for person in &added {
        members::add(tx, (organization, present.id), *person).await?;
    }
    for person in &removed {
        members::remove(tx, (organization, present.id), *person);
    }
    roles.tell(tx, cx, (organization, present.id)).await?;
    Ok(true)
}

/// Deletes a group; its people stay, without the roles that it gave them.
pub async fn delete(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
    present: &ProvisionedGroup,
) -> Result<()> {
    let delete = change_sql!(
        "DELETE FROM scim_groups WHERE tenant_id = $1 AND organization_id = $2 AND id = $3 AND version = $4"
    );
    let meaning = Meaning::done(Action::ScimGroupDeleted, present.id)
        .with(json!({ "organization_id": organization, "display_name": present.display_name }));
    let arguments = args![organization, present.id, present.version];
    let roles = if present.roles.is_empty() {
        Before::of(tx, organization, &BTreeSet::new()).await?
    } else {
        Before::of_group(tx, (organization, present.id)).await?
    };
    check_version(change(tx, cx, delete, arguments, meaning).await?, "the group")?;
    roles.tell(tx, cx, (organization, present.id)).await
}

/// What the directory calls a group, as the audit log compares it.
fn called(display_name: &str, external_id: Option<&str>) -> Value {
    json!({ "display_name": display_name, "external_id": external_id })
}

/// The first of them, for the audit log.
fn named(people: &BTreeSet<TenantUserId>) -> Vec<TenantUserId> {
    people.iter().take(NAMED).copied().collect()
}

fn unique(error: Error) -> Error {
    if error.class() == Class::Conflict { error.if_taken(TAKEN).called("uniqueness") } else { error }
}
