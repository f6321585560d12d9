//! `/scim/v2/Groups`: groups of people of the organization (RFC 7643 §4.2). A group has people in it, and no groups.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use svc_core::{OrganizationId, Result, ScimGroupId, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::scim::groups::{self, Content, ProvisionedGroup};
use svc_domain::scim::users::ProvisionedUser;
use svc_http::ScimCx;

use super::document::{self, misfit};
use super::filter::plain;
use super::provisioned::{self, BATCH, From, Page, Provisioned, Shown};
use super::reply::tagged;
use super::schema::{GROUPS, Schema};
use super::users::external_id;

const LONGEST_NAME: usize = 256;

/// A group with the people in it, as far as these are asked for.
pub(super) struct Group {
    record: ProvisionedGroup,
    members: BTreeSet<TenantUserId>,
}

impl Provisioned for Group {
    const PATH: &'static str = "/Groups";
    const COSTLY: &'static [&'static str] = &["members"];

    type Id = ScimGroupId;

    fn schema(_: &ScimCx) -> Arc<Schema> {
        Arc::clone(&GROUPS)
    }

    fn id(&self) -> ScimGroupId {
        self.record.id
    }

    fn version(&self) -> String {
        tagged(&(self.record.id, self.record.version, self.record.size))
    }

    fn document(&self) -> Map<String, Value> {
        let member = |id: &TenantUserId| json!({ "value": id, "type": "User" });
        let mut document = named(&self.record);
        if !self.members.is_empty() {
            document.insert("members".to_owned(), self.members.iter().map(member).collect());
        }
        document
    }

    fn shown(&self, caller: &ScimCx) -> Shown {
        let member = |id: &TenantUserId| {
            let location = provisioned::location::<ProvisionedUser>(caller, *id);
            json!({ "value": id, "$ref": location, "type": "User" })
        };
        let mut attributes = named(&self.record);
        if !self.members.is_empty() {
            attributes.insert("members".to_owned(), self.members.iter().map(member).collect());
        }
        Shown { attributes, times: [self.record.created_at, self.record.updated_at] }
    }

    async fn find(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        (id, is_whole): (ScimGroupId, bool),
    ) -> Result<Option<Self>> {
        let found = groups::find(tx, organization, id).await?.into_iter().collect();
        Ok(filled(tx, organization, (found, is_whole)).await?.pop())
    }

    async fn look_up(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        (name, value): (&str, &str),
        is_whole: bool,
    ) -> Result<Option<Vec<Self>>> {
        let found = match name {
            "displayname" => groups::find_by_name(tx, organization, (value, BATCH)).await?,
            "externalid" => groups::find_by_external_id(tx, organization, value).await?.into_iter().collect(),
            "id" => match value.parse() {
                Ok(id) => groups::find(tx, organization, id).await?.into_iter().collect(),
                Err(_) => Vec::new(),
            },
            "members" | "members.value" => match value.parse() {
                Ok(person) => groups::of_member(tx, organization, person).await?,
                Err(_) => Vec::new(),
            },
            _ => return Ok(None),
        };
        filled(tx, organization, (found, is_whole)).await.map(Some)
    }

    async fn page(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        page: Page<ScimGroupId>,
    ) -> Result<Vec<Self>> {
        let found = match page.from {
            From::Offset(offset) => groups::page(tx, organization, (offset, page.limit)).await?,
            From::After(last) => groups::page_after(tx, organization, (last, page.limit)).await?,
        };
        filled(tx, organization, (found, page.is_whole)).await
    }

    async fn count(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<i64> {
        groups::count(tx, organization).await
    }

    async fn create(caller: &ScimCx, tx: &mut Tx<Tenant>, sent: Map<String, Value>) -> Result<Self> {
        let id = groups::create(tx, caller, caller.organization.id, &content(sent)?).await?;
        provisioned::find(caller, tx, id).await
    }

    async fn update(&self, caller: &ScimCx, tx: &mut Tx<Tenant>, sent: Map<String, Value>) -> Result<()> {
        let of = (caller.organization.id, &self.record);
        groups::update(tx, caller, of, (&self.members, &content(sent)?)).await.map(|_| ())
    }

    /// People who leave the group lose the roles that it gives them.
    fn ends_access(&self, wanted: &Map<String, Value>) -> bool {
        let left: Option<BTreeSet<_>> = match plain(wanted, "members") {
            None | Some(Value::Null) => Some(BTreeSet::new()),
            Some(Value::Array(members)) => members.iter().map(|member| person(member).ok()).collect(),
            Some(_) => None,
        };
        left.is_some_and(|left| left.len() < self.members.len() && left.is_subset(&self.members))
    }

    async fn delete(&self, caller: &ScimCx, tx: &mut Tx<Tenant>) -> Result<()> {
        groups::delete(tx, caller, caller.organization.id, &self.record).await
    }
}

/// The groups with the people in them, where these are needed.
async fn filled(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (records, is_whole): (Vec<ProvisionedGroup>, bool),
) -> Result<Vec<Group>> {
    let mut filled = Vec::with_capacity(records.len());
    for record in records {
        let members =
            if is_whole { groups::members(tx, organization, record.id).await? } else { BTreeSet::new() };
        filled.push(Group { record, members });
    }
    Ok(filled)
}

/// What the directory said of a group, but for its people.
fn named(record: &ProvisionedGroup) -> Map<String, Value> {
    let mut document = record.document.clone();
    document.insert("displayName".to_owned(), json!(record.display_name));
    if let Some(id) = &record.external_id {
        document.insert("externalId".to_owned(), json!(id));
    }
    document
}

/// What a resource says of a group.
fn content(sent: Map<String, Value>) -> Result<Content> {
    let external_id = external_id(&sent)?;
    let mut document = document::accepted(sent, &GROUPS)?;
    let display_name = match document.remove("displayName") {
        Some(Value::String(name)) if !name.trim().is_empty() && name.chars().count() <= LONGEST_NAME => name,
        _ => return Err(misfit("displayName", "expected 1 to 256 characters")),
    };
    let members = match document.remove("members") {
        Some(Value::Array(members)) => members.iter().map(person).collect::<Result<_>>()?,
        _ => BTreeSet::new(),
    };
    Ok(Content { display_name, external_id, members, document })
}

fn person(member: &Value) -> Result<TenantUserId> {
    let id = member.get("value").and_then(Value::as_str).unwrap_or_default();
    id.parse()
        .map_err(|_| misfit("members", "expected ids of people whom the directory provisioned as values"))
}
