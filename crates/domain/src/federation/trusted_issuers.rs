//! Trusted issuers (RFC 7523 §3): whose assertions about people are believed: about all of a tenant's, or about the members of
//! the organization to which an issuer belongs.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use svc_core::events::{TrustedIssuerCreated, TrustedIssuerDeleted, TrustedIssuerUpdated};
use svc_core::{Cx, Digest, Error, OrganizationId, Result, Timestamp, TrustedIssuerId};
use svc_db::{Row, Tenant, Tx, after, args, change_sql, quiet_sql, sql};
use svc_keys::KeySet;
use utoipa::ToSchema;

use crate::document;
use crate::grants::delegations;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::organizations;
use crate::web_uri::is_web_uri;

/// An issuer whose assertions about people are believed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TrustedIssuer {
    /// Its id.
    #[schema(value_type = String)]
    pub id: TrustedIssuerId,
    /// The organization that it belongs to, about whose members alone it is believed; null for the tenant.
    #[schema(value_type = Option<String>)]
    pub organization_id: Option<OrganizationId>,
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
    #[serde(deserialize_with = "document::each_once")]
    pub audiences: Vec<String>,
}

/// Reads issuers; the argument says which.
macro_rules! trusted_issuers_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, organization_id, issuer, enabled, configuration, name_key, created_at, updated_at, version FROM trusted_issuers \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// An issuer to trust.
pub struct New<'a> {
    /// The organization that it belongs to, if it belongs to one.
    pub organization: Option<OrganizationId>,
    /// The `iss` of its assertions: new to the tenant, and not the tenant itself.
    pub issuer: &'a str,
    /// What it may do.
    pub configuration: &'a Configuration,
}

/// Most issuers of one organization: it has one provider, or is moving to another.
const MOST_OF_ORGANIZATION: i64 = 20;

/// Creates an issuer.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, new: New<'_>) -> Result<TrustedIssuer> {
    let New { organization, issuer, configuration: new } = new;
    if !is_web_uri(issuer) || issuer.contains(['#', '?']) {
        return Err(Error::bad_request("issuer: give an https URL without query and fragment"));
    }
    check(new)?;
    if let Some(organization) = organization {
        make_room(tx, organization).await?;
    }
    let record = TrustedIssuer {
        id: cx.id(),
        organization_id: organization,
        issuer: issuer.to_owned(),
        enabled: true,
        configuration: new.clone(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
    };
    let insert = change_sql!(
        "INSERT INTO trusted_issuers (tenant_id, id, issuer, enabled, configuration, created_at, updated_at, version, \
         organization_id) VALUES ($1, $2, $3, $4, $5, $6, $6, 1, $7)"
    );
    let arguments = args![record.id, issuer, true, document::store(new)?, cx.now, organization];
    let meaning = meaning(Action::TrustedIssuerCreated, &record).telling(TrustedIssuerCreated {
        trusted_issuer_id: record.id,
        issuer: record.issuer.clone(),
        organization_id: record.organization_id,
    });
    let inserted = change(tx, cx, insert, arguments, meaning).await;
    inserted.map_err(|error| error.if_taken("issuer: this issuer is trusted already"))?;
    Ok(record)
}

/// Counts the issuers of an organization that is there; no other transaction counts or deletes it until this one ends.
async fn make_room(tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<()> {
    organizations::hold_records(tx, organization);
    if organizations::find(tx, organization).await?.is_none() {
        return Err(Error::unknown_id());
    }
    let select =
        sql!("SELECT COUNT(*) AS count FROM trusted_issuers WHERE tenant_id = $1 AND organization_id = $2");
    let count = tx.one(select, args![organization]).await?.int("count")?;
    if count >= MOST_OF_ORGANIZATION {
        return Err(Error::conflict(format!(
            "the organization has {count} trusted issuers, the most that it may; delete one first"
        )));
    }
    Ok(())
}

/// Makes configuration and enabledness so; returns whether anything changed. What was granted on the word of an issuer ends when it is
/// disabled.
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
    let event = TrustedIssuerUpdated {
        trusted_issuer_id: present.id,
        issuer: present.issuer.clone(),
        organization_id: present.organization_id,
        enabled,
    };
    let meaning =
        meaning(Action::TrustedIssuerUpdated, present).and("enabled", json!(enabled)).telling(event);
    check_version(change(tx, cx, update, arguments, meaning).await?, "the trusted issuer")?;
    if present.enabled && !enabled {
        delegations::of_issuer(tx, cx, &present.issuer, None).await?;
    }
    Ok(true)
}

