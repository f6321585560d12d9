//! Finds what an application has of a person or a group: by `externalId` alone, which this service has given.
//!
//! A person can call themselves as another account is called there, so neither a name nor an address makes an account theirs.

use serde_json::Value;
use svc_domain::delivery::scim_targets::{LinkKind, PushOutcome};
use svc_http::{App, Fetched, Method, ScimApplication, StatusCode};

use super::answers::{self, Said};

/// What is looked for.
pub(super) struct Sought<'a> {
    pub kind: LinkKind,
    pub external_id: &'a str,
    /// What is unique there as well: an application may not filter by `externalId`.
    pub unique: Option<(&'static str, &'a str)>,
}

/// The id of the one resource whose `externalId` is ours; nothing where there is none.
pub(super) async fn find(
    app: &App,
    application: &ScimApplication,
    sought: &Sought<'_>,
) -> Result<Option<String>, PushOutcome> {
    let by_id = ask(app, application, sought, ("externalId", sought.external_id)).await?;
    match (by_id, sought.unique) {
        (None, Some(unique)) => ask(app, application, sought, unique).await,
        (found, _) => Ok(found),
    }
}

async fn ask(
    app: &App,
    application: &ScimApplication,
    sought: &Sought<'_>,
    (attribute, value): (&str, &str),
) -> Result<Option<String>, PushOutcome> {
    let path = ScimApplication::query(sought.kind.endpoint(), attribute, value);
    let path = match sought.kind {
        LinkKind::User => path,
        // Thousands of members are more than is read of an answer.
        LinkKind::Group => format!("{path}&excludedAttributes=members"),
    };
    let answer = application.send(Method::GET, &path, None).await;
    let is_unable =
        |answer: &Fetched| matches!(answer.status, StatusCode::BAD_REQUEST | StatusCode::NOT_IMPLEMENTED);
    if answer.as_ref().is_ok_and(is_unable) {
        // It does not filter by this attribute.
        return Ok(None);
    }
    match answers::read(app, application, answer)? {
        Said::Done(list) => ours(&list, sought.external_id),
        Said::Absent(_) => Ok(None),
        Said::Conflict(why) => Err(PushOutcome::Refused(why)),
    }
}

/// The resource of a list that is ours: an application may answer with more than it was asked for.
fn ours(list: &Fetched, external_id: &str) -> Result<Option<String>, PushOutcome> {
    let document: Value = serde_json::from_slice(&list.body)
        .map_err(|_| PushOutcome::Refused("the answer to a query is no list of resources".to_owned()))?;
    let resources = document.get("Resources").and_then(Value::as_array).into_iter().flatten();
    let mut ids = resources
        .filter(|resource| resource.get("externalId").and_then(Value::as_str) == Some(external_id))
        .filter_map(id_of);
    match (ids.next(), ids.next()) {
        (Some(_), Some(_)) => Err(PushOutcome::Refused(format!(
            "the application has several accounts with the externalId {external_id}"
        ))),
        (found, _) => Ok(found),
    }
}

/// The `id` of a resource, if an address can name it.
pub(super) fn id_of(resource: &Value) -> Option<String> {
    let id = resource.get("id")?.as_str()?;
    ScimApplication::resource("", id).ok().map(|_| id.to_owned())
}
