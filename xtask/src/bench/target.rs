//! What is measured: an authorization server, described by its ready line and its discovery document.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::form;
use super::key::Key;
use super::pending::Pending;
use super::seed;
use super::wire::Tls;
use crate::Result;

/// One authorization server under load.
pub struct Target {
    /// The heading of its column.
    pub name: String,
    /// The port of 127.0.0.1 that it listens on.
    pub port: u16,
    /// `localhost:port`, the host of its issuer.
    pub authority: String,
    /// The issuer.
    pub issuer: String,
    /// What it is reached with over TLS; without, it is reached in the clear.
    pub tls: Option<Tls>,
    /// Endpoints as paths.
    pub paths: Paths,
    /// The client without a secret.
    pub public: Client,
    /// The client with one.
    pub confidential: Client,
    /// The client of the FAPI 2.0 Security Profile, where there is one.
    pub fapi2: Option<Client>,
    /// The client that acts for people, where there is one.
    pub actor: Option<Client>,
    /// The client that polls, where there is one.
    pub device: Option<Client>,
    /// The client that administers the tenant, where there is one.
    pub admin: Option<Client>,
    /// What the client of the profile signs its assertions with.
    pub key: Arc<Key>,
    /// The device codes that wait for a person, once they have been made.
    pub pending: OnceLock<Pending>,
    /// The people who sign in.
    people: Vec<Person>,
}

/// Who signs in.
pub struct Person {
    /// The name typed into the page.
    pub username: String,
    /// The password.
    pub password: String,
}

/// The endpoints that the workloads call.
pub struct Paths {
    /// Authorization endpoint.
    pub authorize: String,
    /// Token endpoint.
    pub token: String,
    /// `UserInfo` endpoint.
    pub userinfo: String,
    /// Introspection endpoint.
    pub introspect: String,
    /// Key set.
    pub jwks: String,
    /// Pushed authorization requests.
    pub par: Option<String>,
    /// Device authorization.
    pub device: Option<String>,
}

/// A registered application.
pub struct Client {
    /// Its identifier.
    pub id: String,
    /// The `authorization` header that authenticates it, if it has a secret.
    pub basic: Option<String>,
    /// Where its codes go.
    pub redirect_uri: String,
}

impl Target {
    /// Reads the line that the server printed and asks for its discovery document.
    pub fn new(name: &str, port: u16, ready: &Value, key: &Arc<Key>) -> Result<Self> {
        let issuer = text(ready, "/issuer")?;
        let authority = issuer.strip_prefix("http://").ok_or("the issuer is not on http")?.to_owned();
        let discovery = get(port, &authority, DISCOVERY).map_err(|error| format!("discovery: {error}"))?;
        let discovery: Value = serde_json::from_str(&discovery)?;
        let path = |name: &str| -> Result<String> {
            let url = text(&discovery, name)?;
            url.strip_prefix(&issuer)
                .map(str::to_owned)
                .ok_or_else(|| format!("{name} is elsewhere: {url}").into())
        };
        Ok(Self {
            paths: Paths {
                authorize: path("/authorization_endpoint")?,
                token: path("/token_endpoint")?,
                userinfo: path("/userinfo_endpoint")?,
                introspect: path("/introspection_endpoint")?,
                jwks: path("/jwks_uri")?,
                par: path("/pushed_authorization_request_endpoint").ok(),
                device: path("/device_authorization_endpoint").ok(),
            },
            public: client(ready, "bench-public", "none")?,
            confidential: client(ready, "bench-confidential", "client_secret_basic")?,
            fapi2: further(ready, "bench-fapi2")?,
            actor: further(ready, "bench-actor")?,
            device: further(ready, "bench-device")?,
            admin: further(ready, "admin-cli")?,
            key: key.clone(),
            pending: OnceLock::new(),
            people: people(ready)?,
            name: name.to_owned(),
            port,
            authority,
            issuer,
            tls: None,
        })
    }

    /// The same deployment as another of its servers answers for it, over TLS.
    pub fn secured(self, name: &str, port: u16, tls: Tls) -> Self {
        let issuer = "https://localhost".to_owned();
        Self {
            name: name.to_owned(),
            port,
            authority: "localhost".to_owned(),
            issuer,
            tls: Some(tls),
            ..self
        }
    }

