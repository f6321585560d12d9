//! One tenant of a file, and everything in it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use svc_core::{TenantId, TenantRef};
use svc_db::{System, Tenant as Space, Tx};
use svc_domain::apis::management::{self, Ensured, MANAGEMENT};
use svc_domain::apis::roles;
use svc_domain::domain_name::check_custom;
use svc_domain::keys::tenant_keys::FreshKey;
use svc_domain::organizations::demands;
use svc_domain::tenancy::custom_domains;
use svc_domain::tenancy::tenants::{self, Levels, NewTenant, TenantSettings};
use svc_keys::{Keyring, Purpose, Sealer};

use super::declared::Making;
use super::faults::Faults;
use super::outcome::{Outcome, Record, Verb};
use super::passwords::{self, Hashes};
use super::{
    Target, Tenant, Unlisted, api, application, change, group, organization, policy, role, scopes, texts,
    unlisted, user,
};
use crate::failure::Failure;

/// What takes its time, and must not hold a transaction open.
pub(super) struct Prepared {
    hashes: Hashes,
    sealing: Sealing,
}

/// What seals secrets of the tenant.
enum Sealing {
    /// Nothing: the file declares none.
    Nothing,
    /// A key of the tenant, or one that goes with a dry run.
    By(Sealer),
    /// The first key of a tenant that is not there yet, with the id that it will have.
    Fresh(TenantRef, Box<FreshKey>, Sealer),
}

impl Sealing {
    fn sealer(&self) -> Option<&Sealer> {
        match self {
            Self::Nothing => None,
            Self::By(sealer) | Self::Fresh(_, _, sealer) => Some(sealer),
        }
    }
}

/// Hashes the first passwords of the tenant's people, and gets ready to seal.
pub(super) async fn prepare(
    target: &Target<'_>,
    wanted: &Tenant,
    faults: &mut Faults,
) -> Result<Prepared, Failure> {
    let present = tenants::find_by_slug(&mut target.db.read_system().await?, &wanted.slug).await?;
    let hashes = passwords::prepare(target, present, (&place(wanted), &wanted.user), faults).await?;
    let sealing =
        if wanted.declared.has_secrets() { sealing(target, present).await? } else { Sealing::Nothing };
    Ok(Prepared { hashes, sealing })
}

async fn sealing(target: &Target<'_>, present: Option<TenantId>) -> Result<Sealing, Failure> {
    let (cx, purpose) = (target.cx, Purpose::Credentials);
    let sealers = target.sealers.ok_or_else(|| Failure::new("the keys of the deployment are not at hand"))?;
    let Some(id) = present else {
        let id: TenantRef = cx.id();
        let key = sealers.fresh(id, cx).await?;
        let sealer = key.sealer(purpose);
        return Ok(Sealing::Fresh(id, Box::new(key), sealer));
    };
    Ok(Sealing::By(match sealers.existing(id, purpose, cx).await? {
        Some(sealer) => sealer,
        None if target.mode.dry_run => Keyring::ephemeral(&*cx.entropy, cx.now).sealer(purpose),
        None => sealers.of(id, purpose, cx).await?,
    }))
}

/// Makes a tenant and everything in it so.
pub(super) async fn apply(
    target: &Target<'_>,
    mut tx: Tx<System>,
    (wanted, prepared): (&Tenant, &Prepared),
    (outcome, faults): (&mut Outcome, &mut Faults),
) -> Result<Tx<System>, Failure> {
    let place = place(wanted);
    outcome.enter(&wanted.slug);
    let before = present(target, &mut tx, wanted).await?;
    let checked = tenants::check_settings(&wanted.settings);
    let checked = checked.and(reach(target, wanted, before.as_deref())).map_err(Failure::from);
    let settings = faults.note(&wanted.written, &place, checked)?.map(|()| wanted.settings.clone());
    // Without settings that it can have, the tenant is still what its contents are checked in.
    let new_id = match &prepared.sealing {
        Sealing::Fresh(id, ..) => *id,
        _ => target.cx.id(),
    };
    let named = before.map(|tenant| tenant.settings.second_factor_roles.clone()).unwrap_or_default();
    let id = itself(target, &mut tx, (wanted, settings.unwrap_or_default(), new_id), outcome).await;
    let Some(id) = faults.note(&wanted.written, &place, id)? else { return Ok(tx) };
    let done = texts::of_tenant(target, &mut tx, (id, wanted), outcome).await;
    faults.note(&wanted.written, &place, done)?;
    let tenant = target.tenants.read(&mut tx, id).await?;
    let (tx, done) = tx
        .within(id, async |tx: &mut Tx<Space>| {
            let ensured = management_api(target, tx, &tenant, outcome).await;
            ensured.map_err(|failure| failure.during(&place))?;
            keep_key(target, tx, (id, &place), &prepared.sealing).await?;
            let apis = api::before(tx, &tenant, &wanted.api).await?;
            contents(target, tx, (&tenant, wanted), &prepared.hashes, (&mut *outcome, &mut *faults)).await?;
            let making = Making { target, tenant: &tenant, sealer: prepared.sealing.sealer() };
            wanted.declared.apply(making, tx, &place, (&mut *outcome, &mut *faults)).await?;
            scopes::check(tx, (&tenant, wanted), (&place, &mut *faults)).await?;
            check_roles(tx, (wanted, &named), &mut *faults).await?;
            demanded(target, tx, (&tenant, wanted), &mut *faults).await?;
            if target.mode.unlisted != Unlisted::Ignored {
                let report = unlisted::report(making, tx, wanted, outcome).await;
                report.map_err(|failure| failure.during(&place))?;
            }
            api::check_scopes(tx, &apis, (&place, &mut *faults)).await
        })
        .await;
    done.map(|()| tx)
}

