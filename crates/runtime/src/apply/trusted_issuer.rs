//! The issuers of a file whose assertions about people are believed.

use serde::Deserialize;
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::federation::trusted_issuers::{self, Configuration, New, TrustedIssuer as Present};

use super::change::{self, Change, Switch};
use super::declared::{Declared, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;
use crate::pages::Pages;

/// `[[tenant.trusted_issuer]]`: an issuer; which of its subjects are whom is said by the API.
#[derive(Clone, Debug)]
pub struct TrustedIssuer {
    keys: Keys,
    configuration: Configuration,
    written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    issuer: String,
    #[serde(default = "super::file::on")]
    enabled: bool,
}

impl TrustedIssuer {
    fn check(&self, making: Making<'_>) -> Result<()> {
        match &self.configuration.jwks_uri {
            Some(uri) => making.check_reach("jwks_uri", uri),
            None => Ok(()),
        }
    }
}

impl Declared for TrustedIssuer {
    const KIND: &'static str = "trusted_issuer";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "issuer");
        let written = reader.written(&place);
        let keys = reader.read(&mut place.split(&["issuer", "enabled"]));
        let configuration = reader.read(&mut place);
        Some(Self { keys: keys?, configuration: configuration?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        self.keys.issuer.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let mut pages = Pages::new();
        while let Some(place) = pages.next() {
            pages.add(trusted_issuers::list(tx, place).await?, |issuer| issuer.id);
        }
        Ok(pages.into_records().into_iter().map(|issuer| (issuer.issuer.clone(), issuer)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        self.check(making)?;
        if self.keys.issuer == making.tenant.issuer {
            return Err(Error::bad_request("issuer: this is the tenant itself"));
        }
        let cx = making.target.cx;
        let new = New { organization: None, issuer: &self.keys.issuer, configuration: &self.configuration };
        let made = trusted_issuers::create(tx, cx, new).await?;
        if !self.keys.enabled {
            trusted_issuers::update(tx, cx, &made, &self.configuration, false).await?;
        }
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        self.check(making)?;
        let Self { keys, configuration, .. } = self;
        let mut changes = change::between(&present.configuration, configuration);
        changes.extend(change::between(&Switch::of(present.enabled), &Switch::of(keys.enabled)));
        trusted_issuers::update(tx, making.target.cx, present, configuration, keys.enabled).await?;
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        trusted_issuers::delete(tx, making.target.cx, present).await
    }

    async fn exported(_: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut table = table(&present.configuration)?;
        table.insert("issuer".to_owned(), present.issuer.clone().into());
        table.insert("enabled".to_owned(), present.enabled.into());
        Ok(table)
    }
}
