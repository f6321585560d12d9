//! Which page of a list is asked for: by id, or of what is searched.

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result};
use svc_domain::lists::{self, LONGEST_SEARCH, Search};
use svc_http::ListRequest;

/// Which page of a list is asked for.
pub(crate) struct Page<I> {
    request: ListRequest<Position<I>>,
    search: Option<String>,
}

/// After which record a page starts.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Position<I> {
    id: I,
    /// Under what a search found it.
    name: String,
}

impl<I: Copy> Page<I> {
    /// The page of a request that searches for a text, or for everything.
    pub(crate) fn of(request: ListRequest<Position<I>>, search: Option<&str>) -> Result<Self> {
        if search.is_some_and(|text| text.chars().count() > LONGEST_SEARCH) {
            return Err(Error::bad_request(format!("search: use at most {LONGEST_SEARCH} characters")));
        }
        Ok(Self { request, search: search.map(str::to_owned) })
    }

    /// The id before it, and how many records to fetch.
    pub(crate) fn by_id(&self) -> (Option<I>, u32) {
        (self.request.after.as_ref().map(|position| position.id), self.request.fetch())
    }

    /// The same where a text is searched for.
    pub(crate) fn search(&self) -> Option<Search<'_, I>> {
        let after = self.request.after.as_ref().map(|position| (position.name.as_str(), position.id));
        let limit = self.request.fetch();
        self.search.as_deref().map(|beginning| Search { beginning, after, limit })
    }

    /// The one record that a filter names, if it is also one that is searched; `names` are those that a search looks at.
    pub(crate) fn only<T>(&self, found: Option<T>, names: impl Fn(&T) -> Vec<&str>) -> Vec<T> {
        let is_searched =
            |found: &T| self.search.as_deref().is_none_or(|text| lists::found(&names(found), text).is_some());
        found.filter(|found| self.request.after.is_none() && is_searched(found)).into_iter().collect()
    }

    /// The place in the list of the record with this id and these names.
    pub(crate) fn position(&self, id: I, names: &[&str]) -> Position<I> {
        let found = self.search.as_deref().and_then(|text| lists::found(names, text));
        Position { id, name: found.unwrap_or_default() }
    }

    /// How many records it shows.
    pub(crate) fn limit(&self) -> u32 {
        self.request.limit
    }
}
