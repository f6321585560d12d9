//! `/scim/v2/Users` (RFC 7644 §3).

use serde_json::{Map, Value, json};
use svc_core::{OrganizationId, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::claims::profile::Profile;
use svc_domain::people::tenant_users::Status;
use svc_domain::scim::users::{self, Content, ProvisionedUser};
use svc_http::{
    HeaderMap, IntoResponse, NoContent, Path, Problem, QueryParams, Response, ScimBody, ScimCx, StatusCode,
};

use super::document::{self, misfit};
use super::filter::plain;
use super::listing::{Asked, Found, MOST_SCANNED, Start, too_many};
use super::projection::Projection;
use super::reply::{self, unknown};
use super::schema::{Schema, USER, USERS};
use super::{base, patch};

const SCHEMA: &Schema = &USERS;
/// How many are read at once where all are looked through.
const BATCH: u32 = 500;
const LONGEST_NAME: usize = 256;

pub(super) async fn list(caller: ScimCx, QueryParams(params): QueryParams) -> Result<Response, Problem> {
    let asked = Asked::of_query(&caller, &params, SCHEMA)?;
    answer(&caller, asked).await
}

pub(super) async fn search(caller: ScimCx, ScimBody(sent): ScimBody) -> Result<Response, Problem> {
    let asked = Asked::of_message(&caller, &sent, SCHEMA)?;
    answer(&caller, asked).await
}

async fn answer(caller: &ScimCx, asked: Asked) -> Result<Response, Problem> {
    let found = found(caller, &mut caller.read().await?, &asked).await?;
    Ok(reply::document(StatusCode::OK, &asked.answer(caller, found)?)?)
}

pub(super) async fn create(
    caller: ScimCx,
    QueryParams(params): QueryParams,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let shown = Asked::of_query(&caller, &params, SCHEMA)?.projection;
    let content = content(sent)?;
    let most = caller.app.config.organizations.max_members;
    let mut tx = caller.begin().await?;
    let id = users::create(&mut tx, &caller, (&caller.organization, most), &content).await?;
    let user = find(&mut tx, caller.organization.id, id).await?;
    tx.commit().await?;
    one(&caller, StatusCode::CREATED, &user, &shown)
}

pub(super) async fn read(
    caller: ScimCx,
    Path(id): Path<TenantUserId>,
    QueryParams(params): QueryParams,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let shown = Asked::of_query(&caller, &params, SCHEMA)?.projection;
    let user = find(&mut caller.read().await?, caller.organization.id, id).await?;
    if reply::is_known(&headers, &version(&user)) {
        return Ok(reply::unchanged(&version(&user))?);
    }
    one(&caller, StatusCode::OK, &user, &shown)
}

pub(super) async fn replace(
    caller: ScimCx,
    Path(id): Path<TenantUserId>,
    QueryParams(params): QueryParams,
    headers: HeaderMap,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let shown = Asked::of_query(&caller, &params, SCHEMA)?.projection;
    changed(&caller, id, &headers, &shown, |_| content(sent)).await
}

pub(super) async fn change(
    caller: ScimCx,
    Path(id): Path<TenantUserId>,
    QueryParams(params): QueryParams,
    headers: HeaderMap,
    ScimBody(sent): ScimBody,
) -> Result<Response, Problem> {
    let shown = Asked::of_query(&caller, &params, SCHEMA)?.projection;
    let operations = patch::operations(sent)?;
    let patched = |user: &ProvisionedUser| {
        let mut document = user.document.clone();
        if let Some(id) = &user.external_id {
            document.insert("externalId".to_owned(), json!(id));
        }
        patch::apply(&mut document, operations, SCHEMA)?;
        content(document)
    };
    changed(&caller, id, &headers, &shown, patched).await
}

async fn changed(
    caller: &ScimCx,
    id: TenantUserId,
    headers: &HeaderMap,
    shown: &Projection,
    wanted: impl FnOnce(&ProvisionedUser) -> Result<Content>,
) -> Result<Response, Problem> {
    let mut tx = caller.begin().await?;
    let user = find(&mut tx, caller.organization.id, id).await?;
    reply::check(headers, &version(&user))?;
    let wanted = wanted(&user)?;
    users::update(&mut tx, caller, (caller.organization.id, &user), &wanted).await?;
    let user = find(&mut tx, caller.organization.id, id).await?;
    tx.commit().await?;
    one(caller, StatusCode::OK, &user, shown)
}

pub(super) async fn delete(
    caller: ScimCx,
    Path(id): Path<TenantUserId>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let mut tx = caller.begin().await?;
    let user = find(&mut tx, caller.organization.id, id).await?;
    reply::check(&headers, &version(&user))?;
    users::delete(&mut tx, &caller, &user).await?;
    tx.commit().await?;
    Ok(NoContent.into_response())
}

async fn find(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: TenantUserId,
) -> Result<ProvisionedUser> {
    users::find(tx, organization, id).await?.ok_or_else(unknown)
}

/// A page: by an index where the filter names one person, or where all are asked for in the order of their ids; all are looked
/// through otherwise, within bounds.
async fn found(caller: &ScimCx, tx: &mut Tx<Tenant>, asked: &Asked) -> Result<Found> {
    let organization = caller.organization.id;
    if let Some(filter) = &asked.filter {
        let rendered = |user: &ProvisionedUser| rendered(caller, user);
        if let Some(candidates) = looked_up(tx, organization, &filter.equalities()).await? {
            let resources = candidates.iter().map(rendered).filter(|user| filter.matches(user, SCHEMA));
            return Ok(asked.page(resources.collect(), SCHEMA));
        }
    } else if asked.sort.is_none() {
        let total = users::count(tx, organization).await?;
        let page = match &asked.start {
            Start::Cursor(Some(position)) => {
                users::page_after(tx, organization, (position.last.parse().ok(), asked.count)).await?
            }
            _ => users::page(tx, organization, (asked.passed(), asked.count)).await?,
        };
        let resources = page.iter().map(|user| rendered(caller, user)).collect();
        return Ok(Found { resources, total, passed: asked.passed() });
    }
    if users::count(tx, organization).await? > MOST_SCANNED {
        return Err(too_many());
    }
    let mut resources = Vec::new();
    let mut last = None;
    loop {
        let batch = users::page_after(tx, organization, (last, BATCH)).await?;
        let matching = batch.iter().map(|user| rendered(caller, user));
        resources.extend(
            matching.filter(|user| asked.filter.as_ref().is_none_or(|filter| filter.matches(user, SCHEMA))),
        );
        match batch.last() {
            Some(user) if batch.len() >= BATCH as usize => last = Some(user.id),
            _ => return Ok(asked.page(resources, SCHEMA)),
        }
    }
}

/// The people whom an index finds by what must be equal; nothing where no index does.
async fn looked_up(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    equal: &[(String, &str)],
) -> Result<Option<Vec<ProvisionedUser>>> {
    for (name, value) in equal {
        let one = match name.as_str() {
            "username" => users::find_by_user_name(tx, organization, value).await?,
            "externalid" => users::find_by_external_id(tx, organization, value).await?,
            "id" => match value.parse() {
                Ok(id) => users::find(tx, organization, id).await?,
                Err(_) => None,
            },
            "emails" | "emails.value" => {
                return users::find_by_email(tx, organization, (value, BATCH)).await.map(Some);
            }
            _ => continue,
        };
        return Ok(Some(one.into_iter().collect()));
    }
    Ok(None)
}

fn one(
    caller: &ScimCx,
    status: StatusCode,
    user: &ProvisionedUser,
    shown: &Projection,
) -> Result<Response, Problem> {
    let location = location(caller, user);
    let resource = shown.apply(rendered(caller, user));
    Ok(reply::resource(status, (&version(user), &location), &resource)?)
}

/// The resource as it is shown.
pub(super) fn rendered(caller: &ScimCx, user: &ProvisionedUser) -> Map<String, Value> {
    let extensions = user.document.keys().filter(|name| name.starts_with("urn:"));
    let schemas: Vec<_> = std::iter::once(USER).chain(extensions.map(String::as_str)).collect();
    let mut shown =
        Map::from_iter([("schemas".to_owned(), json!(schemas)), ("id".to_owned(), json!(user.id))]);
    if let Some(id) = &user.external_id {
        shown.insert("externalId".to_owned(), json!(id));
    }
    shown.extend(user.document.clone());
    shown.insert("active".to_owned(), json!(user.status == Status::Active));
    let meta = json!({
        "resourceType": "User",
        "created": user.created_at,
        "lastModified": user.updated_at,
        "location": location(caller, user),
        "version": version(user),
    });
    shown.insert("meta".to_owned(), meta);
    shown
}

fn location(caller: &ScimCx, user: &ProvisionedUser) -> String {
    format!("{}/Users/{}", base(caller), user.id)
}

fn version(user: &ProvisionedUser) -> String {
    format!("W/\"{}-{}\"", user.version, user.member_version)
}

/// What a resource says of a person.
pub(super) fn content(sent: Map<String, Value>) -> Result<Content> {
    let external_id = match plain(&sent, "externalId") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if id.chars().count() <= LONGEST_NAME => {
            Some(id.clone()).filter(|id| !id.is_empty())
        }
        Some(_) => return Err(misfit("externalId", "expected a text of at most 256 characters")),
    };
    let mut document = document::accepted(sent, SCHEMA)?;
    let user_name = text(&document, "userName").unwrap_or_default();
    if user_name.trim().is_empty() || user_name.chars().count() > LONGEST_NAME {
        return Err(misfit("userName", "expected 1 to 256 characters"));
    }
    let active = document.entry("active").or_insert(Value::Bool(true)) == &Value::Bool(true);
    let emails = addresses(&document);
    let email = preferred(&document).or_else(|| Some(user_name.clone()).filter(|name| name.contains('@')));
    let profile = profile(&document, &user_name);
    Ok(Content { user_name, external_id, email, emails, active, profile, document })
}

