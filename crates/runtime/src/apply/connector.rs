//! The providers of a file at which a tenant has registered itself.

use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::federation::connectors::{self, Configuration, New};

use super::change::{self, Change};
use super::client_secret::ClientSecret;
use super::declared::{Declared, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;

/// `[[tenant.connector]]`: a provider, which its name names within the tenant.
#[derive(Clone, Debug)]
pub struct Connector {
    secret: ClientSecret,
    configuration: Configuration,
    written: Written,
}

impl Connector {
    fn check(&self, making: Making<'_>) -> Result<()> {
        let addresses = self.configuration.addresses();
        Error::every(addresses.map(|(member, address)| making.check_address(member, address)))
    }
}

impl Declared for Connector {
    const KIND: &'static str = "connector";

    type Present = connectors::Connector;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "name");
        let written = reader.written(&place);
        let secret = ClientSecret::read(reader, &mut place);
        let configuration = reader.read(&mut place);
        Some(Self { secret: secret?, configuration: configuration?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        self.configuration.name.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, connectors::Connector)>> {
        let all = connectors::all(tx).await?;
        Ok(all.into_iter().map(|connector| (connector.configuration.name.clone(), connector)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        self.check(making)?;
        let most = making.target.config.social.max_connectors_per_tenant;
        let new = New { configuration: &self.configuration, client_secret: self.secret.get(), most };
        connectors::create(tx, making.target.cx, making.sealer()?, new).await?;
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &connectors::Connector,
    ) -> Result<Vec<Change>> {
        self.check(making)?;
        let sealer = making.sealer()?;
        let mut changes = change::between(&present.configuration, &self.configuration);
        // One that does not open, because its key was destroyed, is not held.
        let held = connectors::client_secret(present, tx.tenant().reference(), sealer).ok().flatten();
        let is_same = present.configuration.is_same_client(&self.configuration);
        let given = self.secret.unless_held(held.as_ref(), is_same);
        let wanted = (&self.configuration, given);
        connectors::update(tx, making.target.cx, sealer, present, wanted).await?;
        changes.extend(given.map(|_| Change::hidden("client_secret")));
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &connectors::Connector) -> Result<()> {
        connectors::delete(tx, making.target.cx, present).await
    }

    async fn exported(_: &mut Tx<Tenant>, present: &connectors::Connector) -> Result<toml::Table, Failure> {
        table(&present.configuration)
    }
}
