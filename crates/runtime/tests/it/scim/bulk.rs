//! Many operations in one request (RFC 7644 §3.7).

use serde_json::{Value, json};
use svc_http::Method;

use super::{Directory, USERS, directory, refused};
use crate::harness::{Answer, Harness};

const BULK: &str = "/scim/v2/Bulk";

impl Directory<'_> {
    async fn bulk(&self, operations: Value) -> Answer {
        self.send(Method::POST, BULK, Some(json!({ "Operations": operations }))).await
    }
}

fn statuses(answer: &Value) -> Vec<&str> {
    answer["Operations"].as_array().unwrap().iter().map(|one| one["status"].as_str().unwrap()).collect()
}

fn make(name: &str) -> Value {
    json!({ "method": "POST", "path": "/Users", "bulkId": name, "data": { "userName": name } })
}

#[tokio::test]
async fn operations_refer_to_what_others_make_in_whatever_order() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let group =
        json!({ "displayName": "Team", "members": [{ "value": "bulkId:ada" }, { "value": "bulkId:bob" }] });
    let answer = directory
        .bulk(json!([
            { "method": "POST", "path": "/Groups", "bulkId": "team", "data": group },
            make("ada"),
            make("bob"),
            { "method": "PATCH", "path": "/Users/bulkId:bob", "data": { "Operations": [{ "op": "add", "path": "title", "value": "Sir" }] } },
            { "method": "DELETE", "path": "/Users/bulkId:ada" },
        ]))
        .await
        .expect(200)
        .json();
    assert_eq!(statuses(&answer), ["201", "201", "201", "200", "204"], "{answer}");
    let operations = &answer["Operations"];
    assert_eq!((&operations[0]["bulkId"], &operations[1]["method"]), (&json!("team"), &json!("POST")));
    let location = operations[0]["location"].as_str().unwrap();
    let path = &location[location.find("/scim/").unwrap()..];
    let team = directory.get(path).await.expect(200).json();
    assert_eq!(team["members"].as_array().unwrap().len(), 1, "{team}");
    assert_eq!(directory.named("filter=title+eq+%22Sir%22").await, ["bob"]);
    assert_eq!(operations[4]["location"], operations[1]["location"], "the address of what was deleted");
}

#[tokio::test]
async fn an_operation_that_fails_says_why_and_the_others_are_done() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let answer = directory
        .bulk(json!([
            make("ada"),
            { "method": "POST", "path": "/Users", "bulkId": "x", "data": { "userName": "ada" } },
            { "method": "PUT", "path": "/Users/usr_00000000000000000000000000", "data": { "userName": "y" } },
            { "method": "POST", "path": "/Users", "bulkId": "y", "data": { "userName": "y", "title": "bulkId:z" } },
            { "method": "POST", "path": "/Robots", "bulkId": "r", "data": {} },
            { "method": "DELETE", "path": "/Users/bulkId:ada", "version": "W/\"other\"" },
            make("bob"),
        ]))
        .await
        .expect(200)
        .json();
    let operations = answer["Operations"].as_array().unwrap();
    assert_eq!(statuses(&answer), ["201", "409", "404", "409", "400", "412", "201"], "{answer}");
    assert_eq!(operations[1]["response"]["scimType"], "uniqueness");
    let located =
        |at: usize| operations[at]["location"].as_str().map(|place| place.split_once("/scim/v2").unwrap().1);
    let gone = Some("/Users/usr_00000000000000000000000000");
    assert_eq!([1, 2, 3].map(located), [None, gone, None], "what could not be made has no address");
    assert_eq!((located(5), operations[5].get("version")), (located(0), None), "{answer}");
    let stopped = json!({ "failOnErrors": 1, "Operations": [
        { "method": "DELETE", "path": "/Users/usr_00000000000000000000000000" }, make("eve"),
    ] });
    let stopped = directory.send(Method::POST, BULK, Some(stopped)).await.expect(200).json();
    assert_eq!(statuses(&stopped), ["404"]);
    assert_eq!(directory.get(&format!("{USERS}?count=0")).await.json()["totalResults"], 2);
}

#[tokio::test]
async fn a_request_has_no_more_than_the_configuration_allows() {
    let h = Harness::with(&[
        ("SVC_SCIM__MAX_BULK_OPERATIONS", "2"),
        ("SVC_SCIM__MAX_BULK_PAYLOAD_BYTES", "2048"),
    ])
    .await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let config = directory.get("/scim/v2/ServiceProviderConfig").await.expect(200).json();
    assert_eq!(config["bulk"], json!({ "supported": true, "maxOperations": 2, "maxPayloadSize": 2048 }));
    let _ = refused(directory.bulk(json!([make("a"), make("b"), make("c")])).await, 413, Some("tooMany"));
    let large = directory.bulk(
        json!([{ "method": "POST", "path": "/Users", "bulkId": "a", "data": { "title": "x".repeat(3000) } }]),
    );
    let _ = refused(large.await, 413, None);
    for operations in [
        json!([{ "method": "GET", "path": "/Users" }]),
        json!([{ "method": "POST", "path": "/Users", "data": {} }]),
        json!([{ "method": "PUT" }]),
        json!([make("a"), make("a")]),
        json!({}),
        json!([7]),
    ] {
        let _ = refused(directory.bulk(operations).await, 400, Some("invalidSyntax"));
    }
}

#[tokio::test]
async fn what_a_person_would_do_with_themselves_is_not_offered_to_a_directory_whatever_it_is() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let directory = directory(&site, "initech").await;
    let _ = refused(directory.get("/scim/v2/Me").await, 501, None);
    let ada =
        || Some(json!({ "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"], "userName": "ada" }));
    for (method, body) in
        [(Method::POST, ada()), (Method::PUT, ada()), (Method::PATCH, ada()), (Method::DELETE, None)]
    {
        let _ = refused(directory.send(method, "/scim/v2/Me", body).await, 501, None);
    }
}
