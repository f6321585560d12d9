//! Lists that are bound to be short: whole, unless `?limit=` cuts them; `?cursor=` goes on after the cut.

use std::fmt::Display;

use serde::{Deserialize, Serialize};
use svc_core::Result;
use svc_keys::{base64url, sha256};
use utoipa::IntoParams;

use super::list::of_another_list;
use super::{List, ListRequest};
use crate::context::TenantCx;
use crate::extract::Params;

/// Which part is asked for of a list whose records are all at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    /// Tells the list from those of other records and other people at the same route.
    of: String,
    limit: Option<usize>,
    after: Option<Place>,
}

/// After which record a part begins, which one came next, and how many came before: any of them may be gone meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Place {
    of: String,
    key: String,
    next: String,
    shown: usize,
}

/// The parameters of such a list.
#[derive(IntoParams)]
#[expect(
    dead_code,
    reason = "describes the parameters to the OpenAPI document; `TenantCx::whole` reads them"
)]
pub(crate) struct WholeQuery {
    /// How many records, 1 to 200; all of them unless given.
    #[param(minimum = 1, maximum = 200, nullable = false)]
    limit: Option<u32>,
    /// The `next_cursor` of the page before.
    cursor: Option<String>,
}

impl TenantCx {
    /// Reads `limit` and `cursor` of a list that is whole without them. A cursor opens no list at another address or of another caller.
    pub(crate) fn whole(&self, path: &str, params: &Params) -> Result<Whole> {
        let of = base64url(sha256(format!("{} {path}", self.claims.sub).as_bytes()));
        let ListRequest { limit, after } = self.list::<Place>(params)?;
        if after.as_ref().is_some_and(|place| place.of != of) {
            return Err(of_another_list());
        }
        let is_cut = params.iter().any(|(name, _)| name == "limit");
        let limit = usize::try_from(limit).ok().filter(|_| is_cut);
        Ok(Whole { of, limit, after })
    }
}

impl Whole {
    /// The part of `all` that is asked for; `key` tells one record from the others.
    pub fn part<T, K: Display>(
        self,
        caller: &TenantCx,
        all: Vec<T>,
        key: impl Fn(&T) -> K,
    ) -> Result<List<T>> {
        let (data, next) = self.cut(all, key);
        caller.page_until(data, next)
    }

    fn cut<T, K: Display>(self, mut all: Vec<T>, key: impl Fn(&T) -> K) -> (Vec<T>, Option<Place>) {
        let begin = self.after.map_or(0, |Place { key: last, next, shown, .. }| {
            let at = |wanted: &str| all.iter().position(|one| key(one).to_string() == wanted);
            at(&last).map(|at| at + 1).or_else(|| at(&next)).unwrap_or(shown.saturating_sub(1))
        });
        let begin = begin.min(all.len());
        let mut data = all.split_off(begin);
        let limit = self.limit.unwrap_or(data.len());
        let next = data.get(limit).map(|one| key(one).to_string());
        data.truncate(limit);
        let of = self.of;
        let place = data.last().zip(next).map(|(last, next)| {
            let shown = begin + limit;
            Place { of, key: key(last).to_string(), next, shown }
        });
        (data, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(limit: Option<usize>, after: Option<Place>, all: &[u8]) -> (Vec<u8>, Option<Place>) {
        Whole { of: String::new(), limit, after }.cut(all.to_vec(), |number| *number)
    }

    #[test]
    fn a_list_is_whole_unless_it_is_cut() {
        assert_eq!(cut(None, None, &[1, 2, 3]), (vec![1, 2, 3], None));
        assert_eq!(cut(Some(3), None, &[1, 2, 3]), (vec![1, 2, 3], None));
        assert_eq!(cut(Some(1), None, &[]), (vec![], None));
    }

    #[test]
    fn a_part_goes_on_after_the_last_record_of_the_part_before() {
        let all = [1, 2, 3, 4, 5];
        let (first, next) = cut(Some(2), None, &all);
        assert_eq!(first, [1, 2]);
        let (second, last) = cut(Some(2), next.clone(), &all);
        assert_eq!(second, [3, 4]);
        assert_eq!(cut(Some(2), last, &all), (vec![5], None));
        assert_eq!(cut(None, next, &all), (vec![3, 4, 5], None));
    }

    #[test]
    fn a_part_goes_on_where_the_record_before_it_is_gone_or_came_later() {
        let (_, next) = cut(Some(2), None, &[1, 2, 3, 4]);
        assert_eq!(cut(None, next.clone(), &[1, 3, 4]), (vec![3, 4], None));
        assert_eq!(cut(None, next.clone(), &[0, 1, 2, 3, 4]), (vec![3, 4], None));
        assert_eq!(cut(None, next.clone(), &[3, 4]), (vec![3, 4], None));
        assert_eq!(cut(None, next.clone(), &[1, 4]), (vec![4], None));
        assert_eq!(cut(None, next, &[]), (vec![], None));
    }
}
