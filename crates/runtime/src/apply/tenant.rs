//! One tenant of a file: the tenant itself by a system transaction, everything in it by one of its own.

use svc_core::TenantId;
use svc_db::{Tenant as Space, Tx};
use svc_domain::apis::management;
use svc_domain::tenancy::tenants::{self, NewTenant};

use super::outcome::{Outcome, Verb};
use super::passwords::{self, Hashes};
use super::{Target, Tenant, api, application, user};
use crate::failure::Failure;

/// Makes a tenant and everything in it so.
pub(super) async fn apply(
    target: &Target<'_>,
    wanted: &Tenant,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let id = itself(target, wanted, outcome).await?;
    // Hashing takes its time and would hold the transaction open.
    let hashes = passwords::prepare(target, id, &wanted.user).await?;
    // Its issuer may have changed with its domain.
    target.tenants.forget();
    let tenant = target.tenants.by_id(id).await?;
    let mut tx = target.db.begin(id).await?;
    management::ensure(&mut tx, target.cx, &tenant, &svc_control::scopes()).await?;
    contents(target, &mut tx, wanted, &hashes, outcome).await?;
    tx.commit().await?;
    Ok(())
}

async fn itself(target: &Target<'_>, wanted: &Tenant, outcome: &mut Outcome) -> Result<TenantId, Failure> {
    let new = NewTenant {
        slug: wanted.slug.clone(),
        name: wanted.name.clone(),
        custom_domain: wanted.custom_domain.clone(),
        settings: wanted.settings.clone(),
    };
    let mut tx = target.db.begin_system().await?;
    let (id, verb) = match tenants::find_by_slug(&mut tx, &wanted.slug).await? {
        None => (tenants::create(&mut tx, target.cx, &new).await?, Verb::Created),
        Some(id) => (id, Verb::of_change(tenants::update(&mut tx, target.cx, id, &new).await?)),
    };
    tx.commit().await?;
    outcome.note(verb, format!("tenant {}", wanted.slug));
    Ok(id)
}

async fn contents(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    wanted: &Tenant,
    hashes: &Hashes,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    for wanted in &wanted.application {
        let place = format!("application {:?}", wanted.handle);
        application::apply(tx, target.cx, wanted, outcome).await.map_err(|failure| failure.during(&place))?;
    }
    for wanted in &wanted.api {
        let place = format!("api {:?}", wanted.identifier);
        api::apply(tx, target.cx, wanted, outcome).await.map_err(|failure| failure.during(&place))?;
    }
    for wanted in &wanted.user {
        let place = format!("user {:?}", wanted.name());
        user::apply(tx, target.cx, (wanted, hashes.of(wanted)), outcome)
            .await
            .map_err(|failure| failure.during(&place))?;
    }
    Ok(())
}
