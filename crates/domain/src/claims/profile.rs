//! What a person tells about themselves: the standard claims of OpenID Connect Core §5.1.

use std::borrow::Cow;

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
    CLAIMS_OF_SCOPES.iter().any(|(token, names)| names.contains(&claim) && scope.has(token))
}

impl Profile {
    /// What it claims, rightly typed; never null or empty.
    pub fn claims(&self) -> Map<String, Value> {
        let Ok(Value::Object(mut claims)) = serde_json::to_value(self) else { return Map::new() };
        if self.phone_number.is_some() {
            claims.insert("phone_number_verified".to_owned(), json!(self.phone_number_verified));
        }
        claims.retain(|_, value| {
            !value.is_null() && value != "" && value.as_object().is_none_or(|map| !map.is_empty())
        });
        claims
    }
}

/// What is known of a person besides the profile.
pub struct Known<'a> {
    /// What the profile claims.
    pub profile: Cow<'a, Map<String, Value>>,
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
        self.claims_where(|_| true)
    }

    /// Those whose names are told; no other is made.
    pub fn claims_where(&self, is_told: impl Fn(&str) -> bool) -> Map<String, Value> {
        let profile = self.profile.iter().filter(|(name, _)| is_told(name));
        let mut claims: Map<_, _> = profile.map(|(name, value)| (name.clone(), value.clone())).collect();
        let username = self.username.filter(|_| !self.profile.contains_key("preferred_username"));
        let text = |text: Option<&str>| text.filter(|text| !text.is_empty()).map(Value::from);
        let list = |list: &[String]| (!list.is_empty()).then(|| json!(list));
        let further = [
            ("updated_at", Some(json!(self.updated_at.as_secs()))),
            ("email", text(self.email)),
            ("email_verified", self.email.map(|_| json!(self.email_verified))),
            ("preferred_username", text(username)),
            ("roles", list(self.roles)),
            ("groups", list(self.groups)),
        ];
        let told = further.into_iter().filter(|(name, _)| is_told(name));
        claims.extend(told.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        claims
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(flag: &bool) -> bool {
    !flag
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile() -> Profile {
        let text = |text: &str| Some(text.to_owned());
        let address = Some(Address::default());
        Profile {
            name: text("Ada"),
            nickname: text(""),
            phone_number: text("+1"),
            address,
            ..Profile::default()
        }
    }

    fn known(profile: &Profile) -> Known<'_> {
        Known {
            profile: Cow::Owned(profile.claims()),
            username: Some("ada"),
            email: Some("ada@example.com"),
            email_verified: false,
            roles: &[],
            groups: &[],
            updated_at: Timestamp::from_secs(7),
        }
    }

    #[test]
    fn a_claim_is_never_null_or_empty_and_what_is_not_verified_says_so() {
        let expected = json!({
            "name": "Ada", "phone_number": "+1", "phone_number_verified": false, "updated_at": 7,
            "email": "ada@example.com", "email_verified": false, "preferred_username": "ada",
        });
        assert_eq!(Value::Object(known(&profile()).claims()), expected);
    }

    #[test]
    fn a_name_of_the_persons_own_choice_goes_before_the_user_name() {
        let profile = Profile { preferred_username: Some("Countess".to_owned()), ..profile() };
        let roles = ["editor".to_owned()];
        let known = Known { roles: &roles, ..known(&profile) };
        let expected = json!({ "preferred_username": "Countess", "roles": ["editor"] });
        let told = known.claims_where(|name| ["preferred_username", "roles"].contains(&name));
        assert_eq!(Value::Object(told), expected);
        let scope = "email".parse().unwrap();
        let told = known.claims_where(|name| unlocks(&scope, name));
        assert_eq!(Value::Object(told), json!({ "email": "ada@example.com", "email_verified": false }));
    }
}
