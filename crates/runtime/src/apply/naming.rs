//! Names by which the records of a file call others: applications by handle, organizations by slug, groups by name.

use svc_core::{AppId, Error, OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::people::groups::{self, Group};
use svc_domain::{apps, organizations};

/// Returns the applications of handles that stand under `applications`.
pub(super) async fn applications(tx: &mut Tx<Tenant>, handles: &[String]) -> Result<Vec<AppId>> {
    let mut ids = Vec::new();
    for handle in handles {
        let found = apps::find_by_handle(tx, handle).await?;
        let unknown = || Error::bad_request(format!("applications: there is no application {handle:?}"));
        ids.push(found.ok_or_else(unknown)?.id);
    }
    Ok(ids)
}

/// Returns the handles of applications, and the ids of those that are not there any more: a list that lost them would be one of
/// every application.
pub(super) async fn handles(tx: &mut Tx<Tenant>, ids: Vec<AppId>) -> Result<(Vec<toml::Value>, Vec<AppId>)> {
    let (mut handles, mut unnamed) = (Vec::new(), Vec::new());
    for id in ids {
        match apps::find(tx, id).await? {
            Some(app) => handles.push(app.handle.into()),
            None => unnamed.push(id),
        }
    }
    Ok((handles, unnamed))
}

/// Returns the organization of a slug that stands under `key`.
pub(super) async fn organization(tx: &mut Tx<Tenant>, key: &str, slug: &str) -> Result<OrganizationId> {
    let found = organizations::find_by_slug(tx, slug).await?;
    let unknown = || Error::bad_request(format!("{key}: there is no organization {slug:?}"));
    Ok(found.ok_or_else(unknown)?.id)
}

/// Returns the organization that a record names under `organization`, if it names one.
pub(super) async fn owner(tx: &mut Tx<Tenant>, slug: Option<&str>) -> Result<Option<OrganizationId>> {
    match slug {
        Some(slug) => organization(tx, "organization", slug).await.map(Some),
        None => Ok(None),
    }
}

/// Writes into the table of a record which organization it belongs to, if it belongs to one.
pub(super) async fn write_owner(
    tx: &mut Tx<Tenant>,
    table: &mut toml::Table,
    owner: Option<OrganizationId>,
) -> Result<()> {
    if let Some(id) = owner
        && let Some(organization) = organizations::find(tx, id).await?
    {
        table.insert("organization".to_owned(), organization.slug.into());
    }
    Ok(())
}

/// Returns the slugs of organizations, and the ids of those that are not there any more.
pub(super) async fn slugs(
    tx: &mut Tx<Tenant>,
    ids: Vec<OrganizationId>,
) -> Result<(Vec<toml::Value>, Vec<OrganizationId>)> {
    let (mut slugs, mut unnamed) = (Vec::new(), Vec::new());
    for id in ids {
        match organizations::find(tx, id).await? {
            Some(organization) => slugs.push(organization.slug.into()),
            None => unnamed.push(id),
        }
    }
    Ok((slugs, unnamed))
}

/// Returns the group of a name that stands under `key`.
pub(super) async fn group(tx: &mut Tx<Tenant>, key: &str, name: &str) -> Result<Group> {
    let found = groups::find_by_name(tx, name).await?;
    found.ok_or_else(|| Error::bad_request(format!("{key}: there is no group {name:?}")))
}
