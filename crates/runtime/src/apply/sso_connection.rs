//! The providers of a file through which the people of organizations sign in.

use serde::Deserialize;
use svc_core::Result;
use svc_db::{Tenant, Tx};
use svc_domain::federation::sso::{self, Configuration, Connection, New};

use super::change::{self, Change};
use super::client_secret::ClientSecret;
use super::declared::{Declared, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::{naming, organization, table};
use crate::failure::Failure;
use crate::pages::read_all;

/// `[[tenant.sso_connection]]`: a provider of an organization.
#[derive(Clone, Debug)]
pub struct SsoConnection {
    keys: Keys,
    secret: ClientSecret,
    configuration: Configuration,
    written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    /// The slug of the organization.
    organization: String,
}

impl SsoConnection {
    fn check(&self, making: Making<'_>) -> Result<()> {
        making.check_address("issuer", &self.configuration.issuer)
    }
}

impl Declared for SsoConnection {
    const KIND: &'static str = "sso_connection";

    type Present = Connection;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "issuer");
        let written = reader.written(&place);
        let keys = reader.read(&mut place.split(&["organization"]));
        let secret = ClientSecret::read(reader, &mut place);
        let configuration = reader.read(&mut place);
        Some(Self { keys: keys?, secret: secret?, configuration: configuration?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    /// The organization, and the provider as it calls itself.
    fn name(&self) -> String {
        format!("{} {}", self.keys.organization, self.configuration.issuer)
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Connection)>> {
        let mut all = Vec::new();
        for organization in organization::all(tx).await? {
            let found = read_all!(|page| sso::list(tx, organization.id, page, |_| true).await?, |one| one.id);
            let named = |connection: Connection| {
                (format!("{} {}", organization.slug, connection.configuration.issuer), connection)
            };
            all.extend(found.into_iter().map(named));
        }
        Ok(all)
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        self.check(making)?;
        let most = making.target.config.enterprise_sso.max_per_organization;
        let organization = naming::organization(tx, "organization", &self.keys.organization).await?;
        let new = New { configuration: &self.configuration, client_secret: self.secret.get(), most };
        sso::create(tx, making.target.cx, making.sealer()?, (organization, new)).await?;
        Ok(None)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Connection,
    ) -> Result<Vec<Change>> {
        self.check(making)?;
        let sealer = making.sealer()?;
        let mut changes = change::between(&present.configuration, &self.configuration);
        // One that does not open, because its key was destroyed, is not held.
        let held = sso::client_secret(present, tx.tenant().reference(), sealer).ok().flatten();
        let is_same_client = present.configuration.client_id == self.configuration.client_id;
        let given = self.secret.unless_held(held.as_ref(), is_same_client);
        let wanted = (&self.configuration, given);
        sso::update(tx, making.target.cx, sealer, present, wanted).await?;
        changes.extend(given.map(|_| Change::hidden("client_secret")));
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Connection) -> Result<()> {
        sso::delete(tx, making.target.cx, present).await.map(drop)
    }

    async fn exported(tx: &mut Tx<Tenant>, present: &Connection) -> Result<toml::Table, Failure> {
        let mut table = table(&present.configuration)?;
        naming::write_owner(tx, &mut table, Some(present.organization_id)).await?;
        Ok(table)
    }
}
