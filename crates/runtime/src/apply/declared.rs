//! Kinds of records that a file declares and that differ in their keys only: found by name, made, changed, told when they are
//! not mentioned, exported.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use svc_core::{Error, Result, Secret};
use svc_db::{Tenant as Space, Tx};
use svc_domain::tenancy::tenants::Tenant;
use svc_http::Outbound;
use svc_keys::Sealer;

use super::audit_stream::AuditStream;
use super::change::Change;
use super::client_secret::unless_held;
use super::connector::Connector;
use super::environment::from_environment;
use super::faults::{Faults, Written};
use super::file::on;
use super::hook::Hook;
use super::outcome::{Outcome, Record, Verb};
use super::reader::{Place, Reader, taken};
use super::scim_schema::ScimSchema;
use super::scim_target::ScimTarget;
use super::sign_up_field::SignUpField;
use super::sso_connection::SsoConnection;
use super::terms::Terms;
use super::trusted_issuer::TrustedIssuer;
use super::webhook::Webhook;
use super::{Target, twice};
use crate::failure::Failure;

/// What a tenant declares of these kinds.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// `[[tenant.trusted_issuer]]`
    pub trusted_issuer: Vec<TrustedIssuer>,
    /// `[[tenant.webhook]]`
    pub webhook: Vec<Webhook>,
    /// `[[tenant.hook]]`
    pub hook: Vec<Hook>,
    /// `[[tenant.connector]]`
    pub connector: Vec<Connector>,
    /// `[[tenant.sso_connection]]`
    pub sso_connection: Vec<SsoConnection>,
    /// `[[tenant.audit_stream]]`
    pub audit_stream: Vec<AuditStream>,
    /// `[[tenant.scim_schema]]`
    pub scim_schema: Vec<ScimSchema>,
    /// `[[tenant.scim_target]]`
    pub scim_target: Vec<ScimTarget>,
    /// `[[tenant.terms]]`
    pub terms: Vec<Terms>,
    /// `[[tenant.sign_up_field]]`
    pub sign_up_field: Vec<SignUpField>,
}

/// What records are made with.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub target: &'a Target<'a>,
    /// Where.
    pub tenant: &'a Tenant,
    /// Seals secrets of the tenant; there is none where the file declares nothing that has any.
    pub sealer: Option<&'a Sealer>,
}

/// A kind of record.
pub(super) trait Declared: Sized + Sync {
    /// What it is called in files and in outcomes.
    const KIND: &'static str;

    /// The record as it is stored.
    type Present: Send + Sync;

    /// Reads one.
    fn read(reader: &mut Reader<'_>, place: Place<'_>, outer: &str) -> Option<Self>;

    /// Where the file says it.
    fn written(&self) -> &Written;

    /// What the file calls it.
    fn name(&self) -> String;

    /// Every record of the tenant by what a file would call it.
    fn all(tx: &mut Tx<Space>) -> impl Future<Output = Result<Vec<(String, Self::Present)>>> + Send;

    /// Makes it; returns the secret that was made with it.
    fn create(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Space>,
    ) -> impl Future<Output = Result<Option<String>>> + Send;

    /// Makes it so; returns what differed.
    fn update(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Space>,
        present: &Self::Present,
    ) -> impl Future<Output = Result<Vec<Change>>> + Send;

