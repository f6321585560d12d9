//! `/scim/v2/Users`: people of the organization (RFC 7643 §4.1).

use std::sync::Arc;

use serde_json::{Map, Value, json};
use svc_core::{OrganizationId, Result, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::claims::forms::is_zone;
use svc_domain::claims::profile::Profile;
use svc_domain::people::tenant_users::Status;
use svc_domain::scim::users::{self, Content, ProvisionedUser};
use svc_http::ScimCx;

use super::declared;
use super::document::{self, misfit};
use super::filter::plain;
use super::groups::Group;
use super::provisioned::{self, BATCH, From, Page, Provisioned, Shown};
use super::reply::tagged;
use super::schema::Schema;

const LONGEST_NAME: usize = 256;

impl Provisioned for ProvisionedUser {
    const PATH: &'static str = "/Users";

    type Id = TenantUserId;

    fn schema(caller: &ScimCx) -> Arc<Schema> {
        declared::for_people(&caller.schemas)
    }

    fn id(&self) -> TenantUserId {
        self.id
    }

    fn version(&self) -> String {
        tagged(&(
            self.version,
            self.member_version,
            self.groups.iter().map(|group| (group.id, &group.display)).collect::<Vec<_>>(),
        ))
    }

    fn document(&self) -> Map<String, Value> {
        let mut document = self.document.clone();
        // Whom the tenant let in again is active for the directory too, until it says otherwise once more.
        if self.status == Status::Active && document.contains_key("active") {
            document.insert("active".to_owned(), Value::Bool(true));
        }
        if let Some(id) = &self.external_id {
            document.insert("externalId".to_owned(), json!(id));
        }
        document
    }

    fn shown(&self, caller: &ScimCx) -> Shown {
        let mut attributes = self.document();
        // A directory that took the attribute away does not see it again while it says nothing.
        if attributes.contains_key("active") {
            attributes.insert("active".to_owned(), json!(self.status == Status::Active));
        }
        let group = |group: &users::Group| {
            let location = provisioned::location::<Group>(caller, group.id);
            json!({ "value": group.id, "$ref": location, "display": group.display, "type": "direct" })
        };
        if !self.groups.is_empty() {
            attributes.insert("groups".to_owned(), self.groups.iter().map(group).collect());
        }
        Shown { attributes, times: [self.created_at, self.updated_at] }
    }

    async fn find(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        (id, _): (TenantUserId, bool),
    ) -> Result<Option<Self>> {
        users::find(tx, organization, id).await
    }

    async fn look_up(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        (name, value): (&str, &str),
        _: bool,
    ) -> Result<Option<Vec<Self>>> {
        let one = match name {
            "username" => users::find_by_user_name(tx, organization, value).await?,
            "externalid" => users::find_by_external_id(tx, organization, value).await?,
            "id" => match value.parse() {
                Ok(id) => users::find(tx, organization, id).await?,
                Err(_) => None,
            },
            "emails" | "emails.value" => {
                return users::find_by_email(tx, organization, (value, BATCH)).await.map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(one.into_iter().collect()))
    }

    async fn page(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        page: Page<TenantUserId>,
    ) -> Result<Vec<Self>> {
        match page.from {
            From::Offset(offset) => users::page(tx, organization, (offset, page.limit)).await,
            From::After(last) => users::page_after(tx, organization, (last, page.limit)).await,
        }
    }

    async fn count(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<i64> {
        users::count(tx, organization).await
    }

    async fn create(caller: &ScimCx, tx: &mut Tx<Tenant>, sent: Map<String, Value>) -> Result<Self> {
        let most = caller.tenant.settings.limits.organizations.max_members(&caller.app.config);
        let mut sent = sent;
        if plain(&sent, "active").is_none() {
            sent.insert("active".to_owned(), Value::Bool(true));
        }
        users::create(tx, caller, (caller.organization.id, most), &content(caller, sent)?).await
    }

    async fn update(&self, caller: &ScimCx, tx: &mut Tx<Tenant>, sent: Map<String, Value>) -> Result<()> {
        let content = content(caller, sent)?;
        declared::check_immutable(&self.document, &content.document, &Self::schema(caller))?;
        users::update(tx, caller, (caller.organization.id, self), &content).await.map(|_| ())
    }

    fn kept(&self, mut sent: Map<String, Value>) -> Map<String, Value> {
        if plain(&sent, "active").is_none()
            && let Some(active) = self.document().remove("active")
        {
            sent.insert("active".to_owned(), active);
        }
        sent
    }

    fn ends_access(&self, wanted: &Map<String, Value>) -> bool {
        match plain(wanted, "active") {
            Some(Value::Bool(active)) => !active,
            // As Entra says it.
            Some(Value::String(active)) => active.eq_ignore_ascii_case("false"),
            _ => false,
        }
    }

    async fn delete(&self, caller: &ScimCx, tx: &mut Tx<Tenant>) -> Result<()> {
        users::delete(tx, caller, self).await
    }
}

/// What a resource says of a person.
fn content(caller: &ScimCx, sent: Map<String, Value>) -> Result<Content> {
    let external_id = external_id(&sent)?;
    let document = document::accepted(sent, &ProvisionedUser::schema(caller))?;
    let user_name = text(&document, "userName").unwrap_or_default();
    if user_name.trim().is_empty() || user_name.chars().count() > LONGEST_NAME {
        return Err(misfit("userName", "expected 1 to 256 characters"));
    }
    let active = document.get("active").is_none_or(|active| *active == Value::Bool(true));
    let emails = addresses(&document);
    let email = preferred(&document).or_else(|| Some(user_name.clone()).filter(|name| name.contains('@')));
    let profile = profile(&document, &user_name);
    let extensions = caller.schemas.iter().map(|schema| declared::values_of(schema, &document)).collect();
    Ok(Content { user_name, external_id, email, emails, active, profile, document, extensions })
}

/// What the directory itself calls a resource.
pub(super) fn external_id(sent: &Map<String, Value>) -> Result<Option<String>> {
    match plain(sent, "externalId") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(id)) if id.chars().count() <= LONGEST_NAME => {
            Ok(Some(id.clone()).filter(|id| !id.is_empty()))
        }
        Some(_) => Err(misfit("externalId", "expected a text of at most 256 characters")),
    }
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
    // Entra removes the value of one and leaves its type: that is no address.
    let is_address = |email: &&Value| email.get("value").is_some_and(Value::is_string);
    let emails = || document.get("emails").and_then(Value::as_array).into_iter().flatten().filter(is_address);
    let is_primary = |email: &&Value| email.get("primary") == Some(&Value::Bool(true));
    let is_for_work = |email: &&Value| {
        email.get("type").and_then(Value::as_str).is_some_and(|kind| kind.eq_ignore_ascii_case("work"))
    };
    let chosen =
        emails().find(is_primary).or_else(|| emails().find(is_for_work)).or_else(|| emails().next())?;
    chosen.get("value")?.as_str().map(str::to_owned)
}

/// The claims that a resource amounts to. What would not fit on a page is none, and neither is a time zone by a name that others would not
/// know, as directories of Windows have them.
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
        zoneinfo: of(Some(document), "timezone").filter(|zone| is_zone(zone)),
        locale: of(Some(document), "locale"),
        given_name: given,
        family_name: family,
        ..Profile::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_zone_by_a_name_of_one_system_is_no_claim() {
        let claimed = |zone: &str| profile(json!({ "timezone": zone }).as_object().unwrap(), "ada").zoneinfo;
        assert_eq!(claimed("Europe/Paris").as_deref(), Some("Europe/Paris"));
        assert_eq!(claimed("Romance Standard Time"), None);
    }
}
