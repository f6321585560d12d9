//! Custom claims (RFC 7519 §4.2, §4.3): what an application's ID tokens and UserInfo, or an API's access tokens, say of a person
//! besides the standard claims, taken from metadata, roles, groups and the organization.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_core::{Error, OrganizationId, Result, json};
use svc_keys::DEEPEST_CLAIM;
use utoipa::ToSchema;

use super::reserved::is_reserved;
use crate::checks::{is_line, require};

/// Most claims of one application or API.
const MOST: usize = 20;
/// Most characters of a name.
const LONGEST_NAME: usize = 200;
/// Most bytes of a value as JSON; a longer one is left out, since tokens travel in headers.
const LONGEST_VALUE: usize = 4096;

/// A claim of a tenant's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "department", "from": "public_metadata.department" })))]
pub struct CustomClaim {
    /// Its name, which no standard claim has: 1 to 200 printable characters, best a URI of your own (RFC 7519 §4.2).
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
    /// What it says: `public_metadata`, `roles`, `groups`, `organization.id`, `organization.slug`, `organization.name`,
    /// `organization.roles` or `organization.metadata`; `.member` behind either metadata picks one member, to any depth.
    /// A person who has none of it has no such claim.
    #[schema(value_type = String)]
    pub from: Source,
}

/// Where a claim is taken from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Source {
    /// A part of what the tenant notes of the person.
    PublicMetadata(Vec<String>),
    /// The roles within the tenant.
    Roles,
    /// The names of the groups.
    Groups,
    /// The id of the organization in which the token counts.
    OrganizationId,
    /// Its slug.
    OrganizationSlug,
    /// Its name.
    OrganizationName,
    /// The person's roles there.
    OrganizationRoles,
    /// A part of its metadata.
    OrganizationMetadata(Vec<String>),
}

/// What is known of a person when claims are made.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'a> {
    /// What the tenant notes of the person.
    pub public_metadata: &'a Map<String, Value>,
    /// The roles within the tenant.
    pub roles: &'a [String],
    /// The names of the groups.
    pub groups: &'a [String],
    /// The organization in which the token counts.
    pub organization: Option<Organization<'a>>,
}

/// The organization in which a token counts.
#[derive(Clone, Copy, Debug)]
pub struct Organization<'a> {
    /// Its id.
    pub id: OrganizationId,
    /// The name in addresses and requests.
    pub slug: &'a str,
    /// What people read.
    pub name: &'a str,
    /// The person's roles there.
    pub roles: &'a [String],
    /// What applications of the tenant may read of it.
    pub metadata: &'a Map<String, Value>,
}

/// The claims that a person has of these; never null or empty.
pub fn made(claims: &[CustomClaim], facts: Facts<'_>) -> Map<String, Value> {
    let made = claims.iter().filter_map(|claim| {
        let value = claim.from.of(facts).filter(|value| !is_empty(value))?;
        let fits = json::is_within(&value, DEEPEST_CLAIM) && value.to_string().len() <= LONGEST_VALUE;
        fits.then(|| (claim.name.clone(), value))
    });
    made.collect()
}

/// Whether any of these is about the organization in which a token counts.
pub fn need_organization(claims: &[CustomClaim]) -> bool {
    claims.iter().any(|claim| claim.from.is_of_organization())
}

/// Refuses claims that stand for something else, or are too many.
pub fn check(claims: &[CustomClaim]) -> Result<()> {
    let few = require(claims.len() <= MOST, &format!("custom_claims: use at most {MOST}"));
    let mut seen = BTreeSet::new();
    let each = claims.iter().enumerate().map(|(index, CustomClaim { name, .. })| {
        let why = if !is_line(name, LONGEST_NAME) {
            format!("use 1 to {LONGEST_NAME} characters without control characters")
        } else if is_reserved(name) {
            format!("{name} is a claim of the standards or of this service; choose another name")
        } else if !seen.insert(name) {
            format!("{name} is there twice")
        } else {
            return Ok(());
        };
        Err(Error::bad_request(format!("custom_claims[{index}].name: {why}")))
    });
    Error::every(std::iter::once(few).chain(each))
}

impl Source {
    fn of(&self, facts: Facts<'_>) -> Option<Value> {
        let place = facts.organization;
        match self {
            Self::PublicMetadata(path) => part(facts.public_metadata, path),
            Self::Roles => Some(json!(facts.roles)),
            Self::Groups => Some(json!(facts.groups)),
            Self::OrganizationId => place.map(|place| json!(place.id)),
            Self::OrganizationSlug => place.map(|place| json!(place.slug)),
            Self::OrganizationName => place.map(|place| json!(place.name)),
            Self::OrganizationRoles => place.map(|place| json!(place.roles)),
            Self::OrganizationMetadata(path) => part(place?.metadata, path),
        }
    }

    fn is_of_organization(&self) -> bool {
        !matches!(self, Self::PublicMetadata(_) | Self::Roles | Self::Groups)
    }
}

