//! A question: may this subject do this to this resource, in these circumstances? It has the form of the OpenID `AuthZEN`
//! Authorization API 1.0 §5, and becomes a request of the language with the entities that are known.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use cedar_policy::{
    Context, Entities, Entity, EntityId, EntityUid, Request, RestrictedExpression as Expression,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use svc_core::{Error, OrInternal as _, OrganizationId, Result, Timestamp};
use utoipa::ToSchema;

use super::people::Principal;
use super::values::{self, Place};

/// Most entities that a simulation may bring.
const MOST_GIVEN: usize = 100;
/// Most bytes of the name of an action.
const LONGEST_ACTION: usize = 128;
/// What is said of our own people by our records alone.
const OF_RECORDS: &[&str] = &[
    "id",
    "sub",
    "status",
    "username",
    "email",
    "email_verified",
    "roles",
    "groups",
    "organizations",
    "organization_roles",
    "parents",
];

/// A question: may this subject do this to this resource?
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AccessQuestion, examples(json!({
    "subject": { "type": "user", "id": "usr_01jcqzv7y0e8kstk6yq6k3a4mf" }, "action": { "name": "read" },
    "resource": { "type": "document", "id": "42" }, "context": { "acr": "aal2" }
})))]
pub struct Question {
    /// The subject.
    pub subject: SubjectOrResource,
    /// The action.
    pub action: AccessAction,
    /// The resource.
    pub resource: SubjectOrResource,
    /// The circumstances: `acr`, `amr`, `network`, `time`, `risk`, `organization` (its id), `agent` and whatever policies look
    /// at.
    #[serde(default, deserialize_with = "maybe_object", skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    pub context: Map<String, Value>,
}

/// A subject or a resource.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AccessThing)]
pub struct SubjectOrResource {
    /// Its type; `user` is a person of this tenant.
    #[serde(rename = "type")]
    #[schema(min_length = 1, max_length = 128)]
    pub kind: String,
    /// Its id; of a person, the id of the tenant user or its `sub`.
    #[schema(min_length = 1, max_length = 512)]
    pub id: String,
    /// Properties that policies can read; `parents` are the entities that contain it.
    #[serde(default, deserialize_with = "maybe_object", skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    pub properties: Map<String, Value>,
}

/// The action.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AccessAction)]
pub struct AccessAction {
    /// Its name.
    #[schema(min_length = 1, max_length = 128)]
    pub name: String,
    /// Its properties, which policies read as `context.action_properties`.
    #[serde(default, deserialize_with = "maybe_object", skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Option<Object>)]
    pub properties: Map<String, Value>,
}

/// An object that may be left out; null is as good as absent.
pub fn maybe_object<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Map<String, Value>, D::Error> {
    Ok(Option::<Map<String, Value>>::deserialize(deserializer)?.unwrap_or_default())
}

/// An entity that a simulation assumes.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AssumedEntity)]
pub struct AssumedEntity {
    /// What it is; in place of what is known of it. `parents` are what it is in.
    #[serde(flatten)]
    pub described: SubjectOrResource,
}

/// A question as Cedar evaluates it.
pub struct CedarQuestion {
    pub(super) request: Request,
    pub(super) entities: Entities,
    pub(super) action: EntityUid,
    pub(super) organization: Option<OrganizationId>,
    /// Why nothing is decided: a person of ours who may be given nothing.
    pub(super) refused: Option<&'static str>,
}

impl CedarQuestion {
    /// Makes a request of a question about a subject who is, or is not, a person of ours.
    pub fn of(
        question: &Question,
        known: Option<&Principal>,
        given: &[AssumedEntity],
        now: Timestamp,
    ) -> Result<Self> {
        if given.len() > MOST_GIVEN {
            return Err(Error::bad_request(format!("entities: give at most {MOST_GIVEN}")));
        }
        let organization = organization(&question.context)?;
        let action = action(&question.action)?;
        let principal = match known {
            Some(person) => person_entity(person, organization, &question.subject.properties)?,
            None => entity(&without_claims(&question.subject), "subject")?,
        };
        let resource = entity(&without_claims(&question.resource), "resource")?;
        let (subject_uid, resource_uid) = (principal.uid(), resource.uid());
        let mut all = HashMap::from([(resource.uid(), resource)]);
        all.insert(subject_uid.clone(), principal);
        for AssumedEntity { described } in given {
            let entity = entity(described, "entities")?;
            all.insert(entity.uid(), entity);
        }
        let context =
            Context::from_pairs(context(question, now)?).map_err(|error| unfit("context", &error))?;
        let request = Request::new(subject_uid, action.clone(), resource_uid, context, None).or_internal()?;
        // Each is there once, so that a ring is all that can be wrong with them together.
        let entities = Entities::from_entities(all.into_values(), None).map_err(|_| {
            Error::bad_request("resource.properties.parents: an entity would be in itself; take it out")
        })?;
        let refused = known.filter(|person| !person.is_active).map(|_| "the person may not sign in");
        Ok(Self { request, entities, action, organization, refused })
    }
}

impl Question {
    /// Whether the subject is one of the tenant's people.
    pub fn is_about_person(&self) -> bool {
        matches!(self.subject.kind.as_str(), "user" | "User")
    }
}

fn unfit(member: &str, error: &dyn std::error::Error) -> Error {
    Error::bad_request(format!("{member}: {error}"))
}

