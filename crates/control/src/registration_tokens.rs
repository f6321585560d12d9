//! `/api/v1/registration-tokens`: initial access tokens, with which applications register themselves (RFC 7591 §3).

use serde::{Deserialize, Serialize};
use svc_core::{RegistrationTokenId, Result, Seconds};
use svc_db::{Tenant, Tx};
use svc_domain::apps::registrations::{self, NewToken, RegistrationToken};
use svc_http::{Created, IfMatch, Json, List, Listing, NoContent, Path, Problem, TenantCx, Versioned};
use svc_keys::{digest, prefixed_token};
use utoipa::ToSchema;

use crate::page::MadeFilter;
use crate::resource::Resource;
use crate::{record, unknown};

/// A new initial access token.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "description": "For the installer", "quota": 10, "expires_in": 86400 })))]
struct NewRegistrationToken {
    /// What it is for.
    #[serde(default)]
    #[schema(max_length = 200)]
    description: String,
    /// How many applications it may register.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 10000)]
    quota: i64,
    /// How many seconds it may be used; by default a week.
    #[serde(default = "week")]
    #[schema(value_type = i64, minimum = 60, maximum = 31_536_000)]
    expires_in: Seconds,
}

/// An initial access token as it has just been made.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedRegistrationToken {
    #[serde(flatten)]
    record: RegistrationToken,
    /// The token, shown this once.
    token: String,
}

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("registration-tokens", "Registration tokens")
        .may_read("See with which tokens applications may register")
        .may_write("Make and take back tokens with which applications register")
        .formerly("applications")
        .get("", "List initial access tokens", list)
        .post("", "Make an initial access token; it is in the answer, once", create)
        .get("{id}", "Read an initial access token", read)
        .delete("{id}", "Revoke an initial access token; the applications that it registered stay", delete)
}

async fn list(
    caller: TenantCx,
    Listing { filter, page }: Listing<RegistrationTokenId, MadeFilter>,
) -> Result<Json<List<RegistrationToken>>, Problem> {
    let mut tx = caller.read().await?;
    let found = registrations::list_tokens(&mut tx, filter.made(), (page.after, page.fetch())).await?;
    Ok(Json(caller.page(found, page.limit, |token: &RegistrationToken| token.id)?))
}

async fn create(
    caller: TenantCx,
    Json(new): Json<NewRegistrationToken>,
) -> Result<Created<CreatedRegistrationToken>, Problem> {
    let token = prefixed_token("svc_rt_", &*caller.entropy);
    let wanted = NewToken {
        digest: digest(&token),
        description: &new.description,
        quota: new.quota,
        lifetime: new.expires_in,
    };
    let mut tx = caller.begin().await?;
    let record = registrations::create_token(&mut tx, &caller, &wanted).await?;
    tx.commit().await?;
    let location = format!("{}/{}", caller.route, record.id);
    Ok(Created { location, version: record.used, record: CreatedRegistrationToken { record, token } })
}

async fn read(
    caller: TenantCx,
    Path(id): Path<RegistrationTokenId>,
) -> Result<Versioned<RegistrationToken>, Problem> {
    let record = find(&mut caller.read().await?, id).await?;
    Ok(Versioned { version: record.used, record })
}

async fn delete(
    caller: TenantCx,
    Path(id): Path<RegistrationTokenId>,
    if_match: IfMatch,
) -> Result<NoContent, Problem> {
    let (mut tx, held) = record::begin(&caller, &id).await?;
    let present = registrations::hold_token(&mut tx, id).await?.ok_or_else(unknown)?;
    if_match.check(held, present.used)?;
    registrations::delete_token(&mut tx, &caller, id).await?;
    tx.commit().await?;
    Ok(NoContent)
}

async fn find(tx: &mut Tx<Tenant>, id: RegistrationTokenId) -> Result<RegistrationToken> {
    registrations::find_token(tx, id).await?.ok_or_else(unknown)
}

fn one() -> i64 {
    1
}

fn week() -> Seconds {
    Seconds::from_days(7)
}
