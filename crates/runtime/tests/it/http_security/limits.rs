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
    assert_eq!(policies(answer), [("address".to_owned(), 0)], "{answer:?}");
}

/// The limits that an answer names, with what is left of each; both headers name the same.
#[track_caller]
fn policies(answer: &Answer) -> Vec<(String, u32)> {
    let items = |name: &str| {
        let items = answer.header(name).split(", ").map(|item| item.split_once(';').unwrap());
        items.map(|(policy, rest)| (policy.trim_matches('"').to_owned(), rest.to_owned())).collect::<Vec<_>>()
    };
    let (limits, left) = (items("ratelimit-policy"), items("ratelimit"));
    assert!(limits.iter().all(|(_, rest)| rest.starts_with("q=") && rest.contains(";w=")), "{answer:?}");
    let names =
        |items: &[(String, String)]| items.iter().map(|(policy, _)| policy.clone()).collect::<Vec<_>>();
    assert_eq!(names(&limits), names(&left), "{answer:?}");
    let number = |rest: &str| rest.strip_prefix("r=").unwrap().split_once(";t=").unwrap().0.parse().unwrap();
    left.into_iter().map(|(policy, rest)| (policy, number(&rest))).collect()
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
async fn a_person_who_asks_too_often_reads_when_to_try_the_same_address_again() {
    let h = limited().await;
    let ask = |host: &'static str| {
        let request = Request::get("/auth/forgot").header("host", host).header("accept", "text/html");
        h.send_from("192.0.2.1", request.body(Body::empty()).unwrap())
    };
    for _ in 0..MOST {
        assert_ne!(ask("acme.id.test").await.status, 429);
    }
    // The page of a tenant, and the one of a host that has none.
    for host in ["acme.id.test", "nobody.id.test"] {
        let page = ask(host).await;
        refused(&page, 429, "rate_limited");
        let wait: u32 = page.header("retry-after").parse().unwrap();
        assert!((1..=60).contains(&wait), "{page:?}");
        for wanted in ["Try again in 1 minute.", "id=\"retry-link\" href=\"\">Try again<"] {
            assert!(page.body.contains(wanted), "{wanted}: {page:?}");
        }
    }
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
async fn every_route_but_probes_says_what_is_left_and_how_long_to_wait() {
    let h = limited().await;
    let mut known = std::collections::BTreeMap::new();
    for place in super::places(&h) {
        if place.path.starts_with("/health/") {
            let answer = call(&h, "192.0.2.1", "id.test", &place.method, &place.path, "").await;
            assert_eq!(answer.header("ratelimit"), "", "{place:?}: {answer:?}");
            continue;
        }
        for _ in 0..MOST {
            let answer = call(&h, "192.0.2.1", "id.test", &place.method, &place.path, "").await;
            // Methods of one path share what is allowed.
            let used = known.entry(place.path.clone()).or_insert(0_usize);
            *used += 1;
            let told = policies(&answer).into_iter().find(|(policy, _)| policy == "address").unwrap();
            assert_eq!(told.1 as usize, MOST.saturating_sub(*used), "{place:?}: {answer:?}");
        }
        is_limited(&call(&h, "192.0.2.1", "id.test", &place.method, &place.path, "").await);
    }
}

/// A service with one limit per minute.
async fn limited_by(key: &str) -> Harness {
    Harness::in_one_process(&[(key, "3")]).await
}

#[tokio::test]
async fn an_application_that_proves_itself_has_a_limit_over_all_endpoints_and_addresses() {
    let h = limited_by("SVC_SERVER__CLIENT_THROTTLE").await;
    let site = h.tenant("main").await;
    let (web, other) = (site.app("web").await, site.app("other").await);
    let own = [("grant_type", "client_credentials")];
    let left = async |answer: Answer| policies(&answer.expect(200));
    let named = |left| vec![("client".to_owned(), left)];
    assert_eq!(left(web.token(&own, &[]).await).await, named(2));
    assert_eq!(left(web.post("/oauth/introspect", &[("token", "x")], &[]).await).await, named(1));
    assert_eq!(left(web.post("/oauth/revoke", &[("token", "x")], &[]).await).await, named(0));
    let refused = web.token(&own, &[]).await.expect_problem(429, "rate_limited");
    assert_eq!((refused.header("retry-after"), policies(&refused)), ("60", named(0)));
    assert_eq!(left(other.token(&own, &[]).await).await, named(2));
    // What a public application names as its own, any client could.
    let spa = site.public_app("spa").await;
    let form = [("grant_type", "refresh_token"), ("refresh_token", "x")];
    for _ in 0..5 {
        let answer = spa.token(&form, &[]).await.expect(400);
        assert_eq!(answer.header("ratelimit"), "");
    }
    h.advance(60);
    assert_eq!(left(web.token(&own, &[]).await).await, named(2));
}

#[tokio::test]
async fn the_tokens_of_a_person_share_a_limit_and_those_of_applications_have_none() {
    let h = limited_by("SVC_SERVER__ACCOUNT_THROTTLE").await;
    let site = h.tenant("main").await;
    let token = |sub: &'static str, kind: &'static str, client: &'static str| {
        site.mint(|claims| {
            claims["sub"] = sub.into();
            claims["subject_type"] = kind.into();
            claims["client_id"] = client.into();
        })
    };
    let call = async |token: String| site.call(Method::GET, "/api/v1/apis", Some(&token), None).await;
    for (number, client) in ["web", "phone", "web"].into_iter().enumerate() {
        let answer = call(token("ada", "human", client)).await.expect(200);
        assert_eq!(policies(&answer), [("account".to_owned(), 2 - u32::try_from(number).unwrap())]);
    }
    let _ = call(token("ada", "human", "web")).await.expect_problem(429, "rate_limited");
    let _ = call(token("bob", "human", "web")).await.expect(200);
    for _ in 0..5 {
        assert_eq!(call(token("robot", "system", "robot")).await.expect(200).header("ratelimit"), "");
    }
}

