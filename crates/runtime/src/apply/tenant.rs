//! One tenant of a file, and everything in it.

use serde_json::json;
use svc_core::TenantId;
use svc_db::{System, Tenant as Space, Tx};
use svc_domain::apis::management::{self, Ensured, MANAGEMENT};
use svc_domain::tenancy::tenants::{self, NewTenant};

use super::outcome::{Outcome, Record, Verb};
use super::passwords::{self, Hashes};
use super::{Target, Tenant, api, application, change, scopes, unlisted, user};
use crate::failure::Failure;

/// Hashes the first passwords of the tenant's people.
pub(super) async fn prepare(target: &Target<'_>, wanted: &Tenant) -> Result<Hashes, Failure> {
    let present = tenants::find_by_slug(&mut target.db.read_system().await?, &wanted.slug).await?;
    passwords::prepare(target, present, &wanted.user).await
}

/// Makes a tenant and everything in it so.
pub(super) async fn apply(
    target: &Target<'_>,
    mut tx: Tx<System>,
    (wanted, hashes): (&Tenant, &Hashes),
    outcome: &mut Outcome,
) -> Result<Tx<System>, Failure> {
    let id = itself(target, &mut tx, wanted, outcome).await?;
    let tenant = target.tenants.read(&mut tx, id).await?;
    let (tx, done) = tx
        .within(id, async |tx: &mut Tx<Space>| {
            let ensured = management::ensure(tx, target.cx, &tenant, &svc_control::scopes()).await?;
            if ensured != Ensured::Unchanged {
                let verb = if ensured == Ensured::Created { Verb::Created } else { Verb::Updated };
                outcome.note(Record::new(verb, "api", MANAGEMENT));
            }
            contents(target, tx, (&tenant, wanted), hashes, outcome).await?;
            scopes::check(tx, (&tenant, wanted)).await?;
            unlisted::report(target, tx, (&tenant, wanted), outcome).await
        })
        .await;
    done.map(|()| tx)
}

async fn itself(
    target: &Target<'_>,
    tx: &mut Tx<System>,
    wanted: &Tenant,
    outcome: &mut Outcome,
) -> Result<TenantId, Failure> {
    let new = NewTenant {
        slug: wanted.slug.clone(),
        name: wanted.name.clone(),
        custom_domain: wanted.custom_domain.clone(),
        settings: wanted.settings.clone(),
    };
    let mut record = Record::new(Verb::Created, "tenant", &wanted.slug);
    let present = tenants::find_by_slug(tx, &wanted.slug).await?;
    let id = if let Some(id) = present {
        let before = target.tenants.read(tx, id).await?;
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

async fn contents(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    (tenant, wanted): (&tenants::Tenant, &Tenant),
    hashes: &Hashes,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    for wanted in &wanted.application {
        let place = format!("application {:?}", wanted.handle);
        application::apply(tx, target, wanted, outcome).await.map_err(|failure| failure.during(&place))?;
    }
    for wanted in &wanted.api {
        let place = format!("api {:?}", wanted.identifier);
        api::apply(tx, target.cx, (tenant, wanted), outcome)
            .await
            .map_err(|failure| failure.during(&place))?;
    }
    for wanted in &wanted.user {
        let place = format!("user {:?}", wanted.name());
        user::apply(tx, target.cx, (wanted, hashes.of(wanted)), outcome)
            .await
            .map_err(|failure| failure.during(&place))?;
    }
    Ok(())
}