/// Makes the management API of the tenant that of this version.
async fn management_api(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    tenant: &tenants::Tenant,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let ensured = management::ensure(tx, target.cx, tenant, &svc_control::scopes()).await?;
    if ensured != Ensured::Unchanged {
        let verb = if ensured == Ensured::Created { Verb::Created } else { Verb::Updated };
        outcome.note(Record::new(verb, "api", MANAGEMENT));
    }
    Ok(())
}

/// Stores the key of a new tenant, which was made for its id alone.
async fn keep_key(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    (id, place): (TenantId, &str),
    sealing: &Sealing,
) -> Result<(), Failure> {
    let Sealing::Fresh(expected, key, _) = sealing else { return Ok(()) };
    if *expected != id.reference() {
        let fault = "the tenant was made meanwhile, or the file has it twice; apply the file again";
        return Err(Failure::new(fault).during(place));
    }
    Ok(key.keep(tx, target.cx).await?)
}

/// The tenant as it is before.
async fn present(
    target: &Target<'_>,
    tx: &mut Tx<System>,
    wanted: &Tenant,
) -> Result<Option<Arc<tenants::Tenant>>, Failure> {
    let Some(id) = tenants::find_by_slug(tx, &wanted.slug).await? else { return Ok(None) };
    Ok(Some(target.tenants.read(tx, id).await?))
}

/// Refuses settings that would shut people out who have set up nothing, behind the plan that the tenant has.
fn reach(target: &Target<'_>, wanted: &Tenant, before: Option<&tenants::Tenant>) -> svc_core::Result<()> {
    let of_plan = before.map(|tenant| &tenant.plan.disabled_capabilities);
    let without: Vec<_> = of_plan.into_iter().chain([&wanted.settings.disabled_capabilities]).collect();
    tenants::check_passwordless(target.config, &wanted.slug, &without)?;
    let levels = Levels { config: target.config, slug: &wanted.slug, without: &without };
    tenants::check_demanded(levels, &wanted.settings)
}

/// Refuses second factors that applications and organizations demand, once all of them are there, of people who could have none.
async fn demanded(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    (tenant, wanted): (&tenants::Tenant, &Tenant),
    faults: &mut Faults,
) -> Result<(), Failure> {
    let without = [&tenant.plan.disabled_capabilities, &tenant.settings.disabled_capabilities];
    let levels = Levels { config: target.config, slug: &tenant.slug, without: &without };
    let held = demands::check_all(tx, levels).await.map_err(Failure::from);
    faults.note(&wanted.written, &place(wanted), held).map(|_| ())
}

/// Refuses roles that there are not, once all of the file are there, among those that the settings name from now on. A role of the file
/// that has faults is not there, but known.
async fn check_roles(
    tx: &mut Tx<Space>,
    (wanted, before): (&Tenant, &BTreeSet<String>),
    faults: &mut Faults,
) -> Result<(), Failure> {
    let is_listed = |name: &String| wanted.role.iter().any(|role| role.name == *name);
    let added = wanted.settings.second_factor_roles.difference(before);
    let added: Vec<String> = added.filter(|name| !is_listed(name)).cloned().collect();
    if added.is_empty() {
        return Ok(());
    }
    let known = roles::known(tx, &added).await?;
    for unknown in added.iter().filter(|name| !known.contains(name)) {
        let fault = Failure::new(format!("settings.second_factor_roles: there is no role {unknown:?}"));
        faults.note::<()>(&wanted.written, &place(wanted), Err(fault))?;
    }
    Ok(())
}

