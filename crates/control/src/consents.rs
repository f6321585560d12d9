//! `/api/v1/tenant-users/{id}/consents`: what a person has allowed applications, and how to take it back.

use serde::Serialize;
use svc_core::{AppId, ConsentId, Scope, TenantUserId, Timestamp};
use svc_domain::apps;
use svc_domain::grants::consents;
use svc_http::{Json, List, Listing, NoContent, Path, Problem, TenantCx};
use utoipa::ToSchema;

use crate::resource::Resource;
use crate::tenant_users;
use crate::unknown;

/// What a person has allowed one application for one API.
#[derive(Debug, Serialize, ToSchema)]
struct Consent {
    #[schema(value_type = String)]
    id: ConsentId,
    /// The application.
    #[schema(value_type = String)]
    application_id: AppId,
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

/// The resource.
pub(crate) fn resource() -> Resource {
    Resource::at("tenant-users/{id}/consents", "Consents")
        .may_read("See what people have allowed applications")
        .may_write("Take back what people have allowed applications")
        .get("", "List the consents that a person has given applications, oldest first", list)
        .delete(
            "{application_id}",
            "Revoke every consent that a person has given an application, with every token issued under it",
            take_back,
        )
}

async fn list(
    caller: TenantCx,
    Path(id): Path<TenantUserId>,
    Listing { page, .. }: Listing<ConsentId>,
) -> Result<Json<List<Consent>>, Problem> {
    let mut tx = caller.read().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    let found = consents::list(&mut tx, person.id, page.after, page.fetch()).await?;
    let shown = found.into_iter().map(|consent| Consent {
        id: consent.id,
        application_id: consent.app,
        audience: caller.tenant.audience_of(&consent.audience),
        scope: consent.scope,
        created_at: consent.created_at,
        updated_at: consent.updated_at,
    });
    Ok(Json(caller.page(shown.collect(), page.limit, |consent: &Consent| consent.id)?))
}

async fn take_back(
    caller: TenantCx,
    Path((id, application)): Path<(TenantUserId, AppId)>,
) -> Result<NoContent, Problem> {
    let mut tx = caller.begin().await?;
    let person = tenant_users::find(&mut tx, id).await?;
    let app = apps::find(&mut tx, application).await?.ok_or_else(unknown)?;
    if !consents::take_back(&mut tx, &caller, &person, (app.id, &app.client_id())).await? {
        return Err(unknown().into());
    }
    tx.commit().await?;
    Ok(NoContent)
}
