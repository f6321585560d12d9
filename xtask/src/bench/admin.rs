//! A token for the management API of a tenant, by the application that the demo has for it, or its copy.

use hyper::StatusCode;
use serde_json::Value;

use super::copies;
use super::flows::member;
use super::form;
use super::http::{Call, Connection};
use super::target::basic;
use crate::Result;
use crate::server::Server;

/// The `authorization` header for what the connection is turned to: the demo's own tenant, or the copy of that number.
pub async fn authorization(server: &Server, http: &mut Connection, copy: Option<usize>) -> Result<String> {
    let mut clients = server.ready.get("clients").and_then(Value::as_array).into_iter().flatten();
    let admin = clients.find(|client| client["handle"] == "admin-cli").ok_or("the demo has no admin-cli")?;
    let (id, secret) = (member(admin, "client_id")?, member(admin, "client_secret")?);
    let basic = basic(&copy.map_or_else(|| id.to_owned(), |number| copies::id(id, number)), secret);
    let form = form::encode([("grant_type", "client_credentials")]);
    let call =
        Call { path: "/oauth/token", form: Some(form), authorization: Some(&basic), ..Call::default() };
    let tokens: Value = http.send(&call).await?.json(StatusCode::OK)?;
    Ok(format!("Bearer {}", member(&tokens, "access_token")?))
}
