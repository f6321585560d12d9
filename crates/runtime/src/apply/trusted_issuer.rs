//! The issuers of a file whose assertions are believed about people of the tenant, or about members of an organization.

use serde::Deserialize;
use svc_core::{Error, OrganizationId, Result};
use svc_db::{Tenant, Tx};
use svc_domain::federation::trusted_issuers::{self, Configuration, New, TrustedIssuer as Present};

use super::change::{self, Change};
use super::declared::{Declared, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::{naming, table};
use crate::failure::Failure;
use crate::pages::read_all;

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
    /// The slug of the organization about whose members alone it is believed.
    #[serde(default)]
    organization: Option<String>,
}

impl TrustedIssuer {
    fn check(&self, making: Making<'_>) -> Result<()> {
        match &self.configuration.jwks_uri {
            Some(uri) => making.check_address("jwks_uri", uri),
            None => Ok(()),
        }
    }

    async fn organization(&self, tx: &mut Tx<Tenant>) -> Result<Option<OrganizationId>> {
        naming::owner(tx, self.keys.organization.as_deref()).await
    }
}

impl Declared for TrustedIssuer {
    const KIND: &'static str = "trusted_issuer";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "issuer");
        let written = reader.written(&place);
        let keys = reader.read(&mut place.split(&["issuer", "enabled", "organization"]));
        let configuration = reader.read(&mut place);
        Some(Self { keys: keys?, configuration: configuration?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    /// The issuer, which is trusted once in a tenant with its organizations.
    fn name(&self) -> String {
        self.keys.issuer.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let found = read_all!(|page| trusted_issuers::list_all(tx, page).await?, |issuer| issuer.id);
        Ok(found.into_iter().map(|issuer| (issuer.issuer.clone(), issuer)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        self.check(making)?;
        if self.keys.issuer == making.tenant.issuer {
            return Err(Error::bad_request("issuer: this is the tenant itself; give another issuer"));
        }
        let cx = making.target.cx;
        let organization = self.organization(tx).await?;
        let new = New { organization, issuer: &self.keys.issuer, configuration: &self.configuration };
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
        if self.organization(tx).await? != present.organization_id {
            return Err(Error::bad_request(
                "organization: the issuer is trusted elsewhere in the tenant already, and cannot be moved; delete it there first",
            ));
        }
        let Self { keys, configuration, .. } = self;
        let mut changes = change::between(&present.configuration, configuration);
        changes.extend(change::of_key("enabled", &present.enabled, &keys.enabled));
        trusted_issuers::update(tx, making.target.cx, present, configuration, keys.enabled).await?;
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        trusted_issuers::delete(tx, making.target.cx, present).await
    }

    async fn exported(tx: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut table = table(&present.configuration)?;
        table.insert("issuer".to_owned(), present.issuer.clone().into());
        table.insert("enabled".to_owned(), present.enabled.into());
        naming::write_owner(tx, &mut table, present.organization_id).await?;
        Ok(table)
    }
}