    /// Deletes it.
    fn delete(
        making: Making<'_>,
        tx: &mut Tx<Space>,
        present: &Self::Present,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The record as a table of a file, without its secret.
    fn exported(
        tx: &mut Tx<Space>,
        present: &Self::Present,
    ) -> impl Future<Output = Result<toml::Table, Failure>> + Send;
}

/// What the tables of receivers have alike.
#[derive(Clone, Debug)]
pub(super) struct Receiver<C> {
    /// Whether it is on, as it is where the file says nothing.
    pub active: bool,
    /// What proves the service to it.
    pub secret: GivenSecret,
    /// What is chosen of it.
    pub configuration: C,
    /// Where the file says it.
    pub written: Written,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Activity {
    #[serde(default = "on")]
    active: bool,
}

impl<C: DeserializeOwned> Receiver<C> {
    /// Reads a table that is called by the value of one of its keys.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        mut place: Place<'_>,
        (outer, kind, key): (&str, &str, &str),
    ) -> Option<Self> {
        place.called(outer, kind, key);
        let written = reader.written(&place);
        let secret = GivenSecret::read(reader, &mut place);
        let activity: Option<Activity> = reader.read(&mut place.split(&["active"]));
        let configuration = reader.read(&mut place);
        Some(Self { active: activity?.active, secret: secret?, configuration: configuration?, written })
    }
}

/// The secret of a record, in the file or in a variable of the environment.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct GivenSecret {
    #[serde(default)]
    secret: Option<Secret>,
    #[serde(default, deserialize_with = "from_environment")]
    secret_env: Option<Secret>,
}

/// The keys of [`GivenSecret`].
const SECRET_KEYS: &[&str] = &["secret", "secret_env"];

impl GivenSecret {
    /// The keys out of a table.
    pub(super) fn read(reader: &mut Reader<'_>, place: &mut Place<'_>) -> Option<Self> {
        let given: Self = reader.read(&mut place.split(SECRET_KEYS))?;
        if given.secret.is_some() && given.secret_env.is_some() {
            reader.refuse(place, "give secret or secret_env, not both");
        }
        Some(given)
    }

    pub(super) fn get(&self) -> Option<&Secret> {
        self.secret.as_ref().or(self.secret_env.as_ref())
    }

    /// The secret, unless it is the one that is held for this place already.
    pub(super) fn unless_held(&self, held: Option<&Secret>, is_same_place: bool) -> Option<&Secret> {
        unless_held(self.get(), held, is_same_place)
    }
}

impl<'a> Making<'a> {
    /// What seals secrets of the tenant.
    pub(super) fn sealer(&self) -> Result<&'a Sealer> {
        self.sealer.ok_or_else(|| Error::internal("nothing seals secrets of the tenant"))
    }

    /// Refuses an address that will never be called.
    pub(super) fn check_address(&self, key: &str, url: &str) -> Result<()> {
        check_reach(self.target.outbound, key, url)
    }

    /// Refuses the address of a receiver that will never be called; the configuration may leave the port open.
    pub(super) fn check_receiver(&self, key: &str, url: &str) -> Result<()> {
        check_reach(&self.target.outbound.to_receivers(self.target.config), key, url)
    }
}

impl Declarations {
    /// Takes the tables out of the one of their tenant.
    pub(super) fn read(reader: &mut Reader<'_>, tenant: &mut Place<'_>) -> Self {
        Self {
            trusted_issuer: read(reader, tenant),
            webhook: read(reader, tenant),
            hook: read(reader, tenant),
            connector: read(reader, tenant),
            sso_connection: read(reader, tenant),
            audit_stream: read(reader, tenant),
            scim_schema: read(reader, tenant),
            scim_target: read(reader, tenant),
            terms: read(reader, tenant),
            sign_up_field: read(reader, tenant),
        }
    }

    /// Whether something of it has a secret, or may be given one.
    pub(super) fn has_secrets(&self) -> bool {
        !self.webhook.is_empty()
            || !self.hook.is_empty()
            || !self.connector.is_empty()
            || !self.sso_connection.is_empty()
            || !self.audit_stream.is_empty()
            || !self.scim_target.is_empty()
    }

    /// Makes everything so.
    pub(super) async fn apply(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Space>,
        outer: &str,
        (outcome, faults): (&mut Outcome, &mut Faults),
    ) -> Result<(), Failure> {
        apply(&self.trusted_issuer, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.webhook, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.hook, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.connector, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.sso_connection, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.audit_stream, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.scim_schema, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.scim_target, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.terms, making, tx, outer, (&mut *outcome, &mut *faults)).await?;
        apply(&self.sign_up_field, making, tx, outer, (outcome, faults)).await
    }

