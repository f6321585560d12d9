//! The subscriptions of a file to the tenant's events.

use svc_core::{Result, Seconds, Secret};
use svc_db::{Tenant, Tx};
use svc_domain::delivery::webhooks::{self, Configuration, NewWebhook, Webhook as Present};
use svc_domain::overlap::Overlap;

use super::change::{self, Change};
use super::declared::{Declared, Making, Receiver};
use super::faults::Written;
use super::reader::{Place, Reader};
use super::table;
use crate::failure::Failure;
use crate::pages::read_all;

/// `[[tenant.webhook]]`: where events are posted to.
#[derive(Clone, Debug)]
pub struct Webhook(Receiver<Configuration>);

/// How long a secret that was valid stays so; one that followed another just now ends both at once.
pub(super) fn overlap(is_following: bool) -> Result<Overlap> {
    if is_following { Overlap::chosen(Seconds(0)) } else { Ok(Overlap::default()) }
}

impl Declared for Webhook {
    const KIND: &'static str = "webhook";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, place: Place<'_>, outer: &str) -> Option<Self> {
        Receiver::read(reader, place, (outer, Self::KIND, "url")).map(Self)
    }

    fn written(&self) -> &Written {
        &self.0.written
    }

    fn name(&self) -> String {
        self.0.configuration.url.clone()
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let found = read_all!(|page| webhooks::list(tx, None, page).await?, |webhook| webhook.id);
        Ok(found.into_iter().map(|webhook| (webhook.configuration.url.clone(), webhook)).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        making.check_receiver("url", &self.0.configuration.url)?;
        let new = NewWebhook {
            configuration: &self.0.configuration,
            active: self.0.active,
            secret: self.0.secret.get().map(Secret::expose),
        };
        Ok(webhooks::create(tx, making.target.cx, making.sealer()?, new).await?.1)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        making.check_receiver("url", &self.0.configuration.url)?;
        let (cx, sealer) = (making.target.cx, making.sealer()?);
        let mut changes = change::between(&present.configuration, &self.0.configuration);
        changes.extend(change::of_key("active", &present.active, &self.0.active));
        webhooks::update(tx, cx, present, &self.0.configuration, self.0.active).await?;
        let Some(given) = self.0.secret.get() else { return Ok(changes) };
        if !webhooks::holds_secret(present, given.expose(), tx.tenant().reference(), sealer)
            && let Some(now) = webhooks::find(tx, present.id).await?
        {
            let is_following = now.former_secret_expires_at.is_some_and(|until| cx.now < until);
            let given = (given.expose(), overlap(is_following)?);
            webhooks::replace_secret(tx, cx, sealer, &now, given).await?;
            changes.push(Change::hidden("secret"));
        }
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        webhooks::delete(tx, making.target.cx, present.id).await
    }

    async fn exported(_: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut table = table(&present.configuration)?;
        table.insert("active".to_owned(), present.active.into());
        Ok(table)
    }
}