fn text(members: &Map<String, Value>, name: &str) -> Option<String> {
    members.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn addresses(document: &Map<String, Value>) -> Vec<String> {
    let emails = document.get("emails").and_then(Value::as_array).into_iter().flatten();
    emails.filter_map(|email| email.get("value")?.as_str().map(str::to_owned)).collect()
}

/// The primary address, the one for work, or the first.
fn preferred(document: &Map<String, Value>) -> Option<String> {
    let emails = document.get("emails")?.as_array()?;
    let is_primary = |email: &&Value| email.get("primary") == Some(&Value::Bool(true));
    let is_for_work = |email: &&Value| email.get("type").and_then(Value::as_str) == Some("work");
    let chosen =
        emails.iter().find(is_primary).or_else(|| emails.iter().find(is_for_work)).or(emails.first())?;
    chosen.get("value")?.as_str().map(str::to_owned)
}

/// The claims that a resource amounts to; what would not fit on a page is none.
fn profile(document: &Map<String, Value>, user_name: &str) -> Profile {
    let fits =
        |text: &String| (1..=200).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    let of = |members: Option<&Map<String, Value>>, name: &str| {
        members.and_then(|members| text(members, name)).filter(fits)
    };
    let name = document.get("name").and_then(Value::as_object);
    let (given, family) = (of(name, "givenName"), of(name, "familyName"));
    let both = || {
        let parts: Vec<_> = [&given, &family].into_iter().flatten().map(String::as_str).collect();
        Some(parts.join(" ")).filter(fits)
    };
    Profile {
        name: of(Some(document), "displayName").or_else(|| of(name, "formatted")).or_else(both),
        middle_name: of(name, "middleName"),
        nickname: of(Some(document), "nickName"),
        preferred_username: Some(user_name.to_owned()).filter(fits),
        zoneinfo: of(Some(document), "timezone"),
        locale: of(Some(document), "locale"),
        given_name: given,
        family_name: family,
        ..Profile::default()
    }
}
