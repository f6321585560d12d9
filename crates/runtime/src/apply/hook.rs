//! The hooks of a file, which are asked before something happens.

use serde::Deserialize;
use svc_core::{Error, Result};
use svc_db::{Tenant, Tx};
use svc_domain::hooks::{self, Configuration, Hook as Present, HookModule, New};

use super::change::{self, Change};
use super::declared::{Declared, GivenSecret, Making};
use super::faults::Written;
use super::naming;
use super::reader::{Place, Reader};
use super::table;
use super::webhook::overlap;
use crate::failure::Failure;
use crate::pages::read_all;

/// `[[tenant.hook]]`: a receiver, or a module that was uploaded.
#[derive(Clone, Debug)]
pub struct Hook {
    keys: Keys,
    secret: GivenSecret,
    /// What is chosen, without what names other records.
    configuration: Configuration,
    written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    /// The name of the module that answers.
    #[serde(default)]
    module: Option<String>,
    /// Handles of the applications for which it is asked.
    #[serde(default)]
    applications: Vec<String>,
}

impl Hook {
    /// With the ids of what it names.
    async fn resolved(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Configuration> {
        let mut configuration = self.configuration.clone();
        configuration.application_ids.extend(naming::applications(tx, &self.keys.applications).await?);
        if let Some(name) = &self.keys.module {
            let mut named = modules(tx).await?;
            named.retain(|module| module.name == *name);
            match named.as_slice() {
                [module] => configuration.module_id = Some(module.id),
                [] => {
                    return Err(Error::bad_request(format!(
                        "module: there is no module {name:?}; upload it first"
                    )));
                }
                _ => return Err(Error::bad_request(format!("module: several modules are {name:?}"))),
            }
        }
        let longest = making.target.config.hooks.timeout_millis;
        if configuration.timeout_millis.is_some_and(|millis| !(100..=longest).contains(&millis)) {
            return Err(Error::bad_request(format!("timeout_millis: use 100 to {longest}, or leave it out")));
        }
        if let Some(url) = &configuration.url {
            making.check_receiver("url", url)?;
        }
        Ok(configuration)
    }
}

impl Declared for Hook {
    const KIND: &'static str = "hook";

    type Present = Present;

    fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Self> {
        let key = if place.text("module").is_some() { "module" } else { "url" };
        place.called(outer, Self::KIND, key);
        let written = reader.written(&place);
        let secret = GivenSecret::read(reader, &mut place);
        let keys = reader.read(&mut place.split(&["module", "applications"]));
        let configuration = reader.read(&mut place);
        Some(Self { keys: keys?, secret: secret?, configuration: configuration?, written })
    }

    fn written(&self) -> &Written {
        &self.written
    }

    fn name(&self) -> String {
        named(&self.configuration, self.keys.module.as_deref())
    }

    async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<(String, Present)>> {
        let modules = modules(tx).await?;
        let found = read_all!(|page| hooks::list(tx, page, |_| true).await?, |hook| hook.id);
        let named = |hook: Present| {
            let module = modules.iter().find(|module| Some(module.id) == hook.configuration.module_id);
            let module = module.map(|module| module.name.as_str());
            (named(&hook.configuration, module), hook)
        };
        Ok(found.into_iter().map(named).collect())
    }

    async fn create(&self, making: Making<'_>, tx: &mut Tx<Tenant>) -> Result<Option<String>> {
        let configuration = self.resolved(making, tx).await?;
        let most = making.target.config.hooks.max_per_tenant;
        let new = New { configuration: &configuration, secret: self.secret.get(), most };
        Ok(hooks::create(tx, making.target.cx, making.sealer()?, new).await?.1)
    }

    async fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Tenant>,
        present: &Present,
    ) -> Result<Vec<Change>> {
        let configuration = self.resolved(making, tx).await?;
        let (cx, sealer) = (making.target.cx, making.sealer()?);
        let mut changes = change::between(&present.configuration, &configuration);
        hooks::update(tx, cx, present, &configuration).await?;
        let Some(given) = self.secret.get() else { return Ok(changes) };
        if self.keys.module.is_some() {
            return Err(Error::bad_request("secret: nothing is signed for a module; leave it out"));
        }
        if !hooks::holds_secret(present, given.expose(), tx.tenant().reference(), sealer)
            && let Some(now) = hooks::find(tx, present.id).await?
        {
            let is_following = now.former_secret_expires_at.is_some_and(|until| cx.now < until);
            let given = (given.expose(), overlap(is_following)?);
            hooks::replace_secret(tx, cx, sealer, &now, given).await?;
            changes.push(Change::hidden("secret"));
        }
        Ok(changes)
    }

    async fn delete(making: Making<'_>, tx: &mut Tx<Tenant>, present: &Present) -> Result<()> {
        hooks::delete(tx, making.target.cx, present.id).await
    }

    async fn exported(tx: &mut Tx<Tenant>, present: &Present) -> Result<toml::Table, Failure> {
        let mut configuration = present.configuration.clone();
        let named = std::mem::take(&mut configuration.application_ids);
        let (handles, unnamed) = naming::handles(tx, named).await?;
        configuration.application_ids = unnamed;
        let module = configuration.module_id.take();
        let mut table = table(&configuration)?;
        if configuration.application_ids.is_empty() {
            table.remove("application_ids");
        }
        if !handles.is_empty() {
            table.insert("applications".to_owned(), handles.into());
        }
        if let Some(module) = modules(tx).await?.into_iter().find(|known| Some(known.id) == module) {
            table.insert("module".to_owned(), module.name.into());
        }
        Ok(table)
    }
}

/// The point, and the module or the address that answers there.
fn named(configuration: &Configuration, module: Option<&str>) -> String {
    let answerer = module.or(configuration.url.as_deref());
    format!("{} {}", configuration.point.name(), answerer.unwrap_or_default())
}

async fn modules(tx: &mut Tx<Tenant>) -> Result<Vec<HookModule>> {
    Ok(read_all!(|page| hooks::list_modules(tx, page).await?, |module| module.id))
}
