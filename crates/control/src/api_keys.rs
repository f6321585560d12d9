//! `/api/v1/api-keys`: keys with which programs call this API, for the tenant or for the person who makes one.

use serde::{Deserialize, Serialize};
use svc_core::{ApiKeyId, Error, Result, Scope, Seconds, TenantUserId};
use svc_db::{Tenant, Tx};
use svc_domain::people::tenant_users::{self, Person};
use svc_domain::tokens::access_token::SubjectType;
use svc_domain::tokens::api_keys::{self, ApiKey, NewKey, Owner as For, PREFIX};
use svc_domain::tokens::revocations;
use svc_http::{IfMatch, Json, Path, Problem, Query, TenantCx};
use svc_keys::{digest, prefixed_token};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::rotation::Rotation;
use crate::{privileges, unknown};

/// A new key.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Nightly import", "scope": "tenant-users:read tenant-users:write", "expires_in": 2_592_000 })))]
pub(crate) struct NewApiKey {
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The scopes of this API that it grants; the caller has to hold them.
    #[schema(value_type = String, min_length = 1)]
    scope: Scope,
    /// For whom it acts; for the caller where that is a person, and for the tenant otherwise.
    #[schema(nullable = false)]
    owner: Option<Owner>,
    /// How many seconds it is valid; `api_keys.default_lifetime_days` unless given, `api_keys.max_lifetime_days` at most.
    #[schema(value_type = Option<i64>, nullable = false, minimum = 60)]
    expires_in: Option<Seconds>,
}

/// The person, organization or tenant for which a key acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ApiKeyOwner)]
enum Owner {
    /// The person who makes it; it ends with the membership, and opens what the person's roles allow.
    Caller,
    /// The tenant.
    Tenant,
}

/// What can be changed of a key.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Nightly import", "scope": "tenant-users:read" })))]
pub(crate) struct ApiKeyUpdate {
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The scopes that it grants.
    #[schema(value_type = String, min_length = 1)]
    scope: Scope,
}

/// A key as it has just been made or rotated.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedApiKey {
    #[serde(flatten)]
    pub(crate) record: ApiKey,
    /// The secret, shown this once.
    pub(crate) key: String,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those of this person.
    #[param(value_type = Option<String>, nullable = false)]
    tenant_user_id: Option<TenantUserId>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("api-keys", "API keys")
        .may_read("See which API keys there are")
        .may_write("Make and take back API keys")
        .crud::<ApiKey>()
        .post("{id}/rotate", "Replace a key's secret; the former one stays valid for a while", rotate)
}

impl Record for ApiKey {
    const ONE: &'static str = "an API key";
    const MANY: &'static str = "API keys";

    type Stored = Self;
    type Id = ApiKeyId;
    type Filter = Filter;
    type New = NewApiKey;
    type Created = CreatedApiKey;
    type Change = ApiKeyUpdate;

    fn head(key: &Self) -> (ApiKeyId, i64) {
        (key.id, key.version)
    }

    fn present(key: &Self) -> ApiKeyUpdate {
        ApiKeyUpdate { name: key.name.clone(), scope: key.scope.clone() }
    }

    async fn list(
        _: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<ApiKeyId>,
    ) -> Result<Vec<Self>> {
        api_keys::list(tx, filter.tenant_user_id, page.by_id()).await
    }

    async fn find(_: &TenantCx, tx: &mut Tx<Tenant>, id: ApiKeyId) -> Result<Option<Self>> {
        api_keys::find(tx, None, id).await
    }

    async fn create(caller: &TenantCx, tx: &mut Tx<Tenant>, new: NewApiKey) -> Result<(Self, CreatedApiKey)> {
        check_maker(caller)?;
        check_scope(caller, tx, &new.scope).await?;
        let settings = &caller.app.config.api_keys;
        let key = prefixed_token(PREFIX, &*caller.entropy);
        let wanted = NewKey {
            digest: digest(&key),
            name: &new.name,
            scope: &new.scope,
            owner: owner(caller, tx, new.owner).await?,
            lifetime: lifetime(caller, new.expires_in)?,
            most: settings.max_per_owner,
        };
        let record = api_keys::create(tx, caller, &wanted).await?;
        check_token(caller, tx).await?;
        Ok((record.clone(), CreatedApiKey { record, key }))
    }

    async fn update(caller: &TenantCx, tx: &mut Tx<Tenant>, key: Self, wanted: ApiKeyUpdate) -> Result<()> {
        refuse_keys(caller)?;
        check_scope(caller, tx, &wanted.scope).await?;
        api_keys::update(tx, caller, &key, &wanted.name, &wanted.scope).await
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, key: Self) -> Result<()> {
        api_keys::delete(tx, caller, &key).await
    }
}

