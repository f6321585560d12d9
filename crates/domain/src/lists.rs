//! Pages of lists: by id, or by name those whose name begins with what is searched.
//!
//! A table whose names are searched has the column `name_key`, which the engine makes of the document, and an index of
//! `(tenant_id, name_key, id)`.

use serde::Deserialize;
use svc_core::{Id, Kind, OrInternal as _, Result};
use svc_db::{Row, Tenant, TenantSql, Tx, Value, after, args, before};
use utoipa::ToSchema;

/// The characters of the longest text that is searched for: no address is longer, and of longer names no more is searched.
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

/// The statements of a list that has every order. Ids are made in the order of time.
pub(crate) struct Ordered {
    /// Takes the id before the page, and the limit.
    pub oldest: TenantSql,
    /// The same.
    pub newest: TenantSql,
    /// Takes the name and the id before the page, the name that ends the search, and the limit.
    pub name: TenantSql,
    /// The same, with the name that begins the search.
    pub name_descending: TenantSql,
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

/// A page of what a search finds: `select` takes the name and the id before it, the name that ends the search, and the limit.
pub(crate) async fn search<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
    wanted: Search<'_, Id<K>>,
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    search_in(tx, select, wanted, &[], read).await
}

/// The same where `select` takes what narrows the search before the limit.
pub(crate) async fn search_in<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
    Search { beginning, after: last, limit }: Search<'_, Id<K>>,
    narrowed: &[Value],
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let (name, id) = last.map_or((beginning, None), |(name, id)| (name, Some(id)));
    let end = format!("{}{}", key(beginning), char::MAX);
    let from = |name: String, id: Value| {
        let start = [Value::from(name), id, Value::from(&end)];
        start.into_iter().chain(narrowed.iter().cloned()).collect::<Vec<_>>()
    };
    let next = |row: &Row| Ok(from(row.text("name_key")?, Value::from(row.text("id")?)));
    filled(tx, select, (from(key(name), after(id)), limit), next, read).await
}

/// A page of a list in one of the orders; a text is searched for in those by name alone.
pub(crate) async fn ordered<K: Kind, T>(
    tx: &mut Tx<Tenant>,
    selects: Ordered,
    (order, wanted): (Order, Search<'_, Id<K>>),
    read: impl Fn(&Row) -> Result<Option<T>>,
) -> Result<Vec<T>> {
    let (last, limit) = (wanted.after.map(|(_, id)| id), wanted.limit);
    match order {
        Order::Oldest => page(tx, selects.oldest, (last, limit), read).await,
        Order::Newest => {
            let next = |row: &Row| Ok(vec![Value::from(row.text("id")?)]);
            filled(tx, selects.newest, (vec![before(last)], limit), next, read).await
        }
        Order::Name => search(tx, selects.name, wanted, read).await,
        Order::NameDescending => {
            let beginning = key(wanted.beginning);
            let end = format!("{beginning}{}", char::MAX);
            let start =
                wanted.after.map_or((end, after::<K>(None)), |(name, id)| (key(name), after(Some(id))));
            let next = |row: &Row| Ok(args![row.text("name_key")?, row.text("id")?, &beginning].to_vec());
            let start = args![start.0, start.1, &beginning].to_vec();
            filled(tx, selects.name_descending, (start, limit), next, read).await
        }
    }
}

/// Reads on until the page is full: records that this version does not understand leave room.
async fn filled<T>(
    tx: &mut Tx<Tenant>,
    select: TenantSql,
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
