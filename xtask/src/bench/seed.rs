//! What the benchmark needs in addition to the demo: a declarative file of applications and people, and their ids afterwards.

use std::fs;
use std::path::{Path, PathBuf};

use hyper::StatusCode;
use serde_json::{Value, json};

use super::flows::member;
use super::form;
use super::http::{Call, Connection};
use super::key::Key;
use crate::Result;

/// What the applications share that have a secret; the floor's client has it too.
pub const SECRET: &str = "a-machine-made-secret-of-43-characters-long";

/// People who sign in at once, each with a guess of their own under way (an account has few at a time): enough that each
/// hashing thread always has the next password waiting.
pub const PEOPLE: usize = 8;

/// Writes the file, with the key of the application that signs.
pub fn write(folder: &Path, key: &Key) -> Result<PathBuf> {
    let coordinate = |name: &str| key.jwk()[name].as_str().unwrap_or_default();
    let filled = include_str!("seed.toml")
        .replace("{x}", coordinate("x"))
        .replace("{y}", coordinate("y"))
        .replace("{people}", &people().map(|name| person(&name)).collect::<String>())
        .replace("{secret}", SECRET);
    let path = folder.join("seed.toml");
    fs::write(&path, filled)?;
    Ok(path)
}

fn people() -> impl Iterator<Item = String> {
    (1..=PEOPLE).map(|number| format!("bench-{number}"))
}

fn person(name: &str) -> String {
    format!("\n[[tenant.user]]\nusername = \"{name}\"\ninitial_password = \"{{secret}}\"\n")
}

/// Adds the applications of the file to the ready line, as the management API of the server lists them, and the people.
pub fn add_to(ready: &mut Value, port: u16) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let listed = runtime.block_on(list(ready, port)).map_err(|error| format!("the applications: {error}"))?;
    let ours = listed
        .into_iter()
        .filter(|app| app["handle"].as_str().is_some_and(|name| name.starts_with("bench-")));
    let clients =
        ready.get_mut("clients").and_then(Value::as_array_mut).ok_or("no clients in the ready line")?;
    clients.extend(ours.map(as_client));
    let people = people().map(|username| json!({ "username": username, "password": SECRET }));
    ready["people"] = people.collect();
    Ok(())
}

async fn list(ready: &Value, port: u16) -> Result<Vec<Value>> {
    let text = |pointer: &str| {
        let found = ready.pointer(pointer).and_then(Value::as_str);
        found.ok_or_else(|| format!("{pointer} is missing in the ready line"))
    };
    let issuer = text("/issuer")?;
    let clients = ready["clients"].as_array().into_iter().flatten();
    let mut services = clients.filter(|client| client["handle"] == "service");
    let service = services.next().ok_or("the demo has no service")?;
    let mut http = Connection::new(port, issuer.trim_start_matches("http://"));
    let form = form::encode([
        ("grant_type", "client_credentials"),
        ("scope", "applications:read"),
        ("resource", &format!("{issuer}/api")),
        ("client_id", service["client_id"].as_str().unwrap_or_default()),
        ("client_secret", service["client_secret"].as_str().unwrap_or_default()),
    ]);
    let call = Call { path: "/oauth/token", form: Some(form), ..Call::default() };
    let tokens = http.send(&call).await?.json(StatusCode::OK)?;
    let authorization = format!("Bearer {}", member(&tokens, "access_token")?);
    let path = "/api/v1/applications?limit=200";
    let call = Call { path, authorization: Some(&authorization), ..Call::default() };
    let mut page = http.send(&call).await?.json(StatusCode::OK)?;
    match page.get_mut("data").map(Value::take) {
        Some(Value::Array(apps)) => Ok(apps),
        _ => Err("no list".into()),
    }
}

/// An application of the list as the ready line would tell it.
fn as_client(mut app: Value) -> Value {
    if let Value::Object(members) = &mut app {
        let id = members.remove("id").unwrap_or_default();
        members.insert("client_id".to_owned(), id);
        let method = members.get("token_endpoint_auth_method").and_then(Value::as_str);
        if method == Some("client_secret_basic") {
            members.insert("client_secret".to_owned(), SECRET.into());
        }
    }
    app
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_key_in_place_of_its_words_in_braces() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::generate().unwrap();
        let text = fs::read_to_string(write(folder.path(), &key).unwrap()).unwrap();
        assert!(text.contains(&format!("x = {}", key.jwk()["x"])), "{text}");
        assert!(!["{x}", "{y}", "{people}", "{secret}"].iter().any(|word| text.contains(word)), "{text}");
    }

    #[test]
    fn a_listed_application_becomes_a_client_with_its_secret_if_it_has_one() {
        let listed = json!({ "id": "a", "handle": "h", "token_endpoint_auth_method": "client_secret_basic" });
        let client = as_client(listed);
        assert_eq!(
            (client["client_id"].as_str(), client["client_secret"].as_str()),
            (Some("a"), Some(SECRET))
        );
        let listed = json!({ "id": "a", "handle": "h", "token_endpoint_auth_method": "private_key_jwt" });
        assert_eq!(as_client(listed).get("client_secret"), None);
    }
}
