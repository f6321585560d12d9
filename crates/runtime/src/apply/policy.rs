//! The policies of a file.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use svc_core::OrganizationId;
use svc_db::{Tenant, Tx};
use svc_domain::policies::{self, Change, Configuration, Policy as Present, Status};

use super::faults::Written;
use super::outcome::{Outcome, Record, Verb};
use super::reader::{Place, Reader};
use super::{Target, change, naming, table};
use crate::failure::Failure;
use crate::pages::read_all;

const KEYS: &[&str] = &["status", "organization"];

/// `[[tenant.policy]]`: statements in Cedar.
#[derive(Clone, Debug)]
pub struct Policy {
    keys: Keys,
    /// What it says; its name names it within its tenant.
    pub configuration: Configuration,
    /// Where the file says it.
    pub written: Written,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    #[serde(default = "active")]
    status: Status,
    /// The slug of the organization in which alone it decides.
    #[serde(default)]
    organization: Option<String>,
}

/// Reads one.
pub(super) fn read(reader: &mut Reader<'_>, mut place: Place<'_>, outer: &str) -> Option<Policy> {
    place.called(outer, "policy", "name");
    let written = reader.written(&place);
    let keys = reader.read(&mut place.split(KEYS));
    let configuration = reader.read(&mut place);
    Some(Policy { keys: keys?, configuration: configuration?, written })
}

/// Makes a policy so; the organization that it names is there.
pub(super) async fn apply(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    wanted: &Policy,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Told<'a> {
        #[serde(flatten)]
        configuration: &'a Configuration,
        status: Status,
        organization_id: Option<OrganizationId>,
    }
    let Policy { keys, configuration, .. } = wanted;
    policies::check(&configuration.text, configuration.schema.as_deref()).await?;
    let organization_id = naming::owner(tx, keys.organization.as_deref()).await?;
    let new = Change { configuration: configuration.clone(), status: keys.status, organization_id };
    let mut record = Record::new(Verb::Created, "policy", &configuration.name);
    let mut named: Vec<_> = all(tx).await?;
    named.retain(|present| present.configuration.name == configuration.name);
    match named.as_slice() {
        [] => {
            let most = target.config.access_control.max_policies_per_tenant;
            policies::create(tx, target.cx, &new, most).await?;
        }
        [present] => {
            let of = |configuration, status, organization_id| Told { configuration, status, organization_id };
            record.changes = change::between(
                &of(&present.configuration, present.status, present.organization_id),
                &of(configuration, new.status, new.organization_id),
            );
            record.verb = Verb::of_change(policies::update(tx, target.cx, present, &new).await?);
        }
        _ => return Err(Failure::new("name: several policies have this one; rename all but one")),
    }
    outcome.note(record);
    Ok(())
}

/// Tells which policies the file does not mention, and deletes them where that is wanted.
pub(super) async fn unlisted(
    target: &Target<'_>,
    tx: &mut Tx<Tenant>,
    wanted: &[Policy],
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let names: BTreeSet<_> = wanted.iter().map(|policy| policy.configuration.name.as_str()).collect();
    for policy in all(tx).await? {
        if names.contains(policy.configuration.name.as_str()) {
            continue;
        }
        if target.mode.prunes() {
            policies::delete(tx, target.cx, &policy).await?;
        }
        outcome.note(Record::new(target.mode.verb_of_unlisted(), "policy", policy.configuration.name));
    }
    Ok(())
}

/// Every policy as a table of a file.
pub(super) async fn exported(tx: &mut Tx<Tenant>) -> Result<Vec<toml::Table>, Failure> {
    let mut exported = Vec::new();
    for policy in all(tx).await? {
        let mut table = table(&policy.configuration)?;
        table.insert("status".to_owned(), policy.status.name().into());
        naming::write_owner(tx, &mut table, policy.organization_id).await?;
        exported.push(table);
    }
    Ok(exported)
}

async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Present>, Failure> {
    Ok(read_all!(|page| policies::list(tx, page).await?, |policy| policy.id))
}

fn active() -> Status {
    Status::Active
}
