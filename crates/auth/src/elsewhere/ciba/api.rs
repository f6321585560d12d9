//! `/api/v1/identity/ciba/requests`: what waits for a person, for an application of their own to show and decide.

use serde::Serialize;
use serde_json::Value;
use svc_core::{CibaRequestId, Error, Result, Scope, SessionId, Timestamp};
use svc_db::{Tenant, Tx};
use svc_domain::grants::ciba_requests::{self, Page, Pending};
use svc_domain::grants::grant::Authentication;
use svc_domain::organizations::Place;
use svc_domain::people::sessions;
use svc_domain::people::tenant_users::Person;
use svc_domain::tokens::access_token::{OrganizationContext, SubjectType};
use svc_http::{Json, List, Listing, NoContent, Path, Problem, Route, Routes, TenantCx};
use utoipa::ToSchema;

use crate::elsewhere::decide::{Decider, Desk, Polled};
use crate::elsewhere::shown::details;
use crate::signin::complete::may_owe;
use crate::signin::person_of_token;

/// What the routes ask for.
const SCOPE: &str = "identity:approve";
/// An application acts for a person here, and never for itself.
const PEOPLE: &[SubjectType] = &[SubjectType::Human];

/// A request that waits for the person who asks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CibaRequest)]
struct Waiting {
    /// The request.
    #[schema(value_type = String)]
    id: CibaRequestId,
    /// Who asks.
    client_id: String,
    /// Their name.
    application: String,
    /// What is asked for.
    #[schema(value_type = String)]
    scope: Scope,
    /// The API that the tokens are for.
    audience: String,
    /// The claims about the person that are asked for by name.
    claims: Vec<String>,
    /// What the application shows; the person compares.
    binding_message: Option<String>,
    /// The organization in which the tokens count.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    org: Option<OrganizationContext>,
    /// What is asked for in detail.
    #[schema(value_type = Vec<Object>)]
    authorization_details: Vec<Value>,
    /// The same as sentences.
    details: Vec<String>,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When it ends.
    #[schema(value_type = String, format = "date-time")]
    expires_at: Timestamp,
}

pub fn routes() -> Routes {
    Routes::new(
        [
            Route::get("/api/v1/identity/ciba/requests")
                .tenant(SCOPE, list)
                .summary("List the requests that wait for the person's approval, newest first"),
            Route::post("/api/v1/identity/ciba/requests/{id}/approve")
                .tenant(SCOPE, approve)
                .summary("Approve a request")
                .idempotent(),
            Route::post("/api/v1/identity/ciba/requests/{id}/deny")
                .tenant(SCOPE, deny)
                .summary("Deny a request")
                .idempotent(),
        ]
        .map(|route| route.subject_types(PEOPLE).tag("Approvals")),
    )
}

async fn list(
    caller: TenantCx,
    Listing { page: request, .. }: Listing<CibaRequestId>,
) -> Result<Json<List<Waiting>>, Problem> {
    let mut tx = caller.read().await?;
    let person = person_of_token(&caller, &mut tx).await?;
    let page = Page { cursor: request.after, limit: request.fetch() };
    let found = ciba_requests::of_person(&mut tx, &person, caller.now, &page).await?;
    let list = caller.page(found, request.limit, |pending: &Pending| pending.id)?;
    let mut data = Vec::with_capacity(list.data.len());
    for pending in list.data {
        data.extend(waiting(&caller, &mut tx, (pending, &person)).await?);
    }
    Ok(Json(List { data, next_cursor: list.next_cursor }))
}

async fn waiting(
    caller: &TenantCx,
    tx: &mut Tx<Tenant>,
    (pending, person): (Pending, &Person),
) -> Result<Option<Waiting>> {
    let desk = Desk { host: &caller.host() };
    let Some(parties) = desk.parties(tx, (pending.app, person), &pending.wanted).await? else {
        return Ok(None);
    };
    let sentences = details(parties.api.as_deref(), &pending.wanted);
    Ok(Some(Waiting {
        id: pending.id,
        client_id: parties.app.client_id(),
        application: parties.app.configuration.name.clone(),
        claims: pending.wanted.claims.names().into_iter().map(str::to_owned).collect(),
        org: parties.place.as_ref().map(Place::context),
        details: sentences.iter().map(ToString::to_string).collect(),
        scope: pending.wanted.scope,
        audience: pending.wanted.audience,
        binding_message: pending.shown,
        authorization_details: pending.wanted.authorization_details,
        created_at: pending.created_at,
        expires_at: pending.expires_at,
    }))
}

async fn approve(caller: TenantCx, Path(id): Path<CibaRequestId>) -> Result<NoContent, Problem> {
    decide(&caller, id, true).await
}

async fn deny(caller: TenantCx, Path(id): Path<CibaRequestId>) -> Result<NoContent, Problem> {
    decide(&caller, id, false).await
}

async fn decide(caller: &TenantCx, id: CibaRequestId, is_allowed: bool) -> Result<NoContent, Problem> {
    // Into memory first: nothing else is awaited while a transaction is open.
    may_owe(&caller.host()).await?;
    let mut tx = caller.begin().await?;
    let person = person_of_token(caller, &mut tx).await?;
    let authentication = authentication(caller, &mut tx, &person).await?;
    let by = Decider { person: &person, authentication: &authentication };
    let desk = Desk { host: &caller.host() };
    desk.decide(&mut tx, Polled::CibaRequest(id), &by, is_allowed).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// How the person signed in, as their session or else their token has it.
async fn authentication(caller: &TenantCx, tx: &mut Tx<Tenant>, person: &Person) -> Result<Authentication> {
    let claims = &caller.claims;
    let session: Option<SessionId> = claims.sid.as_deref().and_then(|sid| sid.parse().ok());
    if let Some(session) = session
        && let Some(authentication) = sessions::authentication(tx, session, person.id).await?
    {
        return Ok(authentication);
    }
    // Tokens for an assertion of another issuer say nothing of how their person signed in.
    let Some(acr) = claims.acr.clone() else {
        return Err(Error::forbidden(
            "no sign-in of the person is behind this token; sign in, and decide again",
        ));
    };
    Ok(Authentication {
        acr,
        session: session.unwrap_or_else(|| caller.cx.id()),
        auth_time: Timestamp::from_secs(claims.auth_time.unwrap_or(claims.iat)),
        amr: if claims.amr.is_empty() { vec!["user".to_owned()] } else { claims.amr.clone() },
        acting: None,
    })
}
