//! What a tenant decides of a target: where it is, who is pushed, and how.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_core::{Error, Result};
use utoipa::ToSchema;

use super::choices::{OnRemoval, Pushed, UpdateWith, UserName};
use super::chosen::PushedPeople;
use crate::checks::is_line;
use crate::names;

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
    /// Where the service gets its tokens, if `secret` is that of an OAuth client and not the token itself.
    #[serde(default)]
    pub client_credentials: Option<ClientCredentials>,
    /// Who is pushed.
    pub people: PushedPeople,
    /// Whether the groups of these people are pushed too, with those of their members who are pushed.
    #[serde(default)]
    pub push_groups: bool,
    /// What happens to an account there when its person is no longer pushed. A person who is suspended keeps a deactivated
    /// account.
    #[serde(default)]
    #[schema(default = "deactivate")]
    pub on_removal: OnRemoval,
    /// How an account there is changed.
    #[serde(default)]
    #[schema(default = "patch")]
    pub update_with: UpdateWith,
    /// The source of `userName`.
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

/// An OAuth client of the application (RFC 6749 §4.4), which proves itself with HTTP Basic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ScimTargetClientCredentials)]
pub struct ClientCredentials {
    /// The token endpoint: an https address on a public host.
    #[schema(max_length = 1000)]
    pub token_url: String,
    /// The client.
    #[schema(min_length = 1, max_length = 255)]
    pub client_id: String,
    /// What is asked for; what the client usually gets unless given.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 1000)]
    pub scope: Option<String>,
}

fn usual_attributes() -> Vec<Pushed> {
    vec![Pushed::Name, Pushed::DisplayName, Pushed::Emails]
}

impl Configuration {
    /// Refuses what cannot be, whatever the tenant has.
    pub fn check(&self) -> Result<()> {
        names::check(&self.name, 120)?;
        if !is_line(&self.base_url, LONGEST_ADDRESS) || self.base_url.contains('?') {
            return Err(Error::bad_request(
                "base_url: give the address of the SCIM service without query, such as https://app.example/scim/v2",
            ));
        }
        if let Some(ClientCredentials { token_url, client_id, scope }) = &self.client_credentials {
            let scope = scope.as_deref().unwrap_or("-");
            if !is_line(token_url, LONGEST_ADDRESS) || !is_line(client_id, 255) || !is_line(scope, 1000) {
                return Err(Error::bad_request(
                    "client_credentials: give `token_url`, `client_id`, and a `scope` that is not empty or none",
                ));
            }
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

    /// Whether the secret of the one may be sent where the other says.
    pub fn is_same_place(&self, other: &Self) -> bool {
        self.base_url == other.base_url && self.client_credentials == other.client_credentials
    }

    /// Where an endpoint of the application is.
    pub fn address(&self, path: &str) -> String {
        format!("{}/{path}", self.base_url.trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn configuration(people: PushedPeople) -> Configuration {
        Configuration {
            name: "App".to_owned(),
            base_url: "https://app.example/scim/v2/".to_owned(),
            client_credentials: None,
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
