//! A record below `/api/v1/organizations/{id}` that the API creates, reads, changes and deletes, and the six operations that all of
//! them share. A record of another organization is answered like an unknown id.

use std::fmt::Display;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use svc_core::{OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::log::audit;
use svc_http::{
    Created, IfMatch, Json, List, Listing, MergePatch, NoContent, Path, Problem, TenantCx, Versioned,
};
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::{organizations, record, unknown};

/// What a kind of record says of itself: its documents, and the operations of the domain behind each call.
pub(crate) trait OrganizationRecord: Clone + Serialize + ToSchema + Send + Sync + 'static {
    /// The last word of the address of all of them.
    const WORD: &'static str;

    /// Its id.
    type Id: Copy + Display + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// The document that creates one.
    type New: DeserializeOwned + ToSchema + Send + 'static;
    /// The answer to that, which may have what is shown once.
    type Created: Serialize + ToSchema + Send;
    /// What can be changed of one.
    type Change: Serialize + DeserializeOwned + ToSchema + Send + 'static;

    /// Its id and its version.
    fn head(&self) -> (Self::Id, i64);

    /// What can be changed of it, as it is now.
    fn present(&self) -> Self::Change;

    /// What a `PUT` says, with the members that it may leave out without giving them their defaults.
    fn completed(&self, wanted: Self::Change) -> Self::Change {
        wanted
    }

    /// A page of those of an organization.
    fn page(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        page: (Option<Self::Id>, u32),
    ) -> impl Future<Output = Result<Vec<Self>>> + Send;

    /// One of an organization.
    fn of(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Self>>> + Send;

    /// Creates one for an organization that is there.
    fn make(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        wanted: (OrganizationId, Self::New),
    ) -> impl Future<Output = Result<(Self, Self::Created)>> + Send;

    /// Changes one.
    fn change(
        &self,
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        wanted: Self::Change,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Deletes one.
    fn end(&self, caller: &TenantCx, tx: &mut Tx<Tenant>) -> impl Future<Output = Result<()>> + Send;
}

/// The summaries of the six operations, in the order of [`declare`].
pub(crate) type Summaries = [&'static str; 6];

/// Adds list, create, read, replace, change in part and delete; `one` is the parameter that names one of them.
pub(crate) fn declare<R: OrganizationRecord>(
    resource: Resource,
    one: &'static str,
    [listing, creating, reading, replacing, changing, deleting]: Summaries,
) -> Resource {
    resource
        .get("", listing, list::<R>)
        .post("", creating, create::<R>)
        .get(one, reading, read::<R>)
        .put(one, replacing, replace::<R>)
        .patch(one, changing, change::<R>)
        .delete(one, deleting, delete::<R>)
}

async fn list<R: OrganizationRecord>(
    caller: TenantCx,
    Path(id): Path<OrganizationId>,
    Listing { page, .. }: Listing<R::Id>,
) -> Result<Json<List<R>>, Problem> {
    let mut tx = caller.read().await?;
    let organization = organizations::find(&mut tx, id).await?;
    let found = R::page(&mut tx, organization.id, (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |record: &R| record.head().0)?))
}

async fn create<R: OrganizationRecord>(
    caller: TenantCx,
    Path(organization): Path<OrganizationId>,
    Json(new): Json<R::New>,
) -> Result<Created<R::Created>, Problem> {
    let mut tx = caller.begin().await?;
    organizations::find(&mut tx, organization).await?;
    let (made, record) = R::make(&caller, &mut tx, (organization, new)).await?;
    let (id, version) = made.head();
    audit::tell_changes(&mut tx, &id.to_string(), &Value::Null, &shown(&made));
    tx.commit().await?;
    let location = format!("/api/v1/organizations/{organization}/{}/{id}", R::WORD);
    Ok(Created { location, version, record })
}

async fn read<R: OrganizationRecord>(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, R::Id)>,
) -> Result<Versioned<R>, Problem> {
    Ok(versioned(find::<R>(&mut caller.read().await?, ids).await?))
}

async fn replace<R: OrganizationRecord>(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, R::Id)>,
    if_match: IfMatch,
    Json(wanted): Json<R::Change>,
) -> Result<Versioned<R>, Problem> {
    Ok(updated(&caller, ids, &if_match, |record: &R| Ok(record.completed(wanted))).await?)
}

async fn change<R: OrganizationRecord>(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, R::Id)>,
    if_match: IfMatch,
    patch: MergePatch<R::Change>,
) -> Result<Versioned<R>, Problem> {
    Ok(updated(&caller, ids, &if_match, |record: &R| patch.apply(&record.present())).await?)
}

async fn delete<R: OrganizationRecord>(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, R::Id)>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &ids.1).await?;
    let present = find::<R>(&mut tx, ids).await?;
    if_match.check(held, present.head().1)?;
    present.end(&caller, &mut tx).await?;
    audit::tell_changes(&mut tx, &ids.1.to_string(), &shown(&present), &Value::Null);
    tx.commit().await?;
    Ok(NoContent)
}

async fn updated<R: OrganizationRecord>(
    caller: &TenantCx,
    ids: (OrganizationId, R::Id),
    if_match: &IfMatch,
    wanted: impl FnOnce(&R) -> Result<R::Change> + Send,
) -> Result<Versioned<R>> {
    let (mut tx, held) = record::begin(caller, &ids.1).await?;
    let present = find::<R>(&mut tx, ids).await?;
    if_match.check(held, present.head().1)?;
    present.change(caller, &mut tx, wanted(&present)?).await?;
    let record = find::<R>(&mut tx, ids).await?;
    audit::tell_changes(&mut tx, &ids.1.to_string(), &shown(&present), &shown(&record));
    tx.commit().await?;
    Ok(versioned(record))
}

/// One record of an organization, or `not_found`.
pub(crate) async fn find<R: OrganizationRecord>(
    tx: &mut Tx<Tenant>,
    (organization, id): (OrganizationId, R::Id),
) -> Result<R> {
    R::of(tx, organization, id).await?.ok_or_else(unknown)
}

/// The record as everybody sees it who may read it: no document of a record has a secret.
fn shown<R: OrganizationRecord>(record: &R) -> Value {
    serde_json::to_value(record).unwrap_or_default()
}

fn versioned<R: OrganizationRecord>(record: R) -> Versioned<R> {
    Versioned { version: record.head().1, record }
}
