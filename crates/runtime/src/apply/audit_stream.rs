//! The streams of a file that send the audit log on.

use svc_core::{Result, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::audit_streams::{
    self, AuditStream as Present, Begin, Configuration, NewStream, Update,
};

use super::change::{self, Change, Switch};
use super::declared::{Activity, Declared, GivenSecret, Making};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;
use crate::pages::Pages;

/// `[[tenant.audit_stream]]`: where entries of the audit log go.
#[derive(Clone, Debug)]
pub struct AuditStream {
    active: bool,
    secret: GivenSecret,
    configuration: Configuration,
    written: Written,
}

impl AuditStream {
    fn check(&self, making: Making<'_>) -> Result<()> {
        let outbound = making.target.outbound.to_receivers(making.target.config);
        svc_control::check_destination(&outbound, &self.configuration, self.secret.get())
    }
}

impl Declared for AuditStream {
    const KIND: &'static str = "audit_stream";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        place.called(outer, Self::KIND, "name");
        let written = reader.written(&place);
        let secret = GivenSecret::read(reader, &mut place);
        let activity: Option<Activity> = reader.read(&mut place.split(&["active"]));
        let configuration = reader.read(&mut place);
        Some(Self { active: activity?.active, secret: secret?, configuration: configuration?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        self.configuration.name.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let mut pages = Pages::new();
        while let Some(place) = pages.next() {
            pages.add(audit_streams::list(tx, place).await?, |stream| stream.id);
        }
        Ok(pages
            .into_records()
            .into_iter()
            .map(|stream| (stream.configuration.name.clone(), stream))
            .collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        self.check(making)?;
        let new = NewStream {
            configuration: &self.configuration,
            active: self.active,
            begin: Begin::Now,
            secret: self.secret.get().map(Secret::expose),
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
        let mut changes = change::between(&present.configuration, &self.configuration);
        changes.extend(change::between(&Switch::of(present.active), &Switch::of(self.active)));
        let tenant = tx.tenant().reference();
        let is_other = |given: &Secret| {
            audit_streams::holds_secret(present, given.expose(), tenant, sealer).map(|is_held| !is_held)
        };
        let changes_place = present.configuration.destination != self.configuration.destination;
        let given = match self.secret.get() {
            Some(given) if changes_place || is_other(given)? => Some(given),
            _ => None,
        };
        let wanted = Update {
            configuration: &self.configuration,
            active: self.active,
            secret: given.map(Secret::expose),
        };
        audit_streams::update(tx, making.target.cx, sealer, present, wanted).await?;
        changes
            .extend(given.filter(|given| is_other(given).unwrap_or(true)).map(|_| Change::hidden("secret")));
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
