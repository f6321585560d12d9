//! Fields as they are stored.

use serde_json::json;
use svc_core::events::{SignUpFieldCreated, SignUpFieldDeleted, SignUpFieldUpdated};
use svc_core::{Cx, Error, Result, SignUpFieldId};
use svc_db::{Call, Row, Tenant, Tx, after, args, change_sql, sql};

use super::{Field, FieldContent, MOST, check};
use crate::apps;
use crate::document;
use crate::log::{Action, Meaning, change, check_version};
use crate::people::intake::touch;

const TAKEN: &str = "name: another field of the tenant has it";

/// Reads fields; the argument says which.
macro_rules! fields_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, document, created_at, updated_at, version FROM sign_up_fields WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Adds a field. `conflict` where another has the name, or the tenant has as many as it may.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, content: &FieldContent) -> Result<Field> {
    check(content)?;
    check_applications(tx, content).await?;
    tx.hold("sign-up fields");
    if all(tx).await?.len() >= MOST {
        return Err(Error::conflict(format!("a tenant asks for at most {MOST} things")));
    }
    let (content, id) = (content.clone(), cx.id());
    let field = Field { id, content, created_at: cx.now, updated_at: cx.now, version: 1 };
    let insert = change_sql!(
        "INSERT INTO sign_up_fields (tenant_id, id, name, document, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $5, 1)"
    );
    let arguments = args![field.id, &field.content.name, document::store(&field.content)?, cx.now];
    let event = SignUpFieldCreated { sign_up_field_id: field.id, name: field.content.name.clone() };
    let meaning =
        Meaning::done(Action::SignUpFieldCreated, field.id).with(facts(&field.content)).telling(event);
    change(tx, cx, insert, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    touch(tx, cx);
    Ok(field)
}

/// Makes the field so; returns whether anything changed. What people answered stays where it is.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, present: &Field, wanted: &FieldContent) -> Result<bool> {
    check(wanted)?;
    check_applications(tx, wanted).await?;
    if *wanted == present.content {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE sign_up_fields SET name = $3, document = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![present.id, &wanted.name, document::store(wanted)?, cx.now, present.version];
    let event = SignUpFieldUpdated { sign_up_field_id: present.id, name: wanted.name.clone() };
    let meaning = Meaning::done(Action::SignUpFieldUpdated, present.id).with(facts(wanted)).telling(event);
    let changed = change(tx, cx, update, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    check_version(changed, "the field")?;
    touch(tx, cx);
    Ok(true)
}

/// Deletes a field. What people answered stays in their metadata.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, field: &Field) -> Result<()> {
    let delete = change_sql!("DELETE FROM sign_up_fields WHERE tenant_id = $1 AND id = $2");
    let event = SignUpFieldDeleted { sign_up_field_id: field.id, name: field.content.name.clone() };
    let meaning =
        Meaning::done(Action::SignUpFieldDeleted, field.id).with(facts(&field.content)).telling(event);
    change(tx, cx, delete, args![field.id], meaning).await?;
    touch(tx, cx);
    Ok(())
}

/// One field.
pub async fn find(tx: &mut Tx<Tenant>, id: SignUpFieldId) -> Result<Option<Field>> {
    let row = tx.optional(fields_sql!("id = $2"), args![id]).await?;
    Ok(row.as_ref().map(record).transpose()?.flatten())
}

/// A page of fields by id, after `cursor`.
pub async fn list(tx: &mut Tx<Tenant>, (cursor, limit): (Option<SignUpFieldId>, u32)) -> Result<Vec<Field>> {
    let rows = tx.all(fields_sql!("id > $2 ORDER BY id LIMIT $3"), args![after(cursor), limit]).await?;
    records(&rows)
}

/// All of them, by id.
pub async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Field>> {
    list(tx, (None, u32::try_from(MOST).unwrap_or(u32::MAX))).await
}

/// The statement that reads all of them, to be sent with others.
pub(in crate::people) fn every(tx: &Tx<Tenant>) -> Call {
    tx.call(fields_sql!("id > '' ORDER BY id"), args![])
}

/// The fields of rows, without those that only a newer version of the service understands.
pub(in crate::people) fn records(rows: &[Row]) -> Result<Vec<Field>> {
    Ok(rows.iter().map(record).collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

fn record(row: &Row) -> Result<Option<Field>> {
    let Some(content) = document::known_whole(row, "document")? else { return Ok(None) };
    Ok(Some(Field {
        id: row.parse("id")?,
        content,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    }))
}

async fn check_applications(tx: &mut Tx<Tenant>, content: &FieldContent) -> Result<()> {
    for id in &content.application_ids {
        if apps::find(tx, *id).await?.is_none() {
            return Err(Error::bad_request(format!(
                "application_ids: {id} is no application of this tenant"
            )));
        }
    }
    Ok(())
}

fn facts(content: &FieldContent) -> serde_json::Value {
    json!({ "name": content.name, "required": content.required, "enabled": content.enabled })
}
