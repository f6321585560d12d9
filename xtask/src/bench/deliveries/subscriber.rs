//! An administrator of the demo, who subscribes receivers to the creation of groups and creates groups.

use hyper::{Method, StatusCode};
use serde_json::{Value, json};

use crate::Result;
use crate::bench::admin;
use crate::bench::flows::member;
use crate::bench::http::{Call, Connection, Reply};
use crate::server::Server;

/// One connection with a token for the management API.
pub struct Subscriber {
    http: Connection,
    authorization: String,
}

impl Subscriber {
    /// Gets the token.
    pub async fn of(server: &Server) -> Result<Self> {
        let mut http = Connection::new(server.port, &format!("localhost:{}", server.port));
        let authorization = admin::authorization(server, &mut http, None).await?;
        Ok(Self { http, authorization })
    }

    /// Subscribes a receiver; gives the id of the subscription.
    pub async fn subscribe(&mut self, url: &str) -> Result<String> {
        let body = json!({ "url": url, "event_types": ["admin.group.created"] });
        let made = self.ask(Method::POST, "/api/v1/webhooks", body).await?.json(StatusCode::CREATED)?;
        Ok(member(&made, "id")?.to_owned())
    }

    /// Ends a subscription.
    pub async fn end(&mut self, id: &str) -> Result<()> {
        let path = format!("/api/v1/webhooks/{id}");
        self.ask(Method::DELETE, &path, Value::Null).await?.expect(StatusCode::NO_CONTENT)
    }

    /// Creates a group, which is an event; gives its id, which the event names.
    pub async fn create_group(&mut self, name: &str) -> Result<String> {
        let body = json!({ "name": name, "roles": [] });
        let made = self.ask(Method::POST, "/api/v1/groups", body).await?.json(StatusCode::CREATED)?;
        Ok(member(&made, "id")?.to_owned())
    }

    async fn ask(&mut self, method: Method, path: &str, body: Value) -> Result<Reply> {
        let authorization = Some(self.authorization.as_str());
        self.http.send(&Call { path, json: Some((method, body)), authorization, ..Call::default() }).await
    }
}
