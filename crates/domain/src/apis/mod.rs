//! APIs (resource servers): the audiences that tokens are for, their scopes (RFC 8707) and types of authorization details
//! (RFC 9396).

mod details;
pub mod management;
mod schema;
mod sentence;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use svc_core::{ApiId, Cx, Error, Result, STANDARD_SCOPES, Scope, Seconds, TenantRef, Timestamp};
use svc_db::{Db, Row, System, Tenant, Tx, args, change_sql, quiet_sql, sql, system_sql};
use svc_keys::Typ;
use url::Url;
use utoipa::ToSchema;

pub use self::details::{DetailsType, Judges, is_details_type, type_of};
use self::management::MANAGEMENT;
pub use self::sentence::{Part, Sentence};
use crate::claims::claims_request::CONSENT_PREFIX;
use crate::document::{self, Extensible};
use crate::log::{Action, Meaning, change};
use crate::memory::{self, CacheCounts, Forgettings, Kept};
use crate::tenancy::tenants;
use crate::tokens::access_token::LONGEST_LIFETIME;

/// An API as every request sees it.
#[derive(Clone, Debug)]
pub struct Api {
    /// Its id.
    pub id: ApiId,
    /// The identifier URI: the `aud` of its tokens.
    pub identifier: String,
    /// Nothing is issued for a disabled API.
    pub enabled: bool,
    /// What it is and offers.
    pub configuration: Configuration,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// Grows with each change.
    pub version: i64,
    /// The schemas of its types of authorization details, ready to judge.
    pub judges: Judges,
}

/// What an API is and offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ApiConfiguration)]
pub struct Configuration {
    /// What people read at consent.
    pub name: String,
    /// Its permissions.
    #[serde(default)]
    pub scopes: Vec<ApiScope>,
    /// The `client_id`s of applications that answer for this API; they may introspect its tokens.
    #[serde(default)]
    pub resource_servers: Vec<String>,
    /// How long tokens for it live, 60 to 86400 seconds; by default the deployment's lifetimes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<i64>)]
    pub access_token_lifetime_secs: Option<Seconds>,
    /// The `typ` of its access tokens: `at+jwt` (RFC 9068), or `JWT` for resource servers that accept no other.
    #[serde(default, skip_serializing_if = "AccessTokenTyp::is_default")]
    pub access_token_typ: AccessTokenTyp,
    /// The types of authorization details that it understands (RFC 9396 §2).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authorization_details_types: Vec<DetailsType>,
}

impl Extensible for Configuration {
    // RFC 9068's, which names the token for what it is.
    const MAY_FALL_BACK: &'static [&'static str] = &["access_token_typ"];
}

/// The `typ` header of access tokens for an API.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum AccessTokenTyp {
    /// RFC 9068 §2.1.
    #[default]
    #[serde(rename = "at+jwt")]
    AtJwt,
    /// RFC 7519 §5.1.
    #[serde(rename = "JWT")]
    Jwt,
}

