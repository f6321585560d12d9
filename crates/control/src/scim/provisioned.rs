//! What every type of resource can do, and the operations that all of them share (RFC 7644 §3).

use std::collections::BTreeSet;
use std::fmt::Display;
use std::future::Future;
use std::str::FromStr;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use svc_core::{OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::tenancy::quotas::{self, Monthly};
use svc_http::{HeaderMap, Problem, ScimCx, StatusCode};

use super::listing::{ListPage, ListRequest, MOST_SCANNED, Start, too_many};
use super::projection::Projection;
use super::reply::{self, unknown};
use super::schema::Schema;
use super::{base, declared, patch};
use crate::record;

/// How many are read at once where all are looked through.
pub(super) const BATCH: u32 = 500;

/// A resource that directories provision.
pub(super) trait Provisioned: Sized + Send + Sync + 'static {
    /// Its address below the API's.
    const PATH: &'static str;
    /// Attributes that cost a read of their own, which is spared where they are not needed.
    const COSTLY: &'static [&'static str] = &[];

    /// What identifies it.
    type Id: FromStr + Display + DeserializeOwned + Copy + Send + Sync;

    /// What its documents have.
    fn schema(caller: &ScimCx) -> Arc<Schema>;
    /// Its id.
    fn id(&self) -> Self::Id;
    /// Its version, as a weak entity tag.
    fn version(&self) -> String;
    /// What the directory said of it, which changes in part are made to.
    fn document(&self) -> Map<String, Value>;
    /// What is shown of it, but for what all resources have alike.
    fn shown(&self, caller: &ScimCx) -> Shown;

    /// One of them, with costly attributes where it `is_whole`.
    fn find(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        one: (Self::Id, bool),
    ) -> impl Future<Output = Result<Option<Self>>> + Send;
    /// Those that an index finds by an attribute that must equal a value; nothing where no index does.
    fn look_up(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        equal: (&str, &str),
        is_whole: bool,
    ) -> impl Future<Output = Result<Option<Vec<Self>>>> + Send;
    /// A page by id.
    fn page(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        page: Page<Self::Id>,
    ) -> impl Future<Output = Result<Vec<Self>>> + Send;
    /// How many there are.
    fn count(tx: &mut Tx<Tenant>, organization: OrganizationId) -> impl Future<Output = Result<i64>> + Send;
    /// Makes one as a document says.
    fn create(
        caller: &ScimCx,
        tx: &mut Tx<Tenant>,
        sent: Map<String, Value>,
    ) -> impl Future<Output = Result<Self>> + Send;
    /// Makes it what a document says.
    fn update(
        &self,
        caller: &ScimCx,
        tx: &mut Tx<Tenant>,
        sent: Map<String, Value>,
    ) -> impl Future<Output = Result<()>> + Send;
    /// A whole document, with what stays where it says nothing of that.
    fn kept(&self, sent: Map<String, Value>) -> Map<String, Value> {
        sent
    }
    /// Whether a change to this document ends access, as a deactivation does.
    fn ends_access(&self, wanted: &Map<String, Value>) -> bool;
    /// Ends it.
    fn delete(&self, caller: &ScimCx, tx: &mut Tx<Tenant>) -> impl Future<Output = Result<()>> + Send;
}

/// Which page of resources is read.
pub(super) struct Page<I> {
    pub from: From<I>,
    pub limit: u32,
    /// Whether costly attributes are needed.
    pub is_whole: bool,
}

/// Where a page begins.
pub(super) enum From<I> {
    /// After so many others.
    Offset(i64),
    /// After this one; at the first where it is none.
    After(Option<I>),
}

/// What is shown of a resource.
pub(super) struct Shown {
    /// Its attributes.
    pub attributes: Map<String, Value>,
    /// When it was provisioned, and when it last changed.
    pub times: [svc_core::Timestamp; 2],
}

/// What became of a resource.
pub(super) struct Outcome {
    pub status: StatusCode,
    pub version: String,
    pub location: String,
    pub resource: Map<String, Value>,
}

