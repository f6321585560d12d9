//! What a list is asked for, and how it answers (RFC 7644 §3.4.2, §3.4.3; cursors: RFC 9865).

use std::cmp::Ordering;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_core::{Error, Result};
use svc_http::{Params, ScimCx};

use super::document::misfit;
use super::filter::{AttributePath, Filter, chosen_at, compare_chosen, plain};
use super::projection::Projection;
use super::schema::Schema;

/// The message of a list.
pub(super) const LIST: &str = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
/// How many resources a page has unless it is said.
pub(super) const USUAL: u32 = 100;
/// Most resources that one request looks through.
pub(super) const MOST_SCANNED: i64 = 20_000;

/// A request for a page of a list, checked.
#[derive(Debug)]
pub(super) struct ListRequest {
    pub filter: Option<Filter>,
    pub sort: Option<Sort>,
    pub start: Start,
    pub count: u32,
    pub projection: Projection,
    /// What the resources have.
    pub schema: Arc<Schema>,
    /// Which list it is, for its cursors.
    list: String,
}

/// By what a list is sorted.
#[derive(Debug)]
pub(super) struct Sort {
    by: AttributePath,
    is_descending: bool,
}

/// Where a page starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At this place, counted from 1.
    Index(i64),
    /// Where another page stopped: at the first one where it is empty.
    Cursor(Option<Position>),
}

/// Where a page stopped. What comes next is found by the last resource, not by counting: others may be gone since, or new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// The list that it was.
    list: String,
    /// How many resources came before.
    pub passed: i64,
    /// The last of them.
    pub last: String,
    /// What the list is sorted by, of the last of them.
    #[serde(default)]
    key: Option<Value>,
}

/// One page.
pub(super) struct ListPage {
    /// Its resources, in full.
    pub resources: Vec<Map<String, Value>>,
    /// How many there are on all pages.
    pub total: i64,
    /// Where the next page goes on, if there is one.
    pub next: Option<Position>,
}

/// Most characters of what a list is sorted by that a cursor repeats.
const LONGEST_KEY: usize = 512;

/// The parameters, whether of a query or of a message.
#[derive(Debug, Default)]
struct ListParameters {
    filter: Option<String>,
    sort_by: Option<String>,
    is_descending: bool,
    start_index: Option<i64>,
    count: Option<i64>,
    cursor: Option<String>,
    attributes: Vec<String>,
    excluded: Vec<String>,
}

impl ListParameters {
    fn of_message(sent: &Map<String, Value>) -> Result<Self> {
        let text = |name: &str| match plain(sent, name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(misfit(name, "expected a text")),
        };
        let number = |name: &str| match plain(sent, name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => value.as_i64().map(Some).ok_or_else(|| misfit(name, "expected a whole number")),
        };
        let names = |name: &str| match plain(sent, name) {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::String(names)) => listed(Some(names)),
            _ => Vec::new(),
        };
        Ok(Self {
            filter: text("filter")?,
            sort_by: text("sortBy")?,
            is_descending: is_descending(text("sortOrder")?.as_deref())?,
            start_index: number("startIndex")?,
            count: number("count")?,
            cursor: text("cursor")?,
            attributes: names("attributes"),
            excluded: names("excludedAttributes"),
        })
    }
}

impl ListRequest {
    /// Reads the parameters of a query.
    pub(super) fn of_query(caller: &ScimCx, params: &Params, schema: Arc<Schema>) -> Result<Self> {
        let number = |name: &str| params.one(name).map(|text| whole(name, text)).transpose();
        let given = ListParameters {
            filter: params.one("filter").map(str::to_owned),
            sort_by: params.one("sortBy").map(str::to_owned),
            is_descending: is_descending(params.one("sortOrder"))?,
            start_index: number("startIndex")?,
            count: number("count")?,
            cursor: params.has("cursor").then(|| params.one("cursor").unwrap_or_default().to_owned()),
            attributes: listed(params.one("attributes")),
            excluded: listed(params.one("excludedAttributes")),
        };
        let list = schema.name.clone();
        Self::of(caller, given, (schema, &*list))
    }

