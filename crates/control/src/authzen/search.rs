//! Searches (`AuthZEN` 1.0 §8): who may do something, to what, and what may be done, as far as the policies and our records
//! name those whom to ask about.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::{Error, OrInternal as _, Result, TenantUserId};
use svc_domain::people::tenant_users::{self, Status};
use svc_domain::policies::{self, AccessAction, Question, SubjectOrResource};
use svc_http::{Json, Problem, Route, TenantCx};
use svc_keys::{hex, sha256};
use utoipa::ToSchema;

use super::SCOPE;

/// Most that one call asks about.
const MOST: u32 = 100;
const USUAL: u32 = 50;

/// A search for the subjects that may do this.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SubjectSearch, examples(json!({ "subject": { "type": "user" }, "action": { "name": "read" },
    "resource": { "type": "document", "id": "42" } })))]
struct SubjectSearch {
    /// Only the type counts: `user`.
    subject: Sort,
    /// The action.
    action: AccessAction,
    /// The resource.
    resource: SubjectOrResource,
    /// The circumstances.
    #[serde(default, deserialize_with = "policies::maybe_object")]
    #[schema(value_type = Option<Object>)]
    context: Map<String, Value>,
    /// Which page.
    #[serde(default)]
    page: Paging,
}

/// A search for the resources on which this may be done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ResourceSearch, examples(json!({ "subject": { "type": "user", "id": "usr_01jcqzv7y0e8kstk6yq6k3a4mf" },
    "action": { "name": "read" }, "resource": { "type": "document" } })))]
struct ResourceSearch {
    /// The subject.
    subject: SubjectOrResource,
    /// The action.
    action: AccessAction,
    /// Only the type and the properties count.
    resource: Sort,
    /// The circumstances.
    #[serde(default, deserialize_with = "policies::maybe_object")]
    #[schema(value_type = Option<Object>)]
    context: Map<String, Value>,
    /// Which page.
    #[serde(default)]
    page: Paging,
}

/// A search for the actions that may be done.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ActionSearch, examples(json!({ "subject": { "type": "user", "id": "usr_01jcqzv7y0e8kstk6yq6k3a4mf" },
    "resource": { "type": "document", "id": "42" } })))]
struct ActionSearch {
    /// The subject.
    subject: SubjectOrResource,
    /// The resource.
    resource: SubjectOrResource,
    /// The circumstances.
    #[serde(default, deserialize_with = "policies::maybe_object")]
    #[schema(value_type = Option<Object>)]
    context: Map<String, Value>,
    /// Which page.
    #[serde(default)]
    page: Paging,
}

/// What is searched.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SearchedSort)]
struct Sort {
    /// Its type.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 128)]
    kind: String,
    /// Means nothing here.
    #[serde(default, rename = "id")]
    #[schema(nullable = false)]
    _id: Option<String>,
    /// What each is assumed to have.
    #[serde(default, deserialize_with = "policies::maybe_object")]
    #[schema(value_type = Option<Object>)]
    properties: Map<String, Value>,
}

/// Which page.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SearchPaging)]
struct Paging {
    /// The `next_token` of the page before.
    #[serde(default, alias = "next_token")]
    #[schema(nullable = false)]
    token: Option<String>,
    /// About how many is asked, 1 to 100; 50 unless given.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 100, nullable = false)]
    limit: Option<u32>,
    /// Means nothing here.
    #[serde(default, rename = "properties", deserialize_with = "policies::maybe_object")]
    #[schema(value_type = Option<Object>)]
    _properties: Map<String, Value>,
}

/// A page of results.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccessSearchResult)]
struct SearchPage {
    /// The permitted subjects, resources or actions; a page may have none although others follow.
    results: Vec<SearchResult>,
    /// The page that follows.
    page: NextPage,
}

/// A subject or resource with `type` and `id`, or an action with `name`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccessFound)]
struct SearchResult {
    /// The type of a subject or resource.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    kind: Option<String>,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    id: Option<String>,
    /// The name of an action.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    name: Option<String>,
}

