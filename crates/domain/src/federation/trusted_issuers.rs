//! Trusted issuers (RFC 7523 §3): whose assertions about people a tenant believes, and which of its people they mean.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::{Cx, Digest, Error, Result, TenantUserId, Timestamp, TrustedIssuerId};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use svc_keys::KeySet;
use utoipa::ToSchema;

use crate::document;
use crate::lists::{self, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::web_uri::is_web_uri;

/// An issuer whose assertions about people are believed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TrustedIssuer {
    /// Its id.
    #[schema(value_type = String)]
    pub id: TrustedIssuerId,
    /// The `iss` of its assertions.
    pub issuer: String,
    /// A disabled issuer is not believed.
    pub enabled: bool,
    /// What it may do.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
    /// Grows with each change.
    #[serde(skip)]
    pub version: i64,
}

/// What an issuer may do.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = TrustedIssuerConfiguration)]
pub struct Configuration {
    /// What administrators read.
    #[schema(required = true, min_length = 1, max_length = 120)]
    pub name: String,
    /// Its public keys (RFC 7517 §5), inline.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub jwks: Option<Value>,
    /// The https address of those keys; not together with `jwks`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jwks_uri: Option<String>,
    /// The APIs that its assertions may be exchanged for; empty for every one.
    pub audiences: Vec<String>,
}

/// Reads issuers; the argument says which.
macro_rules! trusted_issuers_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, issuer, enabled, configuration, name_key, created_at, updated_at, version FROM trusted_issuers \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// Creates an issuer; `issuer` must be new to the tenant and not the tenant itself.
pub async fn create(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    issuer: &str,
    new: &Configuration,
) -> Result<TrustedIssuer> {
    if !is_web_uri(issuer) || issuer.contains(['#', '?']) {
        return Err(Error::bad_request("issuer: give an https URL without query and fragment"));
    }
    check(new)?;
    let record = TrustedIssuer {
        id: cx.id(),
        issuer: issuer.to_owned(),
        enabled: true,
        configuration: new.clone(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO trusted_issuers (tenant_id, id, issuer, enabled, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, 1)"
    );
    let arguments = args![record.id, issuer, true, document::store(new)?, cx.now];
    let meaning = Meaning::done(Action::TrustedIssuerCreated, record.id);
    let inserted = change(tx, cx, insert, arguments, meaning).await;
    inserted.map_err(|error| error.if_taken("issuer: this issuer is trusted already"))?;
    Ok(record)
}

/// Makes configuration and enabledness so; returns whether anything changed.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    present: &TrustedIssuer,
    new: &Configuration,
    enabled: bool,
) -> Result<bool> {
    check(new)?;
    if *new == present.configuration && enabled == present.enabled {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE trusted_issuers SET configuration = $3, enabled = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![present.id, document::store(new)?, enabled, cx.now, present.version];
    let meaning = Meaning::done(Action::TrustedIssuerUpdated, present.id).with(json!({ "enabled": enabled }));
    check_version(change(tx, cx, update, arguments, meaning).await?, "the trusted issuer")?;
    Ok(true)
}

/// Deletes an issuer with its links to people.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, id: TrustedIssuerId) -> Result<()> {
    let delete = change_sql!("DELETE FROM trusted_issuers WHERE tenant_id = $1 AND id = $2");
    if change(tx, cx, delete, args![id], Meaning::done(Action::TrustedIssuerDeleted, id)).await? == 0 {
        return Err(Error::not_found("no record has this id"));
    }
    Ok(())
}

/// One issuer by id.
pub async fn find(tx: &mut Tx<Tenant>, id: TrustedIssuerId) -> Result<Option<TrustedIssuer>> {
    let select = trusted_issuers_sql!("id = $2");
    tx.optional(select, args![id]).await?.as_ref().map(record).transpose()
}

/// The issuer of this name, enabled or not.
pub async fn find_by_issuer(tx: &mut Tx<Tenant>, issuer: &str) -> Result<Option<TrustedIssuer>> {
    let select = trusted_issuers_sql!("issuer = $2");
    tx.optional(select, args![issuer]).await?.as_ref().map(record).transpose()
}

/// A page of issuers by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<TrustedIssuerId>, u32),
) -> Result<Vec<TrustedIssuer>> {
    let select = trusted_issuers_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| record(row).map(Some)).await
}

