//! Pages of lists: by id, or by name those whose name begins with what is searched.
//!
//! A table whose names are searched has the column `name_key`, which the engine makes of the document, and an index of
//! `(tenant_id, name_key, id)`.

use svc_core::{Id, Kind, OrInternal as _, Result};
use svc_db::{Row, Tenant, TenantSql, Tx, Value, after, args};

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
