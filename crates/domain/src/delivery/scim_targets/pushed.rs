//! What is pushed of a person or a group (RFC 7643 §4), as a whole, as a change, and as a fingerprint of it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use svc_core::{OrInternal as _, Result};
use svc_keys::{hex, sha256};

use super::choices::{Pushed, UserName};
use super::configuration::Configuration;
use super::links::LinkKind;
use crate::people::groups::Group;
use crate::people::tenant_users::Person;

const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH: &str = "urn:ietf:params:scim:api:messages:2.0:PatchOp";

/// The attributes of an account or a group, as they are to be at the application.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    kind: LinkKind,
    attributes: Map<String, Value>,
}

/// What was last pushed: a digest of it, and which attributes it had. The attributes themselves stand with the person alone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    digest: String,
    names: Vec<String>,
    /// The parts of the complex ones, as paths.
    #[serde(default)]
    parts: Vec<String>,
}

impl Fingerprint {
    /// What is remembered while it is uncertain whether the application has taken something else: no document has this digest.
    pub(super) fn doubted(&self) -> Self {
        Self { digest: String::new(), ..self.clone() }
    }

    /// Whether the same was pushed; a former version noted no parts.
    pub(super) fn is_of(&self, document: &Document) -> Result<bool> {
        Ok(self.digest == document.fingerprint()?.digest)
    }
}

impl Document {
    /// What is pushed of a person; why nothing can be, where that is so.
    pub(super) fn of_person(
        configuration: &Configuration,
        person: &Person,
    ) -> std::result::Result<Self, &'static str> {
        let user_name = user_name(configuration, person)?;
        let mut attributes = Map::from_iter([
            ("userName".to_owned(), json!(user_name)),
            ("externalId".to_owned(), json!(person.id)),
            ("active".to_owned(), json!(true)),
        ]);
        for attribute in &configuration.attributes {
            if let Some((name, value)) = said(*attribute, configuration, person) {
                attributes.insert(name.to_owned(), value);
            }
        }
        Ok(Self { kind: LinkKind::User, attributes })
    }

    /// What is pushed of a group, whose members are accounts there.
    pub(super) fn of_group(group: &Group, members: &[String]) -> Self {
        let members: Vec<_> = members.iter().map(|id| json!({ "value": id })).collect();
        let attributes = Map::from_iter([
            ("displayName".to_owned(), json!(group.configuration.name)),
            ("externalId".to_owned(), json!(group.id)),
            ("members".to_owned(), json!(members)),
        ]);
        Self { kind: LinkKind::Group, attributes }
    }

    /// All of it (RFC 7644 §3.3, §3.5.1).
    pub fn whole(&self) -> Value {
        let mut whole = self.attributes.clone();
        let schema = if self.kind == LinkKind::User { USER } else { GROUP };
        whole.insert("schemas".to_owned(), json!([schema]));
        Value::Object(whole)
    }

    /// The change that makes it so (RFC 7644 §3.5.2): what was pushed before and is no longer there is removed. Of a complex attribute many
    /// applications replace the parts that are named and keep the others.
    pub fn change(&self, before: Option<&Fingerprint>) -> Value {
        let remove = |path: &String| json!({ "op": "remove", "path": path });
        let (names, parts) = before.map(|before| (&*before.names, &*before.parts)).unwrap_or_default();
        let present = self.parts();
        let is_gone = |path: &&String| {
            let is_partly_there =
                path.split_once('.').is_some_and(|(name, _)| self.attributes.contains_key(name));
            is_partly_there && !present.contains(*path)
        };
        let parts = parts.iter().filter(is_gone).map(remove);
        let replace = self.attributes.iter();
        let replace = replace.map(|(name, value)| json!({ "op": "replace", "path": name, "value": value }));
        let gone = names.iter().filter(|name| !self.attributes.contains_key(*name)).map(remove);
        json!({ "schemas": [PATCH], "Operations": parts.chain(replace).chain(gone).collect::<Vec<_>>() })
    }

    /// The paths of the parts of complex attributes.
    fn parts(&self) -> Vec<String> {
        let complex = self.attributes.iter().filter_map(|(name, value)| Some((name, value.as_object()?)));
        complex.flat_map(|(name, parts)| parts.keys().map(move |part| format!("{name}.{part}"))).collect()
    }

    /// The change that deactivates an account.
    pub fn deactivation() -> Value {
        json!({ "schemas": [PATCH], "Operations": [{ "op": "replace", "path": "active", "value": false }] })
    }

    /// What is remembered of it.
    pub fn fingerprint(&self) -> Result<Fingerprint> {
        let digest = hex(sha256(&serde_json::to_vec(&self.attributes).or_internal()?));
        Ok(Fingerprint { digest, names: self.attributes.keys().cloned().collect(), parts: self.parts() })
    }

    /// By which the application finds it if it has it, without taking another's for it.
    pub fn external_id(&self) -> &str {
        self.text("externalId")
    }

    /// The attribute that is unique there, and its value.
    pub fn unique(&self) -> (&'static str, &str) {
        let name = if self.kind == LinkKind::User { "userName" } else { "displayName" };
        (name, self.text(name))
    }

    fn text(&self, name: &str) -> &str {
        self.attributes.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

fn user_name<'a>(
    configuration: &Configuration,
    person: &'a Person,
) -> std::result::Result<&'a str, &'static str> {
    match configuration.user_name {
        UserName::Email => address(configuration, person).ok_or(if configuration.unverified_emails {
            "the person has no e-mail address"
        } else {
            "the person has no e-mail address that is proven"
        }),
        UserName::Username => person.username.as_deref().ok_or("the person has no sign-in name"),
        UserName::Sub => Ok(&person.subject),
    }
}

