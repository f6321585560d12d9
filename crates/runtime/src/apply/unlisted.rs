//! What a tenant has and its file does not mention: reported always, removed with `--prune`.

use std::collections::BTreeSet;

use svc_db::{Tenant as Space, Tx};
use svc_domain::apis::{self, Api};
use svc_domain::apps::{self, App, registrations};
use svc_domain::tenancy::tenants;

use super::outcome::{Outcome, Record, Verb};
use super::{Target, Tenant};
use crate::failure::Failure;

const PAGE: u32 = 200;

/// Tells what the file does not mention. Applications that registered themselves, the management API and people are not the
/// file's to mention.
pub(super) async fn report(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    (tenant, wanted): (&tenants::Tenant, &Tenant),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let verb = if target.mode.prune { Verb::Pruned } else { Verb::Unlisted };
    let handles: BTreeSet<_> = wanted.application.iter().map(|wanted| wanted.handle.as_str()).collect();
    for app in applications(tx).await? {
        if handles.contains(app.handle.as_str()) || registrations::find(tx, app.id).await?.is_some() {
            continue;
        }
        if target.mode.prune {
            apps::delete(tx, target.cx, app.id).await?;
        }
        outcome.note(Record { id: Some(app.id.to_string()), ..Record::new(verb, "application", app.handle) });
    }
    let identifiers: BTreeSet<_> = wanted.api.iter().map(|wanted| wanted.identifier.as_str()).collect();
    for api in enabled(tx, tenant).await? {
        if api.identifier == tenant.api_audience() || identifiers.contains(api.identifier.as_str()) {
            continue;
        }
        if target.mode.prune {
            apis::update(tx, target.cx, &api, &api.configuration, false).await?;
        }
        outcome.note(Record::new(verb, "api", api.identifier));
    }
    Ok(())
}

async fn applications(tx: &mut Tx<Space>) -> Result<Vec<App>, Failure> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let page = apps::list(tx, cursor, PAGE).await?;
        cursor = page.last().map(|app| app.id);
        all.extend(page);
        if cursor.is_none() {
            return Ok(all);
        }
    }
}

async fn enabled(tx: &mut Tx<Space>, tenant: &tenants::Tenant) -> Result<Vec<Api>, Failure> {
    Ok(apis::enabled(tx, tenant).await?)
}
