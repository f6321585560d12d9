//! `/api/v1/identity/consents`: what the person has allowed applications, and how to take it back.

use serde::Serialize;
use svc_core::{AppId, ConsentId, Error, Scope, Timestamp};
use svc_domain::apps;
use svc_domain::grants::consents::{self, Consent};
use svc_http::{Json, List, NoContent, Path, Problem, Route, TenantCx, Whole};
use utoipa::ToSchema;

use super::caller::{READ, WRITE, own};

/// What the person has allowed one application for one API.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnConsent)]
struct OwnConsent {
    #[schema(value_type = String)]
    id: ConsentId,
    /// The application.
    #[schema(value_type = String)]
    application_id: AppId,
    /// Its name.
    application: String,
    /// The API.
    audience: String,
    /// What is allowed.
    #[schema(value_type = String)]
    scope: Scope,
    #[schema(value_type = String, format = "date-time")]
    created_at: Timestamp,
    /// When more was allowed last.
    #[schema(value_type = String, format = "date-time")]
    updated_at: Timestamp,
}

pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/v1/identity/consents")
            .tenant(READ, list)
            .summary("List the consents that the person has given applications, latest changed first"),
        Route::delete("/api/v1/identity/consents/{application_id}")
            .tenant(WRITE, take_back)
            .summary(
                "Revoke every consent that the person has given an application, with every token issued under it",
            )
            .idempotent(),
    ]
}

async fn list(caller: TenantCx, whole: Whole) -> Result<Json<List<OwnConsent>>, Problem> {
    let own = own(&caller).await?;
    let mut tx = caller.read().await?;
    let mut data = Vec::new();
    for consent in consents::of_person(&mut tx, own.person.id).await? {
        // What an application is called that is gone is of no use to the person.
        let Some(app) = apps::find(&mut tx, consent.app).await? else { continue };
        data.push(shown(&caller, app.configuration.name.clone(), consent));
    }
    Ok(Json(whole.part(&caller, data, |one: &OwnConsent| one.id)?))
}

fn shown(caller: &TenantCx, application: String, consent: Consent) -> OwnConsent {
    OwnConsent {
        id: consent.id,
        application_id: consent.app,
        application,
        audience: caller.tenant.audience_of(&consent.audience),
        scope: consent.scope,
        created_at: consent.created_at,
        updated_at: consent.updated_at,
    }
}

async fn take_back(caller: TenantCx, Path(id): Path<AppId>) -> Result<NoContent, Problem> {
    let unknown = || Error::unknown_id();
    let own = own(&caller).await?;
    let mut tx = caller.begin().await?;
    let app = apps::find(&mut tx, id).await?.ok_or_else(unknown)?;
    if !consents::take_back(&mut tx, own.cx(), &own.person, (app.id, &app.client_id())).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    own.take_in_ends().await?;
    Ok(NoContent)
}