/// The address of a person that may be pushed: an application may believe it, so it has to be the person's.
fn address<'a>(configuration: &Configuration, person: &'a Person) -> Option<&'a str> {
    person.email.as_deref().filter(|_| person.email_verified || configuration.unverified_emails)
}

fn said(attribute: Pushed, configuration: &Configuration, person: &Person) -> Option<(&'static str, Value)> {
    let profile = &person.profile;
    let plain = |value: &Option<String>| value.as_ref().map(|value| json!(value));
    let (name, value) = match attribute {
        Pushed::Name => ("name", full_name(person)),
        Pushed::DisplayName => ("displayName", display_name(person).map(|name| json!(name))),
        Pushed::NickName => ("nickName", plain(&profile.nickname)),
        Pushed::Emails => (
            "emails",
            address(configuration, person)
                .map(|address| json!([{ "value": address, "type": "work", "primary": true }])),
        ),
        Pushed::PhoneNumbers => {
            let number = profile.phone_number.as_ref().filter(|_| profile.phone_number_verified);
            ("phoneNumbers", number.map(|number| json!([{ "value": number, "type": "mobile" }])))
        }
        Pushed::Locale => ("locale", plain(&profile.locale)),
        Pushed::Timezone => ("timezone", plain(&profile.zoneinfo)),
        Pushed::ProfileUrl => ("profileUrl", plain(&profile.profile)),
        Pushed::Roles => {
            let roles: Vec<_> = person.roles.iter().map(|role| json!({ "value": role })).collect();
            ("roles", (!roles.is_empty()).then(|| json!(roles)))
        }
    };
    value.map(|value| (name, value))
}

fn full_name(person: &Person) -> Option<Value> {
    let profile = &person.profile;
    let parts = [
        ("formatted", display_name(person)),
        ("givenName", profile.given_name.clone()),
        ("familyName", profile.family_name.clone()),
        ("middleName", profile.middle_name.clone()),
    ];
    let known = parts.into_iter().filter_map(|(part, value)| Some((part.to_owned(), json!(value?))));
    let known: Map<_, _> = known.collect();
    (!known.is_empty()).then(|| known.into())
}

fn display_name(person: &Person) -> Option<String> {
    let profile = &person.profile;
    let parts = [profile.given_name.as_deref(), profile.family_name.as_deref()];
    let joined = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    profile.name.clone().or_else(|| (!joined.is_empty()).then_some(joined))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(attributes: &Value) -> Document {
        Document { kind: LinkKind::User, attributes: attributes.as_object().unwrap().clone() }
    }

    #[test]
    fn a_change_replaces_what_there_is_and_removes_what_was_pushed_before() {
        let before = document(&json!({ "userName": "ada", "locale": "en" })).fingerprint().unwrap();
        let now = document(&json!({ "userName": "ada", "externalId": "usr_1" }));
        let expected = json!({
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": [
                { "op": "replace", "path": "externalId", "value": "usr_1" },
                { "op": "replace", "path": "userName", "value": "ada" },
                { "op": "remove", "path": "locale" },
            ],
        });
        let sorted = |mut change: Value| {
            let operations = change["Operations"].as_array_mut().unwrap();
            operations.sort_by_key(|operation| (operation["op"] == "remove", operation["path"].to_string()));
            change
        };
        assert_eq!(sorted(now.change(Some(&before))), expected);
        assert_eq!(now.unique(), ("userName", "ada"));
        assert!(before.is_of(&now).is_ok_and(|is_same| !is_same));
    }

    #[test]
    fn a_part_that_is_gone_is_removed_before_the_others_are_replaced() {
        let whole = document(&json!({ "name": { "givenName": "Ada", "familyName": "Lovelace" } }));
        let given = document(&json!({ "name": { "givenName": "Ada" } }));
        let before = whole.fingerprint().unwrap();
        let operations = |change: Value| change["Operations"].clone();
        assert_eq!(
            operations(given.change(Some(&before))),
            json!([
                { "op": "remove", "path": "name.familyName" },
                { "op": "replace", "path": "name", "value": { "givenName": "Ada" } },
            ])
        );
        let none = document(&json!({ "userName": "ada" }));
        assert_eq!(
            operations(none.change(Some(&before))),
            json!([{ "op": "replace", "path": "userName", "value": "ada" }, { "op": "remove", "path": "name" }])
        );
        assert_eq!(operations(whole.change(Some(&before))).as_array().unwrap().len(), 1);
    }

    #[test]
    fn what_a_former_version_noted_is_of_the_same_document() {
        let whole = document(&json!({ "name": { "givenName": "Ada" } }));
        let mut noted = serde_json::to_value(whole.fingerprint().unwrap()).unwrap();
        noted.as_object_mut().unwrap().remove("parts");
        let noted: Fingerprint = serde_json::from_value(noted).unwrap();
        assert!(noted.is_of(&whole).unwrap());
    }
}
