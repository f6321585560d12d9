//! The organizations of a file, with their owners and members.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Value, json};
use svc_core::TenantUserId;
use svc_db::{Tenant, Tx};
use svc_domain::organizations::{self, Configuration, Organization as Present, SignInRules, Status, sign_in};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tenancy::tenants;
use svc_domain::tenancy::texts::Texts;

use super::change::{self, Change};
use super::faults::Written;
use super::outcome::{Outcome, Record, Verb};
use super::reader::{Place, Reader};
use super::{Target, held, table, texts};
use crate::failure::Failure;
use crate::pages::read_all;

const KEYS: &[&str] = &["slug", "owner", "status", "sign_in", "member", "texts"];

/// `[[tenant.organization]]`: a customer.
#[derive(Clone, Debug)]
pub struct Organization {
    keys: Keys,
    /// What it is.
    pub configuration: Configuration,
    /// Where the file says it.
    pub written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    slug: String,
    /// Left alone when absent; a new organization needs one.
    #[serde(default)]
    owner: Option<String>,
    #[serde(default = "active")]
    status: Status,
    /// Left alone when absent.
    #[serde(default)]
    sign_in: Option<SignInRules>,
    #[serde(default)]
    member: Option<Vec<Member>>,
    #[serde(default)]
    texts: Option<Texts>,
}

/// `[[tenant.organization.member]]`: a person with roles.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    user: String,
    #[serde(default)]
    roles: Vec<String>,
}

/// Reads one.
pub(super) fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Organization> {
    place.called(outer, "organization", "slug");
    let written = reader.written(&place);
    let keys = reader.read(&mut place.split(KEYS));
    let metadata = reader.json((&mut place.table, &place.name), "metadata");
    let mut configuration: Configuration = reader.read(&mut place)?;
    if let Some(metadata) = metadata {
        configuration.metadata = metadata;
    }
    Some(Organization { keys: keys?, configuration, written })
}

impl Organization {
    /// What addresses and requests call it; names it within its tenant.
    pub fn slug(&self) -> &str {
        &self.keys.slug
    }

    /// Own texts for its people.
    pub fn texts(&self) -> Option<&Texts> {
        self.keys.texts.as_ref()
    }
}

/// Makes an organization so; its people and their roles are there.
pub(super) async fn apply(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    (tenant, wanted): (&tenants::Tenant, &Organization),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let Organization { keys, configuration, .. } = wanted;
    let owner = match &keys.owner {
        Some(name) => Some(person(tx, "owner", name).await?),
        None => None,
    };
    let mut record = Record::new(Verb::Created, "organization", &keys.slug);
    let mut is_changed = false;
    let organization = if let Some(present) = organizations::find_by_slug(tx, &keys.slug).await? {
        record.verb = Verb::Unchanged;
        record.changes = change::between(&present.configuration, configuration);
        let (before, after) = (present.status.name(), keys.status.name());
        record.changes.extend(change::of_key("status", &before, &after));
        is_changed |= organizations::update(tx, target.cx, &present, (configuration, keys.status)).await?;
        if let Some(rules) = &keys.sign_in {
            record.changes.extend(change::of_key("sign_in", &present.sign_in, rules));
        }
        present
    } else {
        let owner = owner.as_ref();
        let owner = owner.ok_or_else(|| Failure::new("owner: name the person who answers for it"))?;
        let new = organizations::New { slug: &keys.slug, owner, configuration };
        let made = organizations::create(tx, target.cx, new).await?;
        organizations::update(tx, target.cx, &made, (configuration, keys.status)).await?;
        made
    };
    is_changed |= demand(target, tx, &organization, keys.sign_in.as_ref()).await?;
    let most = tenant.settings.limits.organizations.max_members(target.config);
    let of_people = people(target, tx, (&organization, most), (keys, owner.as_ref())).await?;
    is_changed |= !of_people.is_empty();
    if is_changed && record.verb == Verb::Unchanged {
        record.verb = Verb::Updated;
        record.changes.extend(of_people);
    }
    outcome.note(record);
    texts::of_organization(target, tx, (&keys.slug, wanted.texts()), outcome).await
}

/// Makes the rules of signing in so.
async fn demand(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    organization: &Present,
    wanted: Option<&SignInRules>,
) -> Result<bool, Failure> {
    let Some(rules) = wanted else { return Ok(false) };
    let now = organizations::find(tx, organization.id).await?;
    Ok(sign_in::set(tx, target.cx, now.as_ref().unwrap_or(organization), rules).await?)
}

/// Makes the owner and the members so, and returns what differed.
async fn people(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    (organization, most): (&Present, u32),
    (keys, owner): (&Keys, Option<&Person>),
) -> Result<Vec<Change>, Failure> {
    let mut changes = Vec::new();
    if let Some(owner) = owner
        && hand_over(target, tx, (organization, most), owner).await?
    {
        let before = name_of(tx, organization.owner_id).await?;
        changes.push(Change::of("owner", before, keys.owner.clone()));
    }
    if let Some(members) = &keys.member {
        let owner = owner.map_or(organization.owner_id, |owner| owner.id);
        changes.extend(settle(target, tx, (organization, most), (owner, members)).await?);
    }
    Ok(changes)
}