    /// Reads the message of a search (RFC 7644 §3.4.3).
    pub(super) fn of_message(
        caller: &ScimCx,
        sent: &Map<String, Value>,
        schema: Arc<Schema>,
    ) -> Result<Self> {
        let list = schema.name.clone();
        Self::of(caller, ListParameters::of_message(sent)?, (schema, &*list))
    }

    /// Reads the message of a search through resources of all types, whose cursors are the same for each type.
    pub(super) fn of_message_to_all(
        caller: &ScimCx,
        sent: &Map<String, Value>,
        schema: Arc<Schema>,
    ) -> Result<Self> {
        Self::of(caller, ListParameters::of_message(sent)?, (schema, "all"))
    }

    fn of(caller: &ScimCx, given: ListParameters, (schema, list): (Arc<Schema>, &str)) -> Result<Self> {
        let most = caller.app.config.scim.max_results;
        let count =
            given.count.map_or(USUAL, |count| u32::try_from(count.max(0)).unwrap_or(u32::MAX)).min(most);
        let list = format!("{list} {:?} {:?} {}", given.filter, given.sort_by, given.is_descending);
        let start = match &given.cursor {
            None => Start::Index(given.start_index.unwrap_or(1).max(1)),
            Some(cursor) if cursor.is_empty() => Start::Cursor(None),
            Some(cursor) => {
                let position: Option<Position> = caller.position(cursor);
                let position = position.filter(|position| position.list == list);
                Start::Cursor(Some(position.ok_or_else(|| {
                    Error::bad_request(
                        "cursor: not a cursor of this list; use the `nextCursor` of its previous page",
                    )
                    .called("invalidCursor")
                })?))
            }
        };
        let by = |name: &String| {
            AttributePath::parse(name, &schema).ok_or_else(|| misfit("sortBy", "this is no attribute"))
        };
        let sort = given.sort_by.as_ref().map(by).transpose()?;
        Ok(Self {
            filter: given.filter.map(|filter| Filter::parse(&filter, &schema)).transpose()?,
            sort: sort.map(|by| Sort { by, is_descending: given.is_descending }),
            start,
            count,
            projection: Projection::of(&given.attributes, &given.excluded, &schema)?,
            schema,
            list,
        })
    }

    /// How many resources come before the page, as far as that is counted.
    pub(super) fn passed(&self) -> i64 {
        match &self.start {
            Start::Index(index) => index - 1,
            Start::Cursor(position) => position.as_ref().map_or(0, |position| position.passed),
        }
    }

    /// How many resources are read for a page: one more where a cursor says whether there are more.
    pub(super) fn read(&self) -> u32 {
        self.count.saturating_add(u32::from(matches!(self.start, Start::Cursor(_))))
    }

    /// The page of the resources that were read for it, which are those of [`Self::read`] or fewer.
    pub(super) fn cut(&self, mut resources: Vec<Map<String, Value>>, total: i64) -> ListPage {
        let has_more = resources.len() > self.count as usize;
        resources.truncate(self.count as usize);
        let is_by_cursor = matches!(self.start, Start::Cursor(_));
        let last = resources.last().filter(|_| has_more && is_by_cursor);
        let next = last.map(|last| Position {
            list: self.list.clone(),
            passed: self.passed().saturating_add(i64::try_from(resources.len()).unwrap_or(i64::MAX)),
            last: id(last).to_owned(),
            key: self.key(last).map(repeated),
        });
        ListPage { resources, total, next }
    }

    /// The same of resources that have the attributes that are asked for, and no others.
    pub(super) fn shown_already(self) -> Self {
        Self { projection: Projection::default(), ..self }
    }

    /// Whether one of these attributes is shown, compared or sorted by.
    pub(super) fn needs(&self, attributes: &[&str]) -> bool {
        let is_compared = |name: &str| self.filter.as_ref().is_some_and(|filter| filter.mentions(name));
        let is_sorted =
            |name: &str| self.sort.as_ref().is_some_and(|sort| sort.by.name.eq_ignore_ascii_case(name));
        let mut names = attributes.iter();
        names.any(|name| self.projection.shows(name) || is_compared(name) || is_sorted(name))
    }