fn action(action: &AccessAction) -> Result<EntityUid> {
    if action.name.len() > LONGEST_ACTION {
        return Err(Error::bad_request(format!("action.name: use at most {LONGEST_ACTION} bytes")));
    }
    values::uid("Action", &action.name, Place::of("action"))
}

/// The organization that the circumstances name; policies of another one do not take part. A text that is no id would leave out
/// those that forbid, so that it is refused.
fn organization(context: &Map<String, Value>) -> Result<Option<OrganizationId>> {
    let Some(named) = context.get("organization").filter(|named| !named.is_null()) else { return Ok(None) };
    let id: Option<OrganizationId> = named.as_str().and_then(|id| id.parse().ok());
    id.map(Some).ok_or_else(|| Error::bad_request("context.organization: expected the id of an organization"))
}

/// The circumstances. `time` is now unless given, and `network` is an address.
fn context(question: &Question, now: Timestamp) -> Result<HashMap<String, Expression>> {
    let said = &question.context;
    let plain = said.iter().filter(|(name, _)| !matches!(name.as_str(), "time" | "network"));
    let mut pairs: HashMap<_, _> = values::members(plain, Place::of("context"))?;
    let time = match said.get("time") {
        None | Some(Value::Null) => now,
        Some(given) => Timestamp::deserialize(given)
            .map_err(|_| Error::bad_request("context.time: expected a time of RFC 3339"))?,
    };
    pairs.insert("time".to_owned(), values::time(&moment(time)));
    if let Some(address) = said.get("network").filter(|network| !network.is_null()) {
        let address = address.as_str().filter(|text| text.parse::<std::net::IpAddr>().is_ok());
        let address = address.ok_or_else(|| Error::bad_request("context.network: expected an IP address"))?;
        pairs.insert("network".to_owned(), values::address(address));
    }
    if !question.action.properties.is_empty() {
        let action = Place::of("action");
        let properties: Vec<_> = values::members(&question.action.properties, action.member("properties"))?;
        pairs.insert("action_properties".to_owned(), Expression::new_record(properties).or_internal()?);
    }
    Ok(pairs)
}

/// A time as the language writes it, to the second.
fn moment(time: Timestamp) -> String {
    let whole = Timestamp::from_secs(time.as_secs()).to_string();
    // The language knows years of four digits.
    if whole.len() == "2027-01-15T08:00:00Z".len() { whole } else { "1970-01-01T00:00:00Z".to_owned() }
}

/// What a request may say: nothing of our own people, groups, roles and organizations that our records would say. Whatever it said a
/// group is in, its people would be in.
fn without_claims(described: &SubjectOrResource) -> Cow<'_, SubjectOrResource> {
    const OURS: &[&str] = &["user", "User", "Group", "Role", "Organization"];
    if !OURS.contains(&described.kind.as_str()) {
        return Cow::Borrowed(described);
    }
    let mut described = described.clone();
    described.properties.retain(|name, _| !OF_RECORDS.contains(&name.as_str()));
    Cow::Owned(described)
}

/// The Cedar entity of a subject or a resource, with the properties that the request gives it.
fn entity(described: &SubjectOrResource, at: &str) -> Result<Entity> {
    let (properties, whole) = (&described.properties, Place::of(at));
    let uid = values::uid(&described.kind, &described.id, whole)?;
    let at = whole.member("properties");
    let parents = values::parents(properties.get("parents"), at.member("parents"))?;
    let others = properties.iter().filter(|(name, _)| *name != "parents");
    let mut attributes: HashMap<_, _> = values::members(others, at)?;
    attributes.entry("id".to_owned()).or_insert_with(|| Expression::new_string(described.id.clone()));
    Entity::new(uid, attributes, parents).map_err(|error| unfit(&at.to_string(), &error))
}

/// A person of ours, by our records; the request may add what they do not say.
fn person_entity(
    person: &Principal,
    organization: Option<OrganizationId>,
    properties: &Map<String, Value>,
) -> Result<Entity> {
    let at = Place::of("subject");
    let further = properties.iter().filter(|(name, _)| !OF_RECORDS.contains(&name.as_str()));
    let mut attributes: HashMap<_, _> = values::members(further, at.member("properties"))?;
    let text = |text: &str| Expression::new_string(text.to_owned());
    let texts = |texts: &[String]| Expression::new_set(texts.iter().map(|one| text(one)));
    let there = organization.and_then(|id| person.organizations.iter().find(|there| there.0 == id));
    let ids: Vec<_> = person.organizations.iter().map(|(id, _)| id.to_string()).collect();
    let said = [
        ("id", Some(text(&person.id.to_string()))),
        ("sub", Some(text(&person.subject))),
        ("status", Some(text(person.status))),
        ("username", person.username.as_deref().map(text)),
        ("email", person.email.as_deref().map(text)),
        ("email_verified", Some(Expression::new_bool(person.email_verified))),
        ("roles", Some(texts(&person.roles))),
        ("groups", Some(texts(&person.groups))),
        ("organizations", Some(texts(&ids))),
        ("organization_roles", Some(texts(there.map_or(&[], |(_, roles)| roles)))),
    ];
    attributes.extend(said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
    let mut parents = HashSet::new();
    for (kind, names) in [("Role", &person.roles), ("Group", &person.groups), ("Organization", &ids)] {
        let kind = values::type_name(kind, at)?;
        parents.extend(
            names.iter().map(|name| EntityUid::from_type_name_and_id(kind.clone(), EntityId::new(name))),
        );
    }
    let uid = values::uid("User", &person.id.to_string(), at)?;
    Entity::new(uid, attributes, parents).or_internal()
}
