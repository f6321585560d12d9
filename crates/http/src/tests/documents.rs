//! Lists with their cursors, versions, and the OpenAPI document.

use axum::body::Body;
use axum::http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::capability::Capability;
use utoipa::ToSchema;

use super::{Answer, World, with_token};
use crate::{
    About, FormOf, Guard, HostCx, IfMatch, Json, List, Listing, Parameter, Path, Problem, Route, Routes,
    TenantCx, Versioned,
};

/// A thing.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
struct Thing {
    /// Its number.
    number: u32,
}

async fn list(cx: TenantCx, Listing { page: asked, .. }: Listing<u32>) -> Result<Json<List<Thing>>, Problem> {
    let first = asked.after.map_or(0, |after| after + 1);
    let things = (first..120).take(asked.fetch() as usize).map(|number| Thing { number }).collect();
    Ok(Json(cx.page(things, asked.limit, |thing| thing.number)?))
}

async fn update(
    cx: TenantCx,
    Path(number): Path<u32>,
    wanted: IfMatch,
    Json(_): Json<Thing>,
) -> Result<Versioned<Thing>, Problem> {
    let mut tx = cx.begin().await?;
    wanted.check(tx.hold("the thing"), 4)?;
    Ok(Versioned { version: 5, record: Thing { number } })
}

fn routes() -> Routes {
    Routes::new([
        Route::get("/api/v1/things").tenant("things:read", list).summary("List things").tag("Things"),
        Route::get("/api/v1/others").tenant("things:read", list).undocumented(),
        Route::put("/api/v1/things/{number}")
            .tenant("things:write", update)
            .summary("Change a thing")
            .tag("Things")
            .idempotent(),
    ])
}

async fn ask(world: &World, host: &str, path: &str) -> Answer {
    let token = world.token(host, "things:read").await;
    let request = axum::extract::Request::get(path).header(header::HOST, host);
    world
        .send(request.header(header::AUTHORIZATION, format!("Bearer {token}")).body(Body::empty()).unwrap())
        .await
}

