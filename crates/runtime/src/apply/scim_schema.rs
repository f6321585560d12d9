//! The extensions of a file to what directories may say of people (RFC 7643 §3.3).

use serde::Deserialize;
use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::scim::schemas::{self, SchemaContent, ScimSchema as Present};

use super::change::{self, Change};
use super::declared::{Declared, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;

/// `[[tenant.scim_schema]]`: attributes under a URN, which names the schema within its tenant.
#[derive(Clone, Debug)]
pub struct ScimSchema {
    urn: String,
    content: SchemaContent,
    written: Written,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    urn: String,
}

impl Declared for ScimSchema {
    const KIND: &'static str = "scim_schema";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "urn");
        let written = reader.written(&place);
        let keys: Option<Keys> = reader.read(&mut place.split(&["urn"]));
        let content = reader.read(&mut place);
        Some(Self { urn: keys?.urn, content: content?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        self.urn.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let all = schemas::all(tx).await?;
        Ok(all.into_iter().map(|schema| (schema.urn.clone(), schema)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        svc_control::declare_scim_schema(tx, making.target.cx, &self.urn, self.content.clone()).await?;
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        schemas::update(tx, making.target.cx, present, &self.content).await?;
        Ok(change::between(&present.content, &self.content))
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        schemas::delete(tx, making.target.cx, present).await
    }

    async fn exported(_: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut table = table(&present.content)?;
        table.insert("urn".to_owned(), present.urn.clone().into());
        Ok(table)
    }
}
