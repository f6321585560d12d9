//! What a tenant has and its file does not mention: told, or removed with `--prune`.

use std::collections::BTreeSet;

use svc_core::AppId;
use svc_db::{Tenant as Space, Tx};
use svc_domain::apis::{self, roles};
use svc_domain::app_deletion;
use svc_domain::apps::{self, App, registrations};
use svc_domain::people::groups;
use svc_domain::tenancy::tenants;

use super::declared::Making;
use super::outcome::{Outcome, Record};
use super::{Api, Application, Group, Target, Tenant, group, organization, policy, role, scopes};
use crate::failure::Failure;
use crate::pages::read_all;

const PAGE: u32 = 1_000;

/// Tells what the file does not mention. Applications that registered themselves, what the service itself keeps and people are
/// not the file's to mention.
pub(super) async fn report(
    making: Making<'_>,
    tx: &mut Tx<Space>,
    wanted: &Tenant,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let target = making.target;
    // Hooks name applications and modules, and connections their organizations: those who name go first.
    wanted.declared.unlisted(making, tx, outcome).await?;
    report_applications(target, tx, &wanted.application, outcome).await?;
    report_apis(making, tx, &wanted.api, outcome).await?;
    // Members of organizations have roles, too, and policies may be those of an organization.
    policy::unlisted(target, tx, &wanted.policy, outcome).await?;
    organization::unlisted(target, tx, &wanted.organization, outcome).await?;
    report_groups(target, tx, &wanted.group, outcome).await?;
    report_roles(making, tx, wanted, outcome).await
}

async fn report_applications(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    wanted: &[Application],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let handles: BTreeSet<_> = wanted.iter().map(|wanted| wanted.handle.as_str()).collect();
    for (id, handle) in unregistered(tx).await? {
        if handles.contains(handle.as_str()) || handle == apps::control_plane::HANDLE {
            continue;
        }
        if target.mode.prunes() {
            app_deletion::delete(tx, target.cx, id).await?;
        }
        let record = Record::new(target.mode.verb_of_unlisted(), "application", handle);
        outcome.note(Record { id: Some(id.to_string()), ..record });
    }
    Ok(())
}

async fn report_apis(
    Making { target, tenant, .. }: Making<'_>,
    tx: &mut Tx<Space>,
    wanted: &[Api],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let identifiers: BTreeSet<_> = wanted.iter().map(|wanted| wanted.identifier.as_str()).collect();
    for api in apis::enabled(tx, tenant).await? {
        if tenant.keeps_api(&api.identifier) || identifiers.contains(api.identifier.as_str()) {
            continue;
        }
        if target.mode.prunes() {
            apis::update(tx, target.cx, &api, &api.configuration, false).await?;
        }
        outcome.note(Record::new(target.mode.verb_of_unlisted(), "api", api.identifier));
    }
    Ok(())
}

async fn report_groups(
    target: &Target<'_>,
    tx: &mut Tx<Space>,
    wanted: &[Group],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let names: BTreeSet<_> = wanted.iter().map(|wanted| wanted.configuration.name.as_str()).collect();
    for (group, _) in group::all(tx).await? {
        if names.contains(group.configuration.name.as_str()) {
            continue;
        }
        if target.mode.prunes() {
            groups::delete(tx, target.cx, &group).await?;
        }
        outcome.note(Record::new(target.mode.verb_of_unlisted(), "group", group.configuration.name));
    }
    Ok(())
}

async fn report_roles(
    Making { target, tenant, .. }: Making<'_>,
    tx: &mut Tx<Space>,
    wanted: &Tenant,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let mut kept = bound_outside(tx, tenant, &wanted.api).await?;
    kept.extend(wanted.role.iter().map(|wanted| wanted.name.clone()));
    for role in role::all(tx, tenant).await? {
        if role.built_in || kept.contains(&role.name) {
            continue;
        }
        if target.mode.prunes() {
            let deleted = roles::delete(tx, target.cx, tenant, &role).await;
            deleted.map_err(|error| Failure::from(error).during(&format!("role {:?}", role.name)))?;
        }
        outcome.note(Record::new(target.mode.verb_of_unlisted(), "role", role.name));
    }
    Ok(())
}

/// The roles that scopes name of APIs which the file does not mention. Such an API is disabled and stays as it is: without its last
/// role, a scope of it would be open to everybody when the API is enabled again.
async fn bound_outside(
    tx: &mut Tx<Space>,
    tenant: &tenants::Tenant,
    wanted: &[Api],
) -> Result<BTreeSet<String>, Failure> {
    let identifiers: BTreeSet<_> = wanted.iter().map(|wanted| wanted.identifier.as_str()).collect();
    let mut bound = BTreeSet::new();
    for api in scopes::all(tx, tenant).await? {
        if !identifiers.contains(api.identifier.as_str()) {
            bound.extend(api.configuration.scopes.into_iter().flat_map(|scope| scope.roles));
        }
    }
    Ok(bound)
}

/// Every application that did not register itself, by its handle: there may be many.
async fn unregistered(tx: &mut Tx<Space>) -> Result<Vec<(AppId, String)>, Failure> {
    let mut all: Vec<(AppId, String)> = Vec::new();
    loop {
        let page = registrations::unregistered(tx, all.last().map(|(id, _)| *id), PAGE).await?;
        if page.is_empty() {
            return Ok(all);
        }
        all.extend(page);
    }
}

/// Every application.
pub(super) async fn applications(tx: &mut Tx<Space>) -> Result<Vec<App>, Failure> {
    Ok(read_all!(|page| apps::list(tx, page).await?, |app| app.id))
}
