//! Connectors as rows: made, changed, deleted.

use std::collections::BTreeMap;

use serde_json::json;
use svc_core::events::{ConnectorCreated, ConnectorDeleted, ConnectorUpdated};
use svc_core::{ConnectorId, Cx, Error, Result, Secret};
use svc_db::{Call, Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::keyring::{Sealed, Sealer};

use super::{Configuration, Connector, New, check, secret, vouched};
use crate::federation::return_path;
use crate::log::{Action, Meaning, change, check_version};
use crate::{document, lists};

const TAKEN: &str = "name: another connector of the tenant has it";

/// Reads connectors; the argument says which.
macro_rules! connectors_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, configuration, sealed_secret, created_at, updated_at, version FROM connectors \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Makes a connector. `conflict` where another has the name, or the tenant has as many as it may.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, sealer: &Sealer, new: New<'_>) -> Result<Connector> {
    check::configuration(new.configuration)?;
    check::secret(new.configuration, new.client_secret, false)?;
    check_room(tx, new.most).await?;
    let id = cx.id();
    let place = secret::place((tx.tenant().reference(), id));
    let secret = new.client_secret.map(|given| place.seal(given.expose(), sealer, cx)).transpose()?;
    let connector = Connector {
        id,
        configuration: new.configuration.clone(),
        return_path: return_path(id),
        has_client_secret: secret.is_some(),
        created_at: cx.now,
        updated_at: cx.now,
        secret,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO connectors (tenant_id, id, name, configuration, sealed_secret, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, 1)"
    );
    let (stored, column) =
        (document::store(new.configuration)?, connector.secret.clone().map(Sealed::into_column));
    let name = new.configuration.name.clone();
    let arguments = args![id, &name, stored, column, cx.now];
    let event = ConnectorCreated { connector_id: id, name };
    let meaning = Meaning::done(Action::ConnectorCreated, id).with(facts(new.configuration)).telling(event);
    change(tx, cx, insert, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    touch(tx, cx);
    Ok(connector)
}

async fn check_room(tx: &mut Tx<Tenant>, most: u32) -> Result<()> {
    tx.hold("connectors");
    let count = sql!("SELECT COUNT(*) AS count FROM connectors WHERE tenant_id = $1");
    if tx.one(count, args![]).await?.int("count")? < i64::from(most) {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "the tenant has {most} connectors (social.max_connectors_per_tenant); delete those that it does not need"
    )))
}

/// Makes the configuration so, and the secret where one is given; returns whether anything changed. A secret is kept only for
/// the provider and the client to which it was given. Sessions that rest on the word of the connector end when it is disabled: enabling it
/// again revives none.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    sealer: &Sealer,
    present: &Connector,
    (new, given): (&Configuration, Option<&Secret>),
) -> Result<bool> {
    check::configuration(new)?;
    let kept = present.secret.clone().filter(|_| new.is_same_client(&present.configuration));
    check::secret(new, given, kept.is_some())?;
    check::same_people(new, &present.configuration)?;
    if *new == present.configuration && given.is_none() {
        return Ok(false);
    }
    if present.configuration.enabled && !new.enabled {
        vouched::end_all(tx, cx, present.id).await?;
    }
    let place = secret::place((tx.tenant().reference(), present.id));
    let secret = match given {
        Some(given) => Some(place.seal(given.expose(), sealer, cx)?),
        None => kept,
    };
    let update = change_sql!(
        "UPDATE connectors SET name = $3, configuration = $4, sealed_secret = $5, updated_at = $6, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $7"
    );
    let mut facts = facts(new);
    let of_secret = match (given, &secret, &present.secret) {
        (Some(_), ..) => Some("changed"),
        (None, None, Some(_)) => Some("removed"),
        _ => None,
    };
    if let (Some(members), Some(became)) = (facts.as_object_mut(), of_secret) {
        members.insert("client_secret".to_owned(), json!(became));
    }
    let (stored, column) = (document::store(new)?, secret.map(Sealed::into_column));
    let arguments = args![present.id, &new.name, stored, column, cx.now, present.version];
    let event = ConnectorUpdated { connector_id: present.id, name: new.name.clone(), enabled: new.enabled };
    let meaning = Meaning::done(Action::ConnectorUpdated, present.id).with(facts).telling(event);
    let updated = change(tx, cx, update, arguments, meaning).await;
    check_version(updated.map_err(|error| error.if_taken(TAKEN))?, "the connector")?;
    touch(tx, cx);
    Ok(true)
}

/// Deletes a connector, and ends the sessions that rest on its word. What people have connected stays listed at their accounts, and opens
/// nothing any more.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, present: &Connector) -> Result<()> {
    vouched::end_all(tx, cx, present.id).await?;
    let delete = change_sql!("DELETE FROM connectors WHERE tenant_id = $1 AND id = $2");
    let event = ConnectorDeleted { connector_id: present.id, name: present.configuration.name.clone() };
    let meaning = Meaning::done(Action::ConnectorDeleted, present.id)
        .with(facts(&present.configuration))
        .telling(event);
    if change(tx, cx, delete, args![present.id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    touch(tx, cx);
    Ok(())
}

/// One connector.
pub async fn find(tx: &mut Tx<Tenant>, id: ConnectorId) -> Result<Option<Connector>> {
    tx.optional(connectors_sql!("id = $2"), args![id]).await?.as_ref().map_or(Ok(None), connector)
}

/// A page of the connectors that are asked for, by id after `cursor`. A tenant has few.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<ConnectorId>, u32),
    is_asked: impl Fn(&Connector) -> bool,
) -> Result<Vec<Connector>> {
    let select = connectors_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| Ok(connector(row)?.filter(&is_asked))).await
}

/// All of them, by id.
pub async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Connector>> {
    let rows = tx.all(connectors_sql!("id > '' ORDER BY id"), args![]).await?;
    rows.iter().filter_map(|row| connector(row).transpose()).collect()
}

/// The statement that reads all of them, to be sent with others.
pub(super) fn every(tx: &Tx<Tenant>) -> Call {
    tx.call(connectors_sql!("id > '' ORDER BY id"), args![])
}

/// The connector of a row; nothing where it is of a kind that only a newer version has: what cannot be understood vouches for no
/// one.
pub(super) fn connector(row: &Row) -> Result<Option<Connector>> {
    let Some(configuration) = document::known_whole(row, "configuration")? else { return Ok(None) };
    let secret: Option<Sealed<String>> = row.maybe_bytes("sealed_secret")?.map(Sealed::from_column);
    let id = row.parse("id")?;
    Ok(Some(Connector {
        id,
        return_path: return_path(id),
        configuration,
        has_client_secret: secret.is_some(),
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        secret,
        version: row.int("version")?,
    }))
}

fn facts(configuration: &Configuration) -> serde_json::Value {
    let Configuration { name, preset, client_id, enabled, .. } = configuration;
    let addresses: BTreeMap<_, _> = configuration.addresses().collect();
    json!({ "name": name, "preset": preset, "client_id": client_id, "enabled": enabled, "addresses": addresses })
}

/// Lets every node know that the tenant's connectors are others.
fn touch(tx: &mut Tx<Tenant>, cx: &Cx) {
    let upsert = quiet_sql!(
        "goes with the connector, whose change is recorded",
        "INSERT INTO connector_sets (tenant_id, generation, updated_at) VALUES ($1, 1, $2) ON CONFLICT (tenant_id) \
         DO UPDATE SET generation = connector_sets.generation + 1, updated_at = excluded.updated_at"
    );
    tx.later(upsert, args![cx.now]);
}