/// The member at the end of a path, or everything.
fn part(document: &Map<String, Value>, path: &[String]) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else { return Some(Value::Object(document.clone())) };
    let value = rest.iter().try_fold(document.get(first)?, |value, member| value.get(member))?;
    Some(value.clone())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

impl FromStr for Source {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let below = |document: &str| {
            let rest = text.strip_prefix(document)?;
            if rest.is_empty() {
                return Some(Vec::new());
            }
            let path: Vec<_> = rest.strip_prefix('.')?.split('.').map(str::to_owned).collect();
            path.iter().all(|member| !member.is_empty()).then_some(path)
        };
        Ok(match text {
            "roles" => Self::Roles,
            "groups" => Self::Groups,
            "organization.id" => Self::OrganizationId,
            "organization.slug" => Self::OrganizationSlug,
            "organization.name" => Self::OrganizationName,
            "organization.roles" => Self::OrganizationRoles,
            _ => {
                let of_person = below("public_metadata").map(Self::PublicMetadata);
                let found =
                    of_person.or_else(|| below("organization.metadata").map(Self::OrganizationMetadata));
                found.ok_or_else(|| {
                    Error::bad_request(
                        "from: use public_metadata, roles, groups, or organization.id, .slug, .name, .roles or .metadata; \
                         a dot and a member behind metadata pick a part",
                    )
                })?
            }
        })
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (document, path): (&str, &[String]) = match self {
            Self::PublicMetadata(path) => ("public_metadata", path),
            Self::Roles => ("roles", &[]),
            Self::Groups => ("groups", &[]),
            Self::OrganizationId => ("organization.id", &[]),
            Self::OrganizationSlug => ("organization.slug", &[]),
            Self::OrganizationName => ("organization.name", &[]),
            Self::OrganizationRoles => ("organization.roles", &[]),
            Self::OrganizationMetadata(path) => ("organization.metadata", path),
        };
        f.write_str(document)?;
        path.iter().try_for_each(|member| write!(f, ".{member}"))
    }
}

impl TryFrom<String> for Source {
    type Error = String;

    fn try_from(text: String) -> std::result::Result<Self, String> {
        text.parse().map_err(|error: Error| error.detail().to_owned())
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(name: &str, from: &str) -> CustomClaim {
        CustomClaim { name: name.to_owned(), from: from.parse().unwrap() }
    }

    fn facts(metadata: &Map<String, Value>) -> Facts<'_> {
        Facts { public_metadata: metadata, roles: &[], groups: &[], organization: None }
    }

    #[test]
    fn a_claim_says_the_part_of_the_metadata_that_it_names() {
        let Value::Object(metadata) = json!({ "team": { "name": "compilers", "size": 3 }, "empty": "" })
        else {
            unreachable!()
        };
        let claims = [
            claim("team", "public_metadata.team.name"),
            claim("https://acme.example/size", "public_metadata.team.size"),
            claim("all", "public_metadata"),
            claim("nothing", "public_metadata.team.none"),
            claim("empty", "public_metadata.empty"),
            claim("roles_here", "roles"),
            claim("organization", "organization.id"),
        ];
        let made = made(&claims, facts(&metadata));
        assert_eq!(
            Value::Object(made),
            json!({ "team": "compilers", "https://acme.example/size": 3, "all": metadata })
        );
    }

    #[test]
    fn a_value_that_would_not_fit_into_a_token_is_left_out() {
        let metadata = Map::from_iter([("long".to_owned(), json!("x".repeat(LONGEST_VALUE)))]);
        assert!(made(&[claim("long", "public_metadata.long")], facts(&metadata)).is_empty());
    }

    #[test]
    fn a_value_that_is_nested_deeper_than_tokens_are_read_is_left_out() {
        let nested = |depth: usize| (1..depth).fold(json!([]), |inner, _| json!([inner]));
        let metadata = Map::from_iter([
            ("fits".to_owned(), nested(DEEPEST_CLAIM)),
            ("deep".to_owned(), nested(DEEPEST_CLAIM + 1)),
        ]);
        let claims = [claim("fits", "public_metadata.fits"), claim("deep", "public_metadata.deep")];
        let made = made(&claims, facts(&metadata));
        assert_eq!(made.keys().collect::<Vec<_>>(), ["fits"]);
    }

    #[test]
    fn a_source_is_written_as_it_is_read() {
        for text in
            ["roles", "groups", "public_metadata", "public_metadata.a.b", "organization.metadata.region"]
        {
            assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
        }
        for text in
            ["", "private_metadata.a", "public_metadata.", "public_metadata..a", "organization", "role"]
        {
            assert!(text.parse::<Source>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_name_is_its_own_and_stands_once() {
        for name in ["sub", "scope", "act", "roles", "email", "https", "cnf"] {
            assert_eq!(check(&[claim(name, "roles")]).is_err(), name != "https", "{name}");
        }
        assert!(check(&[claim("", "roles")]).is_err());
        assert!(check(&[claim("a", "roles"), claim("a", "groups")]).is_err());
        assert!(check(&vec![claim("a", "roles"); 21]).is_err());
    }
}
