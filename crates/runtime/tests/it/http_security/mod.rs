//! The HTTP surface as a whole against malformed, misdirected and oversized requests, over every declared route.

mod audit;
mod bodies;
mod compression;
mod corpus;
mod held_calls;
mod hosts;
mod limits;
mod operations;
mod origins;
mod paths;
mod totals;

use serde_json::json;
use svc_http::{Body, Guard, Method, Request};
use svc_runtime::compose;

use crate::harness::{Answer, Harness, Site};

/// A declared route, its parameters filled in.
#[derive(Clone, Debug)]
struct Place {
    method: Method,
    path: String,
    guard: Guard,
    is_hosted: bool,
}

/// An id of the right form that no record has.
const UNKNOWN: &str = "app_00000000000000000000000000";

/// A declared path with an unknown id, or an asset's name, for each parameter.
fn filled(path: &str) -> String {
    let part = |part: &str| match part {
        "{name}" => "style.css".to_owned(),
        "{connection_id}" => UNKNOWN.replace("app_", "sso_"),
        part if part.starts_with('{') => UNKNOWN.to_owned(),
        part => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Every route that the service declares.
fn places(h: &Harness) -> Vec<Place> {
    let hosted = ["/oauth/authorize", "/oauth/end-session", "/oauth/device/verify"];
    let routes = compose::planes_of(&h.app().config);
    let places = routes.iter().map(|route| Place {
        method: route.method.clone(),
        path: filled(route.path),
        guard: route.guard,
        is_hosted: route.path.starts_with("/auth/") || hosted.contains(&route.path),
    });
    let places: Vec<_> = places.collect();
    assert!(places.len() > 40 && places.iter().all(|place| !place.path.contains('{')), "{places:?}");
    places
}

/// Sends a request with exactly these headers and the host.
async fn send(
    site: &Site<'_>,
    method: &Method,
    path: &str,
    headers: &[(&str, &str)],
    body: impl Into<Body>,
) -> Answer {
    let empty = Request::builder().method(method.clone()).uri(path).header("host", &site.host);
    let request = headers.iter().fold(empty, |request, (name, value)| request.header(*name, *value));
    site.harness.send(request.body(body.into()).unwrap()).await
}

/// An error as a document or, on hosted pages, as a page: with its request id, not cached, without anything internal.
#[track_caller]
fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    assert!(!answer.header("x-request-id").is_empty(), "{answer:?}");
    assert_eq!(answer.header("cache-control"), "no-store", "{answer:?}");
    assert_eq!(answer.header("x-content-type-options"), "nosniff", "{answer:?}");
    if answer.header("content-type").starts_with("text/html") {
        assert!(answer.body.contains(&format!("<code id=\"error-code\">{code}</code>")), "{answer:?}");
    } else if answer.header("content-type").starts_with("application/scim+json") {
        let told = answer.json();
        assert_eq!(told["schemas"], json!(["urn:ietf:params:scim:api:messages:2.0:Error"]), "{answer:?}");
        assert_eq!(told["status"], status.to_string(), "{answer:?}");
    } else if !answer.body.is_empty() {
        let _ = answer.clone().expect_problem(status, code);
    }
    for internal in ["panicked", "src/", "rusqlite", "SELECT ", "INSERT ", "/root/", "/tmp/", "/dev/shm/"] {
        assert!(!answer.body.contains(internal), "{internal}: {answer:?}");
    }
}
