//! Connections of organizations as rows: made, changed, deleted, found by the domain of an address.

use serde_json::json;
use svc_core::events::SsoConfigured;
use svc_core::{Cx, Error, OrganizationId, Result, Secret, SsoConnectionId, TenantUserId};
use svc_db::{Row, Tenant, Tx, args, change_sql, sql};
use svc_keys::keyring::{Sealed, Sealer};

use super::{Configuration, Connection, New, TEST_INTERVAL, check, secret};
use crate::federation::return_path;
use crate::log::{Action, Meaning, change, check_version};
use crate::organizations::end_all_vouched;
use crate::{document, domain_name, lists};

const TAKEN: &str =
    "enforced: another connection of the organization is; people would have no way to meet both";

/// Makes a connection of an organization.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    (organization_id, new): (OrganizationId, New<'_>),
) -> Result<Connection> {
    check::configuration(tx, new.configuration, None).await?;
    check::secret(new.configuration, new.client_secret, false)?;
    check_room(tx, (organization_id, new.most)).await?;
    let id = cx.id();
    let place = secret::place((tx.tenant().reference(), id));
    let secret = new.client_secret.map(|given| place.seal(given.expose(), sealer, cx)).transpose()?;
    let connection = Connection {
        id,
        organization_id,
        configuration: new.configuration.clone(),
        return_path: return_path(id),
        has_client_secret: secret.is_some(),
        created_at: cx.now,
        updated_at: cx.now,
        secret,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO sso_connections (tenant_id, id, organization_id, enabled, enforced, configuration, sealed_secret, tested_at, \
         created_at, updated_at, version) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $8, 1)"
    );
    let Configuration { enabled, enforced, .. } = *new.configuration;
    let (stored, column) =
        (document::store(new.configuration)?, connection.secret.clone().map(Sealed::into_column));
    let arguments = args![id, organization_id, enabled, enforced, stored, column, cx.now];
    let meaning = meaning(Action::SsoConnectionCreated, &connection, "created");
    change(tx, cx, insert, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    Ok(connection)
}

async fn check_room(tx: &mut Tx<Tenant>, (organization, most): (OrganizationId, u32)) -> Result<()> {
    tx.hold(&format!("sso connections of {organization}"));
    let count =
        sql!("SELECT COUNT(*) AS count FROM sso_connections WHERE tenant_id = $1 AND organization_id = $2");
    if tx.one(count, args![organization]).await?.int("count")? < i64::from(most) {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "the organization has {most} connections (enterprise_sso.max_per_organization); delete those that it does not need"
    )))
}

/// Makes the configuration so, and the secret where one is given; returns whether anything changed. A secret is kept only for
/// the issuer and the client to which it was given. Sessions that began by a connection end when it is disabled: enabling it again revives
/// none.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    present: &Connection,
    (new, given): (&Configuration, Option<&Secret>),
) -> Result<bool> {
    check::configuration(tx, new, Some(&present.configuration)).await?;
    let is_same_client =
        new.issuer == present.configuration.issuer && new.client_id == present.configuration.client_id;
    let kept = present.secret.clone().filter(|_| is_same_client && new.client_auth.needs_secret());
    check::secret(new, given, kept.is_some())?;
    if *new == present.configuration && given.is_none() {
        return Ok(false);
    }
    if present.configuration.enabled && !new.enabled {
        end_all_vouched(tx, cx, (present.organization_id, Some(present.id))).await?;
    }
    let place = secret::place((tx.tenant().reference(), present.id));
    let secret = match given {
        Some(given) => Some(place.seal(given.expose(), sealer, cx)?),
        None => kept,
    };
    let update = change_sql!(
        "UPDATE sso_connections SET enabled = $3, enforced = $4, configuration = $5, sealed_secret = $6, updated_at = $7, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $8"
    );
    let (stored, column) = (document::store(new)?, secret.map(Sealed::into_column));
    let arguments = args![present.id, new.enabled, new.enforced, stored, column, cx.now, present.version];
    let changed = Connection { configuration: new.clone(), ..present.clone() };
    let mut meaning = meaning(Action::SsoConnectionUpdated, &changed, "updated");
    if given.is_some() {
        meaning =
            meaning.with(json!({ "client_secret": "changed", "organization_id": present.organization_id }));
    }
    let updated = change(tx, cx, update, arguments, meaning).await;
    check_version(updated.map_err(|error| error.if_taken(TAKEN))?, "the connection")?;
    Ok(true)
}

/// Deletes a connection with what it says of people, and ends the sessions that began by it; returns whether it was there.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, present: &Connection) -> Result<bool> {
    end_all_vouched(tx, cx, (present.organization_id, Some(present.id))).await?;
    let delete = change_sql!("DELETE FROM sso_connections WHERE tenant_id = $1 AND id = $2");
    let meaning = meaning(Action::SsoConnectionDeleted, present, "deleted");
    Ok(change(tx, cx, delete, args![present.id], meaning).await? > 0)
}

