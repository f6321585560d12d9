//! Pages of lists: ordered by id, or by name and then limited to names that begin with a search text.
//!
//! A table whose names are searched has the column `name_key`, which the engine makes of the document, and an index of
//! `(tenant_id, name_key, id)`. A filter has its own indexes, with the filtered column before `name_key` and before `id`: without them, a
//! page would read all the records that the filter leaves out. A list that is always short needs no index: all of it is read.

use std::collections::BTreeMap;

use serde::Deserialize;
use svc_core::{Id, Kind, OrInternal as _, Result};
use svc_db::{Row, Statement, Tenant, TenantSql, Times, Tx, Value, after, args, before};
use utoipa::ToSchema;

/// Most characters of a search text. No mail address is longer, and longer names are compared up to here.
pub const LONGEST_SEARCH: usize = 320;

/// A page of the records whose name begins with a text, in the order of names.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a, I> {
    /// The text.
    pub beginning: &'a str,
    /// The last record of the page before.
    pub after: Option<(&'a str, I)>,
    /// How many records.
    pub limit: u32,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ListOrder)]
pub enum Order {
    /// The first created one first.
    #[default]
    #[serde(rename = "created_at")]
    Oldest,
    /// The last created one first.
    #[serde(rename = "-created_at")]
    Newest,
    /// By name.
    #[serde(rename = "name")]
    Name,
    /// By name, the last one first.
    #[serde(rename = "-name")]
    NameDescending,
}

impl Order {
    /// Whether names are compared, which is what a search does.
    pub fn is_by_name(self) -> bool {
        matches!(self, Self::Name | Self::NameDescending)
    }
}

/// Which records of a list that is ordered by creation alone. The ids of the records hold the time.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByCreation {
    /// When they were made.
    pub times: Times,
    /// Whether the last created one is first.
    pub is_newest_first: bool,
}

/// The statements of a list that has every order, one each. Each takes the arguments of the filter first. Ids sort by creation time.
pub(crate) struct Ordered<Q = TenantSql> {
    /// Takes the id before the page, and the limit.
    pub oldest: Q,
    /// Takes the id before the page, and the limit.
    pub newest: Q,
    /// Takes the name and the id before the page, the upper bound of the names, and the limit.
    pub name: Q,
    /// Takes the name and the id before the page, the lower bound of the names, and the limit.
    pub name_descending: Q,
}

/// The name under which a search finds a record: the first of those that begin with the text, in the form that lists are ordered
/// by. The case of ASCII letters does not count, as on both engines.
pub fn found(names: &[&str], beginning: &str) -> Option<String> {
    let beginning = key(beginning);
    names.iter().map(|name| key(name)).filter(|name| name.starts_with(&beginning)).min()
}

fn key(name: &str) -> String {
    name.to_ascii_lowercase()
}

/// A page of a list of which all records are here, because there can only be few: those that a search finds, in one of the orders. `of`
/// tells the id of a record, and the names that a search looks at.
pub fn among<I: Copy + Ord, T>(
    all: Vec<T>,
    (order, Search { beginning, after: last, limit }): (Order, Search<'_, I>),
    of: impl Fn(&T) -> (I, Vec<&str>),
) -> Vec<T> {
    let is_descending = matches!(order, Order::Newest | Order::NameDescending);
    let place = |one: &T| {
        let (id, names) = of(one);
        let name = if order.is_by_name() { found(&names, beginning)? } else { String::new() };
        Some((name, id))
    };
    let last = last.map(|(name, id)| (key(name), id));
    let is_further = |place: &(String, I)| {
        last.as_ref().is_none_or(|last| if is_descending { place < last } else { place > last })
    };
    let placed = all.into_iter().filter_map(|one| Some((place(&one)?, one)));
    let placed: BTreeMap<_, _> = placed.filter(|(place, _)| is_further(place)).collect();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    if is_descending {
        placed.into_values().rev().take(limit).collect()
    } else {
        placed.into_values().take(limit).collect()
    }
}

/// A page of the records that this version understands, by id after `cursor`: `select` takes the cursor and the limit.
pub(crate) async fn page<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
    (cursor, limit): (Option<Id<K>>, u32),
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let next = |row: &Row| Ok(vec![Value::from(row.text("id")?)]);
    filled(tx, select, (vec![after(cursor)], limit), next, read).await
}

/// The same where `select` takes what narrows the list before everything else.
pub(crate) async fn page_in<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
    (cursor, limit): (Option<Id<K>>, u32),
    narrowed: &[Value],
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    by_id(tx, select, (after(cursor), limit), narrowed, read).await
}

