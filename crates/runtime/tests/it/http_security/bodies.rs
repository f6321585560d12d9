//! Bodies that parsers disagree about, that are too large, or of another type, on every route that reads one (N84, N85).

use std::time::Duration;

use svc_http::{Guard, Method};

use super::{places, refused, send};
use crate::harness::{Harness, Site};
use crate::isolation;

const JSON: (&str, &str) = ("content-type", "application/json");
const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

async fn applications(site: &Site<'_>, token: &str) -> usize {
    let list = site.call(Method::GET, "/api/v1/applications", Some(token), None).await.expect(200).json();
    list["data"].as_array().unwrap().len()
}

/// How long processors have worked for this thread, on which the whole request is read: other than on a clock, nothing counts that the
/// machine has done for others meanwhile.
fn worked() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    // The second field, a name in brackets, may have spaces. Fields 14 and 15 are the time in hundredths of a second (proc_pid_stat(5)).
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    let spent = rest.split(' ').skip(11).take(2).map(|field| field.parse::<u64>().unwrap());
    Duration::from_millis(spent.sum::<u64>() * 10)
}

#[tokio::test]
async fn json_that_can_be_read_in_two_ways_is_refused_quickly_and_stores_nothing() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = site.mint(|_| ());
    let bearer = format!("Bearer {token}");
    let before = applications(&site, &token).await;
    let deep = |open: &str, close: &str, depth: usize| {
        format!("{{\"name\":{}1{}}}", open.repeat(depth), close.repeat(depth))
    };
    let members = (0..4000).map(|n| format!("\"k{n}\":1")).collect::<Vec<_>>().join(",");
    let bad: Vec<Vec<u8>> = vec![
        deep("[", "]", 20_000).into_bytes(),
        deep("{\"a\":", "}", 9_000).into_bytes(),
        "[".repeat(60_000).into_bytes(),
        br#"{"name":"a","name":"b"}"#.to_vec(),
        br#"{"name":"a","n\u0061me":"b"}"#.to_vec(),
        br#"{"name":"a","metadata":{"x":1,"x":2}}"#.to_vec(),
        br#"{"name":1e999999}"#.to_vec(),
        br#"{"name":-1e999999}"#.to_vec(),
        br#"{"name":"\ud800"}"#.to_vec(),
        br#"{"name":"\udc00\ud800"}"#.to_vec(),
        br#"{"name":"\u0000"}"#.to_vec(),
        b"{\"name\":\"\xff\"}".to_vec(),
        b"{\"name\":\"a\x00\"}".to_vec(),
        "\u{feff}{\"name\":\"a\"}".as_bytes().to_vec(),
        br#"{"name":NaN}"#.to_vec(),
        br#"{"name":Infinity}"#.to_vec(),
        br"{'name':'a'}".to_vec(),
        br#"{"name":"a",}"#.to_vec(),
        br#"{"name":"a"} {"name":"b"}"#.to_vec(),
        br#"{"name":"a"}//x"#.to_vec(),
        br#"[{"name":"a"}]"#.to_vec(),
        br#""name""#.to_vec(),
        br"null".to_vec(),
        b"".to_vec(),
        format!("{{{members}}}").into_bytes(),
    ];
    for body in bad {
        let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
        let before = worked();
        let answer =
            send(&site, &Method::POST, "/api/v1/applications", &[JSON, ("authorization", &bearer)], body)
                .await;
        // What it rules out is work that grows faster than the body.
        let work = worked().saturating_sub(before);
        assert!(work < Duration::from_secs(2), "{shown}: {work:?}");
        assert_eq!(answer.status, 400, "{shown}: {answer:?}");
        let code = answer.json()["error"].as_str().unwrap().to_owned();
        refused(&answer, 400, &code);
    }
    assert_eq!(applications(&site, &token).await, before);
}

#[tokio::test]
async fn an_unknown_field_is_named() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let bearer = format!("Bearer {}", site.mint(|_| ()));
    for field in ["tenant_id", "id", "client_id", "created_at", "version", "secret_hash", "__proto__"] {
        let body = format!("{{\"name\":\"a\",\"{field}\":\"x\"}}");
        let answer =
            send(&site, &Method::POST, "/api/v1/applications", &[JSON, ("authorization", &bearer)], body)
                .await;
        assert_eq!(answer.status, 400, "{field}: {answer:?}");
        assert!(answer.json()["detail"].as_str().unwrap().contains(field), "{answer:?}");
    }
}

#[tokio::test]
async fn a_compressed_body_is_refused_on_every_route() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let bearer = format!("Bearer {}", site.mint(|_| ()));
    for place in places(&h) {
        for coding in ["gzip", "br", "deflate", "zstd", "GZIP", "identity, gzip", "x-unknown"] {
            let headers = [("content-encoding", coding), ("authorization", bearer.as_str()), FORM];
            let answer = send(&site, &place.method, &place.path, &headers, "x").await;
            refused(&answer, 415, "unsupported_media_type");
        }
    }
}

