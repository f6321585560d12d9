//! Fields as they are stored.

use std::collections::BTreeSet;

use serde_json::json;
use svc_core::events::{SignUpFieldCreated, SignUpFieldDeleted, SignUpFieldUpdated};
use svc_core::{AppId, Cx, Error, OrganizationId, Result, SignUpFieldId};
use svc_db::{Call, Row, Tenant, Tx, args, change_sql, sql};

use super::{Field, FieldContent, MOST, MOST_IN_ALL, check};
use crate::log::{Action, Meaning, change, check_version};
use crate::people::intake::{for_whom, touch};
use crate::{apps, document, lists};

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
    tx.hold("sign-up fields");
    check_applications(tx, content, &[]).await?;
    let others = all(tx).await?;
    if others.len() >= MOST_IN_ALL {
        return Err(Error::conflict(format!("a tenant has at most {MOST_IN_ALL} fields")));
    }
    check_room(&others, content)?;
    for_whom::must_exist(tx, &content.organization_ids).await?;
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
    if *wanted == present.content {
        return Ok(false);
    }
    tx.hold("sign-up fields");
    check_applications(tx, wanted, &present.content.application_ids).await?;
    if wanted.organization_ids != present.content.organization_ids {
        let mut others = all(tx).await?;
        others.retain(|other| other.id != present.id);
        check_room(&others, wanted)?;
        for_whom::must_exist(tx, &wanted.organization_ids).await?;
    }
    write(tx, cx, present, wanted).await?;
    Ok(true)
}

async fn write(tx: &mut Tx<Tenant>, cx: &Cx, present: &Field, wanted: &FieldContent) -> Result<()> {
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
    Ok(())
}

/// Takes an organization that is deleted out of the fields that name it; those for its people alone are deleted.
pub(in crate::people) async fn forget(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<()> {
    take_out(tx, cx, organization, |content| &mut content.organization_ids).await
}

/// Takes an application that is deleted out of the fields that name it; those on the way to it alone are deleted.
pub(crate) async fn forget_application(tx: &mut Tx<Tenant>, cx: &Cx, application: AppId) -> Result<()> {
    take_out(tx, cx, application, |content| &mut content.application_ids).await
}

async fn take_out<I: Copy + PartialEq>(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    deleted: I,
    named: fn(&mut FieldContent) -> &mut Vec<I>,
) -> Result<()> {
    tx.hold("sign-up fields");
    for field in all(tx).await? {
        let mut wanted = field.content.clone();
        let ids = named(&mut wanted);
        match for_whom::without(ids, deleted) {
            None => {}
            Some(rest) if rest.is_empty() => delete(tx, cx, &field).await?,
            Some(rest) => {
                *ids = rest;
                write(tx, cx, &field, &wanted).await?;
            }
        }
    }
    Ok(())
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

/// A page of the fields that are asked for, by id after `cursor`. A tenant has few.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<SignUpFieldId>, u32),
    is_asked: impl Fn(&Field) -> bool,
) -> Result<Vec<Field>> {
    let select = fields_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| Ok(record(row)?.filter(&is_asked))).await
}

/// All of them, by id.
pub async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Field>> {
    list(tx, (None, u32::try_from(MOST_IN_ALL).unwrap_or(u32::MAX)), |_| true).await
}

/// The statement that reads all of them, to be sent with others.
pub(in crate::people) fn every(tx: &Tx<Tenant>) -> Call {
    tx.call(fields_sql!("id > '' ORDER BY id"), args![])
}

/// The fields of rows, without those that only a newer version of the service understands.
pub(in crate::people) fn records(rows: &[Row]) -> Result<Vec<Field>> {
    rows.iter().filter_map(|row| record(row).transpose()).collect()
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

/// Refuses a field more than the people of an organization, or everyone, can be asked for.
fn check_room(others: &[Field], content: &FieldContent) -> Result<()> {
    let organizations: BTreeSet<_> = if content.organization_ids.is_empty() {
        others.iter().flat_map(|field| &field.content.organization_ids).collect()
    } else {
        content.organization_ids.iter().collect()
    };
    let of_all = others.iter().filter(|field| field.content.organization_ids.is_empty()).count();
    let of_one = |id: &OrganizationId| {
        others.iter().filter(|field| field.content.organization_ids.contains(id)).count()
    };
    if of_all + organizations.into_iter().map(of_one).max().unwrap_or(0) < MOST {
        return Ok(());
    }
    Err(Error::conflict(format!(
        "a tenant asks a person for at most {MOST} things, with those of an organization"
    )))
}

/// Refuses applications that the tenant does not have, but for those that the field names already: one that unregistered itself is
/// still named for some minutes, and stands in the way of no other change.
async fn check_applications(tx: &mut Tx<Tenant>, content: &FieldContent, named: &[AppId]) -> Result<()> {
    for id in content.application_ids.iter().filter(|id| !named.contains(id)) {
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
