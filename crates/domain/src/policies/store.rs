//! Policies as rows: made, changed, deleted, listed. Every change keeps its result as a version.

use serde_json::json;
use svc_core::events::{PolicyCreated, PolicyDeleted, PolicyUpdated};
use svc_core::{Cx, Error, OrganizationId, PolicyId, Result};
use svc_db::{Call, Row, Tenant, Tx, args, change_sql, quiet_sql, sql};

use super::{Configuration, Policy, Status, versions};
use crate::checks::check_description;
use crate::document;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::names;

/// Most bytes of the texts that one tenant has evaluated.
const MOST_EVALUATED: usize = 1 << 20;

/// Reads policies; the argument says which.
macro_rules! policies_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, status, organization_id, configuration, name_key, created_at, updated_at, version FROM policies \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// What a policy is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What it says; [`super::check`] has found no fault in it.
    pub configuration: Configuration,
    /// Its status.
    pub status: Status,
    /// The organization in which alone it decides.
    pub organization_id: Option<OrganizationId>,
}

/// Creates a policy; the tenant may have `most`.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: &Change, most: u32) -> Result<Policy> {
    check(&new.configuration)?;
    tx.hold("policies");
    let count = sql!("SELECT COUNT(*) AS count FROM policies WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? >= i64::from(most) {
        let detail = format!(
            "the tenant has {most} policies (access_control.max_policies_per_tenant); delete one first"
        );
        return Err(Error::conflict(detail));
    }
    let policy = Policy {
        id: cx.id(),
        version: 1,
        status: new.status,
        organization_id: new.organization_id,
        configuration: new.configuration.clone(),
        created_at: cx.now,
        updated_at: cx.now,
    };
    check_room(tx, &policy).await?;
    let insert = change_sql!(
        "INSERT INTO policies (tenant_id, id, status, organization_id, configuration, size, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1)"
    );
    let (stored, size) = (document::store(&policy.configuration)?, stored_size(&policy)?);
    let arguments = args![policy.id, policy.status.name(), policy.organization_id, stored, size, cx.now];
    let meaning =
        Meaning::done(Action::PolicyCreated, policy.id).with(facts(&policy)).telling(PolicyCreated {
            policy_id: policy.id,
            name: policy.configuration.name.clone(),
            status: policy.status.name(),
            version: policy.version,
        });
    change(tx, cx, insert, arguments, meaning).await?;
    versions::keep(tx, cx, &policy)?;
    touch(tx, cx);
    Ok(policy)
}

/// Makes a policy so; returns whether anything changed.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, present: &Policy, new: &Change) -> Result<bool> {
    check(&new.configuration)?;
    let is_same = present.configuration == new.configuration
        && (present.status, present.organization_id) == (new.status, new.organization_id);
    if is_same {
        return Ok(false);
    }
    let policy = Policy {
        version: present.version + 1,
        status: new.status,
        organization_id: new.organization_id,
        configuration: new.configuration.clone(),
        updated_at: cx.now,
        ..present.clone()
    };
    tx.hold("policies");
    check_room(tx, &policy).await?;
    let update = change_sql!(
        "UPDATE policies SET status = $3, organization_id = $4, configuration = $5, size = $6, updated_at = $7, version = $8 \
         WHERE tenant_id = $1 AND id = $2 AND version = $9"
    );
    let (stored, size) = (document::store(&policy.configuration)?, stored_size(&policy)?);
    let arguments = args![
        policy.id,
        policy.status.name(),
        policy.organization_id,
        stored,
        size,
        cx.now,
        policy.version,
        present.version
    ];
    let meaning =
        Meaning::done(Action::PolicyUpdated, policy.id).with(facts(&policy)).telling(PolicyUpdated {
            policy_id: policy.id,
            name: policy.configuration.name.clone(),
            status: policy.status.name(),
            version: policy.version,
        });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the policy")?;
    versions::keep(tx, cx, &policy)?;
    touch(tx, cx);
    Ok(true)
}

/// Deletes a policy with its versions.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, policy: &Policy) -> Result<()> {
    let delete = change_sql!("DELETE FROM policies WHERE tenant_id = $1 AND id = $2 AND version = $3");
    let meaning = Meaning::done(Action::PolicyDeleted, policy.id)
        .with(facts(policy))
        .telling(PolicyDeleted { policy_id: policy.id, name: policy.configuration.name.clone() });
    check_version(change(tx, cx, delete, args![policy.id, policy.version], meaning).await?, "the policy")?;
    let counts = quiet_sql!(
        "goes with the policy, whose change is recorded",
        "DELETE FROM policy_shadows WHERE tenant_id = $1 AND policy_id = $2"
    );
    tx.later(counts, args![policy.id]);
    touch(tx, cx);
    Ok(())
}

/// Lets every node know that the tenant's policies are others.
fn touch(tx: &mut Tx<Tenant>, cx: &Cx) {
    let upsert = quiet_sql!(
        "goes with the policy, whose change is recorded",
        "INSERT INTO policy_sets (tenant_id, generation, updated_at) VALUES ($1, 1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET generation = policy_sets.generation + 1, updated_at = excluded.updated_at"
    );
    tx.later(upsert, args![cx.now]);
}

