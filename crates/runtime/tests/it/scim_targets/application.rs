//! An application on this machine that speaks SCIM, as good or as bad as a test wants it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpListener;

use crate::harness::publisher::read;

/// A running application.
pub struct Application {
    origin: String,
    desk: Arc<Mutex<Desk>>,
}

/// A request that the application received.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub method: String,
    pub path: String,
    pub head: String,
    pub body: Value,
}

#[derive(Default)]
struct Desk {
    accounts: BTreeMap<String, Value>,
    made: usize,
    asked: Vec<ReceivedRequest>,
    /// Answers that are given first, each to a request that begins so.
    next: VecDeque<(String, String, String)>,
    /// The answer to a creation is lost, after it was done.
    loses_answers: bool,
    /// What is said of groups with their members is longer than what is read.
    has_large_groups: bool,
}

impl Application {
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let desk = Arc::<Mutex<Desk>>::default();
        let shared = Arc::clone(&desk);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let desk = Arc::clone(&shared);
                tokio::spawn(async move {
                    let Some((head, body)) = read(&mut stream).await else { return };
                    let reply = desk.lock().unwrap().answer(&head, &body);
                    if let Some((head, body)) = reply {
                        let length = body.len();
                        let reply = format!(
                            "HTTP/1.1 {head}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
                        );
                        let _ = stream.write_all(reply.as_bytes()).await;
                    }
                });
            }
        });
        Self { origin, desk }
    }

    pub fn base_url(&self) -> String {
        self.url("/scim/v2")
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Answers the next request that begins with `request`, such as `POST /scim/v2/Users`, with a status line and a body.
    pub fn answer_next(&self, request: &str, head: &str, body: &str) {
        let next = (request.to_owned(), head.to_owned(), body.to_owned());
        self.desk.lock().unwrap().next.push_back(next);
    }

    /// An account that was made there by another way.
    pub fn has(&self, account: Value) -> String {
        self.desk.lock().unwrap().make("Users", account)["id"].as_str().unwrap().to_owned()
    }

    /// Whether the answers to creations get lost from now on.
    pub fn loses_answers(&self, loses: bool) {
        self.desk.lock().unwrap().loses_answers = loses;
    }

    /// From now on more is said of groups than is read, unless their members are left out.
    pub fn has_large_groups(&self) {
        self.desk.lock().unwrap().has_large_groups = true;
    }

    /// All accounts, or groups, by id.
    pub fn all(&self, endpoint: &str) -> Vec<Value> {
        let desk = self.desk.lock().unwrap();
        let of = |(path, _): &(&String, &Value)| path.starts_with(&format!("{endpoint}/"));
        desk.accounts.iter().filter(of).map(|(_, account)| account.clone()).collect()
    }

    /// The account of a person.
    #[expect(clippy::needless_pass_by_value, reason = "called with an id or with a text, as it comes")]
    pub fn of(&self, id: impl ToString) -> Option<Value> {
        let id = id.to_string();
        let all = self.all("Users").into_iter().chain(self.all("Groups"));
        all.into_iter().find(|account| account["externalId"] == id.as_str())
    }

    /// An administrator changes an account there.
    pub fn set(&self, id: &str, name: &str, value: &Value) {
        self.desk.lock().unwrap().accounts.get_mut(&format!("Users/{id}")).unwrap()[name] = value.clone();
    }

    /// An administrator removes an account there.
    pub fn remove(&self, id: &str) {
        self.desk.lock().unwrap().accounts.remove(&format!("Users/{id}")).unwrap();
    }

    /// What was asked, with the method alone or with the beginning of the path.
    pub fn asked(&self, request: &str) -> Vec<ReceivedRequest> {
        let desk = self.desk.lock().unwrap();
        let is = |asked: &&ReceivedRequest| format!("{} {}", asked.method, asked.path).starts_with(request);
        desk.asked.iter().filter(is).cloned().collect()
    }
}