/// Deletes an issuer with its links to people, and ends what was granted on its word.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, issuer: &TrustedIssuer) -> Result<()> {
    let delete = change_sql!("DELETE FROM trusted_issuers WHERE tenant_id = $1 AND id = $2");
    let meaning = meaning(Action::TrustedIssuerDeleted, issuer).telling(TrustedIssuerDeleted {
        trusted_issuer_id: issuer.id,
        issuer: issuer.issuer.clone(),
        organization_id: issuer.organization_id,
    });
    if change(tx, cx, delete, args![issuer.id], meaning).await? == 0 {
        return Err(Error::unknown_id());
    }
    delegations::of_issuer(tx, cx, &issuer.issuer, None).await
}

/// What an entry says of an issuer: the organization whose it is, if it is one's.
pub(super) fn meaning(action: Action, issuer: &TrustedIssuer) -> Meaning {
    let meaning = Meaning::done(action, issuer.id);
    match issuer.organization_id {
        Some(organization) => meaning.and("organization_id", json!(organization)),
        None => meaning,
    }
}

/// One issuer of the tenant by id; or of the organization, where one is named.
pub async fn find(
    tx: &mut Tx<Tenant>,
    organization: Option<OrganizationId>,
    id: TrustedIssuerId,
) -> Result<Option<TrustedIssuer>> {
    let select = trusted_issuers_sql!("id = $2 AND COALESCE(organization_id, '') = $3");
    let of = organization.map(|id| id.to_string()).unwrap_or_default();
    tx.optional(select, args![id, of]).await?.as_ref().map(record).transpose()
}

/// The issuer of this name, enabled or not.
pub async fn find_by_issuer(tx: &mut Tx<Tenant>, issuer: &str) -> Result<Option<TrustedIssuer>> {
    let select = trusted_issuers_sql!("issuer = $2");
    tx.optional(select, args![issuer]).await?.as_ref().map(record).transpose()
}

/// A page of every issuer by id: the tenant's, and those of its organizations.
pub async fn list_all(
    tx: &mut Tx<Tenant>,
    (cursor, limit): (Option<TrustedIssuerId>, u32),
) -> Result<Vec<TrustedIssuer>> {
    let select = trusted_issuers_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| record(row).map(Some)).await
}

/// A page of the issuers of an organization.
pub async fn list_of_organization(
    tx: &mut Tx<Tenant>,
    organization: OrganizationId,
    (cursor, limit): (Option<TrustedIssuerId>, u32),
) -> Result<Vec<TrustedIssuer>> {
    let select = trusted_issuers_sql!("organization_id = $4 AND id > $2 ORDER BY id LIMIT $3");
    tx.all(select, args![after(cursor), limit, organization]).await?.iter().map(record).collect()
}

/// A page of the tenant's issuers in an order, of those that are searched for where it is by name.
pub async fn list_by(
    tx: &mut Tx<Tenant>,
    order: Order,
    wanted: Search<'_, TrustedIssuerId>,
) -> Result<Vec<TrustedIssuer>> {
    let selects = Ordered {
        oldest: trusted_issuers_sql!("organization_id IS NULL AND id > $2 ORDER BY id LIMIT $3"),
        newest: trusted_issuers_sql!("organization_id IS NULL AND id < $2 ORDER BY id DESC LIMIT $3"),
        name: trusted_issuers_sql!(
            "organization_id IS NULL AND (name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5"
        ),
        name_descending: trusted_issuers_sql!(
            "organization_id IS NULL AND (name_key, id) < ($2, $3) AND name_key >= $4 \
             ORDER BY name_key DESC, id DESC LIMIT $5"
        ),
    };
    lists::ordered(tx, selects, (order, wanted), |row| record(row).map(Some)).await
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
        organization_id: row.maybe_parse("organization_id")?,
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
    names::check(name, 120)?;
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