    /// Who signs in on the connection of this place.
    pub fn person(&self, place: usize) -> Option<&Person> {
        self.people.iter().cycle().nth(place)
    }

    /// A server that answers every path alike and knows no clients.
    pub fn bare(name: &str, port: u16, key: &Arc<Key>) -> Self {
        let path = || "/oauth/token".to_owned();
        let client = || Client {
            id: "bench".to_owned(),
            basic: Some(basic("bench", seed::SECRET)),
            redirect_uri: String::new(),
        };
        let authority = format!("localhost:{port}");
        Self {
            name: name.to_owned(),
            port,
            issuer: format!("http://{authority}"),
            authority,
            tls: None,
            paths: Paths {
                authorize: path(),
                token: path(),
                userinfo: path(),
                introspect: path(),
                jwks: path(),
                par: None,
                device: None,
            },
            public: client(),
            confidential: client(),
            fapi2: None,
            actor: None,
            device: None,
            admin: None,
            key: key.clone(),
            pending: OnceLock::new(),
            people: Vec::new(),
        }
    }
}

/// The path of the discovery document.
pub const DISCOVERY: &str = "/.well-known/openid-configuration";

/// The client of this handle or, at a server that has only its own, the first that authenticates by `method`.
fn client(ready: &Value, handle: &str, method: &str) -> Result<Client> {
    if let Some(client) = further(ready, handle)? {
        return Ok(client);
    }
    let clients = ready.get("clients").and_then(Value::as_array).ok_or("no clients in the ready line")?;
    let mut fitting = clients.iter().filter(|client| client["token_endpoint_auth_method"] == method);
    // A third-party application would ask for consent in every flow.
    let is_third_party =
        |client: &Value| client["name"].as_str().is_some_and(|name| name.contains("Third-party"));
    let client =
        fitting.find(|client| !is_third_party(client)).ok_or("no fitting client in the ready line")?;
    read(client)
}

/// Those of the benchmark, or the one of the server's own set-up.
fn people(ready: &Value) -> Result<Vec<Person>> {
    let person = |person: &Value| {
        Ok(Person { username: text(person, "/username")?, password: text(person, "/password")? })
    };
    match ready.get("people").and_then(Value::as_array) {
        Some(people) => people.iter().map(person).collect(),
        None => Ok(vec![person(&ready["user"])?]),
    }
}

/// One of those that are there for the benchmark alone.
fn further(ready: &Value, handle: &str) -> Result<Option<Client>> {
    let mut clients = ready.get("clients").and_then(Value::as_array).into_iter().flatten();
    clients.find(|client| client["handle"] == handle).map(read).transpose()
}

fn read(client: &Value) -> Result<Client> {
    let id = text(client, "/client_id")?;
    let basic = client["client_secret"].as_str().map(|secret| basic(&id, secret));
    let redirect_uri = client.pointer("/redirect_uris/0").and_then(Value::as_str).unwrap_or_default();
    Ok(Client { basic, redirect_uri: redirect_uri.to_owned(), id })
}

/// The `authorization` header of a client with a secret.
pub fn basic(id: &str, secret: &str) -> String {
    let pair = form::encode([(id, secret)]).replacen('=', ":", 1);
    format!("Basic {}", STANDARD.encode(pair))
}

fn text(value: &Value, pointer: &str) -> Result<String> {
    let found = value.pointer(pointer).and_then(Value::as_str);
    found.map(str::to_owned).ok_or_else(|| format!("{pointer} is missing").into())
}

/// One request on a connection of its own, without the load generator's machinery: also shows when a server is up.
pub fn get(port: u16, authority: &str, path: &str) -> Result<String> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n\r\n")?;
    let mut reply = String::new();
    stream.read_to_string(&mut reply)?;
    let (head, body) = reply.split_once("\r\n\r\n").ok_or("no reply")?;
    if head.starts_with("HTTP/1.1 200") {
        Ok(body.to_owned())
    } else {
        Err(format!("it answered {head}").into())
    }
}
