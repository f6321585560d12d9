//! One tenant of a file: the tenant itself by a system transaction, everything in it by one of its own.

use serde_json::json;
use svc_core::TenantId;
use svc_db::{Tenant as Space, Tx};
use svc_domain::apis::management::{self, Ensured, MANAGEMENT};
use svc_domain::tenancy::tenants::{self, NewTenant};

use super::outcome::{Outcome, Record, Verb};
use super::passwords::{self, Hashes};
use super::{Target, Tenant, api, application, change, unlisted, user};
use crate::failure::Failure;

/// Makes a tenant and everything in it so.
pub(super) async fn apply(
    target: &Target<'_>,
    wanted: &Tenant,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let Some(id) = itself(target, wanted, outcome).await? else {
        rehearse(wanted, outcome);
        return Ok(());
    };
    // Hashing takes its time and would hold the transaction open.
    let hashes = passwords::prepare(target, id, &wanted.user).await?;
    // Its issuer may have changed with its domain.
    target.tenants.forget();
    let tenant = target.tenants.by_id(id).await?;
    let mut tx = target.db.begin(id).await?;
    let ensured = management::ensure(&mut tx, target.cx, &tenant, &svc_control::scopes()).await?;
    if ensured != Ensured::Unchanged {
        let verb = if ensured == Ensured::Created { Verb::Created } else { Verb::Updated };
        outcome.note(Record::new(verb, "api", MANAGEMENT));
    }
    contents(target, &mut tx, (&tenant, wanted), &hashes, outcome).await?;
    unlisted::report(target, &mut tx, (&tenant, wanted), outcome).await?;
    target.mode.admit(outcome)?;
    if !target.mode.dry_run {
        tx.commit().await?;
    }
    Ok(())
}

/// In a tenant that a dry run does not make, everything would be new.
fn rehearse(wanted: &Tenant, outcome: &mut Outcome) {
    let applications = wanted.application.iter().map(|wanted| ("application", wanted.handle.as_str()));
    let apis = wanted.api.iter().map(|wanted| ("api", wanted.identifier.as_str()));
    let users = wanted.user.iter().map(|wanted| ("user", wanted.name()));
    let management = std::iter::once(("api", MANAGEMENT));
    for (kind, name) in management.chain(applications).chain(apis).chain(users) {
        outcome.note(Record::new(Verb::Created, kind, name));
    }
}

/// The tenant; none where a dry run would make it.
async fn itself(
    target: &Target<'_>,
    wanted: &Tenant,
    outcome: &mut Outcome,
) -> Result<Option<TenantId>, Failure> {
    let new = NewTenant {
        slug: wanted.slug.clone(),
        name: wanted.name.clone(),
        custom_domain: wanted.custom_domain.clone(),
        settings: wanted.settings.clone(),
    };
    let mut record = Record::new(Verb::Created, "tenant", &wanted.slug);
    let mut tx = target.db.begin_system().await?;
    let present = tenants::find_by_slug(&mut tx, &wanted.slug).await?;
    let id = if let Some(id) = present {
        let before = target.tenants.by_id(id).await?;
        record.changes = change::between(
            &json!({ "name": before.name, "custom_domain": before.custom_domain, "settings": before.settings }),
            &json!({ "name": new.name, "custom_domain": new.custom_domain, "settings": new.settings }),
        );
        record.verb = Verb::of_change(tenants::update(&mut tx, target.cx, id, &new).await?);
        id
    } else {
        tenants::create(&mut tx, target.cx, &new).await?
    };
    let is_rehearsed = target.mode.dry_run;
    if !is_rehearsed {
        tx.commit().await?;
    }
    record.id = (present.is_some() || !is_rehearsed).then(|| id.to_string());
    outcome.note(record);
    Ok(present.or_else(|| (!is_rehearsed).then_some(id)))
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
