//! `/api/v1/organizations/{id}/api-keys`: keys with which programs of an organization call this API about that organization.

use serde::{Deserialize, Serialize};
use svc_core::{ApiKeyId, Error, OrganizationId, Result, Scope, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::tokens::api_keys::{
    self, ApiKey, NewKey, ORGANIZATION_PREFIX, Owner, SCOPES_OF_ORGANIZATIONS,
};
use svc_http::{IfMatch, Json, Path, Problem, Query, TenantCx};
use svc_keys::{digest, prefixed_token};
use utoipa::ToSchema;

use crate::api_keys::{
    CreatedApiKey, check_maker, check_scope, check_token, lifetime, refuse_keys, token_lifetime,
};
use crate::organization_record::{OrganizationRecord, declare, find};
use crate::record;
use crate::resource::Resource;
use crate::rotation::Rotation;

/// A new key of an organization.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Nightly sync", "scope": "organizations:read organizations:write", "expires_in": 2_592_000 })))]
pub(crate) struct NewOrganizationApiKey {
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The scopes of this API that it grants: those of records that belong to an organization. The caller has to hold them.
    #[schema(value_type = String, min_length = 1)]
    scope: Scope,
    /// How many seconds it is valid; `api_keys.default_lifetime_days` unless given, `api_keys.max_lifetime_days` at most.
    #[schema(value_type = Option<i64>, nullable = false, minimum = 60)]
    expires_in: Option<Seconds>,
}

/// What can be changed of a key of an organization.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Nightly sync", "scope": "organizations:read" })))]
pub(crate) struct OrganizationApiKeyUpdate {
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// The scopes that it grants: those of records that belong to an organization.
    #[schema(value_type = String, min_length = 1)]
    scope: Scope,
}

/// The resource; its scopes are those of the keys of the tenant.
pub(crate) fn resource() -> Resource {
    let keys = Resource::at("organizations/{id}/api-keys", "API keys of organizations");
    let summaries = [
        "List the API keys of an organization",
        "Create an API key of an organization",
        "Read an API key of an organization",
        "Replace the writable fields of an API key of an organization",
        "Change some fields of an API key of an organization",
        "Delete an API key of an organization",
    ];
    declare::<ApiKey>(keys, "{key_id}", summaries).post(
        "{key_id}/rotate",
        "Replace the secret of an organization's key; the former one stays valid for a while",
        rotate,
    )
}

impl OrganizationRecord for ApiKey {
    const WORD: &'static str = "api-keys";

    type Id = ApiKeyId;
    type New = NewOrganizationApiKey;
    type Created = CreatedApiKey;
    type Change = OrganizationApiKeyUpdate;

    fn head(&self) -> (ApiKeyId, i64) {
        (self.id, self.version)
    }

    fn present(&self) -> OrganizationApiKeyUpdate {
        OrganizationApiKeyUpdate { name: self.name.clone(), scope: self.scope.clone() }
    }

    async fn page(
        tx: &mut Tx<Tenant>,
        organization: OrganizationId,
        page: (Option<ApiKeyId>, u32),
    ) -> Result<Vec<Self>> {
        api_keys::list_of_organization(tx, organization, page).await
    }

    async fn of(tx: &mut Tx<Tenant>, organization: OrganizationId, id: ApiKeyId) -> Result<Option<Self>> {
        api_keys::find(tx, Some(organization), id).await
    }

    async fn make(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        (organization, new): (OrganizationId, NewOrganizationApiKey),
    ) -> Result<(Self, CreatedApiKey)> {
        check_maker(caller)?;
        check(caller, tx, &new.scope).await?;
        let key = prefixed_token(ORGANIZATION_PREFIX, &*caller.entropy);
        let wanted = NewKey {
            digest: digest(&key),
            name: &new.name,
            scope: &new.scope,
            owner: Owner::Organization(organization),
            lifetime: lifetime(caller, new.expires_in)?,
            most: caller.app.config.api_keys.max_per_owner,
        };
        let record = api_keys::create(tx, caller, &wanted).await?;
        check_token(caller, tx).await?;
        Ok((record.clone(), CreatedApiKey { record, key }))
    }

    async fn change(
        &self,
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        wanted: OrganizationApiKeyUpdate,
    ) -> Result<()> {
        refuse_keys(caller)?;
        check(caller, tx, &wanted.scope).await?;
        api_keys::update(tx, caller, self, &wanted.name, &wanted.scope).await
    }

    async fn end(&self, caller: &TenantCx, tx: &mut Tx<Tenant>) -> Result<()> {
        api_keys::delete(tx, caller, self).await
    }
}

async fn rotate(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, ApiKeyId)>,
    Query(rotation): Query<Rotation>,
    if_match: IfMatch,
) -> Result<Json<CreatedApiKey>, Problem> {
    refuse_keys(&caller)?;
    let (mut tx, held) = record::begin(&caller, &ids.1).await?;
    let present: ApiKey = find(&mut tx, ids).await?;
    if_match.check(held, present.version)?;
    // With the secret in hand, the caller can do what the key can.
    check_scope(&caller, &mut tx, &present.scope).await?;
    let key = prefixed_token(ORGANIZATION_PREFIX, &*caller.entropy);
    let secret = (digest(&key), rotation.overlap()?);
    api_keys::rotate(&mut tx, &caller, &present, secret, token_lifetime(&caller)).await?;
    let record = find(&mut tx, ids).await?;
    tx.commit().await?;
    Ok(Json(CreatedApiKey { record, key }))
}

/// The scopes have to be the caller's own, and of records that belong to an organization.
async fn check(caller: &TenantCx, tx: &mut Tx<Tenant>, scope: &Scope) -> Result<()> {
    if let Some(other) = scope.iter().find(|scope| !SCOPES_OF_ORGANIZATIONS.contains(scope)) {
        return Err(Error::bad_request(format!(
            "scope: {other} is for no record of an organization; use some of {}",
            SCOPES_OF_ORGANIZATIONS.join(", ")
        )));
    }
    check_scope(caller, tx, scope).await
}
