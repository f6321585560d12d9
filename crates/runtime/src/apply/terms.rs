//! The versions of documents of a file, which people accept.

use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::people::terms::{self, Terms as Present, TermsContent};

use super::change::{self, Change};
use super::declared::{Declared, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;

/// `[[tenant.terms]]`: a version of a document, which key and label name within the tenant.
#[derive(Clone, Debug)]
pub struct Terms {
    content: TermsContent,
    written: Written,
}

impl Declared for Terms {
    const KIND: &'static str = "terms";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "key");
        let written = reader.written(&place);
        Some(Self { content: reader.read(&mut place)?, written })
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
        terms::create(tx, making.target.cx, &self.content).await?;
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        terms::update(tx, making.target.cx, present, &self.content).await?;
        Ok(change::between(&present.content, &self.content))
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        terms::delete(tx, making.target.cx, present).await
    }

    async fn exported(_: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        table(&present.content)
    }
}

/// The document, and what its version is called.
fn named(content: &TermsContent) -> String {
    format!("{} {}", content.key, content.label)
}
