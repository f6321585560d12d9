//! What a person tells about themselves: the standard claims of OpenID Connect Core §5.1.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_core::{Scope, Timestamp};
use utoipa::ToSchema;

/// The profile of an account; absent members are simply not claimed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "members are the standard claims of OpenID Connect Core section 5.1")]
pub struct Profile {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub middle_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nickname: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferred_username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub website: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gender: Option<String>,
    /// `YYYY-MM-DD`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birthdate: Option<String>,
    /// An IANA time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zoneinfo: Option<String>,
    /// A BCP 47 language tag.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
    /// E.164.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phone_number: Option<String>,
    #[serde(skip_serializing_if = "is_false")]
    pub phone_number_verified: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
}

/// A postal address (OpenID Connect Core §5.1.1).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "members are those of OpenID Connect Core section 5.1.1")]
pub struct Address {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formatted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub street_address: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locality: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub postal_code: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// The claims that each scope unlocks: those of OpenID Connect Core §5.4, and what the tenant says of its members.
pub const CLAIMS_OF_SCOPES: &[(&str, &[&str])] = &[
    (
        "profile",
        &[
            "name",
            "given_name",
            "family_name",
            "middle_name",
            "nickname",
            "preferred_username",
            "profile",
            "picture",
            "website",
            "gender",
            "birthdate",
            "zoneinfo",
            "locale",
            "updated_at",
        ],
    ),
    ("email", &["email", "email_verified"]),
    ("address", &["address"]),
    ("phone", &["phone_number", "phone_number_verified"]),
    ("roles", &["roles"]),
    ("groups", &["groups"]),
];

/// Whether `scope` unlocks a claim.
pub fn unlocks(scope: &Scope, claim: &str) -> bool {
    CLAIMS_OF_SCOPES.iter().any(|(token, names)| scope.has(token) && names.contains(&claim))
}

/// What is known of a person besides the profile.
pub struct Known<'a> {
    /// The profile.
    pub profile: &'a Profile,
    /// The sign-in name within the tenant.
    pub username: Option<&'a str>,
    /// The e-mail address.
    pub email: Option<&'a str>,
    /// Whether the address was proven.
    pub email_verified: bool,
    /// The roles within the tenant.
    pub roles: &'a [String],
    /// The groups within the tenant.
    pub groups: &'a [String],
    /// When any of it last changed.
    pub updated_at: Timestamp,
}

impl Known<'_> {
    /// Every claim that the person has, rightly typed; never null or empty.
    pub fn claims(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut claims)) = serde_json::to_value(self.profile) else { return Map::new() };
        let mut set = |name: &str, value: Value| claims.insert(name.to_owned(), value);
        set("updated_at", json!(self.updated_at.as_secs()));
        if let Some(email) = self.email {
            set("email", json!(email));
            set("email_verified", json!(self.email_verified));
        }
        if self.profile.phone_number.is_some() {
            set("phone_number_verified", json!(self.profile.phone_number_verified));
        }
        if let (None, Some(username)) = (&self.profile.preferred_username, self.username) {
            set("preferred_username", json!(username));
        }
        if !self.roles.is_empty() {
            set("roles", json!(self.roles));
        }
        if !self.groups.is_empty() {
            set("groups", json!(self.groups));
        }
        claims.retain(|_, value| {
            !value.is_null() && value != "" && value.as_object().is_none_or(|map| !map.is_empty())
        });
        claims
    }

    /// The claims that `scope` unlocks.
    pub fn claims_for(&self, scope: &Scope) -> Map<String, Value> {
        self.claims().into_iter().filter(|(name, _)| unlocks(scope, name)).collect()
    }

    /// The claims of these names.
    pub fn claims_named(&self, names: &BTreeSet<String>) -> Map<String, Value> {
        self.claims().into_iter().filter(|(name, _)| names.contains(name)).collect()
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !flag
}
