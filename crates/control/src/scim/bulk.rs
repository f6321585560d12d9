//! `/scim/v2/Bulk`: many operations in one request, each a transaction of its own (RFC 7644 §3.7).

mod references;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use svc_core::{Error, Result};
use svc_domain::scim::users::ProvisionedUser;
use svc_http::header::IF_MATCH;
use svc_http::{HeaderMap, HeaderValue, Problem, Response, ScimBulkBody, ScimCx, StatusCode, scim_error};

use self::references::References;
use super::base;
use super::filter::plain;
use super::groups::Group;
use super::provisioned::{self, Outcome, Provisioned};
use super::reply::{self, unknown};

/// The message of an answer.
const RESPONSE: &str = "urn:ietf:params:scim:api:messages:2.0:BulkResponse";

/// One operation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operation {
    method: Method,
    bulk_id: Option<String>,
    path: String,
    version: Option<String>,
    data: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    Post,
    Put,
    Patch,
    Delete,
}

/// What became of an operation.
enum Done {
    Made(Outcome),
    Deleted,
}

pub(super) async fn bulk(caller: ScimCx, ScimBulkBody(sent): ScimBulkBody) -> Result<Response, Problem> {
    let (most_failed, operations) = read(&caller, &sent)?;
    let mut references = References::default();
    let mut results: Vec<Option<Value>> = vec![None; operations.len()];
    let (mut failed, mut is_stuck) = (0, false);
    while failed < most_failed
        && let Some(at) = next(&operations, &results, &references, &mut is_stuck)
    {
        let Some(operation) = operations.get(at) else { break };
        let (result, place) = match references.resolved(operation) {
            Ok(resolved) => (carry_out(&caller, &resolved).await, resolved.place(&caller)),
            Err(error) => (Err(error.into()), None),
        };
        if let (Ok(Done::Made(made)), Some(name)) = (&result, &operation.bulk_id) {
            references.know(name, &made.resource);
        }
        failed += usize::from(result.is_err());
        if let Some(slot) = results.get_mut(at) {
            *slot = Some(told(operation, &result, place));
        }
    }
    let answer =
        json!({ "schemas": [RESPONSE], "Operations": results.into_iter().flatten().collect::<Vec<_>>() });
    Ok(reply::document(StatusCode::OK, answer.as_object().unwrap_or(&Map::new()))?)
}

/// The next operation: the first whose references are known, or the first at all, which then fails, where they refer to each other.
///
/// Where none is ready, none will be: what fails makes nothing that another waits for.
fn next(
    operations: &[Operation],
    results: &[Option<Value>],
    references: &References,
    is_stuck: &mut bool,
) -> Option<usize> {
    let mut waiting = (0..operations.len()).filter(|at| results.get(*at).is_some_and(Option::is_none));
    let first = waiting.clone().next();
    if *is_stuck {
        return first;
    }
    let is_ready = |at: &usize| operations.get(*at).is_some_and(|operation| references.are_known(operation));
    let ready = waiting.find(is_ready);
    *is_stuck = ready.is_none();
    ready.or(first)
}

/// Reads the request: after how many failures it ends, and its operations.
fn read(caller: &ScimCx, sent: &Map<String, Value>) -> Result<(usize, Vec<Operation>)> {
    let most_failed = match plain(sent, "failOnErrors") {
        None | Some(Value::Null) => usize::MAX,
        Some(number) => {
            let number = number.as_u64().filter(|number| *number > 0);
            let number = number.and_then(|number| usize::try_from(number).ok());
            number.ok_or_else(|| syntax("failOnErrors: expected a whole number above 0"))?
        }
    };
    let Some(Value::Array(operations)) = plain(sent, "Operations") else {
        return Err(syntax("Operations: expected a list"));
    };
    let most = caller.app.config.scim.max_bulk_operations;
    if operations.len() > most as usize {
        return Err(Error::payload_too_large(format!("Operations: use at most {most}")).called("tooMany"));
    }
    let operations: Vec<_> = operations.iter().map(operation).collect::<Result<_>>()?;
    check_names(&operations)?;
    Ok((most_failed, operations))
}

/// Refuses one name for two resources: what refers to it would be about the one or the other.
fn check_names(operations: &[Operation]) -> Result<()> {
    let mut seen = BTreeSet::new();
    let made = operations.iter().filter(|operation| operation.method == Method::Post);
    match made.filter_map(|operation| operation.bulk_id.as_deref()).find(|name| !seen.insert(*name)) {
        Some(_) => {
            Err(syntax("bulkId: two operations make something of this name; give each a name of its own"))
        }
        None => Ok(()),
    }
}