async fn rotate(
    caller: TenantCx,
    Path(id): Path<ApiKeyId>,
    Query(rotation): Query<Rotation>,
    if_match: IfMatch,
) -> Result<Json<CreatedApiKey>, Problem> {
    refuse_keys(&caller)?;
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let present = api_keys::find(&mut tx, None, id).await?.ok_or_else(unknown)?;
    if_match.check(held, present.version)?;
    // With the secret in hand, the caller can do what the key can.
    check_scope(&caller, &mut tx, &present.scope).await?;
    refuse_others_key(&caller, &mut tx, &present).await?;
    let key = prefixed_token(PREFIX, &*caller.entropy);
    let overlap = rotation.overlap()?;
    api_keys::rotate(&mut tx, &caller, &present, (digest(&key), overlap), token_lifetime(&caller)).await?;
    let record = api_keys::find(&mut tx, None, id).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    Ok(Json(CreatedApiKey { record, key }))
}

/// How long a token lives that an application gets for a key.
pub(crate) fn token_lifetime(caller: &TenantCx) -> Seconds {
    caller.tenant.settings.limits.jwt.access_token_lifetime_agent_secs(&caller.app.config)
}

/// Refuses keys, and what has ended: the body may have taken longer to come than the token was good for.
pub(crate) fn check_maker(caller: &TenantCx) -> Result<()> {
    refuse_keys(caller)?;
    if caller.app.services.revocations.is_revoked(&caller.claims) {
        return Err(Error::unauthorized("the access token was revoked"));
    }
    Ok(())
}

/// Refuses a token that has ended as the database knows it, once what ends the keys of its owner waits: this node may learn of that a
/// moment later, and the key would outlive it.
pub(crate) async fn check_token(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<()> {
    let [ends] = tx.batch([revocations::of_token(tx, &caller.claims)]).await?;
    if revocations::is_ended(&ends, &caller.claims)? {
        return Err(Error::unauthorized("the access token was revoked"));
    }
    Ok(())
}

/// A key that could make keys could outlive its own end.
pub(crate) fn refuse_keys(caller: &TenantCx) -> Result<()> {
    if caller.claims.is_of_api_key() {
        return Err(Error::forbidden("an API key neither makes nor changes API keys; use an access token"));
    }
    Ok(())
}

/// The secret of a person's key is for that person.
async fn refuse_others_key(caller: &TenantCx, tx: &mut Tx<Tenant>, key: &ApiKey) -> Result<()> {
    let Some(owner) = key.tenant_user_id else { return Ok(()) };
    if person(caller, tx).await? == Some(owner) {
        return Ok(());
    }
    Err(Error::forbidden("the key acts for another person, who alone may have its secret; delete it instead"))
}

/// The scopes have to be of this API, and the caller's own.
pub(crate) async fn check_scope(caller: &TenantCx, tx: &mut Tx<Tenant>, scope: &Scope) -> Result<()> {
    let api = caller.app.services.apis.find_in(tx, &caller.tenant, &caller.tenant.api_audience()).await?;
    let offered = api.map(|api| api.scope()).unwrap_or_default();
    if scope.is_empty() {
        return Err(Error::bad_request("scope: give at least one scope of this API"));
    }
    if let Some(unknown) = scope.iter().find(|scope| !offered.has(scope)) {
        return Err(Error::bad_request(format!("scope: this API has no scope {unknown}; leave it out")));
    }
    privileges::for_scope(caller, scope)
}

async fn owner(caller: &TenantCx, tx: &mut Tx<Tenant>, wanted: Option<Owner>) -> Result<For> {
    if wanted == Some(Owner::Tenant) {
        return Ok(For::Tenant);
    }
    match person(caller, tx).await? {
        Some(person) => Ok(For::Person(person)),
        None if wanted == Some(Owner::Caller) => {
            Err(Error::bad_request("owner: the caller is not a person; use `tenant`"))
        }
        None => Ok(For::Tenant),
    }
}

/// The person who calls, if it is one.
async fn person(caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<Option<TenantUserId>> {
    if caller.claims.subject_type != SubjectType::Human {
        return Ok(None);
    }
    let person = tenant_users::find_by_subject(tx, &caller.claims.sub).await?;
    let person = person.filter(Person::may_sign_in);
    person.map(|person| Some(person.id)).ok_or_else(|| Error::forbidden("the person may not act any more"))
}

pub(crate) fn lifetime(caller: &TenantCx, wanted: Option<Seconds>) -> Result<Seconds> {
    let (config, limits) = (&caller.app.config, &caller.tenant.settings.limits.api_keys);
    let longest = Seconds::from_days(limits.max_lifetime_days(config));
    let usual = Seconds::from_days(limits.default_lifetime_days(config));
    let lifetime = wanted.unwrap_or(longest.min(usual));
    if !(Seconds(60)..=longest).contains(&lifetime) {
        return Err(Error::bad_request(format!("expires_in: use 60 to {} seconds", longest.0)));
    }
    Ok(lifetime)
}
