//! The OpenAPI document: committed, so that a change of the API is a visible difference, and sound.
//!
//! `SVC_REWRITE_DOCS=1 cargo test -p svc-runtime --test it openapi` writes what follows from the code.

mod answers;
mod examples;
mod pages;
mod parameters;

use std::collections::BTreeSet;

use serde_json::Value;
use svc_config::Config;
use svc_domain::apis::control_plane;
use svc_runtime::compose;

pub use self::examples::example;
use crate::docs::same_as_committed;
use crate::harness::Harness;

const ISSUER: &str = "https://id.example.com";
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

fn document() -> Value {
    compose::description().unwrap().at(ISSUER, |_| true)
}

fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let each = paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().unwrap();
        assert!(methods.keys().all(|method| METHODS.contains(&method.as_str())), "{path}");
        methods.iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    each.collect()
}

#[test]
fn the_committed_document_is_that_of_the_code() {
    same_as_committed("openapi.json", &(serde_json::to_string_pretty(&document()).unwrap() + "\n"));
}

/// The operations of the API that a process of this plane serves.
fn served(plane: &str) -> BTreeSet<String> {
    let env = [("SVC_RUNTIME_PLANE", plane), ("SVC_OPENAPI__ENABLED", "true")];
    let env = env.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = Config::load(None, &env).unwrap_or_else(|faults| panic!("{faults}"));
    let routes = compose::planes_of(&config);
    routes.iter().map(|route| format!("{} {}", route.method.as_str().to_lowercase(), route.path)).collect()
}

