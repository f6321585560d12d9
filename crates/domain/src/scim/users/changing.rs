//! Changes of provisioned people, each together with the membership that it is about.
//!
//! Identity is bound by the record alone: a name or an address that belongs to another person is refused, and never links. What an
//! account outside the tenant has is not told: the person is provisioned all the same, and the account goes without the address.

use serde_json::{Map, Value, json};
use svc_core::events::TenantUserSuspended;
use svc_core::{Class, Cx, Error, OrganizationId, Result, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::finding::{find, of_external_id, of_user_name};
use super::{Content, ProvisionedUser};
use crate::claims::profile::Profile;
use crate::document;
use crate::log::{Action, Meaning, change, change_later, check_version};
use crate::organizations;
use crate::people::accounts::{self, Email, NewAccount};
use crate::people::changes;
use crate::people::credentials;
use crate::people::tenant_users::{self, Metadata, NewMember, Person, Status};
use crate::scim::{key, schemas};
use crate::tenancy::quotas;

const TAKEN: &str = "userName, externalId: another person has one of them";

/// Provisions a person: an account that the tenant manages, a member of the tenant and of the organization. `conflict` where the
/// name or the address is another person's. `most` members may be in the organization.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, most): (OrganizationId, u32),
    new: &Content,
) -> Result<ProvisionedUser> {
    let (email, plan) = check_free(tx, cx, organization, new).await?;
    let account = NewAccount { email, email_verified: false, password: None, profile: new.profile.clone() };
    let account = accounts::create_managed_later(tx, cx, &account)?;
    let metadata = extended(&Metadata::default(), &Map::new(), new)?;
    let member =
        NewMember { username: username(&new.user_name), metadata: Some(&metadata), ..NewMember::of(account) };
    let id = tenant_users::create_later(tx, cx, member, &plan).await.map_err(|error| unique(error, TAKEN))?;
    organizations::add_later(tx, cx, organization, id);
    insert(tx, cx, (organization, id), new)?;
    // Who provisions for the organization at the same time waits for this from here to the commit.
    let has_room = organizations::has_room_for_all(tx, organization, most).await;
    if !has_room.map_err(|error| unique(error, TAKEN))? {
        return Err(organizations::full(most));
    }
    list_emails(tx, (organization, id), &new.emails);
    for values in new.extensions.iter().filter(|values| !values.stored.is_empty()) {
        schemas::set(tx, (organization, id), values).await?;
    }
    if !new.active {
        let person = found(tx, id).await?;
        tenant_users::set_status(tx, cx, &person, Status::Suspended).await?;
        let suspended = find(tx, organization, id).await?;
        return suspended.ok_or_else(|| Error::internal("a person was provisioned and is not there"));
    }
    Ok(ProvisionedUser {
        id,
        external_id: new.external_id.clone(),
        document: new.document.clone(),
        status: Status::Active,
        groups: Vec::new(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
        member_version: 1,
    })
}

/// Keeps the record of a new person: it is sent with the next statement.
fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, id): (OrganizationId, TenantUserId),
    new: &Content,
) -> Result<()> {
    let insert = change_sql!(
        "INSERT INTO scim_users (tenant_id, organization_id, id, user_name_key, external_id, document, created_at, updated_at, version, \
         keeps_out) VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1, $8)"
    );
    let arguments = args![
        organization,
        id,
        key(&new.user_name),
        new.external_id.clone(),
        document::store(&new.document)?,
        cx.now,
        i64::from(!new.active)
    ];
    let meaning = Meaning::done(Action::ScimUserCreated, id)
        .with(json!({ "organization_id": organization, "active": new.active }));
    change_later(tx, cx, insert, arguments, meaning);
    Ok(())
}

