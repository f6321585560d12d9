//! APIs as rows: made, changed, deleted, listed.

use std::collections::BTreeSet;

use svc_core::events::{ApiCreated, ApiDeleted, ApiUpdated};
use svc_core::{ApiId, Cx, Error, Result, STANDARD_SCOPES, Scope};
use svc_db::{Row, Tenant, Tx, args, change_sql, quiet_sql, sql};
use url::Url;

use super::control_plane::CONTROL_PLANE;
use super::management::{self, MANAGEMENT};
use super::roles::Granted;
use super::{Api, Configuration, Judges, details};
use crate::checks::require;
use crate::claims::claims_request::CONSENT_PREFIX;
use crate::claims::custom;
use crate::document;
use crate::lists::{self, Order, Ordered, Search};
use crate::log::{Action, Meaning, change, check_version};
use crate::names;
use crate::tenancy::tenants;
use crate::tokens::access_token::LONGEST_LIFETIME;

/// APIs that are read at once.
const PAGE: u32 = 200;
/// Most characters of a name: that of the management API has the tenant's in it.
const LONGEST_NAME: usize = 250;
/// Most characters of the sentence of a scope.
const LONGEST_SENTENCE: usize = 500;

/// Creates an API; the identifier must be free.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, identifier: &str, new: &Configuration) -> Result<Api> {
    if [MANAGEMENT, CONTROL_PLANE].contains(&identifier) {
        return Err(Error::bad_request("identifier: this is the name of an API of the service itself"));
    }
    Error::every([check_characters(identifier), check_words(new, None)])?;
    insert(tx, cx, identifier, new).await
}

/// Refuses the identifier that is the audience of tokens for no API: who answers for that API would answer for all of these.
pub fn refuse_issuer(tenant: &tenants::Tenant, identifier: &str) -> Result<()> {
    if identifier == tenant.issuer {
        return Err(Error::bad_request(
            "identifier: this is the issuer, the audience of tokens that are for no API; give another one",
        ));
    }
    Ok(())
}

pub(super) async fn insert(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    identifier: &str,
    new: &Configuration,
) -> Result<Api> {
    check(identifier, new)?;
    let api = Api {
        id: cx.id(),
        identifier: identifier.to_owned(),
        enabled: true,
        configuration: new.clone(),
        created_at: cx.now,
        updated_at: cx.now,
        version: 1,
        judges: Judges::default(),
        granted: Granted::default(),
    };
    let insert = change_sql!(
        "INSERT INTO apis (tenant_id, id, identifier, enabled, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, 1)"
    );
    let arguments = args![api.id, identifier, true, document::store(new)?, cx.now];
    let meaning = Meaning::done(Action::ApiCreated, api.id)
        .telling(ApiCreated { api_id: api.id, identifier: identifier.to_owned() });
    let created = change(tx, cx, insert, arguments, meaning).await;
    created.map_err(|error| error.if_taken("identifier: an API with this identifier exists"))?;
    Ok(api)
}

/// Makes configuration and enabledness so; returns whether anything changed.
pub async fn update(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    api: &Api,
    new: &Configuration,
    enabled: bool,
) -> Result<bool> {
    check_words(new, Some(&api.configuration))?;
    keep(tx, cx, api, new, enabled).await
}

