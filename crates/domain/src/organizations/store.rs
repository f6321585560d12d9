//! Organizations as rows: made, changed, deleted.

use serde_json::json;
use svc_core::events::{OrganizationCreated, OrganizationDeleted, OrganizationUpdated};
use svc_core::{Cx, Error, OrganizationId, Result};
use svc_db::{Tenant, Tx, args, change_sql, quiet_sql};

use super::{Configuration, Organization, SignInRules, Status, looks, members};
use crate::checks::require;
use crate::document;
use crate::grants::ending;
use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::people::intake::for_whom;
use crate::people::tenant_users::{self, Person};
use crate::tenancy::quotas::{self, Quota};

/// Most bytes of metadata.
const MOST_METADATA: usize = 16 << 10;

/// An organization to make.
pub struct New<'a> {
    /// The name in addresses and requests.
    pub slug: &'a str,
    /// The person who answers for it, its first member.
    pub owner: &'a Person,
    /// What it is.
    pub configuration: &'a Configuration,
}

/// Creates an organization with its owner; the slug must be free.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: New<'_>) -> Result<Organization> {
    Error::every([check_slug(new.slug), check(new.configuration)])?;
    members::check_person(new.owner)?;
    if !members::is_held(tx, new.owner.id).await? {
        return Err(tenant_users::stays_removed());
    }
    quotas::check(tx, Quota::Organizations).await?;
    let id: OrganizationId = cx.id();
    let insert = change_sql!(
        "INSERT INTO organizations (tenant_id, id, slug, status, owner_id, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, 'active', $4, $5, $6, $6, 1)"
    );
    let meaning = Meaning::done(Action::OrganizationCreated, id)
        .with(json!({ "slug": new.slug, "owner_id": new.owner.id }))
        .telling(OrganizationCreated {
            organization_id: id,
            slug: new.slug.to_owned(),
            owner_id: new.owner.id,
        });
    let arguments = args![id, new.slug, new.owner.id, document::store(new.configuration)?, cx.now];
    let created = change(tx, cx, insert, arguments, meaning).await;
    created.map_err(|error| error.if_taken("slug: an organization has this one"))?;
    members::insert(tx, cx, (id, new.owner.id), &[]).await?;
    looks::touch(tx, cx);
    Ok(Organization {
        id,
        slug: new.slug.to_owned(),
        status: Status::Active,
        owner_id: new.owner.id,
        configuration: new.configuration.clone(),
        sign_in: SignInRules::default(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    })
}

/// Makes configuration and status so; returns whether anything changed. What was allowed for an organization ends when it is
/// suspended, and so do the sessions for which its providers have vouched: making it active again revives nothing.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    present: &Organization,
    (new, status): (&Configuration, Status),
) -> Result<bool> {
    check(new)?;
    if *new == present.configuration && status == present.status {
        return Ok(false);
    }
    let is_ended = status != Status::Active && present.status == Status::Active;
    if is_ended {
        members::end_all_vouched(tx, cx, (present.id, None)).await?;
    }
    let update = change_sql!(
        "UPDATE organizations SET configuration = $3, status = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![present.id, document::store(new)?, status.name(), cx.now, present.version];
    let meaning = Meaning::done(Action::OrganizationUpdated, present.id)
        .with(json!({ "name": new.name, "status": status }))
        .telling(OrganizationUpdated {
            organization_id: present.id,
            name: new.name.clone(),
            status: status.name(),
        });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the organization")?;
    if status != present.status || new.branding() != present.configuration.branding() {
        looks::touch(tx, cx);
    }
    if is_ended {
        ending::of_organization(tx, cx, present.id).await?;
    } else if status == Status::Active && present.status != Status::Active {
        ending::late_in_organization(tx, cx, present.id).await?;
    }
    Ok(true)
}

/// Deletes an organization with its memberships, and ends the sessions for which its providers have vouched; the people stay in the
/// tenant.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, organization: &Organization) -> Result<()> {
    let delete = change_sql!("DELETE FROM organizations WHERE tenant_id = $1 AND id = $2 AND version = $3");
    let meaning = Meaning::done(Action::OrganizationDeleted, organization.id)
        .with(json!({ "slug": organization.slug }))
        .telling(OrganizationDeleted { organization_id: organization.id, slug: organization.slug.clone() });
    let arguments = args![organization.id, organization.version];
    hold_records(tx, organization.id);
    members::end_all_vouched(tx, cx, (organization.id, None)).await?;
    check_version(change(tx, cx, delete, arguments, meaning).await?, "the organization")?;
    let issuers = quiet_sql!(
        "goes with the organization, whose end is recorded",
        "DELETE FROM trusted_issuers WHERE tenant_id = $1 AND organization_id = $2"
    );
    tx.later(issuers, args![organization.id]);
    for_whom::forget(tx, cx, organization.id).await?;
    looks::touch(tx, cx);
    ending::of_organization(tx, cx, organization.id).await
}

/// Lets no other transaction delete an organization, or give it a record that no reference of the schema ties to it, until this
/// one ends.
pub(crate) fn hold_records(tx: &mut Tx<Tenant>, organization: OrganizationId) {
    tx.hold(&format!("records of {organization}"));
}

pub(super) fn check_slug(slug: &str) -> Result<()> {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_edge = |byte: Option<&u8>| byte.is_some_and(|byte| *byte == b'-');
    let bytes = slug.as_bytes();
    if (1..=63).contains(&bytes.len())
        && bytes.iter().copied().all(allowed)
        && !is_edge(bytes.first())
        && !is_edge(bytes.last())
    {
        return Ok(());
    }
    Err(Error::bad_request("slug: use 1 to 63 lower-case letters, digits, and hyphens inside"))
}

fn check(configuration: &Configuration) -> Result<()> {
    let Configuration { name, metadata, .. } = configuration;
    Error::every([
        names::check(name, 120),
        configuration.branding().check(),
        require(document::store(metadata)?.len() <= MOST_METADATA, "metadata: use at most 16 KiB of JSON"),
    ])
}
