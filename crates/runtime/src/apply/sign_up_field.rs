//! What a file asks people for when they register.

use serde::Deserialize;
use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::fields::{self, Field, FieldContent};

use super::change::{self, Change};
use super::declared::{Declared, Making};
use super::faults::Written;
use super::naming;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;

/// `[[tenant.sign_up_field]]`: a field, which its name names within the tenant.
#[derive(Clone, Debug)]
pub struct SignUpField {
    keys: Keys,
    /// What is chosen, without what names other records.
    content: FieldContent,
    written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    /// Handles of the applications on the way to which people are asked.
    #[serde(default)]
    applications: Vec<String>,
    /// Slugs of the organizations whose people are asked.
    #[serde(default)]
    organizations: Vec<String>,
}

impl SignUpField {
    /// With the ids of what it names.
    async fn resolved(&self, tx: &mut Tx<Tenant>) -> Result<FieldContent> {
        let mut content = self.content.clone();
        content.application_ids.extend(naming::applications(tx, &self.keys.applications).await?);
        for slug in &self.keys.organizations {
            content.organization_ids.push(naming::organization(tx, "organizations", slug).await?);
        }
        Ok(content)
    }
}

impl Declared for SignUpField {
    const KIND: &'static str = "sign_up_field";

    type Present = Field;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "name");
        let written = reader.written(&place);
        let keys = reader.read(&mut place.split(&["applications", "organizations"]));
        let content = reader.read(&mut place);
        Some(Self { keys: keys?, content: content?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        self.content.name.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Field)>> {
        let all = fields::all(tx).await?;
        Ok(all.into_iter().map(|field| (field.content.name.clone(), field)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        let content = self.resolved(tx).await?;
        fields::create(tx, making.target.cx, &content).await?;
        Ok(None)
    }

    async fn update(&self, making: Making<'_>, tx: &mut Tx<Tenant>, present: &Field) -> Result<Vec<Change>> {
        let content = self.resolved(tx).await?;
        fields::update(tx, making.target.cx, present, &content).await?;
        Ok(change::between(&present.content, &content))
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Field) -> Result<()> {
        fields::delete(tx, making.target.cx, present).await
    }

    async fn exported(tx: &mut Tx<Tenant>, present: &Field) -> Result<toml::Table, Failure> {
        let mut content = present.content.clone();
        let (handles, unnamed) = naming::handles(tx, std::mem::take(&mut content.application_ids)).await?;
        content.application_ids = unnamed;
        let (slugs, unnamed) = naming::slugs(tx, std::mem::take(&mut content.organization_ids)).await?;
        content.organization_ids = unnamed;
        let mut table = table(&content)?;
        for (key, names) in [("applications", handles), ("organizations", slugs)] {
            if !names.is_empty() {
                table.insert(key.to_owned(), names.into());
            }
        }
        Ok(table)
    }
}
