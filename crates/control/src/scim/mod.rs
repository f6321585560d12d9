//! `/scim/v2`: where the directories of organizations provision people (RFC 7643, RFC 7644).

mod bulk;
pub(crate) mod declared;
mod document;
mod everything;
mod filter;
mod groups;
mod handlers;
mod listing;
mod metadata;
mod parameters;
mod patch;
mod projection;
mod provisioned;
mod reply;
mod schema;
mod users;

use std::sync::Arc;

use serde_json::json;
use svc_domain::scim::users::ProvisionedUser;
use svc_http::{LARGEST_BULK, Route, Routes, ScimCx, Unguarded};
use utoipa::ToSchema;

use self::groups::Group;
use self::provisioned::Provisioned;
use self::schema::Schema;

/// A resource or message, in the terms of the schemas that `/scim/v2/Schemas` has.
#[derive(ToSchema)]
#[schema(as = ScimDocument, value_type = Object)]
#[expect(dead_code, reason = "describes documents whose schema is a value of the protocol")]
struct Document(serde_json::Map<String, serde_json::Value>);

/// The types of resources of the tenant, each with its address.
fn types(caller: &ScimCx) -> [(&'static str, Arc<Schema>); 2] {
    [(ProvisionedUser::PATH, ProvisionedUser::schema(caller)), (Group::PATH, Group::schema(caller))]
}

/// Where the API of the tenant is.
fn base(caller: &ScimCx) -> String {
    format!("{}/scim/v2", caller.tenant.issuer)
}

/// Every route of provisioning.
pub(crate) fn routes() -> Routes {
    let all = metadata().into_iter().chain(users()).chain(groups()).chain(across()).chain(me());
    Routes::new(all.map(|route| route.tag("Provisioning (SCIM)")))
}

const MEDIA_TYPE: &str = "application/scim+json";

/// A route that answers with a document.
fn answered(route: Route) -> Route {
    route.returns_as::<Document>(200, MEDIA_TYPE)
}

fn metadata() -> Vec<Route> {
    let routes = [
        Route::get("/scim/v2/ServiceProviderConfig")
            .scim(metadata::service_provider_config)
            .summary("What the provisioning API can do"),
        Route::get("/scim/v2/Schemas").scim(metadata::schemas).summary("List the schemas of resources"),
        Route::get("/scim/v2/Schemas/{id}").scim(metadata::schema).summary("Read a schema"),
        Route::get("/scim/v2/ResourceTypes")
            .scim(metadata::resource_types)
            .summary("List the types of resources"),
        Route::get("/scim/v2/ResourceTypes/{id}")
            .scim(metadata::resource_type)
            .summary("Read a type of resource"),
    ];
    routes.map(answered).into()
}

fn users() -> Vec<Route> {
    use self::handlers::{change, create, delete, list, read, replace, search};
    type R = ProvisionedUser;
    let user = || json!({ "schemas": [schema::USER], "userName": "ada@initech.example", "active": true });
    let patch = || json!({ "schemas": [PATCH_OP], "Operations": [{ "op": "replace", "path": "active", "value": false }] });
    let query = || json!({ "schemas": [SEARCH], "filter": "userName eq \"ada@initech.example\"" });
    [
        listing(Route::get("/scim/v2/Users").scim(list::<R>).summary("List provisioned people")),
        answered(
            Route::post("/scim/v2/Users/.search").scim(search::<R>).summary("Search provisioned people"),
        )
        .scim_body::<Document>()
        .example(query),
        made(Route::post("/scim/v2/Users").scim(create::<R>).summary("Provision a person")).example(user),
        reading(Route::get("/scim/v2/Users/{id}").scim(read::<R>).summary("Read a provisioned person"))
            .returns_nothing(304),
        changed(Route::put("/scim/v2/Users/{id}").scim(replace::<R>).summary("Replace a provisioned person"))
            .scim_body::<Document>()
            .example(user),
        changed(
            Route::patch("/scim/v2/Users/{id}")
                .scim(change::<R>)
                .summary("Change a provisioned person in part"),
        )
        .scim_body::<Document>()
        .example(patch),
        parameters::changing(
            Route::delete("/scim/v2/Users/{id}")
                .scim(delete::<R>)
                .summary("End the membership of a provisioned person")
                .returns_nothing(204),
        ),
    ]
    .into()
}

fn groups() -> Vec<Route> {
    use self::handlers::{change, create, delete, list, read, replace, search};
    type R = Group;
    let group = || json!({ "schemas": [schema::GROUP], "displayName": "Engineering" });
    let patch = || json!({ "schemas": [PATCH_OP], "Operations": [{ "op": "replace", "path": "displayName", "value": "Research" }] });
    let query = || json!({ "schemas": [SEARCH], "filter": "displayName eq \"Engineering\"" });
    [
        listing(Route::get("/scim/v2/Groups").scim(list::<R>).summary("List provisioned groups")),
        answered(
            Route::post("/scim/v2/Groups/.search").scim(search::<R>).summary("Search provisioned groups"),
        )
        .scim_body::<Document>()
        .example(query),
        made(Route::post("/scim/v2/Groups").scim(create::<R>).summary("Provision a group"))
            .body_limit(LARGEST_GROUP)
            .example(group),
        reading(Route::get("/scim/v2/Groups/{id}").scim(read::<R>).summary("Read a provisioned group"))
            .returns_nothing(304),
        changed(Route::put("/scim/v2/Groups/{id}").scim(replace::<R>).summary("Replace a provisioned group"))
            .body_limit(LARGEST_GROUP)
            .scim_body::<Document>()
            .example(group),
        changed(
            Route::patch("/scim/v2/Groups/{id}")
                .scim(change::<R>)
                .summary("Change a provisioned group in part"),
        )
        .body_limit(LARGEST_GROUP)
        .scim_body::<Document>()
        .example(patch),
        parameters::changing(
            Route::delete("/scim/v2/Groups/{id}")
                .scim(delete::<R>)
                .summary("Delete a provisioned group")
                .returns_nothing(204),
        ),
    ]
    .into()
}

fn across() -> Vec<Route> {
    let query = || json!({ "schemas": [SEARCH], "filter": "meta.lastModified gt \"2026-01-01T00:00:00Z\"" });
    let bulk = || {
        json!({ "schemas": ["urn:ietf:params:scim:api:messages:2.0:BulkRequest"], "Operations": [
            { "method": "POST", "path": "/Users", "bulkId": "ada", "data": { "userName": "ada@initech.example" } },
            { "method": "POST", "path": "/Groups", "bulkId": "eng", "data": { "displayName": "Engineering", "members": [{ "value": "bulkId:ada" }] } },
        ] })
    };
    [
        answered(
            Route::post("/scim/v2/.search")
                .scim(everything::search)
                .summary("Search provisioned people and groups"),
        )
        .scim_body::<Document>()
        .example(query),
        answered(Route::post("/scim/v2/Bulk").scim(bulk::bulk).summary("Carry out many operations"))
            .body_limit(LARGEST_BULK)
            .scim_body::<Document>()
            .example(bulk),
    ]
    .into()
}

/// What changes a resource by this address is answered as what reads one is (RFC 7644 §3.11).
fn me() -> Vec<Route> {
    const PATH: &str = "/scim/v2/Me";
    const OTHERS: [fn(&'static str) -> Unguarded; 4] = [Route::post, Route::put, Route::patch, Route::delete];
    let read = Route::get(PATH)
        .scim(everything::me)
        .summary("Not offered: a SCIM token belongs to a directory, not to a person");
    let others = OTHERS.map(|method| method(PATH).scim(everything::me).undocumented());
    [answered(read)].into_iter().chain(others).collect()
}

/// A route that answers with a page of resources.
fn listing(route: Route) -> Route {
    answered(parameters::listing(route))
}

/// A route that answers with a resource.
fn reading(route: Route) -> Route {
    answered(parameters::reading(route))
}

/// A route that answers with what it has changed.
fn changed(route: Route) -> Route {
    answered(parameters::changing(parameters::showing(route)))
}

/// A route that answers with what it has made.
fn made(route: Route) -> Route {
    parameters::showing(route).scim_body::<Document>().returns_as::<Document>(201, MEDIA_TYPE)
}

/// Most bytes of a request about one group: Okta sends a thousand members at once, and some directories all of them.
const LARGEST_GROUP: usize = 1 << 20;
const PATCH_OP: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const SEARCH: &str = "urn:ietf:params:scim:api:messages:2.0:SearchRequest";
