//! `/api/v1/scim-tokens`: with which the directories of organizations provision people.

use serde::{Deserialize, Serialize};
use svc_core::{Error, OrganizationId, Result, ScimTokenId, Scope, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::organizations;
use svc_domain::scim::groups;
use svc_domain::scim::tokens::{self, NewToken, PREFIX, ScimToken};
use svc_http::{IfMatch, Json, Path, Problem, Query, TenantCx};
use svc_keys::{digest, prefixed_token};
use utoipa::{IntoParams, ToSchema};

use crate::page::Page;
use crate::record::{self, Record};
use crate::resource::Resource;
use crate::rotation::Rotation;
use crate::{privileges, unknown, unknown_at};

/// A year, after which a directory is asked again whether it is still there.
const USUAL: Seconds = Seconds(365 * 86_400);
const LONGEST: Seconds = Seconds(3 * 365 * 86_400);
/// What the directory of an organization can do with a token, in the words of this API.
const POWERS: &str =
    "tenant-users:read tenant-users:write organizations:read organizations:write groups:read groups:write";

/// A new token.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "organization_id": "org_01jd3x9k2mfa8t5v7w0q4r6s8y", "name": "Entra ID" })))]
pub(crate) struct NewScimToken {
    /// The organization whose directory gets it.
    #[schema(value_type = String)]
    organization_id: OrganizationId,
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
    /// How many seconds it is valid, three years at most; a year unless given.
    #[schema(value_type = Option<i64>, nullable = false, minimum = 60, maximum = 94_608_000)]
    expires_in: Option<Seconds>,
}

/// What can be changed of a token.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "name": "Entra ID" })))]
pub(crate) struct ScimTokenUpdate {
    /// What it is for.
    #[schema(min_length = 1, max_length = 200)]
    name: String,
}

/// A token as it has just been made or rotated.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CreatedScimToken {
    #[serde(flatten)]
    record: ScimToken,
    /// The secret, shown this once.
    token: String,
}

#[derive(Debug, Deserialize, IntoParams)]
pub(crate) struct Filter {
    /// Only those of this organization.
    #[param(value_type = Option<String>, nullable = false)]
    organization_id: Option<OrganizationId>,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("scim-tokens", "SCIM tokens")
        .may_read("See which directories may provision people")
        .may_write("Let directories of customers provision people")
        .crud::<ScimToken>()
        .post("{id}/rotate", "Replace a token's secret; the former one stays valid for a while", rotate)
}

impl Record for ScimToken {
    const ONE: &'static str = "a SCIM token";
    const MANY: &'static str = "SCIM tokens";

    type Stored = Self;
    type Id = ScimTokenId;
    type Filter = Filter;
    type New = NewScimToken;
    type Created = CreatedScimToken;
    type Change = ScimTokenUpdate;

    fn head(token: &Self) -> (ScimTokenId, i64) {
        (token.id, token.version)
    }

    fn present(token: &Self) -> ScimTokenUpdate {
        ScimTokenUpdate { name: token.name.clone() }
    }

    async fn list(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        filter: Filter,
        page: &Page<ScimTokenId>,
    ) -> Result<Vec<Self>> {
        let (of, own) = (filter.organization_id, caller.claims.confined_to());
        if of.is_some_and(|of| !is_shown(caller, of)) {
            return Err(unknown());
        }
        tokens::list(tx, of.or(own), page.by_id()).await
    }

    async fn find(caller: &TenantCx, tx: &mut Tx<Tenant>, id: ScimTokenId) -> Result<Option<Self>> {
        Ok(tokens::find(tx, id).await?.filter(|token| is_shown(caller, token.organization_id)))
    }

    async fn create(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        new: NewScimToken,
    ) -> Result<(Self, CreatedScimToken)> {
        check(caller)?;
        // The body may have taken longer to come than the token was good for.
        if caller.app.services.revocations.is_revoked(&caller.claims) {
            return Err(Error::unauthorized("the access token was revoked"));
        }
        let organization = organizations::find(tx, new.organization_id).await?;
        organization.ok_or_else(|| unknown_at("organization_id"))?;
        check_roles(caller, tx, new.organization_id).await?;
        let token = prefixed_token(PREFIX, &*caller.entropy);
        let wanted = NewToken {
            digest: digest(&token),
            organization: new.organization_id,
            name: &new.name,
            lifetime: lifetime(new.expires_in)?,
        };
        let record = tokens::create(tx, caller, &wanted).await?;
        Ok((record.clone(), CreatedScimToken { record, token }))
    }

    async fn update(
        caller: &TenantCx,
        tx: &mut Tx<Tenant>,
        token: Self,
        wanted: ScimTokenUpdate,
    ) -> Result<()> {
        tokens::update(tx, caller, &token, &wanted.name).await
    }

    async fn delete(caller: &TenantCx, tx: &mut Tx<Tenant>, token: Self) -> Result<()> {
        tokens::delete(tx, caller, &token).await
    }
}

async fn rotate(
    caller: TenantCx,
    Path(id): Path<ScimTokenId>,
    Query(rotation): Query<Rotation>,
    if_match: IfMatch,
) -> Result<Json<CreatedScimToken>, Problem> {
    // With the secret in hand, the caller can do what the token can.
    check(&caller)?;
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let present = tokens::find(&mut tx, id).await?.ok_or_else(unknown)?;
    if_match.check(held, present.version)?;
    check_roles(&caller, &mut tx, present.organization_id).await?;
    let token = prefixed_token(PREFIX, &*caller.entropy);
    tokens::rotate(&mut tx, &caller, &present, (digest(&token), rotation.overlap()?)).await?;
    let record = tokens::find(&mut tx, id).await?.ok_or_else(unknown)?;
    tx.commit().await?;
    Ok(Json(CreatedScimToken { record, token }))
}

/// Whether the caller may see the tokens of an organization: the API key of another one may not.
fn is_shown(caller: &TenantCx, organization: OrganizationId) -> bool {
    caller.claims.confined_to().is_none_or(|own| own == organization)
}

/// Who makes a token gives what it can do, and has to hold it; a key that could make tokens could outlive its own end.
fn check(caller: &TenantCx) -> Result<()> {
    if caller.claims.is_of_api_key() {
        return Err(Error::forbidden("an API key makes no SCIM tokens; use an access token"));
    }
    let powers: Scope = POWERS.parse()?;
    privileges::for_scope(caller, &powers)
}

/// With a token people get the roles of the directory's groups, and those are taken over whom it provisioned.
async fn check_roles(caller: &TenantCx, tx: &mut Tx<Tenant>, organization: OrganizationId) -> Result<()> {
    let roles = groups::reached(tx, organization).await?;
    privileges::for_roles(caller, tx, &roles).await
}

fn lifetime(wanted: Option<Seconds>) -> Result<Seconds> {
    let lifetime = wanted.unwrap_or(USUAL);
    if !(Seconds(60)..=LONGEST).contains(&lifetime) {
        return Err(Error::bad_request(format!("expires_in: use 60 to {} seconds", LONGEST.0)));
    }
    Ok(lifetime)
}