#[tokio::test]
async fn a_body_larger_than_its_bound_is_refused_announced_or_not() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let bearer = format!("Bearer {}", site.mint(|_| ()));
    for place in places(&h).into_iter().filter(|place| [Method::POST, Method::PUT].contains(&place.method)) {
        for kind in [JSON, FORM] {
            let announced = [kind, ("authorization", bearer.as_str()), ("content-length", "52428800")];
            let answer = send(&site, &place.method, &place.path, &announced, "x").await;
            assert_eq!(answer.status, 413, "{} {}: {answer:?}", place.method, place.path);
            refused(&answer, 413, "payload_too_large");
            let is_page = answer.header("content-type").starts_with("text/html");
            let is_of_browsers = matches!(place.guard, Guard::Form(_))
                || ["/oauth/authorize", "/oauth/end-session"].contains(&place.path.as_str());
            assert!(is_page || !is_of_browsers, "people read a page: {} {answer:?}", place.path);
        }
    }
    for (path, kind) in [("/api/v1/applications", JSON), ("/oauth/token", FORM), ("/auth/sign-in", FORM)] {
        let headers = [kind, ("authorization", bearer.as_str())];
        let answer = send(&site, &Method::POST, path, &headers, "x".repeat(1 << 20)).await;
        refused(&answer, 413, "payload_too_large");
    }
}

#[tokio::test]
async fn a_body_of_another_type_is_refused_where_one_is_read() {
    let h = Harness::with(&[("SVC_MAGIC_LINK__ENABLED", "true")]).await;
    let site = h.tenant("main").await;
    isolation::impersonations::enable(&site).await;
    let bearer = format!("Bearer {}", site.mint(|_| ()));
    let types = [
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/jsonx",
        "text/json",
        "",
        "*/*",
    ];
    // Proxies ask by the method of a request, and send none of its body.
    let with_body = |path: &str| {
        (path.starts_with("/auth/") && !path.starts_with("/auth/proxy/"))
            || ["/oauth/token", "/oauth/introspect", "/oauth/revoke", "/api/v1/applications", "/api/v1/apis"]
                .contains(&path)
    };
    for place in places(&h) {
        if !matches!(place.method, Method::POST) || !with_body(&place.path) {
            continue;
        }
        let is_api = matches!(place.guard, Guard::Tenant { .. });
        for kind in types.into_iter().chain([if is_api { FORM.1 } else { JSON.1 }]) {
            let headers = [("content-type", kind), ("authorization", bearer.as_str())];
            let answer = send(&site, &place.method, &place.path, &headers, "grant_type=x").await;
            refused(&answer, 415, "unsupported_media_type");
        }
        let answer =
            send(&site, &place.method, &place.path, &[("authorization", bearer.as_str())], "grant_type=x")
                .await;
        refused(&answer, 415, "unsupported_media_type");
    }
}

#[tokio::test]
async fn a_form_that_can_be_read_in_two_ways_is_refused() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let app = site.app("web").await;
    let basic = crate::harness::client::basic(&app.id, app.secret.as_deref().unwrap());
    let many = (0..101).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join("&");
    for body in [
        "grant_type=client_credentials&grant_type=client_credentials".as_bytes(),
        b"grant_type=client_credentials&grant%5ftype=password",
        b"grant_type=client_credentials&scope=%ff",
        b"grant_type=client_credentials&scope=\xff",
        b"grant_type=client_credentials&scope=%",
        b"grant_type=client_credentials&scope=%4",
        b"grant_type=client_credentials&scope=%zz",
        b"grant_type=client_credentials&scope=a%00b",
        b"grant_type=client_credentials%00",
        many.as_bytes(),
    ] {
        for path in ["/oauth/token", "/oauth/introspect", "/oauth/revoke"] {
            let answer =
                send(&site, &Method::POST, path, &[FORM, ("authorization", &basic)], body.to_vec()).await;
            assert_eq!(answer.status, 400, "{path} {:?}: {answer:?}", String::from_utf8_lossy(body));
            let code = answer.json()["error"].as_str().unwrap().to_owned();
            assert!(["invalid_request", "unsupported_grant_type"].contains(&code.as_str()), "{answer:?}");
        }
    }
    let _ = app.token(&[("grant_type", "client_credentials")], &[]).await.expect(200);
}

#[tokio::test]
async fn headers_larger_than_their_bound_are_refused_on_every_route() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let long = "x".repeat(33 * 1024);
    let names: Vec<String> = (0..3000).map(|n| format!("x-filler-{n}")).collect();
    let many: Vec<_> = names.iter().map(|name| (name.as_str(), "xx")).collect();
    for place in places(&h) {
        for headers in [&[("x-filler", long.as_str())][..], &many] {
            let answer = send(&site, &place.method, &place.path, headers, "").await;
            refused(&answer, 431, "headers_too_large");
        }
    }
}
