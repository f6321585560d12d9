//! `/scim/v2`: what the directories of organizations provision people with (RFC 7643, RFC 7644).

mod document;
mod filter;
mod listing;
mod metadata;
mod patch;
mod projection;
mod reply;
mod schema;
mod users;

use serde_json::json;
use svc_http::{Route, Routes, ScimCx};
use utoipa::ToSchema;

use self::schema::Schema;

/// A resource or message, in the terms of the schemas that `/scim/v2/Schemas` has.
#[derive(ToSchema)]
#[schema(as = ScimDocument, value_type = Object)]
#[expect(dead_code, reason = "describes documents whose schema is a value of the protocol")]
struct Document(serde_json::Map<String, serde_json::Value>);

/// The types of resources, each with its address.
fn types() -> impl Iterator<Item = (&'static str, &'static Schema)> {
    [("/Users", &schema::USERS)].into_iter()
}

/// Where the API of the tenant is.
fn base(caller: &ScimCx) -> String {
    format!("{}/scim/v2", caller.tenant.issuer)
}

/// Every route of provisioning.
pub(crate) fn routes() -> Routes {
    let reads = [
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
        Route::get("/scim/v2/Users").scim(users::list).summary("List provisioned people"),
        Route::get("/scim/v2/Users/{id}")
            .scim(users::read)
            .summary("Read a provisioned person")
            .returns_nothing(304),
    ];
    let user = || json!({ "schemas": [schema::USER], "userName": "ada@initech.example", "active": true });
    let patch = || json!({ "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"], "Operations": [{ "op": "replace", "path": "active", "value": false }] });
    let search = || json!({ "schemas": ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"], "filter": "userName eq \"ada@initech.example\"" });
    let writes = [
        Route::post("/scim/v2/Users/.search")
            .scim(users::search)
            .summary("Search provisioned people")
            .example(search),
        Route::put("/scim/v2/Users/{id}")
            .scim(users::replace)
            .summary("Replace a provisioned person")
            .example(user),
        Route::patch("/scim/v2/Users/{id}")
            .scim(users::change)
            .summary("Change a provisioned person in part")
            .example(patch),
    ];
    let ends = [
        Route::post("/scim/v2/Users")
            .scim(users::create)
            .summary("Provision a person")
            .example(user)
            .scim_body::<Document>()
            .returns_as::<Document>(201, MEDIA_TYPE),
        Route::delete("/scim/v2/Users/{id}")
            .scim(users::delete)
            .summary("End the membership of a provisioned person")
            .returns_nothing(204),
    ];
    let answered = |route: Route| route.returns_as::<Document>(200, MEDIA_TYPE);
    let writes = writes.map(Route::scim_body::<Document>);
    let all = reads.into_iter().chain(writes).map(answered).chain(ends);
    Routes::new(all.map(|route| route.tag("Provisioning (SCIM)")))
}

const MEDIA_TYPE: &str = "application/scim+json";
