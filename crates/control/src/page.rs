//! Which page of a list is asked for: in which order, and of what is searched.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result, Timestamp};
use svc_db::Times;
use svc_domain::lists::{self, ByCreation, LONGEST_SEARCH, Order, Search};
use svc_http::ListRequest;
use utoipa::{IntoParams, ToSchema};

/// Which page of a list is asked for.
pub(crate) struct Page<I> {
    request: ListRequest<Position<I>>,
    search: Option<String>,
    order: Order,
}

/// After which record a page starts.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Position<I> {
    id: I,
    /// Under what it is found in the order of names.
    name: String,
}

/// Which records of a list, and in which order, of a list that is searched by name and has no other filter.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct NameFilter {
    /// Only those whose name begins with this text, in the order of names; the case of ASCII letters does not count.
    #[param(nullable = false, max_length = 320)]
    pub(crate) search: Option<String>,
    /// The order: by the time of creation, which is the usual one, or by name; a hyphen before it turns it round. What is searched is
    /// ordered by name.
    #[param(inline, nullable = false)]
    pub(crate) sort: Option<Order>,
}

/// Which records of a list by the time of their creation, of a list that has no other order.
#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct MadeFilter {
    /// Only those that were not made before this time, to the millisecond.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    since: Option<Timestamp>,
    /// Only those that were made before this time, to the millisecond.
    #[param(value_type = Option<String>, format = "date-time", nullable = false)]
    until: Option<Timestamp>,
    /// The order: by the time of creation, which is the usual one, with a hyphen the last one first.
    #[param(inline, nullable = false)]
    sort: Option<MadeOrder>,
}

/// An order by the time of creation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = CreationOrder)]
enum MadeOrder {
    /// The first created one first.
    #[serde(rename = "created_at")]
    Oldest,
    /// The last created one first.
    #[serde(rename = "-created_at")]
    Newest,
}

impl MadeFilter {
    /// The list that is asked for.
    pub(crate) fn made(&self) -> ByCreation {
        let times = Times { since: self.since, until: self.until };
        ByCreation { times, is_newest_first: self.sort == Some(MadeOrder::Newest) }
    }
}

impl<I: Copy> Page<I> {
    /// The page of a request that searches for a text, or for everything; the order of a search is that of names.
    pub(crate) fn of(
        request: ListRequest<Position<I>>,
        search: Option<&str>,
        order: Option<Order>,
    ) -> Result<Self> {
        if search.is_some_and(|text| text.chars().count() > LONGEST_SEARCH) {
            return Err(Error::bad_request(format!("search: use at most {LONGEST_SEARCH} characters")));
        }
        let usual = if search.is_some() { Order::Name } else { Order::default() };
        let order = order.unwrap_or(usual);
        if search.is_some() && !order.is_by_name() {
            return Err(Error::bad_request(
                "sort: what is searched is in the order of names; leave `sort` out, or leave `search` out",
            ));
        }
        Ok(Self { request, search: search.map(str::to_owned), order })
    }

    /// The id before it, and how many records to fetch.
    pub(crate) fn by_id(&self) -> (Option<I>, u32) {
        (self.request.after.as_ref().map(|position| position.id), self.request.fetch())
    }

    /// The same where a text is searched for.
    pub(crate) fn search(&self) -> Option<Search<'_, I>> {
        self.search.is_some().then(|| self.ordered().1)
    }

    /// The order, and what is searched in it: everything where no text is.
    pub(crate) fn ordered(&self) -> (Order, Search<'_, I>) {
        let after = self.request.after.as_ref().map(|position| (position.name.as_str(), position.id));
        let beginning = self.search.as_deref().unwrap_or_default();
        (self.order, Search { beginning, after, limit: self.request.fetch() })
    }

    /// All records of a list that is bound to be short: before none, and as many as there are.
    pub(crate) fn whole() -> (Option<I>, u32) {
        (None, u32::MAX)
    }

    /// The page of a list whose records are all here; `of` tells the id of one, and the names that a search looks at.
    pub(crate) fn among<T>(&self, all: Vec<T>, of: impl Fn(&T) -> (I, Vec<&str>)) -> Vec<T>
    where
        I: Ord,
    {
        lists::among(all, self.ordered(), of)
    }

    /// The one record that a filter names, if it is also one that is searched; `names` are those that a search looks at.
    pub(crate) fn only<T>(&self, found: Option<T>, names: impl Fn(&T) -> Vec<&str>) -> Vec<T> {
        let is_searched =
            |found: &T| self.search.as_deref().is_none_or(|text| lists::found(&names(found), text).is_some());
        found.filter(|found| self.request.after.is_none() && is_searched(found)).into_iter().collect()
    }

    /// The place in the list of the record with this id and these names.
    pub(crate) fn position(&self, id: I, names: &[&str]) -> Position<I> {
        let text = self.search.as_deref().unwrap_or_default();
        let found = self.order.is_by_name().then(|| lists::found(names, text)).flatten();
        Position { id, name: found.unwrap_or_default() }
    }

    /// How many records it shows.
    pub(crate) fn limit(&self) -> u32 {
        self.request.limit
    }
}