/// The page that follows.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccessNextPage)]
struct NextPage {
    /// The `token` of the next page; empty where nothing follows.
    next_token: String,
    /// How many results this page has.
    count: usize,
}

pub(super) fn routes() -> [Route; 3] {
    [
        Route::post("/access/v1/search/subject")
            .tenant(SCOPE, subjects)
            .summary("Search for the subjects that may do something"),
        Route::post("/access/v1/search/resource")
            .tenant(SCOPE, resources)
            .summary("Search for the resources on which something may be done"),
        Route::post("/access/v1/search/action")
            .tenant(SCOPE, actions)
            .summary("Search for the actions that may be done"),
    ]
}

async fn subjects(caller: TenantCx, Json(search): Json<SubjectSearch>) -> Result<Json<SearchPage>, Problem> {
    let SubjectSearch { subject, action, resource, context, page } = search;
    if !is_person(&subject.kind) {
        return Err(Error::bad_request("subject.type: only the type `user` can be searched").into());
    }
    let ask = |id: String| Question {
        subject: SubjectOrResource { kind: subject.kind.clone(), id, properties: subject.properties.clone() },
        action: action.clone(),
        resource: resource.clone(),
        context: context.clone(),
    };
    let (found, next) = people(&caller, &page, ask).await?;
    Ok(Json(SearchPage::of_type(&subject.kind, found, next)))
}

async fn resources(
    caller: TenantCx,
    Json(search): Json<ResourceSearch>,
) -> Result<Json<SearchPage>, Problem> {
    let ResourceSearch { subject, action, resource, context, page } = search;
    let ask = |id: String| Question {
        subject: subject.clone(),
        action: action.clone(),
        resource: SubjectOrResource {
            kind: resource.kind.clone(),
            id,
            properties: resource.properties.clone(),
        },
        context: context.clone(),
    };
    let (found, next) = if is_person(&resource.kind) {
        people(&caller, &page, ask).await?
    } else {
        let named = caller.app.services.policies.of(caller.tenant.id).await?.ids_of(&resource.kind);
        among(&caller, &page, named, ask).await?
    };
    Ok(Json(SearchPage::of_type(&resource.kind, found, next)))
}

async fn actions(caller: TenantCx, Json(search): Json<ActionSearch>) -> Result<Json<SearchPage>, Problem> {
    let ActionSearch { subject, resource, context, page } = search;
    let ask = |name: String| Question {
        subject: subject.clone(),
        action: AccessAction { name, properties: Map::new() },
        resource: resource.clone(),
        context: context.clone(),
    };
    let named = caller.app.services.policies.of(caller.tenant.id).await?.actions();
    let (found, next) = among(&caller, &page, named, ask).await?;
    let results =
        found.into_iter().map(|name| SearchResult { kind: None, id: None, name: Some(name) }).collect();
    Ok(Json(SearchPage::of(results, next)))
}

fn is_person(kind: &str) -> bool {
    matches!(kind, "user" | "User")
}

/// Asks about the active people of the tenant, a page of them at a time.
async fn people(
    caller: &TenantCx,
    page: &Paging,
    ask: impl Fn(String) -> Question,
) -> Result<(Vec<String>, Option<String>)> {
    let hash = QuestionHash::of(&ask(String::new()))?;
    let (limit, after): (u32, Option<TenantUserId>) = (page.limit()?, page.after(caller, &hash)?);
    let mut tx = caller.read().await?;
    let people = tenant_users::list_of(&mut tx, Status::Active, (after, limit + 1)).await?;
    drop(tx);
    let ids = people.into_iter().map(|person| person.id).collect::<Vec<_>>();
    let (ids, last) = cut(ids, limit);
    let permitted = permitted(caller, ids.iter().map(ToString::to_string), ask).await?;
    Ok((permitted, hash.next(caller, last)?))
}

