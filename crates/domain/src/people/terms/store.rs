//! Versions of documents as they are stored. What is in effect stays as people have accepted it.

use serde_json::json;
use svc_core::events::{TermsCreated, TermsDeleted, TermsUpdated};
use svc_core::{Cx, Error, OrganizationId, Result, TermsId};
use svc_db::{Call, Row, Tenant, Tx, args, change_sql, sql};

use super::{MOST, Terms, TermsContent, check};
use crate::log::{Action, Meaning, change, check_version};
use crate::people::intake::{for_whom, touch};
use crate::{document, lists};

const TAKEN: &str = "label, effective_at: another version of the document has one of them";

/// Reads versions; the argument says which.
macro_rules! terms_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, document, created_at, updated_at, version FROM terms WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Adds a version. `conflict` where another has its label or its time, or the tenant has as many as it may.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, content: &TermsContent) -> Result<Terms> {
    check(content)?;
    tx.hold("terms");
    let others = all(tx).await?;
    if others.len() >= MOST {
        return Err(Error::conflict(format!("a tenant has at most {MOST} versions of its documents")));
    }
    check_people(&others, content)?;
    for_whom::must_exist(tx, &content.organization_ids).await?;
    let (content, id) = (content.clone(), cx.id());
    let terms = Terms { id, content, created_at: cx.now, updated_at: cx.now, version: 1 };
    let insert = change_sql!(
        "INSERT INTO terms (tenant_id, id, terms_key, label, effective_at, document, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 1)"
    );
    let TermsContent { key, label, effective_at, .. } = &terms.content;
    let arguments = args![terms.id, key, label, *effective_at, document::store(&terms.content)?, cx.now];
    let event = TermsCreated { terms_id: terms.id, key: key.clone(), label: label.clone() };
    let meaning = Meaning::done(Action::TermsCreated, terms.id).with(facts(&terms.content)).telling(event);
    change(tx, cx, insert, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    touch(tx, cx);
    Ok(terms)
}

/// Makes the version so; returns whether anything changed. `conflict` where it is in effect, and what people have accepted by it
/// would be another document.
pub async fn update(tx: &mut Tx<Tenant>, cx: &Cx, present: &Terms, wanted: &TermsContent) -> Result<bool> {
    check(wanted)?;
    if *wanted == present.content {
        return Ok(false);
    }
    let TermsContent { required, accept_again_from, organization_ids, .. } = wanted.clone();
    let same = TermsContent { required, accept_again_from, organization_ids, ..present.content.clone() };
    if present.content.effective_at <= cx.now && same != *wanted {
        return Err(Error::conflict(
            "the version is in effect: only `required`, `accept_again_from` and `organization_ids` can change; \
             add a version instead",
        ));
    }
    tx.hold("terms");
    let TermsContent { key, organization_ids, .. } = &present.content;
    if wanted.key != *key || wanted.organization_ids != *organization_ids {
        let mut others = all(tx).await?;
        others.retain(|other| other.id != present.id);
        check_people(&others, wanted)?;
        for_whom::must_exist(tx, &wanted.organization_ids).await?;
    }
    write(tx, cx, present, wanted).await?;
    Ok(true)
}

async fn write(tx: &mut Tx<Tenant>, cx: &Cx, present: &Terms, wanted: &TermsContent) -> Result<()> {
    let update = change_sql!(
        "UPDATE terms SET terms_key = $3, label = $4, effective_at = $5, document = $6, updated_at = $7, \
         version = version + 1 WHERE tenant_id = $1 AND id = $2 AND version = $8"
    );
    let TermsContent { key, label, effective_at, .. } = wanted;
    let stored = document::store(wanted)?;
    let arguments = args![present.id, key, label, *effective_at, stored, cx.now, present.version];
    let event = TermsUpdated { terms_id: present.id, key: key.clone(), label: label.clone() };
    let meaning = Meaning::done(Action::TermsUpdated, present.id).with(facts(wanted)).telling(event);
    let changed = change(tx, cx, update, arguments, meaning).await.map_err(|error| error.if_taken(TAKEN))?;
    check_version(changed, "the version")?;
    touch(tx, cx);
    Ok(())
}

/// Refuses a version for organizations of a document that is for everyone, and the other way round: what people of an organization
/// accepted would stand for what everyone has to accept.
fn check_people(others: &[Terms], content: &TermsContent) -> Result<()> {
    let is_for_all = content.organization_ids.is_empty();
    let of_key = |other: &&Terms| other.content.key == content.key;
    if others.iter().filter(of_key).all(|other| other.content.organization_ids.is_empty() == is_for_all) {
        return Ok(());
    }
    Err(Error::conflict(
        "organization_ids: the versions of a document are all for everyone, or all for organizations; use another `key` for a \
         document of organizations",
    ))
}

/// Takes an organization that is deleted out of the versions that name it; those for its people alone are deleted.
pub(in crate::people) async fn forget(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    organization: OrganizationId,
) -> Result<()> {
    tx.hold("terms");
    for terms in all(tx).await? {
        match for_whom::without(&terms.content.organization_ids, organization) {
            None => {}
            Some(rest) if rest.is_empty() => delete(tx, cx, &terms).await?,
            Some(organization_ids) => {
                let wanted = TermsContent { organization_ids, ..terms.content.clone() };
                write(tx, cx, &terms, &wanted).await?;
            }
        }
    }
    Ok(())
}

/// Deletes a version. What people accepted by it stays.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, terms: &Terms) -> Result<()> {
    let delete = change_sql!("DELETE FROM terms WHERE tenant_id = $1 AND id = $2");
    let (key, label) = (terms.content.key.clone(), terms.content.label.clone());
    let event = TermsDeleted { terms_id: terms.id, key, label };
    let meaning = Meaning::done(Action::TermsDeleted, terms.id).with(facts(&terms.content)).telling(event);
    change(tx, cx, delete, args![terms.id], meaning).await?;
    touch(tx, cx);
    Ok(())
}

/// One version.
pub async fn find(tx: &mut Tx<Tenant>, id: TermsId) -> Result<Option<Terms>> {
    let row = tx.optional(terms_sql!("id = $2"), args![id]).await?;
    Ok(row.as_ref().map(record).transpose()?.flatten())
}

/// A page of the versions that are asked for, by id after `cursor`. A tenant has few.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<TermsId>, u32),
    is_asked: impl Fn(&Terms) -> bool,
) -> Result<Vec<Terms>> {
    let select = terms_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| Ok(record(row)?.filter(&is_asked))).await
}

/// All of them, by id.
pub async fn all(tx: &mut Tx<Tenant>) -> Result<Vec<Terms>> {
    list(tx, (None, u32::try_from(MOST).unwrap_or(u32::MAX)), |_| true).await
}

/// The statement that reads all of them, to be sent with others.
pub(in crate::people) fn every(tx: &Tx<Tenant>) -> Call {
    tx.call(terms_sql!("id > '' ORDER BY id"), args![])
}

/// The versions of rows, without those that only a newer version of the service understands.
pub(in crate::people) fn records(rows: &[Row]) -> Result<Vec<Terms>> {
    rows.iter().filter_map(|row| record(row).transpose()).collect()
}

fn record(row: &Row) -> Result<Option<Terms>> {
    let Some(content) = document::known_whole(row, "document")? else { return Ok(None) };
    Ok(Some(Terms {
        id: row.parse("id")?,
        content,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    }))
}

fn facts(content: &TermsContent) -> serde_json::Value {
    json!({ "key": content.key, "label": content.label, "effective_at": content.effective_at })
}
