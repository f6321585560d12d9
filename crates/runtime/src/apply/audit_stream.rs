//! The streams of a file that send the audit log on.

use svc_core::{Result, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::audit_streams::{
    self, AuditStream as Present, Begin, Configuration, NewStream, Update,
};

use super::change::{self, Change};
use super::declared::{Declared, Making, Receiver};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;
use crate::pages::read_all;

/// `[[tenant.audit_stream]]`: where entries of the audit log go.
#[derive(Clone, Debug)]
pub struct AuditStream(Receiver<Configuration>);

impl AuditStream {
    fn check(&self, making: Making<'_>) -> Result<()> {
        let outbound = making.target.outbound.to_receivers(making.target.config);
        svc_control::check_destination(&outbound, &self.0.configuration, self.0.secret.get())
    }
}

impl Declared for AuditStream {
    const KIND: &'static str = "audit_stream";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, place: Place<'_>, outer: &str) -> Option<Self> {
        Receiver::read(reader, place, (outer, Self::KIND, "name")).map(Self)
    }

    fn written(&self) -> &Written {
        &self.0.written
    }

    fn name(&self) -> String {
        self.0.configuration.name.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let found = read_all!(|page| audit_streams::list(tx, page).await?, |stream| stream.id);
        Ok(found.into_iter().map(|stream| (stream.configuration.name.clone(), stream)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        self.check(making)?;
        let new = NewStream {
            configuration: &self.0.configuration,
            active: self.0.active,
            begin: Begin::Now,
            secret: self.0.secret.get().map(Secret::expose),
            most: making.target.config.audit_log.max_streams,
        };
        Ok(audit_streams::create(tx, making.target.cx, making.sealer()?, new).await?.1)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        self.check(making)?;
        let sealer = making.sealer()?;
        let mut changes = change::between(&present.configuration, &self.0.configuration);
        changes.extend(change::of_key("active", &present.active, &self.0.active));
        let tenant = tx.tenant().reference();
        let is_other =
            |given: &&Secret| !audit_streams::holds_secret(present, given.expose(), tenant, sealer);
        let changes_place = present.configuration.destination != self.0.configuration.destination;
        let given = self.0.secret.get().filter(|given| changes_place || is_other(given));
        let wanted = Update {
            configuration: &self.0.configuration,
            active: self.0.active,
            secret: given.map(Secret::expose),
        };
        audit_streams::update(tx, making.target.cx, sealer, present, wanted).await?;
        changes.extend(given.filter(is_other).map(|_| Change::hidden("secret")));
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        audit_streams::delete(tx, making.target.cx, present.id).await
    }

    async fn exported(_: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut table = table(&present.configuration)?;
        table.insert("active".to_owned(), present.active.into());
        Ok(table)
    }
}