#[tokio::test]
async fn a_list_is_walked_page_by_page_to_its_end() {
    let world = World::new(routes()).await;
    let mut seen = Vec::new();
    let mut path = "/api/v1/things".to_owned();
    loop {
        let page = ask(&world, "localhost", &path).await.json();
        seen.extend(page["data"].as_array().unwrap().iter().map(|thing| thing["number"].as_u64().unwrap()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        path = format!("/api/v1/things?limit=50&cursor={cursor}");
    }
    assert_eq!(seen, (0..120).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_cursor_is_worth_nothing_at_another_tenant_or_route_or_when_altered() {
    let world = World::new(routes()).await;
    let page = ask(&world, "localhost", "/api/v1/things?limit=1").await.json();
    let cursor = page["next_cursor"].as_str().unwrap();
    assert_eq!(
        ask(&world, "localhost", &format!("/api/v1/things?cursor={cursor}")).await.status,
        StatusCode::OK
    );
    let other = ask(&world, "acme.localhost", &format!("/api/v1/things?cursor={cursor}")).await;
    other.is_problem(400, "bad_request");
    ask(&world, "localhost", &format!("/api/v1/others?cursor={cursor}")).await.is_problem(400, "bad_request");
    for bad in [&cursor[1..], "", "5", "..", "%27%20OR%201=1"] {
        ask(&world, "localhost", &format!("/api/v1/things?cursor={bad}"))
            .await
            .is_problem(400, "bad_request");
    }
    for bad in ["limit=0", "limit=201", "limit=-1", "limit=1&limit=2", "limit=x"] {
        ask(&world, "localhost", &format!("/api/v1/things?{bad}")).await.is_problem(400, "bad_request");
    }
}

#[tokio::test]
async fn a_change_meant_for_an_older_version_conflicts() {
    let world = World::new(routes()).await;
    let token = world.token("localhost", "things:write").await;
    let put = |tag: &str| {
        let request = with_token("PUT", "/api/v1/things/7", &token).header(header::IF_MATCH, tag);
        request.header(header::CONTENT_TYPE, "application/json").body(Body::from(r#"{"number":7}"#)).unwrap()
    };
    world.send(put("\"3\"")).await.is_problem(409, "conflict");
    let changed = world.send(put("\"4\"")).await;
    assert_eq!((changed.status, changed.header(header::ETAG)), (StatusCode::OK, "\"5\""));
}

#[test]
fn the_document_says_what_the_routes_declare() {
    let about =
        About { title: "svc", version: "1", description: "", tags: &[], scopes: &[("things:read", "See")] };
    let document = routes().openapi(&about).at("https://id.example", |_| true);
    assert_eq!(document["openapi"], "3.1.0");
    assert_eq!(document["servers"], json!([{ "url": "https://id.example" }]));
    let flow = &document["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"];
    assert_eq!(flow["authorizationUrl"], "https://id.example/oauth/authorize");
    assert_eq!(flow["scopes"], json!({ "things:read": "See" }));
    assert_eq!(document["paths"].as_object().unwrap().len(), 2);
    let list = &document["paths"]["/api/v1/things"]["get"];
    assert_eq!(list["operationId"], "get_things");
    assert_eq!(list["security"][0]["oauth2"][0], "things:read");
    assert_eq!(list["parameters"][0]["name"], "limit");
    let page = list["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].as_str().unwrap();
    let page = page.strip_prefix("#/components/schemas/").unwrap();
    assert!(document["components"]["schemas"][page]["properties"]["data"].is_object(), "{document}");
    let change = &document["paths"]["/api/v1/things/{number}"]["put"];
    assert_eq!(change["operationId"], "put_things_number");
    assert_eq!(change["parameters"][0]["in"], "path");
    assert_eq!(change["parameters"][1]["name"], "if-match");
    assert_eq!(change["parameters"][2]["name"], "idempotency-key");
    assert_eq!(change["responses"]["200"]["headers"]["etag"]["schema"]["type"], "string");
    assert_eq!(change["responses"]["409"]["$ref"], "#/components/responses/Conflict");
    assert_eq!(
        change["requestBody"]["content"]["application/json"]["schema"]["$ref"],
        "#/components/schemas/Thing"
    );
    let error = &change["responses"]["default"]["content"]["application/problem+json"]["schema"]["$ref"];
    assert_eq!(error, "#/components/schemas/Problem");
    assert!(document["components"]["schemas"]["Problem"]["properties"]["error_description"].is_object());
}

#[test]
fn what_is_not_offered_is_in_no_part_of_the_document() {
    let about =
        About { title: "svc", version: "1", description: "", tags: &[("Things", "Things.")], scopes: &[] };
    let things = protocol_routes().openapi(&about);
    let all = things.at("https://id.example", |_| true);
    let names = |document: &Value, schema: &str| -> Vec<String> {
        let members = document["components"]["schemas"][schema]["properties"].as_object();
        members.into_iter().flat_map(|members| members.keys().cloned()).collect()
    };
    assert_eq!(names(&all, "Pushed"), ["scope", "prompt"]);
    assert_eq!(names(&all, "Polled"), ["scope"]);
    assert_eq!(all["tags"][0]["name"], "Things");
    let none = things.at("https://id.example", |_| false);
    assert_eq!(none["paths"].as_object().unwrap().keys().collect::<Vec<_>>(), ["/oauth/ask"]);
    let form =
        &none["paths"]["/oauth/ask"]["post"]["requestBody"]["content"]["application/x-www-form-urlencoded"];
    assert_eq!(form["schema"], json!({ "$ref": "#/components/schemas/Pushed" }));
    assert_eq!(form["example"], json!({ "scope": "openid" }));
    assert_eq!(names(&none, "Pushed"), ["scope"]);
    assert!(none["components"]["schemas"]["Polled"].is_null(), "{none}");
    assert!(none["components"]["responses"]["BackchannelBadRequest"].is_null(), "{none}");
    assert_eq!(none["tags"], json!([]));
}

async fn nothing(_: HostCx) -> StatusCode {
    StatusCode::OK
}

fn parameter(name: &'static str, is_required: bool) -> Parameter {
    Parameter { name, description: "", example: "openid", values: &[], is_required, is_shown: false }
}

fn forms() -> Vec<FormOf> {
    let form = |name: &str, capability, parameters| FormOf {
        name: name.to_owned(),
        description: String::new(),
        capability,
        parameters,
    };
    vec![
        form("Pushed", None, vec![parameter("scope", true), parameter("prompt", false)]),
        form("Polled", Some(&Capability::CIBA), vec![parameter("scope", true)]),
    ]
}

fn protocol_routes() -> Routes {
    Routes::new([
        Route::post("/bc-authorize").client(nothing).summary("Begin").tag("Things"),
        Route::post("/oauth/ask").client(nothing).summary("Ask").forms(forms),
    ])
}

#[tokio::test]
async fn a_parameter_that_a_list_does_not_have_is_named() {
    let world = World::new(routes()).await;
    let answer = ask(&world, "localhost", "/api/v1/things?colour=red").await;
    answer.is_problem(400, "bad_request");
    let detail = answer.json()["detail"].clone();
    assert_eq!(detail, "unknown query parameter `colour`; this address takes limit, cursor, fields");
}

#[test]
fn tests_can_enumerate_what_is_declared() {
    let declared: Vec<_> =
        routes().iter().map(|route| (route.method.to_string(), route.path, route.guard)).collect();
    assert_eq!(declared[0], ("GET".to_owned(), "/api/v1/things", Guard::Tenant { scope: "things:read" }));
    assert_eq!(declared.len(), 3);
}
