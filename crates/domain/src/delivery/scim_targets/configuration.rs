//! What a tenant decides of a target: where it is, who is pushed, and how.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_core::{Error, GroupId, OrganizationId, Result};
use svc_db::{Tenant, Tx};
use utoipa::ToSchema;

use crate::apis::roles;
use crate::organizations;
use crate::people::groups;

/// Most organizations, roles and groups that a target names together.
const MOST_NAMED: usize = 100;
const LONGEST_ADDRESS: usize = 1000;

/// What a tenant decides of a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ScimTargetConfiguration)]
pub struct Configuration {
    /// What administrators read.
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// Where the application speaks SCIM, without `/Users`: an https address on a public host.
    #[schema(max_length = 1000)]
    pub base_url: String,
    /// Who is pushed.
    pub people: PushedPeople,
    /// Whether the groups of these people are pushed too, with those of their members who are pushed.
    #[serde(default)]
    pub push_groups: bool,
    /// What becomes of an account there when its person is no longer pushed. A person who is suspended keeps a deactivated account.
    #[serde(default)]
    #[schema(default = "deactivate")]
    pub on_removal: OnRemoval,
    /// How an account there is changed.
    #[serde(default)]
    #[schema(default = "patch")]
    pub update_with: UpdateWith,
    /// What `userName` is.
    #[serde(default)]
    #[schema(default = "email")]
    pub user_name: UserName,
    /// What is pushed of a person besides `userName`, `externalId` and `active`.
    #[serde(default = "usual_attributes")]
    #[schema(max_items = 10)]
    pub attributes: Vec<Pushed>,
    /// Whether addresses are pushed that their people have not proven. An application that trusts them may give one person's account to
    /// another.
    #[serde(default)]
    pub unverified_emails: bool,
}

/// Who is pushed: everyone, or those to whom any of the others applies.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushedPeople {
    /// Every person of the tenant; the others are empty then.
    #[serde(default)]
    pub everyone: bool,
    /// The members of these organizations.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub organization_ids: Vec<OrganizationId>,
    /// Those who have one of these roles, also by a group.
    #[serde(default)]
    #[schema(max_items = 100)]
    pub roles: Vec<String>,
    /// Those who are in one of these groups, also by a group in it.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 100)]
    pub group_ids: Vec<GroupId>,
}

/// What becomes of an account whose person is no longer pushed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetOnRemoval)]
pub enum OnRemoval {
    /// `active` becomes false.
    #[default]
    Deactivate,
    /// It is deleted.
    Delete,
}

/// How an account is changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetUpdateWith)]
pub enum UpdateWith {
    /// What is pushed is replaced, and the rest stays (RFC 7644 §3.5.2).
    #[default]
    Patch,
    /// The whole account is replaced (RFC 7644 §3.5.1).
    Put,
}

/// What `userName` is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetUserName)]
pub enum UserName {
    /// The e-mail address.
    #[default]
    Email,
    /// The sign-in name within the tenant.
    Username,
    /// The `sub` of the person's tokens.
    Sub,
}

/// An attribute that may be pushed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ScimTargetAttribute)]
pub enum Pushed {
    /// `name`: given name, family name, and both.
    Name,
    /// `displayName`.
    DisplayName,
    /// `nickName`.
    NickName,
    /// `emails`, with the address.
    Emails,
    /// `phoneNumbers`, with a number that the person has proven.
    PhoneNumbers,
    /// `locale`.
    Locale,
    /// `timezone`.
    Timezone,
    /// `profileUrl`.
    ProfileUrl,
    /// `roles`: what the person has in the tenant, also by groups.
    Roles,
}

fn usual_attributes() -> Vec<Pushed> {
    vec![Pushed::Name, Pushed::DisplayName, Pushed::Emails]
}

