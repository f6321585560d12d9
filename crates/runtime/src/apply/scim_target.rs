//! The applications of a file to which people and groups are pushed (RFC 7644).

use serde::Deserialize;
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::scim_targets::{
    self, Configuration, NewTarget, PushedPeople, ScimTarget as Present, Update,
};
use svc_domain::organizations;
use svc_domain::people::groups;

use super::change::{self, Change};
use super::declared::{Declared, Making, Receiver};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::{naming, table};
use crate::failure::Failure;
use crate::pages::read_all;

/// `[[tenant.scim_target]]`: an application, which its name names within the tenant.
#[derive(Clone, Debug)]
pub struct ScimTarget {
    /// What is chosen, without what names other records.
    receiver: Receiver<Configuration>,
    chosen: Chosen,
}

/// What `people` of a file names.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    /// Slugs of organizations.
    #[serde(default)]
    organizations: Vec<String>,
    /// Names of groups.
    #[serde(default)]
    groups: Vec<String>,
}

impl ScimTarget {
    /// With the ids of what it names; refuses what the application will never be asked.
    async fn resolved(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Configuration> {
        let mut configuration = self.receiver.configuration.clone();
        for slug in &self.chosen.organizations {
            let id = naming::organization(tx, "people.organizations", slug).await?;
            configuration.people.organization_ids.push(id);
        }
        for name in &self.chosen.groups {
            configuration.people.group_ids.push(naming::group(tx, "people.groups", name).await?.id);
        }
        let outbound = making.target.outbound.to_receivers(making.target.config);
        svc_control::check_scim_target(&outbound, &configuration, self.receiver.secret.get())?;
        Ok(configuration)
    }
}

impl Declared for ScimTarget {
    const KIND: &'static str = "scim_target";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "name");
        // Before anything is taken out of the table.
        let written = reader.written(&place);
        let chosen = reader.read(&mut place.split_within("people", &["organizations", "groups"]));
        let receiver = Receiver::read(reader, place, (outer, Self::KIND, "name"));
        Some(Self { receiver: Receiver { written, ..receiver? }, chosen: chosen? })
    }

    fn written(&self) -> &Written {
        &self.receiver.written
    }

    fn name(&self) -> String {
        self.receiver.configuration.name.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let found = read_all!(|page| scim_targets::list(tx, page).await?, |target| target.id);
        let named = |target: Present| (target.configuration.name.clone(), target);
        Ok(found.into_iter().map(named).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        let configuration = self.resolved(making, tx).await?;
        let missing = || {
            Error::bad_request(
                "secret: give secret or secret_env, with the bearer token of the application or the secret of `client_credentials`",
            )
        };
        let secret = self.receiver.secret.get().ok_or_else(missing)?;
        let new = NewTarget { configuration: &configuration, active: self.receiver.active, secret };
        scim_targets::create(tx, making.target.cx, making.sealer()?, new).await?;
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        let configuration = self.resolved(making, tx).await?;
        let (sealer, active) = (making.sealer()?, self.receiver.active);
        let mut changes = change::between(&present.configuration, &configuration);
        changes.extend(change::of_key("active", &present.active, &active));
        // One that does not open, because its key was destroyed, is not held.
        let held = scim_targets::access(tx, present, sealer).ok().map(|access| access.secret);
        let is_same_place = present.configuration.is_same_place(&configuration);
        let given = self.receiver.secret.unless_held(held.as_ref(), is_same_place);
        let wanted = Update { configuration: &configuration, active, secret: given };
        scim_targets::update(tx, making.target.cx, sealer, present, wanted).await?;
        changes.extend(given.map(|_| Change::hidden("secret")));
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        scim_targets::delete(tx, making.target.cx, present.id).await
    }

    async fn exported(tx: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut table = table(&present.configuration)?;
        table.insert("active".to_owned(), present.active.into());
        table.insert("people".to_owned(), people(tx, &present.configuration.people).await?.into());
        Ok(table)
    }
}

/// Who is pushed, by names; what has no name any more stays an id.
async fn people(tx: &mut Tx<Tenant>, chosen: &PushedPeople) -> Result<toml::Table, Failure> {
    let mut unnamed = chosen.clone();
    let (mut slugs, mut names) = (Vec::new(), Vec::new());
    for id in std::mem::take(&mut unnamed.organization_ids) {
        match organizations::find(tx, id).await? {
            Some(organization) => slugs.push(organization.slug),
            None => unnamed.organization_ids.push(id),
        }
    }
    for id in std::mem::take(&mut unnamed.group_ids) {
        match groups::find(tx, id).await? {
            Some(group) => names.push(group.configuration.name),
            None => unnamed.group_ids.push(id),
        }
    }
    let mut people = table(&unnamed)?;
    people.insert("organizations".to_owned(), slugs.into());
    people.insert("groups".to_owned(), names.into());
    people.retain(|_, value| value.as_array().is_none_or(|list| !list.is_empty()));
    Ok(people)
}
