//! One role of a file.

use svc_core::Cx;
use svc_db::{Tenant, Tx};
use svc_domain::apis::roles;
use svc_domain::tenancy::tenants;

use super::Role;
use super::change;
use super::outcome::{Outcome, Record, Verb};
use crate::failure::Failure;
use crate::pages::read_all;

/// Makes a role so; the APIs whose scopes it permits must be there.
pub(super) async fn apply(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    (tenant, wanted): (&tenants::Tenant, &Role),
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    let configuration = wanted.configuration.clone().at(tenant);
    let mut record = Record::new(Verb::Created, "role", &wanted.name);
    if let Some(present) = roles::find_by_name(tx, tenant, &wanted.name).await? {
        let is_changed = roles::update(tx, cx, tenant, (&present, &configuration)).await?;
        record.verb = Verb::of_change(is_changed);
        if is_changed {
            record.changes = change::between(&present.configuration, &configuration);
        }
    } else {
        roles::create(tx, cx, tenant, (&wanted.name, &configuration)).await?;
    }
    outcome.note(record);
    Ok(())
}

/// Every role.
pub(super) async fn all(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant) -> Result<Vec<roles::Role>, Failure> {
    Ok(read_all!(|page| roles::list(tx, tenant, page).await?, |role| role.id))
}
