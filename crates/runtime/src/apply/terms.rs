//! The versions of documents of a file, which people accept.

use serde::Deserialize;
use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::terms::{self, Terms as Present, TermsContent};

use super::change::{self, Change};
use super::declared::{Declared, Making};
use super::faults::Written;
use super::naming;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;

/// `[[tenant.terms]]`: a version of a document, which key and label name within the tenant.
#[derive(Clone, Debug)]
pub struct Terms {
    keys: Keys,
    /// What it says, without what names other records.
    content: TermsContent,
    written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    /// Slugs of the organizations whose people accept it.
    #[serde(default)]
    organizations: Vec<String>,
}

impl Terms {
    /// With the ids of what it names.
    async fn resolved(&self, tx: &mut Tx<Tenant>) -> Result<TermsContent> {
        let mut content = self.content.clone();
        for slug in &self.keys.organizations {
            content.organization_ids.push(naming::organization(tx, "organizations", slug).await?);
        }
        Ok(content)
    }
}

impl Declared for Terms {
    const KIND: &'static str = "terms";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "key");
        let written = reader.written(&place);
        let keys = reader.read(&mut place.split(&["organizations"]));
        let content = reader.read(&mut place);
        Some(Self { keys: keys?, content: content?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        named(&self.content)
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let all = terms::all(tx).await?;
        Ok(all.into_iter().map(|terms| (named(&terms.content), terms)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        let content = self.resolved(tx).await?;
        terms::create(tx, making.target.cx, &content).await?;
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        let content = self.resolved(tx).await?;
        terms::update(tx, making.target.cx, present, &content).await?;
        Ok(change::between(&present.content, &content))
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        terms::delete(tx, making.target.cx, present).await
    }

    async fn exported(tx: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut content = present.content.clone();
        let (slugs, unnamed) = naming::slugs(tx, std::mem::take(&mut content.organization_ids)).await?;
        content.organization_ids = unnamed;
        let mut table = table(&content)?;
        if !slugs.is_empty() {
            table.insert("organizations".to_owned(), slugs.into());
        }
        Ok(table)
    }
}

/// The document, and what its version is called.
fn named(content: &TermsContent) -> String {
    format!("{} {}", content.key, content.label)
}