impl Desk {
    fn answer(&mut self, head: &str, body: &[u8]) -> Option<(String, String)> {
        let mut words = head.split(' ');
        let (method, path) = (words.next().unwrap(), words.next().unwrap());
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let (method, path) = (method.to_owned(), path.to_owned());
        self.asked.push(ReceivedRequest {
            method: method.clone(),
            path: path.clone(),
            head: head.to_owned(),
            body: body.clone(),
        });
        let request = format!("{method} {path}");
        if let Some(at) = self.next.iter().position(|(beginning, ..)| request.starts_with(beginning)) {
            let (_, head, body) = self.next.remove(at).unwrap();
            return Some((head, body));
        }
        let (status, body) = self.serve(&method, path.trim_start_matches("/scim/v2/"), body);
        let is_lost = self.loses_answers && method == "POST";
        let is_of_groups = path.contains("/Groups") && !path.contains("excludedAttributes=members");
        let room = if self.has_large_groups && is_of_groups { " ".repeat(300_000) } else { String::new() };
        (!is_lost).then(|| {
            (format!("{status} Said\r\ncontent-type: application/scim+json"), format!("{room}{body}"))
        })
    }

    fn serve(&mut self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        match (method, path) {
            ("GET", "ServiceProviderConfig") => (
                200,
                json!({
                    "patch": { "supported": true }, "filter": { "supported": true, "maxResults": 100 },
                    "bulk": { "supported": false }, "etag": { "supported": false },
                    "authenticationSchemes": [{ "type": "oauthbearertoken", "name": "Bearer" }],
                }),
            ),
            ("GET", "Users" | "Groups") => (200, self.found(path, query)),
            ("POST", "Users" | "Groups") => self.create(path, body),
            _ => self.at(method, path, body),
        }
    }

    fn found(&self, endpoint: &str, query: &str) -> Value {
        let filter = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "filter");
        let filter = filter.map(|(_, filter)| filter.into_owned()).unwrap_or_default();
        let (attribute, value) = filter.split_once(" eq ").unwrap_or_default();
        let value: Value = serde_json::from_str(value).unwrap_or_default();
        let of = |(path, account): &(&String, &Value)| {
            path.starts_with(&format!("{endpoint}/")) && account[attribute] == value
        };
        let found: Vec<_> = self.accounts.iter().filter(of).map(|(_, account)| account).collect();
        json!({ "totalResults": found.len(), "Resources": found })
    }

    fn create(&mut self, endpoint: &str, body: Value) -> (u16, Value) {
        let name = if endpoint == "Users" { "userName" } else { "displayName" };
        if self.accounts.values().any(|account| account[name] == body[name]) {
            return (409, json!({ "status": "409", "scimType": "uniqueness", "detail": "there is one" }));
        }
        (201, self.make(endpoint, body))
    }

    fn make(&mut self, endpoint: &str, mut account: Value) -> Value {
        self.made += 1;
        let id = format!("r{}", self.made);
        account["id"] = json!(id);
        self.accounts.insert(format!("{endpoint}/{id}"), account.clone());
        account
    }

    fn at(&mut self, method: &str, path: &str, body: Value) -> (u16, Value) {
        let Some(account) = self.accounts.get_mut(path) else {
            return (404, json!({ "status": "404", "detail": "nothing is here" }));
        };
        match method {
            "GET" => (200, account.clone()),
            "PUT" => {
                let id = account["id"].clone();
                *account = body;
                account["id"] = id;
                (200, account.clone())
            }
            "PATCH" => {
                for operation in body["Operations"].as_array().unwrap() {
                    let path = operation["path"].as_str().unwrap();
                    match operation["op"].as_str().unwrap() {
                        "replace" => account[path] = operation["value"].clone(),
                        _ => drop(account.as_object_mut().unwrap().remove(path)),
                    }
                }
                (200, account.clone())
            }
            "DELETE" => {
                self.accounts.remove(path);
                (204, Value::Null)
            }
            _ => (405, Value::Null),
        }
    }
}
