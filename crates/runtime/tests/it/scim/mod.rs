//! Provisioning by directories of organizations (RFC 7643, RFC 7644).

mod bulk;
mod entra;
mod groups;
mod lists;
mod okta;
mod operators;
mod quota;
mod removed;
mod schemas;
mod tokens;
mod users;

use serde_json::{Value, json};
use svc_domain::organizations::Organization;
use svc_http::Method;

use crate::harness::{Answer, Site};

const USERS: &str = "/scim/v2/Users";
const TOKENS: &str = "/api/v1/scim-tokens";

/// The directory of an organization.
struct Directory<'a> {
    site: &'a Site<'a>,
    organization: Organization,
    token: String,
}

/// An organization with a token for its directory.
async fn directory<'a>(site: &'a Site<'a>, slug: &str) -> Directory<'a> {
    let owner = site.user(&format!("owner-{slug}")).await;
    let organization = site.organization(slug, owner.id).await;
    let body = json!({ "organization_id": organization.id, "name": "Entra ID" });
    let made = site.call(Method::POST, TOKENS, Some(&site.mint(|_| ())), Some(body)).await.expect(201).json();
    let token = made["token"].as_str().unwrap().to_owned();
    Directory { site, organization, token }
}

impl Directory<'_> {
    async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Answer {
        self.site.call(method, path, Some(&self.token), body).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None).await
    }

    /// Provisions a person.
    async fn create(&self, body: Value) -> Value {
        self.send(Method::POST, USERS, Some(body)).await.expect(201).json()
    }

    /// Changes a person by operations.
    async fn patch(&self, user: &Value, operations: Value) -> Answer {
        let schema = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
        let body = json!({ "schemas": [schema], "Operations": operations });
        self.send(Method::PATCH, &at(user), Some(body)).await
    }

    /// The sign-in names that a filter finds, in their order.
    async fn named(&self, query: &str) -> Vec<String> {
        let found = self.get(&format!("{USERS}?{query}")).await.expect(200).json();
        let names = found["Resources"].as_array().unwrap().iter();
        names.map(|user| user["userName"].as_str().unwrap().to_owned()).collect()
    }
}

fn at(user: &Value) -> String {
    format!("{USERS}/{}", user["id"].as_str().unwrap())
}

/// A text in a query.
fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// An error of the standard: its status, and its kind.
#[track_caller]
fn refused(answer: Answer, status: u16, kind: Option<&str>) -> Answer {
    let answer = answer.expect(status);
    let document = answer.json();
    assert_eq!(document["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]), "{document}");
    assert_eq!((&document["status"], document["scimType"].as_str()), (&json!(status.to_string()), kind));
    assert!(answer.header("x-request-id").starts_with("req_"), "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/scim+json");
    answer
}
