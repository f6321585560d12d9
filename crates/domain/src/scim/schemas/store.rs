//! Declared schemas as they are stored. A change that would break what people have is refused.

use serde_json::{Map, Value, json};
use svc_core::events::{ScimSchemaCreated, ScimSchemaDeleted, ScimSchemaUpdated};
use svc_core::{Cx, Error, OrganizationId, Result, ScimSchemaId, TenantUserId};
use svc_db::{Call, Row, Tenant, Tx, after, args, change_sql, sql};

use super::checks::{check, check_urn};
use super::values::{check_unused, people_with};
use super::{SchemaContent, ScimSchema, values};
use crate::document;
use crate::log::{Action, Meaning, change, check_version};
use crate::scim::key;

/// Most schemas of one tenant: each is read with every call of a directory.
const MOST: usize = 20;
const TAKEN: &str = "urn, name: another schema of the tenant has one of them";

/// Reads schemas; the argument says which.
macro_rules! scim_schemas_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, urn, document, created_at, updated_at, version FROM scim_schemas WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Declares a schema. `conflict` where another has the URN or the name, or the tenant has as many as it may.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, urn: &str, content: SchemaContent) -> Result<ScimSchema> {
    check_urn(urn)?;
    check(&content)?;
    tx.hold("SCIM schemas");
    let others = all(tx).await?;
    if others.len() >= MOST {
        return Err(Error::conflict(format!("the tenant has {MOST} SCIM schemas, the most that it may")));
    }
    others.iter().try_for_each(|other| check_apart(urn, &other.urn))?;
    let schema = ScimSchema {
        id: cx.id(),
        urn: urn.to_owned(),
        content,
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO scim_schemas (tenant_id, id, urn, urn_key, name_key, document, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1)"
    );
    let arguments =
        args![schema.id, urn, key(urn), key(&schema.content.name), document::store(&schema.content)?, cx.now];
    let meaning = Meaning::done(Action::ScimSchemaCreated, schema.id)
        .with(json!({ "urn": urn }))
        .telling(ScimSchemaCreated { scim_schema_id: schema.id, urn: urn.to_owned() });
    change(tx, cx, insert, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    Ok(schema)
}

/// Refuses a URN that could be read as an attribute of another schema.
fn check_apart(urn: &str, other: &str) -> Result<()> {
    let (urn, other) = (format!("{}:", key(urn)), format!("{}:", key(other)));
    if urn != other && (urn.starts_with(&other) || other.starts_with(&urn)) {
        return Err(Error::conflict(format!(
            "urn: it begins as that of another schema does, {}; use one that does not",
            other.trim_end_matches(':')
        )));
    }
    Ok(())
}

/// Makes the schema so. `conflict` where people have values that would not fit any more.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    present: &ScimSchema,
    wanted: &SchemaContent,
) -> Result<()> {
    check(wanted)?;
    if *wanted == present.content {
        return Ok(());
    }
    // First: what a directory writes meanwhile has ended, or waits and is refused.
    let update = change_sql!(
        "UPDATE scim_schemas SET name_key = $3, document = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![present.id, key(&wanted.name), document::store(wanted)?, cx.now, present.version];
    let meaning = Meaning::done(Action::ScimSchemaUpdated, present.id)
        .telling(ScimSchemaUpdated { scim_schema_id: present.id, urn: present.urn.clone() });
    let changed = change(tx, cx, update, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    check_version(changed, "the SCIM schema")?;
    values::fit(tx, present, wanted).await
}

/// Withdraws a schema. `conflict` where people have values of it.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, schema: &ScimSchema) -> Result<()> {
    values::hold(tx, (schema.id, schema.version)).await?;
    check_unused(people_with(tx, schema.id, "").await?, "the schema")?;
    let delete = change_sql!("DELETE FROM scim_schemas WHERE tenant_id = $1 AND id = $2");
    let meaning = Meaning::done(Action::ScimSchemaDeleted, schema.id)
        .with(json!({ "urn": schema.urn }))
        .telling(ScimSchemaDeleted { scim_schema_id: schema.id, urn: schema.urn.clone() });
    change(tx, cx, delete, args![schema.id], meaning).await.map(|_| ())
}

/// One schema.
pub async fn find(tx: &mut Tx<Tenant>, id: ScimSchemaId) -> Result<Option<ScimSchema>> {
    let select = scim_schemas_sql!("id = $2");
    let row = tx.optional(select, args![id]).await?;
    Ok(row.as_ref().map(record).transpose()?.flatten())
}

/// A page of schemas by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<ScimSchemaId>, u32),
) -> Result<Vec<ScimSchema>> {
    let [rows] = tx.batch([page(tx, (cursor, limit))]).await?;
    records(&rows)
}

/// All of them, by id.
pub async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<ScimSchema>> {
    let [rows] = tx.batch([of_tenant(tx)]).await?;
    records(&rows)
}

/// Selects all of them, to be read with others in one round trip.
pub(in crate::scim) fn of_tenant(tx: &Tx<Tenant>) -> Call {
    page(tx, (None, u32::try_from(MOST).unwrap_or(u32::MAX)))
}

fn page(tx: &Tx<Tenant>, (cursor, limit): (Option<ScimSchemaId>, u32)) -> Call {
    let select = scim_schemas_sql!("id > $2 ORDER BY id LIMIT $3");
    tx.call(select, args![after(cursor), limit])
}

/// The schemas that a statement yielded.
pub(in crate::scim) fn records(rows: &[Row]) -> Result<Vec<ScimSchema>> {
    rows.iter().filter_map(|row| record(row).transpose()).collect()
}

/// What a directory has said of a person under a URN that was not declared.
pub struct Under {
    /// The directory.
    pub organization: OrganizationId,
    /// The person.
    pub user: TenantUserId,
    /// The values, as they came.
    pub values: Value,
}

/// The provisioned people after `cursor`, up to `limit`: those of them who have something under a URN, and where to go on.
pub async fn stored_under(
    tx: &mut Tx<Tenant>,
    urn: &str,
    (cursor, limit): (Option<TenantUserId>, u32),
) -> Result<(Vec<Under>, Option<TenantUserId>)> {
    let select = sql!(
        "SELECT organization_id, id, document FROM scim_users WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT $3"
    );
    let rows = tx.all(select, args![after(cursor), limit]).await?;
    let last = rows.last().map(|row| row.parse("id")).transpose()?;
    let mut found = Vec::new();
    for row in &rows {
        let document: Map<String, Value> = document::load(row, "document")?;
        let values = document.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(urn));
        if let Some((_, values)) = values {
            let organization = row.parse("organization_id")?;
            found.push(Under { organization, user: row.parse("id")?, values });
        }
    }
    Ok((found, last.filter(|_| rows.len() >= limit as usize)))
}

/// The schema of a row; nothing where a newer version has declared what this one does not understand.
fn record(row: &Row) -> Result<Option<ScimSchema>> {
    let Some(content) = document::known_whole(row, "document")? else { return Ok(None) };
    Ok(Some(ScimSchema {
        id: row.parse("id")?,
        urn: row.text("urn")?,
        content,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    }))
}