fn place(wanted: &Tenant) -> String {
    format!("tenant {:?}", wanted.slug)
}

async fn itself(
    target: &Target<'_>,
    tx: &mut Tx<System>,
    (wanted, settings, new_id): (&Tenant, TenantSettings, TenantRef),
    outcome: &mut Outcome,
) -> Result<TenantId, Failure> {
    let mut new = NewTenant {
        slug: wanted.slug.clone(),
        name: wanted.name.clone(),
        custom_domain: wanted.custom_domain.clone(),
        settings,
    };
    let mut record = Record::new(Verb::Created, "tenant", &wanted.slug);
    let present = tenants::find_by_slug(tx, &wanted.slug).await?;
    let id = if let Some(id) = present {
        tenants::records::hold(tx, id.reference());
        let before = target.tenants.read(tx, id).await?;
        tenants::check_name(&new.name, Some(&before.name))?;
        check_domain(target, tx, wanted, before.custom_domain.as_deref()).await?;
        if new.custom_domain.is_none() {
            new.custom_domain = own_domain(tx, &before).await?;
        }
        record.changes = change::between(
            &json!({ "name": before.name, "custom_domain": before.custom_domain, "settings": before.settings }),
            &json!({ "name": new.name, "custom_domain": new.custom_domain, "settings": new.settings }),
        );
        record.verb = Verb::of_change(tenants::update(tx, target.cx, id, &new).await?);
        id
    } else {
        check_domain(target, tx, wanted, None).await?;
        tenants::create_as(tx, target.cx, new_id, &new).await?
    };
    // The id that a dry run made is gone with it.
    record.id = (present.is_some() || !target.mode.dry_run).then(|| id.to_string());
    outcome.note(record);
    Ok(id)
}

/// Refuses a domain that no address can have, or at which another tenant answers; the one that the tenant has stays.
async fn check_domain(
    target: &Target<'_>,
    tx: &mut Tx<System>,
    wanted: &Tenant,
    present: Option<&str>,
) -> Result<(), Failure> {
    let Some(domain) = wanted.custom_domain.as_deref().filter(|domain| present != Some(*domain)) else {
        return Ok(());
    };
    check_custom(domain)?;
    Ok(tenants::check_unnamed(tx, target.config, (&wanted.slug, domain)).await?)
}

/// The domain that the tenant proved and chose itself, which a file that names none leaves as it is.
async fn own_domain(tx: &mut Tx<System>, before: &tenants::Tenant) -> Result<Option<String>, Failure> {
    let Some(domain) = before.custom_domain.as_deref() else { return Ok(None) };
    Ok(custom_domains::is_own_of(tx, before.id, domain).await?.then(|| domain.to_owned()))
}

async fn contents(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    (tenant, wanted): (&tenants::Tenant, &Tenant),
    hashes: &Hashes,
    (outcome, faults): (&mut Outcome, &mut Faults),
) -> Result<(), Failure> {
    let outer = place(wanted);
    let mut unmade = Vec::new();
    for wanted in &wanted.application {
        let place = format!("{outer}: application {:?}", wanted.handle);
        let done = application::apply(tx, target, wanted, outcome).await;
        if faults.note(&wanted.written, &place, done)?.is_none() {
            unmade.push(wanted.handle.as_str());
        }
    }
    for wanted in &wanted.api {
        let place = format!("{outer}: api {:?}", wanted.identifier);
        let done = api::apply(tx, target.cx, (tenant, wanted), &unmade, outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.role {
        let place = format!("{outer}: role {:?}", wanted.name);
        let done = role::apply(tx, target.cx, (tenant, wanted), outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.group {
        let place = format!("{outer}: group {:?}", wanted.configuration.name);
        let done = group::apply(tx, target.cx, wanted, outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    group::nest(tx, target.cx, (&outer, &wanted.group), (&mut *outcome, &mut *faults)).await?;
    for wanted in &wanted.user {
        let place = format!("{outer}: user {:?}", wanted.name());
        let done = user::apply(tx, target.cx, (wanted, hashes.of(wanted)), outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.organization {
        let place = format!("{outer}: organization {:?}", wanted.slug());
        let done = organization::apply(target, tx, (tenant, wanted), outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.policy {
        let place = format!("{outer}: policy {:?}", wanted.configuration.name);
        let done = policy::apply(target, tx, wanted, outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    Ok(())
}