/// Notes that a connection is tested now; refused where it was tested just now.
pub async fn note_test(tx: &mut Tx<Tenant>, cx: &Cx, id: SsoConnectionId) -> Result<()> {
    let update = change_sql!(
        "UPDATE sso_connections SET tested_at = $3 WHERE tenant_id = $1 AND id = $2 AND tested_at <= $4"
    );
    let arguments = args![id, cx.now, cx.now - TEST_INTERVAL];
    if change(tx, cx, update, arguments, Meaning::done(Action::SsoConnectionTested, id)).await? == 0 {
        return Err(Error::rate_limited("this connection was tested just now").retry_in(TEST_INTERVAL));
    }
    Ok(())
}

/// Reads connections; the argument says which.
macro_rules! connections_sql {
    ($which:literal) => {
        sql!(
            "SELECT c.id, c.organization_id, c.configuration, c.sealed_secret, c.created_at, c.updated_at, c.version \
             FROM sso_connections c JOIN organizations o ON o.tenant_id = c.tenant_id AND o.id = c.organization_id \
             WHERE c.tenant_id = $1 AND ",
            $which
        )
    };
}

/// One connection of an organization.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    id: SsoConnectionId,
) -> Result<Option<Connection>> {
    let select = connections_sql!("c.organization_id = $2 AND c.id = $3");
    tx.optional(select, args![organization, id]).await?.as_ref().map_or(Ok(None), connection)
}

/// One connection through which people can sign in now.
pub async fn find_by_id(tx: &mut Tx<Tenant>, id: SsoConnectionId) -> Result<Option<Connection>> {
    let select = connections_sql!("c.id = $2 AND c.enabled AND o.status = 'active'");
    tx.optional(select, args![id]).await?.as_ref().map_or(Ok(None), connection)
}

/// A page of the connections of an organization that are asked for, by id after `cursor`. An organization has few.
pub async fn list(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    page: (Option<SsoConnectionId>, u32),
    is_asked: impl Fn(&Connection) -> bool,
) -> Result<Vec<Connection>> {
    let select = connections_sql!("c.organization_id = $2 AND c.id > $3 ORDER BY c.id LIMIT $4");
    lists::page_of(tx, select, organization, page, |row| Ok(connection(row)?.filter(&is_asked))).await
}

/// The first connections of the active organizations that a person belongs to.
pub async fn of_member(tx: &mut Tx<Tenant>, person: TenantUserId, limit: u32) -> Result<Vec<Connection>> {
    let select = connections_sql!(
        "o.status = 'active' AND c.organization_id IN (SELECT organization_id FROM organization_records \
         WHERE tenant_id = $1 AND tenant_user_id = $2 AND status = 'active') ORDER BY c.id LIMIT $3"
    );
    let rows = tx.all(select, args![person, limit]).await?;
    rows.iter().filter_map(|row| connection(row).transpose()).collect()
}

/// The connection through which the people of an organization sign in: the enforced one, or else the oldest enabled one.
pub async fn serving(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<Option<Connection>> {
    let select = connections_sql!(
        "c.organization_id = $2 AND c.enabled AND o.status = 'active' ORDER BY c.enforced DESC, c.id LIMIT 1"
    );
    tx.optional(select, args![organization]).await?.as_ref().map_or(Ok(None), connection)
}

/// The same by the domain of an address, which the organization has verified: the domain itself, not one below it.
pub async fn of_address(tx: &mut Tx<Tenant>, address: &str) -> Result<Option<Connection>> {
    let Some(domain) = domain_name::of_address(address) else { return Ok(None) };
    let select = connections_sql!(
        "c.enabled AND o.status = 'active' AND c.organization_id IN (SELECT organization_id FROM organization_domains \
         WHERE tenant_id = $1 AND domain = $2 AND status = 'verified') ORDER BY c.enforced DESC, c.id LIMIT 1"
    );
    tx.optional(select, args![domain]).await?.as_ref().map_or(Ok(None), connection)
}

/// The connection that people with an address must use: their organization accepts no other sign-in.
pub async fn enforced_for(tx: &mut Tx<Tenant>, address: &str) -> Result<Option<Connection>> {
    Ok(of_address(tx, address).await?.filter(|found| found.configuration.enforced))
}

/// The connection of a row; nothing where it is of a kind that only a newer version has: what cannot be understood vouches for no
/// one.
fn connection(row: &Row) -> Result<Option<Connection>> {
    let Some(configuration) = document::known_whole(row, "configuration")? else { return Ok(None) };
    let secret: Option<Sealed<String>> = row.maybe_bytes("sealed_secret")?.map(Sealed::from_column);
    let id = row.parse("id")?;
    Ok(Some(Connection {
        id,
        return_path: return_path(id),
        organization_id: row.parse("organization_id")?,
        configuration,
        has_client_secret: secret.is_some(),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        secret,
        version: row.int("version")?,
    }))
}

fn meaning(action: Action, connection: &Connection, change: &'static str) -> Meaning {
    let Connection { id: connection_id, organization_id, configuration, .. } = connection;
    let Configuration { issuer, enabled, enforced, .. } = configuration;
    let (connection_id, organization_id) = (*connection_id, *organization_id);
    let facts = json!({ "organization_id": organization_id, "issuer": issuer, "enabled": enabled, "enforced": enforced });
    let event = SsoConfigured {
        organization_id,
        connection_id,
        change,
        issuer: issuer.clone(),
        enabled: *enabled,
        enforced: *enforced,
    };
    Meaning::done(action, connection_id).with(facts).telling(event)
}