    /// Tells what is not mentioned, and deletes it where that is wanted.
    pub(super) async fn unlisted(
        &self,
        making: Making<'_>,
        tx: &mut Tx<Space>,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        unlisted(&self.hook, making, tx, outcome).await?;
        unlisted(&self.webhook, making, tx, outcome).await?;
        unlisted(&self.connector, making, tx, outcome).await?;
        unlisted(&self.sso_connection, making, tx, outcome).await?;
        unlisted(&self.trusted_issuer, making, tx, outcome).await?;
        unlisted(&self.audit_stream, making, tx, outcome).await?;
        unlisted(&self.scim_schema, making, tx, outcome).await?;
        unlisted(&self.scim_target, making, tx, outcome).await?;
        unlisted(&self.terms, making, tx, outcome).await?;
        unlisted(&self.sign_up_field, making, tx, outcome).await
    }
}

fn check_reach(outbound: &Outbound, key: &str, url: &str) -> Result<()> {
    outbound.check(url).map_err(|error| Error::bad_request(format!("{key}: {}", error.detail())))
}

fn read<D: Declared>(reader: &mut Reader<'_>, tenant: &mut Place<'_>) -> Vec<D> {
    let (places, outer) = (taken(&mut tenant.table, D::KIND), tenant.name.clone());
    let all: Vec<D> = places.into_iter().filter_map(|place| D::read(reader, place, &outer)).collect();
    twice::each(reader, &format!("{outer}: {}", D::KIND), all.iter().map(|one| (one.name(), one.written())));
    all
}

async fn apply<D: Declared>(
    all: &[D],
    making: Making<'_>,
    tx: &mut Tx<Space>,
    outer: &str,
    (outcome, faults): (&mut Outcome, &mut Faults),
) -> Result<(), Failure> {
    for wanted in all {
        let place = format!("{outer}: {} {:?}", D::KIND, wanted.name());
        let done = made(wanted, making, tx, outcome).await;
        faults.note(wanted.written(), &place, done)?;
    }
    Ok(())
}

async fn made<D: Declared>(
    wanted: &D,
    making: Making<'_>,
    tx: &mut Tx<Space>,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let name = wanted.name();
    let mut record = Record::new(Verb::Created, D::KIND, &name);
    let mut named = D::all(tx).await?;
    named.retain(|(present, _)| *present == name);
    match named.as_slice() {
        [] => {
            if let Some(secret) = wanted.create(making, tx).await? {
                outcome.reveal(D::KIND, &name, secret);
            }
        }
        [(_, present)] => {
            record.changes = wanted.update(making, tx, present).await?;
            record.verb = Verb::of_change(!record.changes.is_empty());
        }
        _ => {
            return Err(Failure::new(format!(
                "several records of the tenant are {name:?}; delete all but one"
            )));
        }
    }
    outcome.note(record);
    Ok(())
}

async fn unlisted<D: Declared>(
    all: &[D],
    making: Making<'_>,
    tx: &mut Tx<Space>,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let names: BTreeSet<_> = all.iter().map(D::name).collect();
    let mode = making.target.mode;
    for (name, present) in D::all(tx).await? {
        if names.contains(&name) {
            continue;
        }
        if mode.prunes() {
            D::delete(making, tx, &present).await?;
        }
        outcome.note(Record::new(mode.verb_of_unlisted(), D::KIND, name));
    }
    Ok(())
}

/// Every record of a kind as tables of a file.
pub(super) async fn exported<D: Declared>(tx: &mut Tx<Space>) -> Result<Vec<toml::Table>, Failure> {
    let mut tables = Vec::new();
    for (_, present) in D::all(tx).await? {
        tables.push(D::exported(tx, &present).await?);
    }
    Ok(tables)
}