/// A page of issuers by name.
pub async fn search(tx: &mut Tx<Tenant>, wanted: Search<'_, TrustedIssuerId>) -> Result<Vec<TrustedIssuer>> {
    let select =
        trusted_issuers_sql!("(name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5");
    lists::search(tx, select, wanted, |row| record(row).map(Some)).await
}

/// Says that the issuer's `subject` is this person; one subject for each person and issuer.
pub async fn link(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    issuer: TrustedIssuerId,
    person: TenantUserId,
    subject: &str,
) -> Result<()> {
    if !(1..=255).contains(&subject.len()) || subject.chars().any(char::is_control) {
        return Err(Error::bad_request("subject: use 1 to 255 bytes without control characters"));
    }
    let upsert = change_sql!(
        "INSERT INTO trusted_subjects (tenant_id, issuer_id, tenant_user_id, subject, created_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant_id, issuer_id, tenant_user_id) \
         DO UPDATE SET subject = excluded.subject, created_at = excluded.created_at"
    );
    let facts = json!({ "tenant_user_id": person });
    let meaning = Meaning::done(Action::TrustedIssuerLinked, issuer).with(facts);
    let linked = change(tx, cx, upsert, args![issuer, person, subject, cx.now], meaning).await;
    linked.map_err(|error| error.if_taken("subject: the issuer's subject is linked to another person"))?;
    Ok(())
}

/// Takes the link of a person back.
pub async fn unlink(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    issuer: TrustedIssuerId,
    person: TenantUserId,
) -> Result<()> {
    let delete = change_sql!(
        "DELETE FROM trusted_subjects WHERE tenant_id = $1 AND issuer_id = $2 AND tenant_user_id = $3"
    );
    let facts = json!({ "tenant_user_id": person });
    let meaning = Meaning::done(Action::TrustedIssuerUnlinked, issuer).with(facts);
    if change(tx, cx, delete, args![issuer, person], meaning).await? == 0 {
        return Err(Error::not_found("no record has this id"));
    }
    Ok(())
}

/// The person that the issuer's `subject` is, by an exact link and by nothing else.
pub async fn linked(
    tx: &mut Tx<Tenant>,
    issuer: TrustedIssuerId,
    subject: &str,
) -> Result<Option<TenantUserId>> {
    let select = sql!(
        "SELECT tenant_user_id FROM trusted_subjects WHERE tenant_id = $1 AND issuer_id = $2 AND subject = $3"
    );
    tx.optional(select, args![issuer, subject]).await?.map(|row| row.parse("tenant_user_id")).transpose()
}

/// Uses an assertion up; `false`: it was used before. One statement, so that of N at once one wins.
pub async fn spend(tx: &mut Tx<Tenant>, digest: Digest, expires_at: Timestamp) -> Result<bool> {
    let insert = quiet_sql!(
        "is used once; the token that it buys is recorded",
        "INSERT INTO spent_assertions (tenant_id, digest, expires_at) VALUES ($1, $2, $3) \
         ON CONFLICT (tenant_id, digest) DO NOTHING"
    );
    Ok(tx.execute(insert, args![digest, expires_at]).await? == 1)
}

fn record(row: &Row) -> Result<TrustedIssuer> {
    Ok(TrustedIssuer {
        id: row.parse("id")?,
        issuer: row.text("issuer")?,
        enabled: row.flag("enabled")?,
        configuration: document::load(row, "configuration")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
    })
}

fn check(configuration: &Configuration) -> Result<()> {
    let Configuration { name, jwks, jwks_uri, audiences } = configuration;
    if !(1..=120).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(Error::bad_request("name: use 1 to 120 characters without control characters"));
    }
    if audiences.len() > 100 {
        return Err(Error::bad_request("audiences: name at most 100 APIs"));
    }
    match (jwks, jwks_uri) {
        (Some(jwks), None) => check_keys(jwks),
        (None, Some(uri)) if is_web_uri(uri) => Ok(()),
        (None, Some(_)) => Err(Error::bad_request("jwks_uri: give an https URL")),
        _ => Err(Error::bad_request("jwks: give jwks or jwks_uri, and not both")),
    }
}

fn check_keys(jwks: &Value) -> Result<()> {
    match KeySet::from_json(jwks) {
        Ok(keys) if !keys.is_empty() => Ok(()),
        Ok(_) => Err(Error::bad_request("jwks: there is no key that signatures can be verified with")),
        Err(error) => Err(Error::bad_request(format!("jwks: {}", error.detail()))),
    }
}