fn operation(sent: &Value) -> Result<Operation> {
    let sent = sent.as_object().ok_or_else(|| syntax("Operations: expected objects"))?;
    let text = |name: &str| plain(sent, name).and_then(Value::as_str).map(str::to_owned);
    let method = match text("method").unwrap_or_default().to_ascii_uppercase().as_str() {
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "PATCH" => Method::Patch,
        "DELETE" => Method::Delete,
        _ => return Err(syntax("method: expected POST, PUT, PATCH or DELETE")),
    };
    let bulk_id = text("bulkId").filter(|id| !id.is_empty());
    if method == Method::Post && bulk_id.is_none() {
        return Err(syntax("bulkId: give what is made one"));
    }
    let path = text("path").ok_or_else(|| syntax("path: expected a text"))?;
    let data = plain(sent, "data").and_then(Value::as_object).cloned().unwrap_or_default();
    Ok(Operation { method, bulk_id, path, version: text("version"), data })
}

async fn carry_out(caller: &ScimCx, operation: &Operation) -> Result<Done, Problem> {
    let path = operation.path.trim_start_matches('/');
    let (kind, id) = path.split_once('/').map_or((path, None), |(kind, id)| (kind, Some(id)));
    match kind {
        "Users" => on::<ProvisionedUser>(caller, operation, id).await,
        "Groups" => on::<Group>(caller, operation, id).await,
        _ => Err(Error::bad_request("path: expected /Users or /Groups").called("invalidPath").into()),
    }
}

async fn on<R: Provisioned>(
    caller: &ScimCx,
    Operation { method, version, data, .. }: &Operation,
    id: Option<&str>,
) -> Result<Done, Problem> {
    let headers = conditions(version.as_deref())?;
    let id = id.map(|id| id.parse().map_err(|_| unknown())).transpose()?;
    match (method, id) {
        (Method::Post, None) => Ok(provisioned::create::<R>(caller, data.clone()).await.map(Done::Made)?),
        (Method::Put, Some(id)) => {
            provisioned::replace::<R>(caller, (id, &headers), data.clone()).await.map(Done::Made)
        }
        (Method::Patch, Some(id)) => {
            provisioned::change::<R>(caller, (id, &headers), data.clone()).await.map(Done::Made)
        }
        (Method::Delete, Some(id)) => {
            provisioned::delete::<R>(caller, (id, &headers)).await.map(|()| Done::Deleted)
        }
        _ => Err(Error::bad_request("path: POST takes a type of resource, every other method a resource")
            .called("invalidPath")
            .into()),
    }
}

/// The version that an operation is meant for.
fn conditions(version: Option<&str>) -> Result<HeaderMap> {
    let Some(version) = version else { return Ok(HeaderMap::new()) };
    let version = HeaderValue::try_from(version).map_err(|_| syntax("version: expected an entity tag"))?;
    Ok(HeaderMap::from_iter([(IF_MATCH, version)]))
}

impl Operation {
    /// The address of the resource that it is about, which the answer has in any case but that of what could not be made.
    fn place(&self, caller: &ScimCx) -> Option<String> {
        let path = self.path.trim_start_matches('/');
        (self.method != Method::Post).then(|| format!("{}/{path}", base(caller)))
    }
}

/// What the answer says of an operation on what is in this `place`.
fn told(operation: &Operation, result: &Result<Done, Problem>, place: Option<String>) -> Value {
    let method = match operation.method {
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Patch => "PATCH",
        Method::Delete => "DELETE",
    };
    let mut told = Map::from_iter([("method".to_owned(), json!(method))]);
    if let Some(id) = &operation.bulk_id {
        told.insert("bulkId".to_owned(), json!(id));
    }
    told.extend(place.map(|place| ("location".to_owned(), json!(place))));
    match result {
        Ok(Done::Made(made)) => {
            told.insert("location".to_owned(), json!(made.location));
            told.insert("version".to_owned(), json!(made.version));
            told.insert("status".to_owned(), json!(made.status.as_u16().to_string()));
        }
        Ok(Done::Deleted) => drop(told.insert("status".to_owned(), json!("204"))),
        Err(problem) => {
            let error = problem.error();
            told.insert("status".to_owned(), json!(error.class().status().to_string()));
            told.insert("response".to_owned(), json!(scim_error(error)));
        }
    }
    Value::Object(told)
}

fn syntax(why: &str) -> Error {
    Error::bad_request(why).called("invalidSyntax")
}
