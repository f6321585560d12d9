//! One tenant of a file, and everything in it.

use serde_json::json;
use svc_core::TenantId;
use svc_db::{System, Tenant as Space, Tx};
use svc_domain::apis::management::{self, Ensured, MANAGEMENT};
use svc_domain::tenancy::custom_domains;
use svc_domain::tenancy::tenants::{self, NewTenant, TenantSettings};

use super::faults::Faults;
use super::outcome::{Outcome, Record, Verb};
use super::passwords::{self, Hashes};
use super::{
    Target, Tenant, api, application, change, group, organization, policy, role, scopes, unlisted, user,
};
use crate::failure::Failure;

/// Hashes the first passwords of the tenant's people.
pub(super) async fn prepare(
    target: &Target<'_>,
    wanted: &Tenant,
    faults: &mut Faults,
) -> Result<Hashes, Failure> {
    let present = tenants::find_by_slug(&mut target.db.read_system().await?, &wanted.slug).await?;
    passwords::prepare(target, present, (&place(wanted), &wanted.user), faults).await
}

/// Makes a tenant and everything in it so.
pub(super) async fn apply(
    target: &Target<'_>,
    mut tx: Tx<System>,
    (wanted, hashes): (&Tenant, &Hashes),
    (outcome, faults): (&mut Outcome, &mut Faults),
) -> Result<Tx<System>, Failure> {
    let place = place(wanted);
    let checked = tenants::check_settings(&wanted.settings).map_err(Failure::from);
    let settings = faults.note(&wanted.written, &place, checked)?.map(|()| wanted.settings.clone());
    // Without settings that it can have, the tenant is still what its contents are checked in.
    let id = itself(target, &mut tx, (wanted, settings.unwrap_or_default()), outcome).await;
    let Some(id) = faults.note(&wanted.written, &place, id)? else { return Ok(tx) };
    let tenant = target.tenants.read(&mut tx, id).await?;
    let (tx, done) = tx
        .within(id, async |tx: &mut Tx<Space>| {
            let ensured = management::ensure(tx, target.cx, &tenant, &svc_control::scopes()).await;
            let ensured = ensured.map_err(|error| Failure::from(error).during(&place))?;
            if ensured != Ensured::Unchanged {
                let verb = if ensured == Ensured::Created { Verb::Created } else { Verb::Updated };
                outcome.note(Record::new(verb, "api", MANAGEMENT));
            }
            contents(target, tx, (&tenant, wanted), hashes, (&mut *outcome, &mut *faults)).await?;
            scopes::check(tx, (&tenant, wanted), (&place, &mut *faults)).await?;
            let report = unlisted::report(target, tx, (&tenant, wanted), outcome).await;
            report.map_err(|failure| failure.during(&place))
        })
        .await;
    done.map(|()| tx)
}

fn place(wanted: &Tenant) -> String {
    format!("tenant {:?}", wanted.slug)
}

async fn itself(
    target: &Target<'_>,
    tx: &mut Tx<System>,
    (wanted, settings): (&Tenant, TenantSettings),
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
        let before = target.tenants.read(tx, id).await?;
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
        tenants::create(tx, target.cx, &new).await?
    };
    // The id that a dry run made is gone with it.
    record.id = (present.is_some() || !target.mode.dry_run).then(|| id.to_string());
    outcome.note(record);
    Ok(id)
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
    for wanted in &wanted.group {
        let place = format!("{outer}: group {:?}", wanted.configuration.name);
        let done = group::nest(tx, target.cx, wanted, outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.user {
        let place = format!("{outer}: user {:?}", wanted.name());
        let done = user::apply(tx, target.cx, (wanted, hashes.of(wanted)), outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.organization {
        let place = format!("{outer}: organization {:?}", wanted.slug());
        let done = organization::apply(target, tx, wanted, outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    for wanted in &wanted.policy {
        let place = format!("{outer}: policy {:?}", wanted.configuration.name);
        let done = policy::apply(target, tx, wanted, outcome).await;
        faults.note(&wanted.written, &place, done)?;
    }
    Ok(())
}
