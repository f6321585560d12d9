//! One API of a file.

use svc_core::{Class, Cx};
use svc_db::{Tenant, Tx};
use svc_domain::apis::{self, Configuration};
use svc_domain::apps;
use svc_domain::tenancy::tenants;

use super::Api;
use super::change;
use super::faults::Faults;
use super::outcome::{Outcome, Record, Verb};
use crate::failure::Failure;

/// Makes an API so; the applications that it names must be there, or be those whose faults are known.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (tenant, wanted): (&tenants::Tenant, &Api),
    unmade: &[&str],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    if tenant.keeps_api(&wanted.identifier) {
        return Err(Failure::new("identifier: this API is kept by the service itself"));
    }
    let configuration = resolved(tx, wanted, unmade).await?;
    let mut record = Record::new(Verb::Created, "api", &wanted.identifier);
    if let Some(present) = apis::find_by_identifier(tx, tenant, &wanted.identifier).await? {
        record.changes = change::between(&present.configuration, &configuration);
        record.changes.extend(change::of_key("enabled", &present.enabled, &wanted.enabled));
        record.verb = Verb::of_change(apis::update(tx, cx, &present, &configuration, wanted.enabled).await?);
    } else {
        apis::refuse_issuer(tenant, &wanted.identifier)?;
        let present = apis::create(tx, cx, &wanted.identifier, &configuration).await?;
        apis::update(tx, cx, &present, &configuration, wanted.enabled).await?;
    }
    outcome.note(record);
    Ok(())
}

/// The APIs of a file that are there, as they are before it is applied.
pub(super) async fn before<'w>(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    wanted: &'w [Api],
) -> Result<Vec<(&'w Api, apis::Api)>, Failure> {
    let mut found = Vec::new();
    for wanted in wanted.iter().filter(|wanted| !tenant.keeps_api(&wanted.identifier)) {
        if let Some(present) = apis::find_by_identifier(tx, tenant, &wanted.identifier).await? {
            found.push((wanted, present));
        }
    }
    Ok(found)
}

/// Refuses to take a scope out of an API that a role permits, once the roles are what they will be.
pub(super) async fn check_scopes(
    tx: &mut Tx<Tenant>,
    before: &[(&Api, apis::Api)],
    (outer, faults): (&str, &mut Faults),
) -> Result<(), Failure> {
    for (wanted, present) in before {
        let held = apis::check_unpermitted(tx, present, &wanted.configuration).await;
        let held = held.map_err(|error| match error.class() {
            Class::Conflict => Failure::new(error.detail()),
            _ => Failure::from(error),
        });
        faults.note(&wanted.written, &format!("{outer}: api {:?}", wanted.identifier), held)?;
    }
    Ok(())
}

/// The configuration with `client_id`s where the file has handles, which it alone can know.
async fn resolved(tx: &mut Tx<Tenant>, wanted: &Api, unmade: &[&str]) -> Result<Configuration, Failure> {
    let mut configuration = wanted.configuration.clone();
    for name in &mut configuration.resource_servers {
        match apps::find_by_handle(tx, name).await? {
            Some(app) => *name = app.id.to_string(),
            None if unmade.contains(&name.as_str()) => {}
            None => {
                return Err(Failure::new(format!("resource_servers: there is no application {name:?}")));
            }
        }
    }
    Ok(configuration)
}