    /// The page of resources that are all in memory, in the order of their ids.
    pub(super) fn page(&self, mut resources: Vec<Map<String, Value>>) -> ListPage {
        if let Some(sort) = &self.sort {
            resources.sort_by(|one, other| sort.compare([self.key(one), self.key(other)], &self.schema));
        }
        let total = i64::try_from(resources.len()).unwrap_or(i64::MAX);
        let skipped = match &self.start {
            Start::Cursor(Some(position)) => self.skipped(&resources, position),
            _ => usize::try_from(self.passed()).unwrap_or(usize::MAX),
        };
        self.cut(resources.into_iter().skip(skipped).take(self.read() as usize).collect(), total)
    }

    /// How many of the resources come no later than where a page stopped.
    fn skipped(&self, resources: &[Map<String, Value>], position: &Position) -> usize {
        // What is sorted by another value since stands elsewhere, with others that were not shown before it.
        let is_last = |one: &Map<String, Value>| {
            id(one) == position.last && self.key(one).map(repeated) == position.key
        };
        if let Some(at) = resources.iter().position(is_last) {
            return at + 1;
        }
        let is_earlier = |one: &&Map<String, Value>| {
            let by_key = self.sort.as_ref().map_or(Ordering::Equal, |sort| {
                sort.compare([self.key(one), position.key.as_ref()], &self.schema)
            });
            by_key.then_with(|| id(one).cmp(&position.last)).is_lt()
        };
        resources.iter().take_while(is_earlier).count()
    }

    fn key<'a>(&self, resource: &'a Map<String, Value>) -> Option<&'a Value> {
        chosen_at(resource, &self.sort.as_ref()?.by)
    }

    /// The message of a page.
    pub(super) fn answer(self, caller: &ScimCx, found: ListPage) -> Result<Map<String, Value>> {
        let mut message = Map::from_iter([
            ("schemas".to_owned(), json!([LIST])),
            ("totalResults".to_owned(), json!(found.total)),
            ("itemsPerPage".to_owned(), json!(found.resources.len())),
        ]);
        if let Start::Index(index) = &self.start {
            message.insert("startIndex".to_owned(), json!(index));
        }
        if let Some(next) = &found.next {
            message.insert("nextCursor".to_owned(), json!(caller.cursor(next)?));
        }
        let resources =
            found.resources.into_iter().map(|resource| Value::Object(self.projection.apply(resource)));
        message.insert("Resources".to_owned(), resources.collect());
        Ok(message)
    }
}

impl Sort {
    fn compare(&self, [one, other]: [Option<&Value>; 2], schema: &Schema) -> Ordering {
        let order = compare_chosen(one, other, (&self.by, schema));
        if self.is_descending { order.reverse() } else { order }
    }
}

fn id(resource: &Map<String, Value>) -> &str {
    resource.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// As much of a value as a cursor repeats, which is part of an address; complex values have no order.
fn repeated(key: &Value) -> Value {
    match key {
        Value::String(text) if text.len() > LONGEST_KEY => {
            text.chars().take(LONGEST_KEY).collect::<String>().into()
        }
        Value::Null | Value::Array(_) | Value::Object(_) => "".into(),
        plain => plain.clone(),
    }
}

/// What directories get as answer whose filter or order would need too many people to be looked at.
pub(super) fn too_many() -> Error {
    Error::bad_request(format!(
        "filter: the directory has more than {MOST_SCANNED} resources; compare userName, externalId, id or emails with eq"
    ))
    .called("tooMany")
}

/// Whether an order is the descending one; without one it is ascending (RFC 7644 §3.4.2.3).
fn is_descending(order: Option<&str>) -> Result<bool> {
    match order.map(str::to_ascii_lowercase).as_deref() {
        None | Some("ascending") => Ok(false),
        Some("descending") => Ok(true),
        Some(_) => Err(misfit("sortOrder", "expected ascending or descending")),
    }
}

fn listed(names: Option<&str>) -> Vec<String> {
    let names = names.unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// A whole number; one that is too large is as large as can be.
fn whole(name: &str, text: &str) -> Result<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(misfit(name, "expected a whole number"));
    }
    Ok(text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }))
}
