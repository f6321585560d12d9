//! What all routes of the plane declare.

use std::collections::BTreeSet;

use serde_json::Value;
use svc_http::{Guard, Method};

use crate::{openapi, routes, scopes};

#[test]
fn every_route_asks_for_a_scope_of_the_management_api_and_reading_is_not_writing() {
    for route in routes().iter() {
        if route.guard == Guard::Scim {
            assert!(route.path.starts_with("/scim/v2/"), "{}", route.path);
            continue;
        }
        let is_of_operators = route.path.starts_with("/api/v1/control-plane/");
        assert_eq!(matches!(route.guard, Guard::Operator(_)), is_of_operators, "{}", route.path);
        if is_of_operators {
            continue;
        }
        if route.path.starts_with("/.well-known/") {
            assert!(matches!(route.guard, Guard::Public(_)), "{}", route.path);
            continue;
        }
        let Guard::Tenant { scope } = route.guard else { panic!("{} is open", route.path) };
        assert!(scopes().iter().any(|(known, _)| *known == scope), "{scope}");
        assert_eq!(
            scope.ends_with(":read") || scope == "ssf.read",
            route.method == Method::GET,
            "{} {}",
            route.method,
            route.path
        );
    }
}

#[test]
fn every_scope_of_the_management_api_opens_something() {
    let routes = routes();
    let asked: BTreeSet<_> = routes
        .iter()
        .filter_map(|route| match route.guard {
            Guard::Tenant { scope } => Some([Some(scope), route.former_scope]),
            _ => None,
        })
        .flatten()
        .flatten()
        // Asked for by `/metrics`, which is not a tenant's, by the auth plane, and by what gives privileges.
        .chain(["metrics:read", "privileges:grant"])
        .chain(["identity:approve", "identity:read", "identity:write"])
        .collect();
    assert_eq!(asked, scopes().into_iter().map(|(scope, _)| scope).collect());
}

#[test]
fn every_write_may_be_retried() {
    // A question is posted, and changes nothing.
    let writes = |path: &str, method: &Method| method != Method::GET && !path.starts_with("/access/v1/");
    // What directories send has its own identity: `externalId` and `userName`.
    let routes = routes();
    let mut ours = routes.iter().filter(|route| route.guard != Guard::Scim);
    assert!(ours.all(|route| route.is_idempotent == writes(route.path, &route.method)));
}

#[test]
fn every_reference_of_the_document_leads_to_a_schema_of_its_own() {
    let scopes = scopes();
    let document = routes().openapi(&openapi::about("1", &scopes)).at("https://id.example", |_| true);
    let mut found = Vec::new();
    references(&document, &mut found);
    for reference in &found {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
    let pages = ["Application", "Api", "TenantUser", "Session", "AuditEntry"];
    for page in pages {
        assert!(
            found.iter().any(|reference| reference.ends_with(&format!("/{page}"))),
            "{page} is nowhere: {found:?}"
        );
    }
}

fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                found.push(reference.trim_start_matches('#').to_owned());
            }
            members.values().for_each(|member| references(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}
