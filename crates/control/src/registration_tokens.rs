//! `/api/v1/registration-tokens`: initial access tokens, with which applications register themselves (RFC 7591 §3).

use serde::{Deserialize, Serialize};
use svc_core::{RegistrationTokenId, Result, Seconds};
use svc_domain::apps::registrations::{self, NewToken, RegistrationToken};
use svc_http::{
    Created, Json, List, ListQuery, NoContent, Path, Problem, QueryParams, Route, Routes, TenantCx,
};
use svc_keys::{digest, prefixed_token};
use utoipa::ToSchema;

use crate::commit::commit;
use crate::listed::Listed;

const READ: &str = "applications:read";
const WRITE: &str = "applications:write";

/// A new initial access token.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewRegistrationToken {
    /// What it is for; at most 200 characters.
    #[serde(default)]
    description: String,
    /// How many applications it may register, 1 to 10000.
    #[serde(default = "one")]
    quota: i64,
    /// How long it may be used, 60 to 31536000 seconds; by default a week.
    #[serde(default = "week")]
    #[schema(value_type = i64)]
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

/// The routes of this resource.
pub(crate) fn routes() -> Routes {
    const ALL: &str = "/api/v1/registration-tokens";
    Routes::new(
        [
            Route::get(ALL)
                .tenant(READ, list)
                .summary("List initial access tokens")
                .query::<ListQuery>()
                .returns::<Listed<RegistrationToken>>(200),
            Route::post(ALL)
                .tenant(WRITE, create)
                .summary("Make an initial access token; it is in the answer, once")
                .idempotent()
                .body::<NewRegistrationToken>()
                .returns::<CreatedRegistrationToken>(201),
            Route::delete("/api/v1/registration-tokens/{id}")
                .tenant(WRITE, delete)
                .summary("Take an initial access token back; what it registered stays")
                .idempotent()
                .returns_nothing(204),
        ]
        .map(|route| route.tag("Registration tokens")),
    )
}

async fn list(
    caller: TenantCx,
    QueryParams(params): QueryParams,
) -> Result<Json<List<RegistrationToken>>, Problem> {
    let request = caller.list(&params)?;
    let mut tx = caller.read().await?;
    let found = registrations::list_tokens(&mut tx, request.after, request.limit + 1).await?;
    Ok(Json(caller.page(found, request.limit, |token: &RegistrationToken| token.id)?))
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
    commit(&caller, tx).await?;
    let location = format!("/api/v1/registration-tokens/{}", record.id);
    Ok(Created { location, record: CreatedRegistrationToken { record, token } })
}

async fn delete(caller: TenantCx, Path(id): Path<RegistrationTokenId>) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    registrations::delete_token(&mut tx, &caller, id).await?;
    commit(&caller, tx).await?;
    Ok(NoContent)
}

fn one() -> i64 {
    1
}

fn week() -> Seconds {
    Seconds(7 * 86_400)
}