/// Counts a change against the quota of the tenant. One that ends access is never refused: a leaver must not keep it for the rest of
/// the month.
async fn spend(caller: &ScimCx, tx: &mut Tx<Tenant>, ends_access: bool) -> Result<()> {
    let (monthly, quotas) = (Monthly::ScimOperations, &caller.tenant.plan.quotas);
    if ends_access {
        return quotas::spend_beyond(tx, caller, monthly, quotas).await;
    }
    quotas::spend(tx, caller, monthly, quotas).await
}

/// Makes a resource.
pub(super) async fn create<R: Provisioned>(caller: &ScimCx, sent: Map<String, Value>) -> Result<Outcome> {
    let mut tx = caller.begin().await?;
    spend(caller, &mut tx, false).await?;
    let made = R::create(caller, &mut tx, sent).await?;
    tx.commit().await?;
    Ok(outcome(caller, &made, StatusCode::CREATED))
}

/// Makes a resource what a document says.
pub(super) async fn replace<R: Provisioned>(
    caller: &ScimCx,
    (id, headers): (R::Id, &HeaderMap),
    sent: Map<String, Value>,
) -> Result<Outcome, Problem> {
    let whole =
        |present: &R| Ok(present.kept(declared::completed(sent, &present.document(), &R::schema(caller))));
    changed::<R>(caller, (id, headers), whole).await
}

/// Carries out the operations of a change in part.
pub(super) async fn change<R: Provisioned>(
    caller: &ScimCx,
    (id, headers): (R::Id, &HeaderMap),
    sent: Map<String, Value>,
) -> Result<Outcome, Problem> {
    let operations = patch::operations(sent)?;
    let patched = |present: &R| {
        let mut document = present.document();
        patch::apply(&mut document, operations, &R::schema(caller))?;
        Ok(document)
    };
    changed::<R>(caller, (id, headers), patched).await
}

/// Changes a resource. Directories send several changes at once, and name no version of what they change.
async fn changed<R: Provisioned>(
    caller: &ScimCx,
    (id, headers): (R::Id, &HeaderMap),
    wanted: impl FnOnce(&R) -> Result<Map<String, Value>> + Send,
) -> Result<Outcome, Problem> {
    let mut tx = caller.begin().await?;
    let held = record::hold(&mut tx, &id);
    let present = find::<R>(caller, &mut tx, id).await?;
    reply::check(held, headers, &present.version())?;
    let wanted = wanted(&present)?;
    spend(caller, &mut tx, present.ends_access(&wanted)).await?;
    present.update(caller, &mut tx, wanted).await?;
    let now = find::<R>(caller, &mut tx, id).await?;
    tx.commit().await?;
    Ok(outcome(caller, &now, StatusCode::OK))
}

/// Ends a resource.
pub(super) async fn delete<R: Provisioned>(
    caller: &ScimCx,
    (id, headers): (R::Id, &HeaderMap),
) -> Result<(), Problem> {
    let mut tx = caller.begin().await?;
    let held = record::hold(&mut tx, &id);
    let present = find::<R>(caller, &mut tx, id).await?;
    reply::check(held, headers, &present.version())?;
    spend(caller, &mut tx, true).await?;
    present.delete(caller, &mut tx).await?;
    Ok(tx.commit().await?)
}

/// One resource of the caller's directory, with all that it has.
pub(super) async fn find<R: Provisioned>(caller: &ScimCx, tx: &mut Tx<Tenant>, id: R::Id) -> Result<R> {
    R::find(tx, caller.organization.id, (id, true)).await?.ok_or_else(unknown)
}

/// The same with what is shown of it.
pub(super) async fn find_shown<R: Provisioned>(
    caller: &ScimCx,
    tx: &mut Tx<Tenant>,
    (id, shown): (R::Id, &Projection),
) -> Result<R> {
    let is_whole = R::COSTLY.iter().any(|name| shown.shows(name));
    R::find(tx, caller.organization.id, (id, is_whole)).await?.ok_or_else(unknown)
}

