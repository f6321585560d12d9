//! A record that the API creates, reads, changes and deletes, and the six operations that all of them share.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::Value;
use svc_core::Result;
use svc_db::{Held, Tenant, Tx};
use svc_domain::lists::Order;
use svc_domain::log::audit;
use svc_http::{
    Amendment, Created, IfMatch, Json, List, Listing, MergePatch, NoContent, Path, Problem, TenantCx,
    Versioned,
};
use utoipa::{IntoParams, ToSchema};

use crate::page::{Page, Position};
use crate::unknown;

/// What a kind of record says of itself: its documents, and the operations of the domain behind each call.
pub(crate) trait Record: From<Self::Stored> + Serialize + ToSchema + Send + Sized + 'static {
    /// One of them in a sentence, with its article.
    const ONE: &'static str;
    /// Several of them in a sentence.
    const MANY: &'static str;

    /// The record as the domain has it.
    type Stored: Clone + Send + Sync;
    /// Its id.
    type Id: Copy + Display + Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What a list may be narrowed by.
    type Filter: DeserializeOwned + IntoParams + Send + 'static;
    /// The document that creates one.
    type New: DeserializeOwned + ToSchema + Send + 'static;
    /// The answer to that, which may have what is shown once.
    type Created: Serialize + ToSchema + Send;
    /// What can be changed of one.
    type Change: Serialize + DeserializeOwned + ToSchema + Send + 'static;

    /// Its id and its version.
    fn head(stored: &Self::Stored) -> (Self::Id, i64);

    /// What can be changed of it, as it is now.
    fn present(stored: &Self::Stored) -> Self::Change;

    /// What a `PUT` says, with the members that it may leave out without giving them their defaults.
    fn completed(_: &Self::Stored, wanted: Self::Change) -> Self::Change {
        wanted
    }

    /// The text that a list is searched for.
    fn search(_: &Self::Filter) -> Option<&str> {
        None
    }

    /// The order of a list, of a kind that has several.
    fn order(_: &Self::Filter) -> Option<Order> {
        None
    }

    /// The names that a search looks at, of a kind that has one.
    fn names(_: &Self::Stored) -> Vec<&str> {
        Vec::new()
    }

    /// A page of them.
    fn list(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Self::Filter,
        page: &Page<Self::Id>,
    ) -> impl Future<Output = Result<Vec<Self::Stored>>> + Send;

    /// One of them.
    fn find(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        id: Self::Id,
    ) -> impl Future<Output = Result<Option<Self::Stored>>> + Send;

    /// Creates one.
    fn create(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        new: Self::New,
    ) -> impl Future<Output = Result<(Self::Stored, Self::Created)>> + Send;

    /// Changes one.
    fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        stored: Self::Stored,
        wanted: Self::Change,
    ) -> impl Future<Output = Result<()>> + Send;

    /// Deletes one.
    fn delete(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        stored: Self::Stored,
    ) -> impl Future<Output = Result<()>> + Send;
}

pub(crate) async fn list<R: Record>(
    caller: TenantCx,
    Listing { filter, page }: Listing<Position<R::Id>, R::Filter>,
) -> Result<Json<List<R>>, Problem> {
    let page = Page::of(page, R::search(&filter), R::order(&filter))?;
    let found = R::list(&caller, &mut caller.read().await?, filter, &page).await?;
    let position = |stored: &R::Stored| page.position(R::head(stored).0, &R::names(stored));
    let List { data, next_cursor } = caller.page(found, page.limit(), position)?;
    Ok(Json(List { data: data.into_iter().map(R::from).collect(), next_cursor }))
}

pub(crate) async fn create<R: Record>(
    caller: TenantCx,
    Json(new): Json<R::New>,
) -> Result<Created<R::Created>, Problem> {
    let mut tx = caller.begin().await?;
    let (stored, record) = R::create(&caller, &mut tx, new).await?;
    let (id, version) = R::head(&stored);
    audit::tell_changes(&mut tx, &id.to_string(), &Value::Null, &shown::<R>(&stored));
    tx.commit().await?;
    Ok(Created { location: format!("{}/{id}", caller.route), version, record })
}

