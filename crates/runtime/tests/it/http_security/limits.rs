//! Limits count a client by its trusted address, whatever it writes into headers, paths or hosts (N95).

use svc_http::{Body, Method, Request};

use super::refused;
use crate::harness::{Answer, Harness};

const MOST: usize = 5;

async fn call(
    h: &Harness,
    address: &str,
    host: &str,
    method: &Method,
    path: &str,
    forwarded: &str,
) -> Answer {
    let request = Request::builder().method(method.clone()).uri(path).header("host", host);
    let request =
        request.header("x-forwarded-for", forwarded).header("forwarded", format!("for={forwarded}"));
    h.send_from(address, request.body(Body::empty()).unwrap()).await
}

async fn limited() -> Harness {
    let h = Harness::in_one_process(&[("SVC_SERVER__ENDPOINT_THROTTLE", "5")]).await;
    h.tenant("main").await;
    h.tenant("acme").await;
    h
}

#[track_caller]
fn is_limited(answer: &Answer) {
    refused(answer, 429, "rate_limited");
    let wait: u32 = answer.header("retry-after").parse().unwrap();
    assert!((1..=60).contains(&wait), "{answer:?}");
}

const DOCUMENT: &str = "/.well-known/openid-configuration";

#[tokio::test]
async fn neither_headers_nor_hosts_nor_methods_nor_queries_open_a_new_budget() {
    let h = limited().await;
    for number in 0..MOST {
        let forwarded = format!("198.51.100.{number}");
        let host = if number % 2 == 0 { "id.test" } else { "acme.id.test" };
        let _ = call(&h, "192.0.2.1", host, &Method::GET, &format!("{DOCUMENT}?x={number}"), &forwarded)
            .await
            .expect(200);
    }
    for (number, host) in ["id.test", "acme.id.test"].into_iter().enumerate() {
        for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
            let answer = call(&h, "192.0.2.1", host, &method, DOCUMENT, &format!("203.0.113.{number}")).await;
            assert_eq!(answer.status, 429, "{method} {host}: {answer:?}");
        }
    }
    is_limited(&call(&h, "192.0.2.1", "id.test", &Method::GET, DOCUMENT, "").await);
    let _ = call(&h, "192.0.2.2", "id.test", &Method::GET, DOCUMENT, "192.0.2.1").await.expect(200);
    h.advance(60);
    let _ = call(&h, "192.0.2.1", "id.test", &Method::GET, DOCUMENT, "").await.expect(200);
}

#[tokio::test]
async fn a_path_with_a_wildcard_has_one_budget_for_every_method_and_every_end() {
    let h = limited().await;
    let path = |end: usize| format!("/.well-known/oauth-protected-resource/mcp/{end}");
    for end in 0..MOST {
        let method = if end % 2 == 0 { Method::OPTIONS } else { Method::GET };
        let answer = call(&h, "192.0.2.1", "id.test", &method, &path(end), "").await;
        assert_ne!(answer.status, 429, "{method} {end}: {answer:?}");
    }
    for method in [Method::OPTIONS, Method::GET, Method::HEAD] {
        let answer = call(&h, "192.0.2.1", "id.test", &method, &path(MOST), "").await;
        assert_eq!(answer.status, 429, "{method}: {answer:?}");
    }
}

#[tokio::test]
async fn addresses_of_one_ipv6_network_share_a_budget() {
    let h = limited().await;
    for number in 0..MOST {
        let _ = call(&h, &format!("2001:db8:1:2:{number}::1"), "id.test", &Method::GET, DOCUMENT, "")
            .await
            .expect(200);
    }
    is_limited(&call(&h, "2001:db8:1:2:ffff:ffff:ffff:ffff", "id.test", &Method::GET, DOCUMENT, "").await);
    let _ = call(&h, "2001:db8:1:3::1", "id.test", &Method::GET, DOCUMENT, "").await.expect(200);
    // An IPv4 address in IPv6 form is that IPv4 address.
    for number in 0..MOST {
        let address = if number % 2 == 0 { "::ffff:192.0.2.9" } else { "192.0.2.9" };
        let _ = call(&h, address, "id.test", &Method::GET, DOCUMENT, "").await.expect(200);
    }
    is_limited(&call(&h, "192.0.2.9", "id.test", &Method::GET, DOCUMENT, "").await);
}

#[tokio::test]
async fn guessing_paths_is_limited_whatever_the_spelling() {
    let h = limited().await;
    for number in 0..MOST {
        let path = ["/OAUTH/token", "/nowhere", "//oauth/token", "/oauth/token/", "/%2foauth"][number];
        let _ = call(&h, "192.0.2.1", "id.test", &Method::GET, path, "").await.expect(404);
    }
    is_limited(&call(&h, "192.0.2.1", "id.test", &Method::GET, "/elsewhere", "").await);
}

#[tokio::test]
async fn behind_a_trusted_proxy_the_client_is_counted_and_cannot_lie() {
    let h = Harness::in_one_process(&[
        ("SVC_SERVER__ENDPOINT_THROTTLE", "5"),
        ("SVC_SERVER__TRUSTED_PROXIES", r#"["10.0.0.0/8"]"#),
    ])
    .await;
    h.tenant("main").await;
    for number in 0..MOST {
        let forwarded = format!("1.1.1.{number}, 198.51.100.7");
        let _ = call(&h, "10.0.0.1", "id.test", &Method::GET, DOCUMENT, &forwarded).await.expect(200);
    }
    is_limited(&call(&h, "10.0.0.2", "id.test", &Method::GET, DOCUMENT, "2.2.2.2, 198.51.100.7").await);
    let _ = call(&h, "10.0.0.1", "id.test", &Method::GET, DOCUMENT, "198.51.100.8").await.expect(200);
}

#[tokio::test]
async fn every_route_says_how_long_to_wait() {
    let h = limited().await;
    for place in super::places(&h) {
        for _ in 0..MOST {
            call(&h, "192.0.2.1", "id.test", &place.method, &place.path, "").await;
        }
        is_limited(&call(&h, "192.0.2.1", "id.test", &place.method, &place.path, "").await);
    }
}