/// Asks about what the policies name, a page of it at a time.
async fn among(
    caller: &TenantCx,
    page: &Paging,
    named: impl IntoIterator<Item = String>,
    ask: impl Fn(String) -> Question,
) -> Result<(Vec<String>, Option<String>)> {
    let hash = QuestionHash::of(&ask(String::new()))?;
    let (limit, after): (u32, Option<String>) = (page.limit()?, page.after(caller, &hash)?);
    let rest = named.into_iter().filter(|name| after.as_ref().is_none_or(|after| name > after));
    let (candidates, last) = cut(rest.take(limit as usize + 1).collect(), limit);
    let permitted = permitted(caller, candidates, ask).await?;
    Ok((permitted, hash.next(caller, last)?))
}

/// A page, and its last member where more follow.
fn cut<T: Clone>(mut all: Vec<T>, limit: u32) -> (Vec<T>, Option<T>) {
    let has_more = all.len() > limit as usize;
    all.truncate(limit as usize);
    let last = all.last().filter(|_| has_more).cloned();
    (all, last)
}

/// Those for whom the policies permit what is asked.
async fn permitted(
    caller: &TenantCx,
    asked: impl IntoIterator<Item = String>,
    ask: impl Fn(String) -> Question,
) -> Result<Vec<String>> {
    let mut permitted = Vec::new();
    for one in asked {
        if is_permitted(caller, &ask(one.clone())).await? {
            permitted.push(one);
        }
    }
    Ok(permitted)
}

async fn is_permitted(caller: &TenantCx, question: &Question) -> Result<bool> {
    let engine = &caller.app.services.policies;
    let (present, asked) =
        (engine.of(caller.tenant.id).await?, engine.prepare(caller.tenant.id, caller, question, &[]).await?);
    Ok(policies::judge(present.deciding(), &asked).is_permitted())
}

impl Paging {
    fn limit(&self) -> Result<u32> {
        let limit = self.limit.unwrap_or(USUAL);
        if (1..=MOST).contains(&limit) {
            return Ok(limit);
        }
        Err(Error::bad_request(format!("page.limit: give 1 to {MOST}")))
    }

    fn after<P: DeserializeOwned>(&self, caller: &TenantCx, hash: &QuestionHash) -> Result<Option<P>> {
        let Some(token) = self.token.as_deref().filter(|token| !token.is_empty()) else { return Ok(None) };
        let (of, last): (String, P) = caller.position(token).map_err(|_| {
            Error::bad_request(
                "page.token: not a token of this search; use the `next_token` of its previous page",
            )
        })?;
        if of != hash.0 {
            return Err(Error::bad_request(
                "page.token: was given out for another question; repeat the question with it",
            ));
        }
        Ok(Some(last))
    }
}

/// The SHA-256 hash of a search without its page, in hex. A page token is only valid for the search that it was given out for (§8.2).
struct QuestionHash(String);

impl QuestionHash {
    fn of(question: &Question) -> Result<Self> {
        // Members have no order (RFC 8259 §1), and clients build them again for each page.
        let mut members = serde_json::to_value(question).or_internal()?;
        members.sort_all_objects();
        Ok(Self(hex(sha256(members.to_string().as_bytes()))))
    }

    /// The token of the page that follows, where one does.
    fn next<P: Serialize>(&self, caller: &TenantCx, last: Option<P>) -> Result<Option<String>> {
        last.map(|last| caller.cursor(&(&self.0, last))).transpose()
    }
}

impl SearchPage {
    fn of_type(kind: &str, ids: Vec<String>, next: Option<String>) -> Self {
        let result = |id| SearchResult { kind: Some(kind.to_owned()), id: Some(id), name: None };
        Self::of(ids.into_iter().map(result).collect(), next)
    }

    fn of(results: Vec<SearchResult>, next: Option<String>) -> Self {
        let page = NextPage { next_token: next.unwrap_or_default(), count: results.len() };
        Self { results, page }
    }
}
