//! A path is matched letter by letter: no spelling of it reaches a handler past its guard (N86).

use svc_core::capability::Capability;
use svc_http::{Guard, Method};
use svc_runtime::compose;

use super::{UNKNOWN, filled, places, refused, send};
use crate::harness::Harness;

/// Other ways to write a path, which proxies and frameworks have taken for it.
fn spellings(path: &str) -> Vec<String> {
    let rest = path.trim_start_matches('/');
    let (head, tail) = rest.split_once('/').unwrap_or((rest, ""));
    let mut all = vec![
        format!("//{rest}"),
        format!("/.//{rest}"),
        format!("/./{rest}"),
        format!("/x/../{rest}"),
        format!("/x/..;/{rest}"),
        format!("/..;/{rest}"),
        format!("/%2e/{rest}"),
        format!("/%2f{rest}"),
        format!("/{rest}/"),
        format!("/{rest}//"),
        format!("/{rest}/."),
        format!("/{rest}."),
        format!("/{rest}%20"),
        format!("/{rest}%2f"),
        format!("/{rest};x=1"),
        format!("/{rest}.json"),
        format!("/%{:02x}{}", rest.as_bytes()[0], &rest[1..]),
        format!("/{}", rest.to_uppercase()),
        format!("/{}", rest.replace('/', "\\")),
    ];
    if !tail.is_empty() {
        all.extend([
            format!("/{head}//{tail}"),
            format!("/{head}%2f{tail}"),
            format!("/{head}/;/{tail}"),
            format!("/{head};x/{tail}"),
        ]);
    }
    all.retain(|spelling| spelling != path);
    all
}

/// Where a person is needed before an id is looked at: one who is signed in, or one who was sent elsewhere.
const OF_A_PERSON: &[&str] = &["/api/v1/identity/", "/auth/return/"];

#[tokio::test]
async fn no_other_spelling_of_a_path_is_served() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    let token = format!("Bearer {}", site.mint(|_| ()));
    for place in places(&h) {
        if place.path == "/" {
            continue;
        }
        for path in spellings(&place.path) {
            let answer = send(&site, &place.method, &path, &[("authorization", &token)], "").await;
            // What follows the last slash may be read as an id: then it is one that no record has.
            let code = match answer.status {
                404 => "not_found",
                405 => "method_not_allowed",
                415 if (matches!(place.guard, Guard::Tenant { .. }) || path.starts_with("/auth/return/"))
                    && path.contains(UNKNOWN) =>
                {
                    "unsupported_media_type"
                }
                403 if OF_A_PERSON.iter().any(|start| path.starts_with(start))
                    && may_be_an_id(&path, &place.path) =>
                {
                    "forbidden"
                }
                401 if matches!(place.guard, Guard::Operator(_) | Guard::Scim)
                    && may_be_an_id(&path, &place.path) =>
                {
                    "unauthorized"
                }
                _ => panic!("{} {path}: {answer:?}", place.method),
            };
            refused(&answer, answer.status, code);
        }
    }
}

/// Whether the last part of a spelling may be read as an id.
fn may_be_an_id(spelling: &str, path: &str) -> bool {
    spelling.contains(UNKNOWN) || spelling.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
}

#[tokio::test]
async fn no_spelling_skips_the_guard() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    for place in places(&h) {
        let (Guard::Tenant { .. } | Guard::Operator(_)) = place.guard else { continue };
        for path in spellings(&place.path) {
            let answer = send(&site, &place.method, &path, &[], "").await;
            assert!([401, 404, 405].contains(&answer.status), "{} {path}: {answer:?}", place.method);
        }
    }
}

#[tokio::test]
async fn a_method_that_a_path_does_not_have_is_not_allowed() {
    let h = Harness::new().await;
    let site = h.tenant("main").await;
    // Where nothing is for want of a capability, no method says otherwise.
    let routes = compose::planes_of(&h.app().config);
    let is_off = |path: &str| {
        let mut of = routes.iter().filter(|route| filled(route.path) == path);
        let is_off = |capability: &Capability| !site.tenant.offers(&h.app().config, capability);
        of.any(|route| Capability::of_path(route.path).any(is_off))
    };
    let places = places(&h);
    assert!(places.iter().any(|place| is_off(&place.path)), "some capability is off unless it is asked for");
    for place in &places {
        for method in ["PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND", "get", "GETX"] {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let is_declared = places.iter().any(|other| other.path == place.path && other.method == method);
            if is_declared {
                continue;
            }
            let answer = send(&site, &method, &place.path, &[], "").await;
            if is_off(&place.path) {
                refused(&answer, 404, "not_found");
                assert!(answer.header("allow").is_empty(), "{method} {}: {answer:?}", place.path);
                continue;
            }
            refused(&answer, 405, "method_not_allowed");
            assert!(!answer.header("allow").is_empty(), "{method} {}: {answer:?}", place.path);
        }
    }
}
