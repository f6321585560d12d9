//! Lists by keyset: `?limit=&cursor=`, the cursor sealed to tenant and route, so that a caller cannot steer it elsewhere, and bound to
//! the search and the filters of its list.

use std::borrow::Cow;

use serde::Serialize;
use serde::de::DeserializeOwned;
use svc_core::{Error, OrInternal as _, Result};
use svc_keys::{base64url, from_base64url};
use utoipa::openapi::schema::{ArrayBuilder, Object, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::context::TenantCx;
use crate::extract::Params;
use crate::route::FIELDS;

/// One page of a list.
#[derive(Debug, Serialize)]
pub struct List<T> {
    /// The records of this page.
    pub data: Vec<T>,
    /// Pass it as `cursor` to get the next page; null on the last.
    pub next_cursor: Option<String>,
}

/// What a list request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListRequest<P> {
    /// How many records, 1 to 200.
    pub limit: u32,
    /// After which position.
    pub after: Option<P>,
}

/// The parameters that every list takes.
#[derive(IntoParams)]
#[expect(dead_code, reason = "describes the parameters to the OpenAPI document; `TenantCx::list` reads them")]
pub struct ListQuery {
    /// How many records, 1 to 200; 50 unless given.
    #[param(minimum = 1, maximum = 200, default = 50, nullable = false)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before, with the search, the order and the filters of that page.
    cursor: Option<String>,
}

/// The names of the parameters that every list has: those, and the one that every read has.
pub(crate) const LIST_PARAMS: &[&str] = &["limit", "cursor", FIELDS];

const USUAL: u32 = 50;
const MOST: u32 = 200;

impl<P> ListRequest<P> {
    /// How many records to fetch: one more than are shown, which says that there are more.
    pub fn fetch(&self) -> u32 {
        self.limit + 1
    }
}

/// Each kind of record has a page schema of its own name; one name for all would make all pages alike.
impl<T: ToSchema> PartialSchema for List<T> {
    fn schema() -> RefOr<Schema> {
        let records = ArrayBuilder::new()
            .items(RefOr::Ref(Ref::from_schema_name(T::name())))
            .description(Some("The records of this page."));
        let cursor = Object::builder()
            .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
            .description(Some("Pass it as `cursor` to get the next page; null on the last."));
        let page = ObjectBuilder::new()
            .description(Some("One page of a list."))
            .property("data", records)
            .property("next_cursor", cursor)
            .required("data")
            .required("next_cursor");
        page.into()
    }
}

impl<T: ToSchema> ToSchema for List<T> {
    fn name() -> Cow<'static, str> {
        format!("{}List", T::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(schemas);
    }
}

impl TenantCx {
    /// Reads `limit` and `cursor`.
    pub fn list<P: DeserializeOwned>(&self, params: &Params) -> Result<ListRequest<P>> {
        let limit = params.iter().find(|(name, _)| *name == "limit");
        let limit = limit.map_or(Ok(USUAL), |(_, limit)| limit_of(limit))?;
        // An empty one is no way to the first page: a client that lost its cursor would begin again without noticing.
        let cursor = params.iter().find(|(name, _)| *name == "cursor");
        let after = cursor.map(|(_, cursor)| self.position(cursor)).transpose()?;
        Ok(ListRequest { limit, after })
    }

    /// Makes a page of up to `limit + 1` records, the surplus one saying that there are more.
    pub fn page<T, P: Serialize>(
        &self,
        mut data: Vec<T>,
        limit: u32,
        position: impl Fn(&T) -> P,
    ) -> Result<List<T>> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = data.len() > limit;
        data.truncate(limit);
        let last = data.last().filter(|_| has_more).map(position);
        let next_cursor = last.map(|position| self.cursor(&position)).transpose()?;
        Ok(List { data, next_cursor })
    }

    /// Makes a page of a search that looked as far as `next`, where there may be more.
    pub fn page_until<T, P: Serialize>(&self, data: Vec<T>, next: Option<P>) -> Result<List<T>> {
        let next_cursor = next.map(|position| self.cursor(&position)).transpose()?;
        Ok(List { data, next_cursor })
    }

    /// A position in a list, sealed to tenant and route, with what the list is narrowed to.
    pub fn cursor<P: Serialize>(&self, position: &P) -> Result<String> {
        let noted = self.narrowed.note(serde_json::to_value(position).or_internal()?);
        let plain = serde_json::to_vec(&noted).or_internal()?;
        let sealed = self.app.cursors.seal(&[&self.tenant.id.to_string(), self.route], &plain, &self.cx)?;
        Ok(base64url(sealed))
    }

    /// The position that a cursor of this tenant and route has, if the list is narrowed to the same.
    pub fn position<P: DeserializeOwned>(&self, cursor: &str) -> Result<P> {
        let plain = from_base64url(cursor)
            .and_then(|sealed| self.app.cursors.open(&[&self.tenant.id.to_string(), self.route], &sealed));
        let noted =
            plain.and_then(|plain| serde_json::from_slice(&plain).ok()).ok_or_else(of_another_list)?;
        serde_json::from_value(self.narrowed.check(noted)?).map_err(|_| of_another_list())
    }
}

pub(super) fn of_another_list() -> Error {
    Error::bad_request("cursor: not a cursor of this list; use the `next_cursor` of its previous page")
}

fn limit_of(text: &str) -> Result<u32> {
    let limit = text.parse().ok().filter(|limit| (1..=MOST).contains(limit));
    limit.ok_or_else(|| Error::bad_request("limit: a whole number from 1 to 200"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_whole_number_from_1_to_200() {
        assert_eq!(limit_of("200").unwrap(), 200);
        for bad in ["0", "201", "-1", "1.5", "1e2", "9223372036854775808", ""] {
            assert!(limit_of(bad).is_err(), "{bad}");
        }
    }
}