impl AccessTokenTyp {
    /// The type of token that is signed.
    pub fn typ(self) -> Typ {
        match self {
            Self::AtJwt => Typ::AccessToken,
            Self::Jwt => Typ::Jwt,
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// One permission of an API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ApiScope {
    /// `<resource>:<action>`.
    pub name: String,
    /// The sentence that people read at consent.
    #[serde(default)]
    pub description: String,
    /// A person needs one of these roles to be given it; empty for everybody.
    #[serde(default)]
    pub roles: Vec<String>,
}

impl Api {
    /// The API's scopes.
    pub fn scope(&self) -> Scope {
        self.configuration.scopes.iter().map(|scope| scope.name.as_str()).collect()
    }

    /// The scopes that a person with `roles` may be given.
    pub fn scope_for(&self, roles: &[String]) -> Scope {
        let offered = self.configuration.scopes.iter().filter(|scope| scope.is_for(Some(roles)));
        offered.map(|scope| scope.name.as_str()).collect()
    }

    /// Whether one of its scopes may be given to a person with `roles`, or to an application, which needs none.
    pub fn offers(&self, scope: &str, roles: Option<&[String]>) -> bool {
        self.configuration.scopes.iter().any(|offered| offered.name == scope && offered.is_for(roles))
    }
}

impl ApiScope {
    fn is_for(&self, roles: Option<&[String]>) -> bool {
        roles.is_none_or(|roles| self.roles.is_empty() || self.roles.iter().any(|role| roles.contains(role)))
    }
}

/// Finds APIs by identifier; answers from memory.
pub struct Apis {
    db: Db,
    /// Also what is no API: requests name the tenant itself, and identifiers of elsewhere.
    kept: Kept<(TenantRef, String), Known>,
    forgettings: Forgettings,
    /// What the enabled APIs of each tenant offer together.
    offers: Kept<TenantRef, Arc<Offer>>,
}

/// What is known of an identifier: the API that has it, or that none has.
#[derive(Clone)]
struct Known(Option<Arc<Api>>);

impl Known {
    fn enabled(self) -> Option<Arc<Api>> {
        self.0.filter(|api| api.enabled)
    }
}

/// What all enabled APIs of a tenant offer together.
struct Offer {
    /// The issuer at which they were read: the identifier of the management API follows it.
    issuer: String,
    /// Their scopes.
    scope: Arc<Scope>,
    /// The names of their types of authorization details, each once and in order.
    types: Arc<Vec<String>>,
    /// The API of each path, by identifier; nothing where several have it.
    paths: BTreeMap<String, Option<String>>,
}

/// Most bytes of APIs kept in memory.
const KEPT: u64 = 16 << 20;
/// Most bytes of names of types.
const NAMES: u64 = 4 << 20;
/// APIs that are read at once.
const PAGE: u32 = 200;

impl Apis {
    /// An empty directory over `db`.
    pub fn new(db: Db) -> Self {
        Self {
            db,
            kept: memory::bounded(KEPT, |(_, identifier), Known(api): &Known| {
                let weight = |api: &Arc<Api>| size_of::<Api>() + memory::weight(&api.configuration);
                identifier.len() + api.as_ref().map_or(0, weight)
            }),
            forgettings: Forgettings::default(),
            offers: memory::bounded(NAMES, |_, offer: &Arc<Offer>| {
                memory::weight(&(&*offer.types, &*offer.scope, &offer.paths))
            }),
        }
    }

    /// The enabled API with this identifier, read in the caller's transaction if it has to be read at all: a second
    /// connection next to the one already held could wait for ever.
    pub async fn find_in(
        &self,
        tx: &mut Tx<Tenant>,
        tenant: &tenants::Tenant,
        identifier: &str,
    ) -> Result<Option<Arc<Api>>> {
        if let Some(known) = self.known(tenant, identifier) {
            return Ok(known.enabled());
        }
        self.load(tx, tenant, identifier).await
    }

    async fn load(
        &self,
        tx: &mut Tx<Tenant>,
        tenant: &tenants::Tenant,
        identifier: &str,
    ) -> Result<Option<Arc<Api>>> {
        let (key, before) = (key(tenant, identifier), self.forgettings.number());
        let found = Known(find_by_identifier(tx, tenant, identifier).await?.map(Arc::new));
        self.kept.insert(key.clone(), found.clone());
        if self.forgettings.number() != before {
            self.kept.invalidate(&key);
        }
        Ok(found.enabled())
    }

    /// The enabled API with this identifier.
    pub async fn find(&self, tenant: &tenants::Tenant, identifier: &str) -> Result<Option<Arc<Api>>> {
        if let Some(known) = self.known(tenant, identifier) {
            return Ok(known.enabled());
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(async { self.load(&mut self.db.read(tenant.id).await?, tenant, identifier).await }).await
    }

    /// What memory knows of an identifier. The management API has the identifier of the issuer at which it was read.
    fn known(&self, tenant: &tenants::Tenant, identifier: &str) -> Option<Known> {
        let is_same = |Known(api): &Known| api.as_ref().is_none_or(|api| api.identifier == identifier);
        self.kept.find(&key(tenant, identifier)).filter(is_same)
    }

    /// How often memory knew of an identifier.
    pub fn counts(&self) -> CacheCounts {
        self.kept.counts()
    }

    /// The types of authorization details of a tenant's enabled APIs, each once and in order.
    pub async fn details_types(&self, tenant: &tenants::Tenant) -> Result<Arc<Vec<String>>> {
        Ok(Arc::clone(&self.offer(tenant).await?.types))
    }

    /// Every scope of a tenant's enabled APIs.
    pub async fn scope(&self, tenant: &tenants::Tenant) -> Result<Arc<Scope>> {
        Ok(Arc::clone(&self.offer(tenant).await?.scope))
    }

    /// The only enabled API whose identifier has this path.
    pub async fn at_path(&self, tenant: &tenants::Tenant, path: &str) -> Result<Option<Arc<Api>>> {
        let offer = self.offer(tenant).await?;
        match offer.paths.get(path) {
            Some(Some(identifier)) => self.find(tenant, identifier).await,
            _ => Ok(None),
        }
    }

    async fn offer(&self, tenant: &tenants::Tenant) -> Result<Arc<Offer>> {
        let known = self.offers.get(&tenant.id.reference());
        if let Some(offer) = known.filter(|offer| offer.issuer == tenant.issuer) {
            return Ok(offer);
        }
        // Boxed: the state of the rare way would be part of every request.
        Box::pin(self.load_offer(tenant)).await
    }

    async fn load_offer(&self, tenant: &tenants::Tenant) -> Result<Arc<Offer>> {
        let before = self.forgettings.number();
        let apis = enabled(&mut self.db.read(tenant.id).await?, tenant).await?;
        let types: BTreeSet<String> = apis.iter().flat_map(Api::details_types).map(str::to_owned).collect();
        let scope = apis.iter().fold(Scope::default(), |all, api| all.union(&api.scope()));
        let types = Arc::new(types.into_iter().collect());
        let (issuer, scope) = (tenant.issuer.clone(), Arc::new(scope));
        let offer = Arc::new(Offer { issuer, scope, types, paths: paths(&apis) });
        self.offers.insert(tenant.id.reference(), Arc::clone(&offer));
        if self.forgettings.number() != before {
            self.offers.invalidate(&tenant.id.reference());
        }
        Ok(offer)
    }

    /// Forgets what changed since `since`, so that another node's change is seen here.
    pub async fn refresh(&self, tx: &mut Tx<System>, since: Timestamp) -> Result<()> {
        let changed =
            system_sql!("SELECT tenant_id, id, identifier, version FROM apis WHERE updated_at >= $1");
        let changed = tx.all(changed, args![since]).await?;
        if !changed.is_empty() {
            self.forgettings.count();
        }
        for row in changed {
            let (tenant, id, version) = (row.parse("tenant_id")?, row.parse("id")?, row.int("version")?);
            self.offers.invalidate(&tenant);
            // The management API may still be stored by an identifier.
            for identifier in [row.text("identifier")?, MANAGEMENT.to_owned()] {
                let key = (tenant, identifier);
                // The window overlaps the last one; what was read since then is current.
                let is_outdated =
                    |Known(api): Known| api.is_none_or(|kept| kept.id == id && kept.version != version);
                if self.kept.get(&key).is_some_and(is_outdated) {
                    self.kept.invalidate(&key);
                }
            }
        }
        // What was not asked for is given back even where no request comes that would do it.
        self.kept.run_pending_tasks();
        Ok(())
    }
}

fn paths(apis: &[Api]) -> BTreeMap<String, Option<String>> {
    let mut paths = BTreeMap::new();
    for Api { identifier, .. } in apis {
        if let Some(path) = path_of(identifier) {
            paths.entry(path).and_modify(|only| *only = None).or_insert_with(|| Some(identifier.clone()));
        }
    }
    paths
}

/// The path of an address, without the slashes around it.
pub fn path_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    Some(url.path().trim_matches('/').to_owned()).filter(|path| !path.is_empty())
}

fn key(tenant: &tenants::Tenant, identifier: &str) -> (TenantRef, String) {
    (tenant.id.reference(), tenant.stored_audience(identifier).to_owned())
}

/// Creates an API; the identifier must be free.
pub async fn create(tx: &mut Tx<Tenant>, cx: &Cx, identifier: &str, new: &Configuration) -> Result<Api> {
    if identifier == MANAGEMENT {
        return Err(Error::bad_request("identifier: this is the name of the management API"));
    }
    insert(tx, cx, identifier, new).await
}

async fn insert(tx: &mut Tx<Tenant>, cx: &Cx, identifier: &str, new: &Configuration) -> Result<Api> {
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
    };
    let insert = change_sql!(
        "INSERT INTO apis (tenant_id, id, identifier, enabled, configuration, created_at, updated_at, version) \
         VALUES ($1, $2, $3, $4, $5, $6, $6, 1)"
    );
    let arguments = args![api.id, identifier, true, document::store(new)?, cx.now];
    change(tx, cx, insert, arguments, Meaning::done(Action::ApiCreated, api.id)).await?;
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
    check(&api.identifier, new)?;
    if *new == api.configuration && enabled == api.enabled {
        return Ok(false);
    }
    let update = change_sql!(
        "UPDATE apis SET configuration = $3, enabled = $4, updated_at = $5, version = version + 1 \
         WHERE tenant_id = $1 AND id = $2 AND version = $6"
    );
    let arguments = args![api.id, document::store(new)?, enabled, cx.now, api.version];
    if change(tx, cx, update, arguments, Meaning::done(Action::ApiUpdated, api.id)).await? == 0 {
        return Err(Error::conflict("the API changed meanwhile; read it again"));
    }
    Ok(true)
}

/// Deletes a disabled API with the consents for it. It has to be disabled first, because a node learns of a changed
/// row, and not of one that is gone.
pub async fn delete(tx: &mut Tx<Tenant>, cx: &Cx, api: &Api) -> Result<()> {
    if api.enabled {
        return Err(Error::conflict("disable the API first, so that nothing is issued for it"));
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
    let meaning = Meaning::done(Action::ApiDeleted, api.id);
    if change(tx, cx, delete, args![api.id, api.version], meaning).await? == 0 {
        return Err(Error::conflict("the API changed meanwhile; read it again"));
    }
    Ok(())
}

/// Reads APIs; the argument says which.
macro_rules! apis_sql {
    ($which:literal) => {
        sql!(
            "SELECT id, identifier, enabled, configuration, created_at, updated_at, version FROM apis \
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
    if identifier == tenant.api_audience() {
        return management::find(tx, tenant).await;
    }
    // Its stored name is no audience.
    if identifier == MANAGEMENT { Ok(None) } else { find_stored(tx, tenant, identifier).await }
}

async fn find_stored(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant, identifier: &str) -> Result<Option<Api>> {
    let select = apis_sql!("identifier = $2");
    one(tx.optional(select, args![identifier]).await?.as_ref(), tenant)
}

/// A page of APIs by id, after `cursor`.
pub async fn list(
    tx: &mut Tx<Tenant>,
    tenant: &tenants::Tenant,
    cursor: Option<ApiId>,
    limit: u32,
) -> Result<Vec<Api>> {
    let select = apis_sql!("id > $2 ORDER BY id LIMIT $3");
    document::page(tx, select, (cursor, limit), |row| api(row, tenant)).await
}

/// Every enabled API.
pub async fn enabled(tx: &mut Tx<Tenant>, tenant: &tenants::Tenant) -> Result<Vec<Api>> {
    let (mut enabled, mut cursor) = (Vec::new(), None);
    loop {
        let page = list(tx, tenant, cursor, PAGE).await?;
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
    }))
}

fn check(identifier: &str, configuration: &Configuration) -> Result<()> {
    // RFC 8707 §2: an absolute URI without a fragment.
    if identifier.len() > 500 || identifier.contains('#') || Url::parse(identifier).is_err() {
        return Err(Error::bad_request("identifier: give an absolute URI without a fragment"));
    }
    for ApiScope { name, .. } in &configuration.scopes {
        name.parse::<Scope>()?;
        let is_reserved = STANDARD_SCOPES.contains(&name.as_str()) || name.starts_with(CONSENT_PREFIX);
        if name.is_empty() || name.contains(' ') || is_reserved {
            return Err(Error::bad_request(format!(
                "scopes: {name:?} is not a scope that an API can define"
            )));
        }
    }
    if configuration
        .access_token_lifetime_secs
        .is_some_and(|span| !(60..=LONGEST_LIFETIME.0).contains(&span.0))
    {
        return Err(Error::bad_request("access_token_lifetime_secs: use 60 to 86400"));
    }
    details::check(&configuration.authorization_details_types)
}