#[test]
fn the_document_has_the_operations_of_every_plane_and_each_plane_serves_its_own() {
    let document = document();
    let described: BTreeSet<_> = operations(&document).into_iter().map(|(name, _)| name).collect();
    let [all, auth, control, jobs] = ["all", "auth", "control", "async"].map(served);
    let both: BTreeSet<_> = auth.union(&control).cloned().collect();
    assert_eq!(described.difference(&both).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(described.difference(&all).collect::<Vec<_>>(), Vec::<&String>::new());
    // Probes and metrics are everywhere; of the rest each operation has one plane.
    let twice: Vec<_> = auth.intersection(&control).filter(|name| described.contains(*name)).collect();
    assert_eq!(twice, jobs.iter().filter(|name| described.contains(*name)).collect::<Vec<_>>());
    assert!(twice.iter().all(|name| name.contains("/health/") || name.ends_with("/metrics")), "{twice:?}");
    let publishes = |served: &BTreeSet<String>| served.contains("get /openapi.json");
    assert_eq!([&all, &auth, &control, &jobs].map(publishes), [true, false, true, false]);
}

#[tokio::test]
async fn a_control_plane_publishes_the_whole_document_at_the_one_address_of_all_planes() {
    let (whole, part) = (Harness::new().await, Harness::with(&[("SVC_RUNTIME_PLANE", "control")]).await);
    let mut documents = Vec::new();
    for h in [&whole, &part] {
        let host = h.tenant("acme").await.host.clone();
        documents.push(h.get(&host, "/openapi.json").await.expect(200).json());
    }
    assert_eq!(documents[0], documents[1]);
    let site = part.tenant("globex").await;
    let statuses = [site.get("/api/v1/audit").await.status, site.get("/oauth/authorize").await.status];
    assert_eq!(statuses, [401, 404]);
}

#[test]
fn every_operation_is_in_a_group_that_says_what_it_is_about() {
    let document = document();
    let groups = document["tags"].as_array().unwrap().iter();
    assert!(groups.clone().all(|group| group["description"].is_string()), "{}", document["tags"]);
    let names: BTreeSet<_> = groups.map(|group| &group["name"]).map(Value::to_string).collect();
    for (name, operation) in operations(&document) {
        let tags = operation["tags"].as_array().unwrap_or_else(|| panic!("{name} is in no group"));
        assert!(tags.len() == 1 && names.contains(&tags[0].to_string()), "{name}: {tags:?}");
    }
}

#[test]
fn every_operation_on_the_own_account_may_find_nothing() {
    let document = document();
    let operations = operations(&document);
    let own: Vec<_> = operations.iter().filter(|(_, one)| one["tags"][0] == "Own account").collect();
    assert!(!own.is_empty());
    for (name, operation) in own {
        assert!(operation["responses"]["404"].is_object(), "{name}");
    }
}

#[test]
fn every_operation_is_named_summed_up_and_answered() {
    let document = document();
    let mut ids = BTreeSet::new();
    for (name, operation) in operations(&document) {
        assert!(ids.insert(operation["operationId"].as_str().unwrap().to_owned()), "{name}");
        assert!(!operation["summary"].as_str().unwrap().is_empty(), "{name} has no summary");
        let responses = operation["responses"].as_object().unwrap();
        let is_answered = responses.keys().any(|status| status.starts_with('2') || status.starts_with('3'));
        assert!(is_answered, "{name} has no success");
        assert!(responses.contains_key("default"), "{name} has no error");
        let declared: BTreeSet<_> = operation["parameters"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap().to_owned())
            .collect();
        let named: BTreeSet<_> = name
            .split('/')
            .filter_map(|step| Some(step.strip_prefix('{')?.strip_suffix('}')?.to_owned()))
            .collect();
        assert_eq!(declared, named, "{name}");
    }
}

#[test]
fn every_reference_leads_somewhere_and_every_schema_can_be_satisfied() {
    let document = document();
    let mut places = vec![("#".to_owned(), &document)];
    while let Some((place, value)) = places.pop() {
        if let Some(reference) = value["$ref"].as_str() {
            assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{place}: {reference}");
        }
        let closes = |part: &Value| part["additionalProperties"] == false;
        if let Some(parts) = value["allOf"].as_array() {
            assert!(!closes(value) && !parts.iter().any(closes), "{place}: nothing satisfies this");
        }
        match value {
            Value::Object(members) => {
                places.extend(members.iter().map(|(name, member)| (format!("{place}/{name}"), member)));
            }
            Value::Array(items) => {
                places.extend(items.iter().enumerate().map(|(at, item)| (format!("{place}/{at}"), item)));
            }
            _ => {}
        }
    }
}

#[test]
fn no_text_has_a_link_into_the_sources() {
    let document = document().to_string();
    let link = document.split("[`").nth(1).map(|rest| rest.chars().take(60).collect::<String>());
    assert_eq!(link, None);
}

/// Generated Python names the object that it reads after its class, and a list in it after the member: the two must differ.
#[test]
fn no_schema_has_a_list_or_an_object_of_its_own_name() {
    let document = document();
    for (schema, described) in document["components"]["schemas"].as_object().unwrap() {
        for (member, value) in described["properties"].as_object().into_iter().flatten() {
            let types = value["type"].to_string();
            let is_plain = types != "null" && !types.contains("array") && !types.contains("object");
            let is_its_name = member.replace('_', "").eq_ignore_ascii_case(schema);
            assert!(is_plain || !is_its_name, "rename {schema} or its `{member}`");
        }
    }
}

#[test]
fn the_reference_page_names_every_operation_and_scope() {
    let document = document();
    let mut page = String::from(INTRODUCTION);
    page += "\n## Operations\n\n| operation | what it does | scope |\n|---|---|---|\n";
    for (name, operation) in operations(&document) {
        let Some((method, path)) = name.split_once(' ').filter(|(_, path)| path.starts_with("/api/v1/"))
        else {
            continue;
        };
        let security = &operation["security"][0];
        let scope = security["oauth2"][0].as_str().or(security["operator"][0].as_str()).unwrap();
        let summary = operation["summary"].as_str().unwrap();
        page += &format!("| `{} {path}` | {summary} | `{scope}` |\n", method.to_uppercase());
    }
    page += "\n## Scopes\n\n| scope | what people read at consent |\n|---|---|\n";
    for (scope, sentence) in svc_control::scopes().into_iter().chain(control_plane::SCOPES) {
        page += &format!("| `{scope}` | {sentence} |\n");
    }
    same_as_committed("reference/management-api.md", &page);
}

const INTRODUCTION: &str = "\
# Management API

One tenant's applications, APIs, people and records, at `/api/v1` of the tenant's host. [openapi.json](../openapi.json) is
the whole description, and [each resource](api/README.md) has a page made of it; with `openapi.enabled` the service also publishes it at `/openapi.json`, for each tenant what that
tenant has. Clients can be generated from it: the checks do so for TypeScript, Go and Python, compile programs with them and run these,
and hold every answer that a test receives against the document. [The Terraform provider](../how-to/terraform.md) is made of it too.

- **Authorization.** An access token with the audience `<issuer>/api` and the scope of the operation: by authorization code
  (the person needs the role `admin`, or [a role](roles.md) that permits the scope) or by client credentials.
  Or [an API key](../how-to/api-keys.md) of the tenant, of a person or of an organization.
- **Privileges.** A caller gives to nothing what it does not hold itself: scopes and grants of applications,
  `first_party`, `may_impersonate`, roles and what they permit, opened scopes of APIs; and it does not change an application that is more
  powerful than itself. Trusted issuers and their links speak for people, and a custom domain that is activated is where people
  sign in: both always need `privileges:grant`, the scope of those who may give what they do not hold.
- **People.** A tenant creates and invites them. `POST /api/v1/tenant-users` makes an account that the tenant *manages*: it may set
  its name and password, until the account becomes a member of another tenant. An address that belongs to an account already
  can only be invited (with `invite`): its owner accepts by the mailed link, and the tenant sees nothing of the account before.
  To every person the tenant can mail a link to choose a new password (`POST …/recovery`), and it can end sessions and consents.
  A removed person stays in the list; only the metadata is still changed, and the account is not looked into any more.
- **The management API's own identifier** is `<issuer>/api`, whatever the issuer is at the time. Where an application has it as
  its `audience`, or a trusted issuer in its `audiences`, write `urn:svc:management-api`.
- **Lists** take `limit` (1 to 200, default 50) and `cursor`, and refuse parameters that they do not have. A `cursor` continues the list
  that it was made for: give the same search, order and filters with it. Leave it out to begin: an empty one is refused. Lists that are
  bound to be short, such as the types of events or a person's own credentials, are whole unless `limit` is given.
- **Filters.** [The page of each resource](api/README.md) names those of its list; what is given together must all be true of a record.
  A text that is empty counts as left out; an empty id, number, time or word of a list is refused.
  One record is found by what identifies it: an application by `handle`, an API by `identifier`, a role or a group by `name`, an
  organization by `slug`, a trusted issuer by `issuer`, a person by `email` or `username`. People are narrowed by `status`,
  `subject_type`, `role`, `organization_id` and `group_id`, and by the time of their creation: not before `since`, and before `until`;
  imports and registration tokens by that time alone; applications by `type`, `enabled` and `first_party`; organizations by `status`,
  `owner_id` and `tenant_user_id` (a member).
- **Search and order.** `search` finds applications, APIs, roles, groups, organizations, policies, trusted issuers, modules of hooks, SCIM
  schemas, SCIM targets and streams of the audit log by the beginning of their name, and people by that of their address, their full name or
  their sign-in name; of the filters of people, it goes with `status`, `email` and `username`. `sort` orders all of these by `name` or
  `created_at`; people, imports and registration tokens it orders by `created_at`. A hyphen before it turns the order round.
- **Changes.** Records carry an `ETag`; send it as `If-Match` and a change of something newer answers 409. `PUT` replaces
  all that can be chosen, `PATCH` takes a JSON Merge Patch (RFC 7396, `application/merge-patch+json`). Of a subscription to events, `PUT`
  leaves alone what it does not name, and null removes the description. Changes of one record come one
  after the other: patches that are sent at once are all made, and what is deleted in one version was not changed meanwhile.
  What compares no versions, such as `POST` of a new record, refuses `If-Match` with 400, and every change refuses `If-None-Match`.
- **Bodies and queries** say only what is read: an unknown member or parameter is refused by its name, and so is what a `POST` or `PUT`
  that takes no body is sent, other than `{}` or `null`. The parameters of such an operation, as `overlap_secs` of those that replace a
  secret, are in the query.
  A body that may be left out counts as left out where it is empty or `null`; one that is needed is refused where it is empty. A member
  that is `null` takes its default in a `PATCH`; in other bodies it is left out, where its schema has `null` at all, but for the `PUT` of a
  subscription. A whole number may be written as `60.0` or `6e1`, but not from 2 to the power of 53 on, where reading may round it: such a
  number is written without a point or an exponent, or refused with 400.
- **Retries.** Every write takes `idempotency-key`; the first response is given again for 24 hours, but for 401, 429 and 5xx.
- **Errors** are `application/problem+json` (RFC 9457) with `error`, `error_description` and `request_id`; `errors` lists
  every fault of a body with its JSON pointer; `type` is the address of a page about the class ([all of them](errors.md)).
- **The control plane**, `/api/v1/control-plane`, is for operators of the deployment, at the default tenant alone. Its tokens have
  the audience `<issuer>/control-plane`, come from the application `control-plane`, and open nothing else
  ([how to operate it](../how-to/operators.md)). Its list of tenants is narrowed by `status` and `plan_id`, `search` finds tenants by the
  beginning of their name or slug and plans by that of their name, and `sort` orders both by `name` or `created_at`. Operators are
  narrowed by `role`, and found by the beginning of their sign-in name or address.
- Scopes `users:*` are the former names of `tenant-users:*` and are accepted until 1.0.
";