/// Makes the members so, and returns what differed: those of the file, and the owner. Whom no file can name, who has neither a
/// user name nor an address here, stays.
async fn settle(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    (organization, most): (&Present, u32),
    (owner, wanted): (TenantUserId, &[Member]),
) -> Result<Vec<Change>, Failure> {
    let (mut kept, mut people) = (BTreeSet::from([owner]), Vec::new());
    for member in wanted {
        let person = person(tx, "member", &member.user).await?;
        kept.insert(person.id);
        people.push((person, member));
    }
    let mut changes = Vec::new();
    // Who leaves goes first, and makes room for who comes.
    for member in members(tx, organization).await? {
        let id = member.tenant_user_id;
        if !kept.contains(&id)
            && let Some(name) = name_of(tx, id).await?
            && organizations::remove(tx, target.cx, organization, id).await?
        {
            changes.push(Change::of(format!("member.{name}"), member.roles, Value::Null));
        }
    }
    for (person, wanted) in &people {
        let present = organizations::find_member(tx, organization.id, person.id).await?;
        let member = (person, present.as_ref(), wanted.roles.as_slice());
        if organizations::add(tx, target.cx, (organization, most), member).await? {
            let before = present.map(|present| present.roles);
            changes.push(Change::of(format!("member.{}", wanted.user), before, wanted.roles.clone()));
        }
    }
    Ok(changes)
}

/// Makes the owner so, who is a member first.
async fn hand_over(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    (organization, most): (&Present, u32),
    owner: &Person,
) -> Result<bool, Failure> {
    if organization.owner_id == owner.id {
        return Ok(false);
    }
    if organizations::find_member(tx, organization.id, owner.id).await?.is_none() {
        organizations::add(tx, target.cx, (organization, most), (owner, None, &[])).await?;
    }
    let now = organizations::find(tx, organization.id).await?;
    Ok(organizations::transfer(tx, target.cx, now.as_ref().unwrap_or(organization), owner.id).await?)
}

/// Tells which organizations the file does not mention, and deletes them where that is wanted.
pub(super) async fn unlisted(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    wanted: &[Organization],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let slugs: BTreeSet<_> = wanted.iter().map(Organization::slug).collect();
    for organization in all(tx).await? {
        if slugs.contains(organization.slug.as_str()) {
            continue;
        }
        if target.mode.prunes() {
            organizations::delete(tx, target.cx, &organization).await?;
        }
        outcome.note(Record::new(target.mode.verb_of_unlisted(), "organization", organization.slug));
    }
    Ok(())
}

/// Every organization as a table of a file, with its people where those are exported.
pub(super) async fn exported(tx: &mut Tx<Tenant>, has_users: bool) -> Result<Vec<toml::Table>, Failure> {
    let mut tables = Vec::new();
    for organization in all(tx).await? {
        let mut table = without_people(tx, &organization).await?;
        if has_users {
            if let Some(owner) = name_of(tx, organization.owner_id).await? {
                table.insert("owner".to_owned(), owner.into());
            }
            table.insert("member".to_owned(), exported_members(tx, &organization).await?.into());
        }
        tables.push(table);
    }
    Ok(tables)
}

async fn without_people(tx: &mut Tx<Tenant>, organization: &Present) -> Result<toml::Table, Failure> {
    let mut configuration = organization.configuration.clone();
    let metadata = std::mem::take(&mut configuration.metadata);
    let mut exported = table(&configuration)?;
    if !metadata.is_empty() {
        exported.extend(table(&json!({ "metadata": held(metadata.into()) }))?);
    }
    exported.insert("slug".to_owned(), organization.slug.clone().into());
    exported.insert("status".to_owned(), organization.status.name().into());
    if organization.sign_in != SignInRules::default() {
        exported.insert("sign_in".to_owned(), table(&organization.sign_in)?.into());
    }
    if let Some(texts) = texts::exported_of(tx, organization).await? {
        exported.insert("texts".to_owned(), texts.into());
    }
    Ok(exported)
}

/// The members whom a file can name, with their roles.
async fn exported_members(tx: &mut Tx<Tenant>, of: &Present) -> Result<Vec<toml::Table>, Failure> {
    let mut tables = Vec::new();
    for member in members(tx, of).await? {
        if let Some(user) = name_of(tx, member.tenant_user_id).await? {
            let roles = toml::Value::from(member.roles);
            tables.push(toml::Table::from_iter([
                ("user".to_owned(), user.into()),
                ("roles".to_owned(), roles),
            ]));
        }
    }
    Ok(tables)
}

/// Every organization of the tenant.
pub(super) async fn all(tx: &mut Tx<Tenant>) -> svc_core::Result<Vec<Present>> {
    Ok(read_all!(|page| organizations::list(tx, page).await?, |organization| organization.id))
}

async fn members(tx: &mut Tx<Tenant>, of: &Present) -> Result<Vec<organizations::Member>, Failure> {
    let id = |member: &organizations::Member| member.tenant_user_id;
    Ok(read_all!(|page| organizations::list_members(tx, of.id, None, page).await?, id))
}

async fn person(tx: &mut Tx<Tenant>, key: &str, name: &str) -> Result<Person, Failure> {
    let found = tenant_users::find_by_identifier(tx, name).await?;
    found.ok_or_else(|| Failure::new(format!("{key}: the tenant has no user {name:?}")))
}

/// What a file calls a person; nothing of one who is removed, whose user name may be another person's by now.
async fn name_of(tx: &mut Tx<Tenant>, id: TenantUserId) -> Result<Option<String>, Failure> {
    let person = tenant_users::find(tx, id).await?;
    let person = person.filter(|person| person.status != tenant_users::Status::Removed);
    Ok(person.and_then(|person| person.username.or(person.email)))
}

fn active() -> Status {
    Status::Active
}