#[tokio::test]
async fn a_tenant_has_a_limit_that_no_other_tenant_can_use_up() {
    let h = limited_by("SVC_SERVER__TENANT_THROTTLE").await;
    let (main, acme) = (h.tenant("main").await, h.tenant("acme").await);
    for (number, path) in [DOCUMENT, "/oauth/authorize", "/nowhere", "/userinfo"].into_iter().enumerate() {
        let answer = call(&h, &format!("192.0.2.{number}"), &main.host, &Method::GET, path, "").await;
        // What no route takes is of no tenant.
        let left = [Some(2), Some(1), None, Some(0)][number];
        let told = (!answer.header("ratelimit").is_empty()).then(|| policies(&answer)[0].clone());
        assert_eq!(told, left.map(|left| ("tenant".to_owned(), left)), "{path}");
    }
    refused(&call(&h, "192.0.2.9", &main.host, &Method::GET, DOCUMENT, "").await, 429, "rate_limited");
    let _ = call(&h, "192.0.2.9", &acme.host, &Method::GET, DOCUMENT, "").await.expect(200);
}

#[tokio::test]
async fn every_limit_that_counted_a_request_is_told() {
    let h = Harness::in_one_process(&[("SVC_SERVER__ENDPOINT_THROTTLE", "600")]).await;
    let site = h.tenant("main").await;
    let token = site.mint(|claims| claims["subject_type"] = "human".into());
    let answer = site.call(Method::GET, "/api/v1/apis", Some(&token), None).await.expect(200);
    assert_eq!(
        answer.header("ratelimit-policy"),
        "\"address\";q=600;w=60, \"tenant\";q=600000;w=60, \"client\";q=60000;w=60, \"account\";q=6000;w=60"
    );
    assert_eq!(
        answer.header("ratelimit"),
        "\"address\";r=599;t=60, \"tenant\";r=599999;t=60, \"client\";r=59999;t=60, \"account\";r=5999;t=60"
    );
}
