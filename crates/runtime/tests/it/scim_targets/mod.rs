//! The SCIM client: people and groups of a tenant are pushed to applications that speak SCIM (RFC 7644).

mod abuse;
mod application;
mod faults;
mod groups;
mod management;
mod people;
mod service;
mod settings;

use serde_json::{Value, json};
use svc_http::Method;

use self::application::Application;
use crate::backchannel_logout::LOOPBACK;
use crate::harness::{Answer, Harness, Site};

const TARGETS: &str = "/api/v1/scim-targets";
/// The token of the application that tests make.
const TOKEN: &str = "token-of-the-application-7f3a";

/// A target of `site`.
struct Target {
    id: String,
}

impl Target {
    /// One that gets everyone.
    async fn new(site: &Site<'_>, base_url: &str) -> Self {
        Self::with(site, base_url, &json!({})).await
    }

    /// The same with further members.
    async fn with(site: &Site<'_>, base_url: &str, further: &Value) -> Self {
        let mut body =
            json!({ "name": "App", "base_url": base_url, "people": { "everyone": true }, "secret": TOKEN });
        body.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
        let made = call(site, Method::POST, TARGETS, Some(body)).await.expect(201).json();
        Self { id: made["id"].as_str().unwrap().to_owned() }
    }

    fn path(&self, below: &str) -> String {
        format!("{TARGETS}/{}{below}", self.id)
    }

    async fn read(&self, site: &Site<'_>) -> Value {
        call(site, Method::GET, &self.path(""), None).await.expect(200).json()
    }

    async fn change(&self, site: &Site<'_>, change: Value) -> Answer {
        call(site, Method::PATCH, &self.path(""), Some(change)).await
    }

    async fn status(&self, site: &Site<'_>) -> Value {
        call(site, Method::GET, &self.path("/status"), None).await.expect(200).json()
    }

    /// How many people are waiting, linked, deactivated and failed.
    async fn counts(&self, site: &Site<'_>) -> [i64; 4] {
        let status = self.status(site).await;
        ["waiting", "linked", "deactivated", "failed"].map(|state| status["people"][state].as_i64().unwrap())
    }

    async fn links(&self, site: &Site<'_>, query: &str) -> Vec<Value> {
        let list = call(site, Method::GET, &self.path(&format!("/links{query}")), None).await;
        list.expect(200).json()["data"].as_array().unwrap().clone()
    }

    /// The link of a person or a group.
    async fn link(&self, site: &Site<'_>, id: impl ToString) -> Value {
        let id = id.to_string();
        let found = self.links(site, "").await.into_iter().find(|link| link["id"] == id.as_str());
        found.unwrap_or_else(|| panic!("no link of {id}"))
    }

    async fn sync(&self, site: &Site<'_>) -> Answer {
        call(site, Method::POST, &self.path("/sync"), None).await
    }
}

/// A call by an administrator.
async fn call(site: &Site<'_>, method: Method, path: &str, body: Option<Value>) -> Answer {
    site.call(method, path, Some(&site.mint(|_| ())), body).await
}

/// A move of a person by an administrator.
async fn tell(site: &Site<'_>, id: impl ToString, verb: &str) {
    let path = format!("/api/v1/tenant-users/{}/{verb}", id.to_string());
    let _ = call(site, Method::POST, &path, None).await.expect(200);
}

/// Jobs run until what they queue for each other is done.
async fn push(h: &Harness) {
    for _ in 0..4 {
        h.run_jobs().await;
    }
}

/// A service that may call this machine, with an application there.
async fn with_application() -> (Harness, Application) {
    (Harness::with(&[LOOPBACK]).await, Application::start().await)
}