/// The same of the records of one owner: `select` takes the owner, the cursor and the limit.
pub(crate) async fn page_of<O: Kind, K: Kind, T>(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
    owner: Id<O>,
    (cursor, limit): (Option<Id<K>>, u32),
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let next = |row: &Row| Ok(args![owner, row.text("id")?].to_vec());
    filled(tx, select, (args![owner, after(cursor)].to_vec(), limit), next, read).await
}

/// A page of the records that were made in a time, from either end: both statements take what their ids lie between, and the limit.
pub(crate) async fn made<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    (oldest, newest): (TenantSql, TenantSql),
    ByCreation { times, is_newest_first }: ByCreation,
    (cursor, limit): (Option<Id<K>>, u32),
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let select = if is_newest_first { newest } else { oldest };
    let from = |last| if is_newest_first { times.before::<K>(last) } else { times.after::<K>(last) };
    let next = |row: &Row| Ok(from(Some(row.parse("id")?)).to_vec());
    filled(tx, select, (from(cursor).to_vec(), limit), next, read).await
}

/// A page of a list in one of the orders. Only the orders by name take a search text.
pub(crate) async fn ordered<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    selects: Ordered,
    (order, wanted): (Order, Search<'_, Id<K>>),
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    ordered_in(tx, selects, (order, wanted), &[], read).await
}

/// The same of a list that is narrowed: each statement takes what narrows it before everything else.
pub(crate) async fn ordered_in<S, Q: Statement<S> + Copy, K: Kind, T>(
    tx: &mut Tx<S>,
    selects: Ordered<Q>,
    (order, wanted): (Order, Search<'_, Id<K>>),
    narrowed: &[Value],
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let (last, limit) = (wanted.after.map(|(_, id)| id), wanted.limit);
    match order {
        Order::Oldest => by_id(tx, selects.oldest, (after(last), limit), narrowed, read).await,
        Order::Newest => by_id(tx, selects.newest, (before(last), limit), narrowed, read).await,
        Order::Name => by_name(tx, selects.name, wanted, narrowed, read).await,
        Order::NameDescending => {
            by_name_descending(tx, selects.name_descending, wanted, narrowed, read).await
        }
    }
}

async fn by_id<S, T>(
    tx: &mut Tx<S>,
    select: impl Statement<S> + Copy,
    (start, limit): (Value, u32),
    narrowed: &[Value],
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let from = |id: Value| [narrowed, &[id]].concat();
    let next = |row: &Row| Ok(from(Value::from(row.text("id")?)));
    filled(tx, select, (from(start), limit), next, read).await
}

/// A page of what a search finds: `select` takes what narrows it, the name and the id before it, the name that ends it, and the limit.
pub(crate) async fn by_name<S, K: Kind, T>(
    tx: &mut Tx<S>,
    select: impl Statement<S> + Copy,
    Search { beginning, after: last, limit }: Search<'_, Id<K>>,
    narrowed: &[Value],
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let (name, id) = last.map_or((beginning, None), |(name, id)| (name, Some(id)));
    let end = format!("{}{}", key(beginning), char::MAX);
    let from = |name: String, id: Value| [narrowed, args![name, id, &end]].concat();
    let next = |row: &Row| Ok(from(row.text("name_key")?, Value::from(row.text("id")?)));
    filled(tx, select, (from(key(name), after(id)), limit), next, read).await
}

/// The same from the last name on.
pub(crate) async fn by_name_descending<S, K: Kind, T>(
    tx: &mut Tx<S>,
    select: impl Statement<S> + Copy,
    Search { beginning, after: last, limit }: Search<'_, Id<K>>,
    narrowed: &[Value],
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let beginning = key(beginning);
    let end = format!("{beginning}{}", char::MAX);
    let (name, id) = last.map_or((end, after::<K>(None)), |(name, id)| (key(name), after(Some(id))));
    let from = |name: String, id: Value| [narrowed, args![name, id, &beginning]].concat();
    let next = |row: &Row| Ok(from(row.text("name_key")?, Value::from(row.text("id")?)));
    filled(tx, select, (from(name, id), limit), next, read).await
}

/// Reads further rows until the page is full, because records that this version does not understand are left out.
async fn filled<S, T>(
    tx: &mut Tx<S>,
    select: impl Statement<S> + Copy,
    (mut start, limit): (Vec<Value>, u32),
    next: impl Fn(&Row) -> Result<Vec<Value>>,
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let mut page = Vec::new();
    loop {
        let missing = limit.saturating_sub(u32::try_from(page.len()).or_internal()?);
        start.push(Value::from(missing));
        let rows = tx.all(select, &start).await?;
        for row in &rows {
            page.extend(read(row)?);
        }
        match rows.last() {
            Some(last) if rows.len() >= missing as usize && page.len() < limit as usize => {
                start = next(last)?;
            }
            _ => return Ok(page),
        }
    }
}