/// What is answered where a resource is as it should be.
pub(super) fn outcome<R: Provisioned>(caller: &ScimCx, present: &R, status: StatusCode) -> Outcome {
    let (version, location) = (present.version(), location::<R>(caller, present.id()));
    Outcome { status, version, location, resource: rendered(caller, &R::schema(caller), present) }
}

/// The address of a resource.
pub(super) fn location<R: Provisioned>(caller: &ScimCx, id: R::Id) -> String {
    format!("{}{}/{}", base(caller), R::PATH, id)
}

/// The resource as it is shown.
pub(super) fn rendered<R: Provisioned>(caller: &ScimCx, schema: &Schema, present: &R) -> Map<String, Value> {
    let Shown { attributes, times: [created, changed] } = present.shown(caller);
    let attributes = declared::readable(attributes, schema);
    let mut extensions: BTreeSet<_> = attributes.keys().filter(|name| name.starts_with("urn:")).collect();
    let own = schema.id.to_string();
    extensions.remove(&own);
    // Clients such as scim2-models know the type of a resource by the first one.
    let schemas: Vec<_> = std::iter::once(&own).chain(extensions).collect();
    let mut shown = Map::from_iter([
        ("schemas".to_owned(), serde_json::json!(schemas)),
        ("id".to_owned(), present.id().to_string().into()),
    ]);
    shown.extend(attributes);
    let meta = serde_json::json!({
        "resourceType": schema.name,
        "created": created,
        "lastModified": changed,
        "location": location::<R>(caller, present.id()),
        "version": present.version(),
    });
    shown.insert("meta".to_owned(), meta);
    shown
}

/// A page: by an index where the filter names a resource, or where all are asked for in the order of their ids; all are looked through
/// otherwise, within bounds.
pub(super) async fn found<R: Provisioned>(
    caller: &ScimCx,
    tx: &mut Tx<Tenant>,
    asked: &ListRequest,
) -> Result<ListPage> {
    if asked.filter.is_some() || asked.sort.is_some() {
        return Ok(asked.page(matching::<R>(caller, tx, asked).await?));
    }
    let organization = caller.organization.id;
    let from = match &asked.start {
        Start::Cursor(Some(position)) => From::After(position.last.parse().ok()),
        Start::Cursor(None) => From::After(None),
        Start::Index(_) => From::Offset(asked.passed()),
    };
    let page = Page { from, limit: asked.read(), is_whole: asked.needs(R::COSTLY) };
    let total = R::count(tx, organization).await?;
    let read = R::page(tx, organization, page).await?;
    Ok(asked.cut(read.iter().map(|one| rendered(caller, &asked.schema, one)).collect(), total))
}

/// All resources that meet the filter.
pub(super) async fn matching<R: Provisioned>(
    caller: &ScimCx,
    tx: &mut Tx<Tenant>,
    asked: &ListRequest,
) -> Result<Vec<Map<String, Value>>> {
    let organization = caller.organization.id;
    let meets = |one: &Map<String, Value>| {
        asked.filter.as_ref().is_none_or(|filter| filter.matches(one, &asked.schema))
    };
    let equalities = asked.filter.as_ref().map(super::filter::Filter::equalities).unwrap_or_default();
    for (name, value) in &equalities {
        let found = R::look_up(tx, organization, (name, value), asked.needs(R::COSTLY)).await?;
        if let Some(candidates) = found {
            return Ok(candidates
                .iter()
                .map(|one| rendered(caller, &asked.schema, one))
                .filter(meets)
                .collect());
        }
    }
    if R::count(tx, organization).await? > MOST_SCANNED {
        return Err(too_many());
    }
    let (mut resources, mut last) = (Vec::new(), None);
    loop {
        let page = Page { from: From::After(last), limit: BATCH, is_whole: asked.needs(R::COSTLY) };
        let batch = R::page(tx, organization, page).await?;
        resources.extend(batch.iter().map(|one| rendered(caller, &asked.schema, one)).filter(meets));
        match batch.last() {
            Some(one) if batch.len() >= BATCH as usize => last = Some(one.id()),
            _ => return Ok(resources),
        }
    }
}
