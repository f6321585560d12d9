//! Who is pushed to a target, as an administrator says it.

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

impl PushedPeople {
    /// Refuses a choice that says nothing, or two things.
    pub(super) fn check(&self) -> Result<()> {
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