/// The same, with the words that the service itself chose.
pub(super) async fn keep(
    tx: &mut Tx<Tenant>,
    cx: &Cx,
    api: &Api,
    new: &Configuration,
    enabled: bool,
) -> Result<bool> {
    check(&api.identifier, new)?;
    if *new == api.configuration && enabled == api.enabled {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE apis SET configuration = $3, enabled = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![api.id, document::store(new)?, enabled, cx.now, api.version];
    let meaning = Meaning::done(Action::ApiUpdated, api.id).telling(ApiUpdated {
        api_id: api.id,
        identifier: api.identifier.clone(),
        enabled,
    });
    check_version(change(tx, cx, update, arguments, meaning).await?, "the API")?;
    Ok(true)
}

/// Refuses a configuration that lacks a scope which a role permits: what is made later with the same name is not what the role was
/// meant to permit. No role is given it meanwhile.
pub async fn check_unpermitted(tx: &mut Tx<Tenant>, api: &Api, new: &Configuration) -> Result<()> {
    let is_kept = |name: &str| new.scopes.iter().any(|scope| scope.name == name);
    let scopes = api.configuration.scopes.iter().map(|scope| scope.name.as_str());
    let removed: Vec<&str> = scopes.filter(|name| !is_kept(name)).collect();
    if removed.is_empty() {
        return Ok(());
    }
    tx.hold("roles");
    let granted = Granted::at(tx, &api.identifier).await?;
    match removed.iter().find_map(|scope| granted.one_with(scope).map(|role| (scope, role))) {
        Some((scope, role)) => {
            Err(Error::conflict(format!("scopes: the role {role:?} permits {scope}; change that role first")))
        }
        None => Ok(()),
    }
}

/// Deletes a disabled API with the consents for it. It has to be disabled first, because a node learns of a changed
/// row, and not of one that is gone.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, api: &Api) -> Result<()> {
    if api.enabled {
        return Err(Error::conflict("disable the API first, so that nothing is issued for it"));
    }
    // What is made later with the same identifier is not what the role was meant to permit. No role is given it meanwhile.
    tx.hold("roles");
    if !Granted::at(tx, &api.identifier).await?.is_empty() {
        return Err(Error::conflict("a role permits scopes of the API; change that role first"));
    }
    let consents = quiet_sql!(
        "goes with the API, whose end is recorded",
        "DELETE FROM consents WHERE tenant_id = $1 AND audience = $2"
    );
    tx.later(consents, args![&api.identifier]);
    let details = quiet_sql!(
        "goes with the API, whose end is recorded",
        "DELETE FROM consented_details WHERE tenant_id = $1 AND audience = $2"
    );
    tx.later(details, args![&api.identifier]);
    let delete = change_sql!("DELETE FROM apis WHERE tenant_id = $1 AND id = $2 AND version = $3");
    let meaning = Meaning::done(Action::ApiDeleted, api.id)
        .telling(ApiDeleted { api_id: api.id, identifier: api.identifier.clone() });
    check_version(change(tx, cx, delete, args![api.id, api.version], meaning).await?, "the API")
}

/// Reads APIs; the argument says which.
macro_rules! apis_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, identifier, enabled, configuration, name_key, created_at, updated_at, version FROM apis \
             WHERE tenant_id = $1 AND ",
            $which
        )
    };
}

/// One API by id.
pub async fn find(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, id: ApiId) -> Result<Option<Api>> {
    let select = apis_sql!("id = $2");
    one(tx.optional(select, args![id]).await?.as_ref(), tenant)
}

/// The API with this identifier, enabled or not.
pub async fn find_by_identifier(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    identifier: &str,
) -> Result<Option<Api>> {
    match (tenant.stored_audience(identifier), identifier) {
        // A stored name is no audience.
        (_, MANAGEMENT | CONTROL_PLANE) => Ok(None),
        (MANAGEMENT, _) => management::find(tx, tenant).await,
        (stored, _) => find_stored(tx, tenant, stored).await,
    }
}

pub(super) async fn find_stored(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    identifier: &str,
) -> Result<Option<Api>> {
    let select = apis_sql!("identifier = $2");
    one(tx.optional(select, args![identifier]).await?.as_ref(), tenant)
}

/// A page of APIs by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    (cursor, limit): (Option<ApiId>, u32),
) -> Result<Vec<Api>> {
    let select = apis_sql!("id > $2 ORDER BY id LIMIT $3");
    lists::page(tx, select, (cursor, limit), |row| api(row, tenant)).await
}

/// A page of APIs in an order, of those that are searched for where it is by name.
pub async fn list_by(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    order: Order,
    wanted: Search<'_, ApiId>,
) -> Result<Vec<Api>> {
    let selects = Ordered {
        oldest: apis_sql!("id > $2 ORDER BY id LIMIT $3"),
        newest: apis_sql!("id < $2 ORDER BY id DESC LIMIT $3"),
        name: apis_sql!("(name_key, id) > ($2, $3) AND name_key < $4 ORDER BY name_key, id LIMIT $5"),
        name_descending: apis_sql!(
            "(name_key, id) < ($2, $3) AND name_key >= $4 ORDER BY name_key DESC, id DESC LIMIT $5"
        ),
    };
    lists::ordered(tx, selects, (order, wanted), |row| api(row, tenant)).await
}

/// Every enabled API.
pub async fn enabled(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant) -> Result<Vec<Api>> {
    let (mut enabled, mut cursor) = (Vec::new(), None);
    loop {
        let page = list(tx, tenant, (cursor, PAGE)).await?;
        cursor = page.last().map(|api| api.id);
        let is_last = page.len() < PAGE as usize;
        enabled.extend(page.into_iter().filter(|api| api.enabled));
        if is_last {
            return Ok(enabled);
        }
    }
}