impl Configuration {
    /// Refuses what cannot be, whatever the tenant has.
    pub fn check(&self) -> Result<()> {
        let is_fit = |text: &str, most| {
            (1..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        if !is_fit(&self.name, 120) {
            return Err(Error::bad_request("name: use 1 to 120 characters without control characters"));
        }
        if !is_fit(&self.base_url, LONGEST_ADDRESS) || self.base_url.contains('?') {
            return Err(Error::bad_request(
                "base_url: give the address of the SCIM service without query, such as https://app.example/scim/v2",
            ));
        }
        let distinct: BTreeSet<_> = self.attributes.iter().collect();
        if distinct.len() < self.attributes.len() {
            return Err(Error::bad_request("attributes: name each attribute once"));
        }
        self.people.check()
    }

    /// Whether what is pushed of a person becomes another document.
    pub(super) fn pushes_as(&self, other: &Self) -> bool {
        let how = |of: &Self| (of.user_name, of.attributes.clone(), of.unverified_emails);
        how(self) == how(other)
    }

    /// Where an endpoint of the application is.
    pub fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.base_url.trim_end_matches('/'))
    }
}

impl PushedPeople {
    fn check(&self) -> Result<()> {
        let named = self.organization_ids.len() + self.roles.len() + self.group_ids.len();
        if self.everyone != (named == 0) {
            return Err(Error::bad_request(
                "people: say `everyone`, or name organizations, roles or groups without it",
            ));
        }
        if named > MOST_NAMED {
            return Err(Error::bad_request(format!(
                "people: name at most {MOST_NAMED} organizations, roles and groups together"
            )));
        }
        Ok(())
    }

    /// Refuses what the tenant does not have.
    pub(super) async fn check_known(&self, tx: &mut Tx<Tenant>) -> Result<()> {
        for id in &self.organization_ids {
            if organizations::find(tx, *id).await?.is_none() {
                return Err(Error::bad_request(format!("people.organization_ids: no organization is {id}")));
            }
        }
        for id in &self.group_ids {
            if groups::find(tx, *id).await?.is_none() {
                return Err(Error::bad_request(format!("people.group_ids: no group is {id}")));
            }
        }
        let known = roles::known(tx, &self.roles).await?;
        match self.roles.iter().find(|role| !known.contains(role)) {
            Some(unknown) => Err(Error::bad_request(format!("people.roles: no role is {unknown:?}"))),
            None => Ok(()),
        }
    }

    /// The rows that say it to the database.
    pub(super) fn rows(&self) -> BTreeSet<(&'static str, String)> {
        let organizations = self.organization_ids.iter().map(|id| ("organization", id.to_string()));
        let groups = self.group_ids.iter().map(|id| ("group", id.to_string()));
        let roles = self.roles.iter().map(|role| ("role", role.clone()));
        let everyone = self.everyone.then(|| ("everyone", String::new()));
        organizations.chain(groups).chain(roles).chain(everyone).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(people: PushedPeople) -> Configuration {
        Configuration {
            name: "App".to_owned(),
            base_url: "https://app.example/scim/v2/".to_owned(),
            people,
            push_groups: false,
            on_removal: OnRemoval::Deactivate,
            update_with: UpdateWith::Patch,
            user_name: UserName::Email,
            attributes: usual_attributes(),
            unverified_emails: false,
        }
    }

    #[test]
    fn it_says_who_is_pushed_and_not_both_everyone_and_some() {
        let everyone = PushedPeople { everyone: true, ..PushedPeople::default() };
        let some = PushedPeople { roles: vec!["staff".to_owned()], ..PushedPeople::default() };
        assert!(
            configuration(everyone.clone()).check().is_ok() && configuration(some.clone()).check().is_ok()
        );
        let both = PushedPeople { everyone: true, ..some };
        for bad in [PushedPeople::default(), both] {
            let refusal = configuration(bad).check().unwrap_err();
            assert!(refusal.detail().starts_with("people: "), "{}", refusal.detail());
        }
        let many = PushedPeople { roles: vec!["staff".to_owned(); 101], ..PushedPeople::default() };
        assert!(configuration(many).check().is_err());
        assert_eq!(configuration(everyone).address("Users"), "https://app.example/scim/v2/Users");
    }

    #[test]
    fn an_address_has_no_query_and_an_attribute_stands_once() {
        let everyone = || PushedPeople { everyone: true, ..PushedPeople::default() };
        for address in ["", "https://app.example/scim?tenant=1", "https://app.example/\nx"] {
            let bad = Configuration { base_url: address.to_owned(), ..configuration(everyone()) };
            assert!(bad.check().unwrap_err().detail().starts_with("base_url: "), "{address}");
        }
        let twice =
            Configuration { attributes: vec![Pushed::Name, Pushed::Name], ..configuration(everyone()) };
        assert!(twice.check().unwrap_err().detail().starts_with("attributes: "));
    }
}