fn facts(policy: &Policy) -> serde_json::Value {
    json!({
        "name": policy.configuration.name, "status": policy.status, "organization_id": policy.organization_id,
        "version": policy.version
    })
}

/// The bytes of what is read when it is compiled.
pub(super) fn size_of_texts(policy: &Policy) -> usize {
    policy.configuration.text.len() + policy.configuration.schema.as_ref().map_or(0, String::len)
}

fn stored_size(policy: &Policy) -> Result<i64> {
    i64::try_from(size_of_texts(policy)).map_err(|_| Error::bad_request("text: it is too long"))
}

/// What is evaluated together is bounded; the caller holds the tenant's policies.
async fn check_room(tx: &mut Tx<Tenant>, policy: &Policy) -> Result<()> {
    if !policy.status.is_evaluated() {
        return Ok(());
    }
    let sum = sql!(
        "SELECT CAST(COALESCE(SUM(size), 0) AS BIGINT) AS total FROM policies \
         WHERE tenant_id = $1 AND id <> $2 AND status IN ('active', 'shadow')"
    );
    let others = tx.one(sum, args![policy.id]).await?.int("total")?;
    if others + stored_size(policy)? > i64::try_from(MOST_EVALUATED).unwrap_or(i64::MAX) {
        return Err(Error::conflict(
            "text: the active and shadow policies of the tenant would be longer than 1 MiB; archive one first",
        ));
    }
    Ok(())
}

/// Selects what is evaluated.
pub(super) fn evaluated(tx: &Tx<Tenant>) -> Call {
    tx.call(policies_sql!("status IN ('active', 'shadow') ORDER BY id"), args![])
}

/// One policy.
pub async fn find(tx: &mut Tx<Tenant>, id: PolicyId) -> Result<Option<Policy>> {
    tx.optional(policies_sql!("id = $2"), args![id]).await?.as_ref().map(policy).transpose()
}

/// A page of policies by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, (cursor, limit): (Option<PolicyId>, u32)) -> Result<Vec<Policy>> {
    let select = policies_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| policy(row).map(Some)).await
}

/// Which policies a list asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter {
    /// Of this status.
    pub status: Option<Status>,
    /// Those that decide in this organization alone.
    pub organization: Option<OrganizationId>,
}

/// A page of policies in an order, of those that are searched for where it is by name.
pub async fn list_by(
    tx: &mut Tx<Tenant>,
    filter: Filter,
    order: Order,
    wanted: Search<'_, PolicyId>,
) -> Result<Vec<Policy>> {
    let organization = filter.organization.map(|id| id.to_string()).unwrap_or_default();
    let narrowed = args![filter.status.map_or("", Status::name), organization];
    let asked = (order, wanted);
    lists::ordered_in(tx, selects(filter.status), asked, narrowed, |row| policy(row).map(Some)).await
}

/// The statements of the list. By id, those of a status have an index; whatever else narrows a list is looked at in its order.
fn selects(status: Option<Status>) -> Ordered {
    let (oldest, newest) = if status.is_some() {
        (
            policies_sql!(
                "status = $2 AND id > $4 AND ($3 = '' OR organization_id = $3) ORDER BY id LIMIT $5"
            ),
            policies_sql!(
                "status = $2 AND id < $4 AND ($3 = '' OR organization_id = $3) ORDER BY id DESC LIMIT $5"
            ),
        )
    } else {
        (
            policies_sql!(
                "id > $4 AND ($2 = '' OR status = $2) AND ($3 = '' OR organization_id = $3) ORDER BY id LIMIT $5"
            ),
            policies_sql!(
                "id < $4 AND ($2 = '' OR status = $2) AND ($3 = '' OR organization_id = $3) ORDER BY id DESC LIMIT $5"
            ),
        )
    };
    Ordered {
        oldest,
        newest,
        name: policies_sql!(
            "(name_key, id) > ($4, $5) AND name_key < $6 AND ($2 = '' OR status = $2) \
             AND ($3 = '' OR organization_id = $3) ORDER BY name_key, id LIMIT $7"
        ),
        name_descending: policies_sql!(
            "(name_key, id) < ($4, $5) AND name_key >= $6 AND ($2 = '' OR status = $2) \
             AND ($3 = '' OR organization_id = $3) ORDER BY name_key DESC, id DESC LIMIT $7"
        ),
    }
}

pub(super) fn policy(row: &Row) -> Result<Policy> {
    Ok(Policy {
        id: row.parse("id")?,
        version: row.int("version")?,
        status: Status::stored(&row.text("status")?),
        organization_id: row.maybe_parse("organization_id")?,
        configuration: document::load(row, "configuration")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
    })
}

fn check(configuration: &Configuration) -> Result<()> {
    let Configuration { name, description, .. } = configuration;
    Error::every([names::check(name, 120), check_description(description, 500)])
}