/// Makes the record, and what follows from it, so; returns whether anything changed.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (organization, present): (OrganizationId, &ProvisionedUser),
    new: &Content,
) -> Result<bool> {
    let is_said_already = new.document == present.document && new.external_id == present.external_id;
    // Whom the tenant let in again is deactivated by what the directory had said before, too.
    if is_said_already && (new.active || present.status != Status::Active) {
        return Ok(false);
    }
    let person = found(tx, present.id).await?;
    // The record hangs on the membership and changes before it: who ends that waits for this first.
    credentials::hold(tx, person.account_id);
    let before = present.document.get("userName").and_then(Value::as_str).unwrap_or_default();
    if key(before) != key(&new.user_name) {
        check_name(tx, &new.user_name, present.id).await?;
    }
    let update = change_sql!(
        "UPDATE scim_users SET user_name_key = $4, external_id = $5, document = $6, updated_at = $7, version = version + 1 \
         WHERE tenant_id = $1 AND organization_id = $2 AND id = $3 AND version = $8"
    );
    let arguments = args![
        organization,
        present.id,
        key(&new.user_name),
        new.external_id.clone(),
        document::store(&new.document)?,
        cx.now,
        present.version
    ];
    let meaning = Meaning::done(Action::ScimUserUpdated, present.id).with(
        json!({ "organization_id": organization, "changed": changed(&present.document, &new.document) }),
    );
    let written = change(tx, cx, update, arguments, meaning).await.map_err(|error| unique(error, TAKEN))?;
    check_version(written, "the person")?;
    if present.document.get("emails") != new.document.get("emails") {
        forget_emails(tx, (organization, present.id));
        list_emails(tx, (organization, present.id), &new.emails);
    }
    for values in &new.extensions {
        if !values.stored.is_empty() || has(&present.document, &values.urn) {
            schemas::set(tx, (organization, present.id), values).await?;
        }
    }
    // The account before the membership, as in `credentials::hold`.
    follow_profile(tx, cx, &person, (&present.document, new)).await?;
    let metadata = extended(&person.metadata, &present.document, new)?;
    tenant_users::set_metadata(tx, cx, person.id, (&person.metadata, &metadata)).await?;
    follow(tx, cx, (&person, was_active(present)), new).await?;
    Ok(true)
}

/// Ends the membership for good, with everything that the person has; the address is free for another account.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, present: &ProvisionedUser) -> Result<()> {
    let person = found(tx, present.id).await?;
    end(tx, cx, &person).await
}

/// The same because the tenant wants it so. The account of a person whom no directory has provisioned keeps its address: its owner can
/// be invited again.
pub async fn remove(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    if keeps_record(tx, person.id).await? {
        return end(tx, cx, person).await;
    }
    tenant_users::set_status(tx, cx, person, Status::Removed).await
}