pub(crate) async fn read<R: Record>(
    caller: TenantCx,
    Path(id): Path<R::Id>,
) -> Result<Versioned<R>, Problem> {
    let mut tx = caller.read().await?;
    Ok(versioned(found::<R>(&caller, &mut tx, id).await?))
}

pub(crate) async fn replace<R: Record>(
    caller: TenantCx,
    Path(id): Path<R::Id>,
    if_match: IfMatch,
    Json(wanted): Json<R::Change>,
) -> Result<Versioned<R>, Problem> {
    Ok(updated(&caller, id, &if_match, |stored: &R::Stored| Ok(R::completed(stored, wanted))).await?)
}

pub(crate) async fn change<R: Record>(
    caller: TenantCx,
    Path(id): Path<R::Id>,
    if_match: IfMatch,
    patch: MergePatch<R::Change>,
) -> Result<Versioned<R>, Problem> {
    Ok(updated(&caller, id, &if_match, |stored: &R::Stored| patch.apply(&R::present(stored))).await?)
}

/// Changes by `PUT` what is given of a record; what is left out stays.
pub(crate) async fn amend<R: Record>(
    caller: TenantCx,
    path: Path<R::Id>,
    if_match: IfMatch,
    Amendment(given): Amendment<R::Change>,
) -> Result<Versioned<R>, Problem> {
    change(caller, path, if_match, given).await
}

pub(crate) async fn delete<R: Record>(
    caller: TenantCx,
    Path(id): Path<R::Id>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = begin(&caller, &id).await?;
    let stored = found::<R>(&caller, &mut tx, id).await?;
    if_match.check(held, R::head(&stored).1)?;
    let (id, before) = (R::head(&stored).0, shown::<R>(&stored));
    R::delete(&caller, &mut tx, stored).await?;
    audit::tell_changes(&mut tx, &id.to_string(), &before, &Value::Null);
    tx.commit().await?;
    Ok(NoContent)
}

async fn updated<R: Record>(
    caller: &TenantCx,
    id: R::Id,
    if_match: &IfMatch,
    wanted: impl FnOnce(&R::Stored) -> Result<R::Change> + Send,
) -> Result<Versioned<R>> {
    let (mut tx, held) = begin(caller, &id).await?;
    let stored = found::<R>(caller, &mut tx, id).await?;
    if_match.check(held, R::head(&stored).1)?;
    let (wanted, before) = (wanted(&stored)?, shown::<R>(&stored));
    R::update(caller, &mut tx, stored, wanted).await?;
    let stored = found::<R>(caller, &mut tx, id).await?;
    audit::tell_changes(&mut tx, &id.to_string(), &before, &shown::<R>(&stored));
    tx.commit().await?;
    Ok(versioned(stored))
}

/// Begins changing a record. Changes of one record come one after the other: what is held against its version, or merged into it, is
/// still so at the commit.
pub(crate) async fn begin(caller: &TenantCx, id: &(impl Display + Sync)) -> Result<(Tx<Tenant>, Held)> {
    let mut tx = caller.begin().await?;
    let held = hold(&mut tx, id);
    Ok((tx, held))
}

/// The same in a transaction that has begun.
pub(crate) fn hold(tx: &mut Tx<Tenant>, id: &impl Display) -> Held {
    tx.hold(&format!("record {id}"))
}

/// Keeps a secret out of the document to which a patch applies: it sees that there is such a member, and nothing of it.
pub(crate) fn hidden<T, S: Serializer>(_: &T, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_none()
}

async fn found<R: Record>(caller: &TenantCx, tx: &mut Tx<Tenant>, id: R::Id) -> Result<R::Stored> {
    R::find(caller, tx, id).await?.ok_or_else(unknown)
}

/// The record as everybody sees it who may read it: no document of a record has a secret.
fn shown<R: Record>(stored: &R::Stored) -> Value {
    serde_json::to_value(R::from(stored.clone())).unwrap_or_default()
}

fn versioned<R: Record>(stored: R::Stored) -> Versioned<R> {
    Versioned { version: R::head(&stored).1, record: stored.into() }
}