fn one(row: Option<&Row>, tenant: &tenants::Tenant) -> Result<Option<Api>> {
    Ok(row.map(|row| api(row, tenant)).transpose()?.flatten())
}

/// The API of a row, or nothing where a newer version has given it words that this one does not know.
fn api(row: &Row, tenant: &tenants::Tenant) -> Result<Option<Api>> {
    let Some(configuration) = document::known(row, "configuration")? else { return Ok(None) };
    Ok(Some(Api {
        id: row.parse("id")?,
        identifier: tenant.audience_of(&row.text("identifier")?),
        enabled: row.flag("enabled")?,
        configuration,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        version: row.int("version")?,
        judges: Judges::default(),
        granted: Granted::default(),
    }))
}

fn check(identifier: &str, configuration: &Configuration) -> Result<()> {
    let first = [check_identifier(identifier), check_lifetime(configuration)];
    let scopes = configuration.scopes.iter().map(|scope| check_scope(&scope.name));
    let details = details::check(&configuration.authorization_details_types);
    let claims = custom::check(&configuration.custom_claims);
    Error::every(first.into_iter().chain(scopes).chain([details, claims, check_once(configuration)]))
}

/// Refuses what people could not read at consent; what was stored before this was looked at stays. That is why the published schema,
/// which a record is held against whatever is changed of it, has no bounds for these words.
fn check_words(new: &Configuration, present: Option<&Configuration>) -> Result<()> {
    let is_named_so = present.is_some_and(|present| present.name == new.name);
    let name = if is_named_so { Ok(()) } else { names::check(&new.name, LONGEST_NAME) };
    let known: BTreeSet<_> =
        present.into_iter().flat_map(|present| &present.scopes).map(|scope| &scope.description).collect();
    let sentences = new.scopes.iter().map(|scope| &scope.description).filter(|text| !known.contains(text));
    Error::every(std::iter::once(name).chain(sentences.map(|text| check_sentence(text))))
}

fn check_sentence(description: &str) -> Result<()> {
    if description.chars().count() > LONGEST_SENTENCE || description.chars().any(char::is_control) {
        return Err(Error::bad_request(format!(
            "scopes: describe each in at most {LONGEST_SENTENCE} characters without control characters"
        )));
    }
    Ok(())
}

/// Two entries of one name could be bound to different roles.
fn check_once(configuration: &Configuration) -> Result<()> {
    let mut seen = BTreeSet::new();
    match configuration.scopes.iter().find(|scope| !seen.insert(&scope.name)) {
        Some(scope) => Err(Error::bad_request(format!("scopes: {} is there twice", scope.name))),
        None => Ok(()),
    }
}

/// Refuses what the parser of addresses passes over, such as spaces and line breaks: a client that writes the address as a URI
/// (RFC 3986 §2) would ask for another. The identifier of an API that is there never changes, and is not looked at again.
fn check_characters(identifier: &str) -> Result<()> {
    let is_of_uri = |byte: u8| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte);
    require(
        identifier.bytes().all(is_of_uri),
        "identifier: use the characters of a URI, without spaces, and write any other as %XX",
    )
}

/// RFC 8707 §2: an absolute URI without a fragment.
fn check_identifier(identifier: &str) -> Result<()> {
    if identifier.len() > 500 || identifier.contains('#') || Url::parse(identifier).is_err() {
        return Err(Error::bad_request("identifier: give an absolute URI without a fragment"));
    }
    Ok(())
}

fn check_scope(name: &str) -> Result<()> {
    name.parse::<Scope>()?;
    let is_reserved = STANDARD_SCOPES.contains(&name) || name.starts_with(CONSENT_PREFIX);
    if name.is_empty() || name.contains(' ') || is_reserved {
        return Err(Error::bad_request(format!("scopes: {name:?} is not a scope that an API can define")));
    }
    Ok(())
}

fn check_lifetime(configuration: &Configuration) -> Result<()> {
    let span = configuration.access_token_lifetime_secs;
    if span.is_some_and(|span| !(60..=LONGEST_LIFETIME.0).contains(&span.0)) {
        return Err(Error::bad_request("access_token_lifetime_secs: use 60 to 86400"));
    }
    Ok(())
}