async fn end(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<()> {
    // The account before the membership, as in `credentials::hold`.
    credentials::hold(tx, person.account_id);
    accounts::release_address(tx, cx, person.account_id);
    tenant_users::set_status(tx, cx, person, Status::Removed).await
}

async fn keeps_record(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<bool> {
    let select = sql!("SELECT id FROM scim_users WHERE tenant_id = $1 AND id = $2");
    Ok(tx.optional(select, args![person]).await?.is_some())
}

/// The account follows what the directory says, where the tenant manages it. Who goes is let go whatever the address is, and an address
/// that was said before is no change.
async fn follow_profile(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    person: &Person,
    (before, new): (&Map<String, Value>, &Content),
) -> Result<()> {
    let Some(present) = changes::held_managed_profile(tx, person).await? else { return Ok(()) };
    changes::set_profile(tx, cx, person, &merged(present, &new.profile)).await?;
    // What the account has already is neither looked for nor written again.
    let is_another = address(new).as_ref().map(Email::as_str) != person.email.as_deref();
    if !person.email_verified && is_another {
        let is_to_be_had = new.active && !new.email.as_deref().is_some_and(|email| says(before, email));
        let address = free_address(tx, cx, new, (person, is_to_be_had)).await?;
        accounts::set_unproven_address(tx, cx, person, address.as_ref()).await?;
    }
    Ok(())
}

/// The membership follows what the directory says.
async fn follow(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (person, was_active): (&Person, bool),
    new: &Content,
) -> Result<()> {
    tenant_users::set_username(tx, cx, person, username(&new.user_name))
        .await
        .map_err(|error| unique(error, TAKEN))?;
    // A directory that says nothing of it leaves it as it is.
    if !new.document.contains_key("active") {
        return Ok(());
    }
    // Whom the tenant suspended comes back by the tenant; what the directory deactivates is out whatever was before.
    match (new.active, person.status) {
        (false, Status::Active) => {
            tenant_users::set_status(tx, cx, person, Status::Suspended).await?;
            keep_out(tx, person.id, true);
        }
        (false, Status::Suspended) if was_active => keep_out(tx, person.id, false),
        (true, Status::Suspended) if keeps_out(tx, person.id).await?.unwrap_or(!was_active) => {
            tenant_users::set_status(tx, cx, person, Status::Active).await?;
            keep_out(tx, person.id, false);
        }
        _ => {}
    }
    Ok(())
}

/// Notes that the tenant let a person in: whom it suspends after that the directory does not let in.
pub fn let_in(tx: &mut Tx<Tenant>, person: TenantUserId) {
    keep_out(tx, person, false);
}

/// Makes the suspension of a person by the directory one of the tenant's own, which no directory ends; returns whether it was the
/// directory's.
pub async fn take_over_suspension(tx: &mut Tx<Tenant>, cx: &Cx, person: &Person) -> Result<bool> {
    let update = change_sql!(
        "UPDATE scim_users SET keeps_out = 0 WHERE tenant_id = $1 AND id = $2 AND COALESCE(keeps_out, 1) = 1"
    );
    let meaning = Meaning::done(Action::TenantUserSuspended, person.id)
        .telling(TenantUserSuspended { tenant_user_id: person.id, sub: person.subject.clone() });
    Ok(change(tx, cx, update, args![person.id], meaning).await? > 0)
}

/// Notes whether it is the directory that keeps a person out.
fn keep_out(tx: &mut Tx<Tenant>, person: TenantUserId, is_directory: bool) {
    let update = quiet_sql!(
        "goes with the person, whose change is recorded",
        "UPDATE scim_users SET keeps_out = $3 WHERE tenant_id = $1 AND id = $2"
    );
    tx.later(update, args![person, i64::from(is_directory)]);
}

/// Whether it is the directory that keeps a person out, where that is known.
async fn keeps_out(tx: &mut Tx<Tenant>, person: TenantUserId) -> Result<Option<bool>> {
    let select = sql!("SELECT keeps_out FROM scim_users WHERE tenant_id = $1 AND id = $2");
    let Some(row) = tx.optional(select, args![person]).await? else { return Ok(None) };
    Ok(row.maybe_int("keeps_out")?.map(|kept| kept == 1))
}

/// The metadata with what the directory says by the schemas of the tenant, each under the name of its schema.
fn extended(present: &Metadata, before: &Map<String, Value>, new: &Content) -> Result<Metadata> {
    let mut metadata = present.clone();
    for values in &new.extensions {
        if !values.shown.is_empty() {
            metadata.public.insert(values.name.clone(), Value::Object(values.shown.clone()));
        } else if has(before, &values.urn) {
            metadata.public.remove(&values.name);
        }
    }
    tenant_users::check_metadata(&metadata).map_err(|error| error.called("invalidValue"))?;
    Ok(metadata)
}

fn has(document: &Map<String, Value>, urn: &str) -> bool {
    document.keys().any(|name| name.eq_ignore_ascii_case(urn))
}

/// The claims that a directory gives, over those that it does not.
fn merged(present: Profile, new: &Profile) -> Profile {
    Profile {
        name: new.name.clone(),
        given_name: new.given_name.clone(),
        family_name: new.family_name.clone(),
        middle_name: new.middle_name.clone(),
        nickname: new.nickname.clone(),
        preferred_username: new.preferred_username.clone(),
        zoneinfo: new.zoneinfo.clone(),
        // Where the directory names no language, that stays which the person has chosen.
        locale: new.locale.clone().or_else(|| present.locale.clone()),
        ..present
    }
}

/// Whether the directory said last that the person may sign in, also where the tenant changed the membership since.
fn was_active(present: &ProvisionedUser) -> bool {
    present.document.get("active") == Some(&Value::Bool(true))
}

/// Refuses names and an address that another person has; all are looked for in one round trip, with the plan of the tenant. Returns
/// that and the address, unless another account has it: whether one does is not for a directory to know.
async fn check_free(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
    new: &Content,
) -> Result<(Option<Email>, Vec<Row>)> {
    let email = address(new);
    let external_id = new.external_id.as_deref().map(|id| of_external_id(tx, organization, id));
    let is_other = |address: &&str| email.is_some() && !address.eq_ignore_ascii_case(&new.user_name);
    let typed = new.email.as_deref().filter(is_other);
    let addressed = typed.map(|address| tenant_users::named(tx, address));
    let account = email.as_ref().map(|email| accounts::of_email(tx, email));
    let known = [Some(of_user_name(tx, organization, &new.user_name)), external_id];
    let known: Vec<_> = known.into_iter().flatten().collect();
    let members = [Some(tenant_users::named(tx, &new.user_name)), addressed];
    let members: Vec<_> = members.into_iter().flatten().collect();
    let (most_known, most_members) = (known.len(), members.len());
    let calls = known.into_iter().chain(members).chain(account).chain([quotas::of_tenant(tx)]);
    let mut found = tx.batch_of(calls.collect()).await?;
    let plan = found.pop().unwrap_or_default();
    let mut taken = found.iter().map(|rows| !rows.is_empty());
    if taken.by_ref().take(most_known).any(|is_there| is_there) {
        return Err(Error::conflict(TAKEN).called("uniqueness"));
    }
    if taken.take(most_members).any(|is_there| is_there) {
        return Err(another_has_it());
    }
    let holder = email.as_ref().and(found.last()).map(|rows| accounts::one(rows)).transpose()?;
    if let Some(holder) = holder.flatten()
        && !tenant_users::take_address(tx, cx, holder.id).await?
    {
        return Ok((None, plan));
    }
    Ok((email, plan))
}

/// Refuses the name of another member of the tenant.
async fn check_name(tx: &mut Tx<Tenant>, name: &str, own: TenantUserId) -> Result<()> {
    match tenant_users::find_by_identifier(tx, name).await? {
        Some(other) if other.id != own => Err(another_has_it()),
        _ => Ok(()),
    }
}

fn another_has_it() -> Error {
    Error::conflict("userName, emails: another person of the tenant has one of them").called("uniqueness")
}

/// The address of a person, unless another account has it; that of another member of the tenant is refused where it is to be had.
async fn free_address(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    new: &Content,
    (own, is_to_be_had): (&Person, bool),
) -> Result<Option<Email>> {
    let Some(email) = address(new) else { return Ok(None) };
    let Some(holder) = accounts::find_by_email(tx, &email).await? else { return Ok(Some(email)) };
    if own.account_id == holder.id || tenant_users::take_address(tx, cx, holder.id).await? {
        return Ok(Some(email));
    }
    if is_to_be_had && tenant_users::find_by_account(tx, holder.id).await?.is_some() {
        return Err(another_has_it());
    }
    Ok(None)
}

/// Whether a directory said an address of a person.
fn says(document: &Map<String, Value>, email: &str) -> bool {
    let said = document.get("emails").and_then(Value::as_array).into_iter().flatten();
    let mut said = said.filter_map(|one| one.get("value")?.as_str());
    said.any(|value| key(value) == key(email))
}

/// The address to write to, where it can be written to.
fn address(new: &Content) -> Option<Email> {
    new.email.as_deref().and_then(|email| Email::parse(email).ok())
}

/// The sign-in name, where it can be one of the tenant's; people sign in by their address otherwise.
fn username(user_name: &str) -> Option<&str> {
    tenant_users::check(Some(user_name), &[]).is_ok().then_some(user_name)
}

fn forget_emails(tx: &mut Tx<Tenant>, (organization, id): (OrganizationId, TenantUserId)) {
    let forget = quiet_sql!(
        "goes with the person, whose change is recorded",
        "DELETE FROM scim_user_emails WHERE tenant_id = $1 AND organization_id = $2 AND user_id = $3"
    );
    tx.later(forget, args![organization, id]);
}

fn list_emails(tx: &mut Tx<Tenant>, (organization, id): (OrganizationId, TenantUserId), emails: &[String]) {
    for email in emails {
        let insert = quiet_sql!(
            "goes with the person, whose change is recorded",
            "INSERT INTO scim_user_emails (tenant_id, organization_id, value_key, user_id) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (tenant_id, organization_id, value_key, user_id) DO NOTHING"
        );
        tx.later(insert, args![organization, key(email), id]);
    }
}

/// The names of the attributes that differ; their values are the person's.
fn changed<'a>(before: &'a Map<String, Value>, after: &'a Map<String, Value>) -> Vec<&'a str> {
    let names = before.keys().chain(after.keys().filter(|name| !before.contains_key(*name)));
    names.filter(|name| before.get(*name) != after.get(*name)).map(String::as_str).collect()
}

fn unique(error: Error, detail: &str) -> Error {
    if error.class() == Class::Conflict { error.if_taken(detail).called("uniqueness") } else { error }
}

async fn found(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Person> {
    let person = tenant_users::find(tx, id).await?;
    person.ok_or_else(|| Error::internal("a provisioned person has no membership"))
}
