//! What the routes of provisioning read besides addresses and bodies, as the OpenAPI document has it (RFC 7644 §3.4.2, §3.9, §3.14;
//! RFC 9865). `listing.rs` and `reply.rs` read it.

use serde::Deserialize;
use svc_http::Route;
use utoipa::IntoParams;

/// What a list is asked for.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "describes parameters; their names are read one by one, as the protocol has them"
)]
struct Listed {
    /// Only the resources that match, in the grammar of RFC 7644 §3.4.2.2.
    #[param(nullable = false, example = "userName eq \"ada@initech.example\"")]
    filter: Option<String>,
    /// The attribute by which resources are sorted.
    #[param(nullable = false, example = "userName")]
    sort_by: Option<String>,
    /// The order of a sorted list; `ascending` unless given.
    #[param(nullable = false, pattern = "^(ascending|descending)$", example = "descending")]
    sort_order: Option<String>,
    /// The place of the first resource of the page, from 1; with a `cursor` it does not count.
    #[param(nullable = false, example = 1)]
    start_index: Option<i64>,
    /// How many resources the page has, `scim.max_results` at most; 100 unless given.
    #[param(nullable = false, example = 100)]
    count: Option<i64>,
    /// The `nextCursor` of the page before; empty for the first page of a list that is read by cursors.
    #[param(nullable = false)]
    cursor: Option<String>,
}

/// Which attributes an answer has.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[expect(
    dead_code,
    reason = "describes parameters; their names are read one by one, as the protocol has them"
)]
struct Shown {
    /// The only attributes that the answer has besides `id` and `schemas`, with commas between them; not together with
    /// `excludedAttributes`.
    #[param(nullable = false, example = "userName,emails.value")]
    attributes: Option<String>,
    /// The attributes that the answer goes without, with commas between them.
    #[param(nullable = false, example = "members")]
    excluded_attributes: Option<String>,
}

/// A route that answers with a page.
pub(super) fn listing(route: Route) -> Route {
    route.query::<Listed>().query::<Shown>()
}

/// A route that answers with a resource.
pub(super) fn showing(route: Route) -> Route {
    route.query::<Shown>()
}

/// A read of a resource.
pub(super) fn reading(route: Route) -> Route {
    showing(route)
        .header("if-none-match", "The `ETag` that the caller has; 304 when it is still the version.")
}

/// A change of a resource that is there.
pub(super) fn changing(route: Route) -> Route {
    route.header(
        "if-match",
        "The `ETag` that the change is meant for; 412 when the resource has changed since it was read.",
    )
}
