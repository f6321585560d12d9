//! `POST …/sso-connections/{connection_id}/test`: what a provider publishes, looked at step by step (OpenID Connect Discovery §4).

use serde::Serialize;
use svc_core::{OrganizationId, Result, SsoConnectionId};
use svc_domain::federation::sso;
use svc_http::sso_trial::{Step, is_usable, look};
use svc_http::{Json, Path, Problem, TenantCx};
use utoipa::ToSchema;

use crate::sso_connections::find;

/// The result of a test of a connection.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SsoTrial {
    /// Whether people can be sent to the provider.
    is_usable: bool,
    /// What the provider must have registered for this tenant as redirect URI.
    redirect_uri: String,
    /// Where the provider may say that a session is over there (OpenID Connect Back-Channel Logout 1.0).
    backchannel_logout_uri: String,
    /// The steps in order; after one that failed the rest is skipped.
    steps: Vec<SsoTrialStep>,
}

/// One step of a test.
#[derive(Debug, Serialize, ToSchema)]
struct SsoTrialStep {
    /// What was checked.
    step: &'static str,
    /// The result: `passed`, `warning` where sign-in works but something is missing, or `failed`.
    outcome: &'static str,
    /// What was found, and what to do about it.
    detail: String,
}

pub(crate) async fn test(
    caller: TenantCx,
    Path(ids): Path<(OrganizationId, SsoConnectionId)>,
) -> Result<Json<SsoTrial>, Problem> {
    let mut tx = caller.begin().await?;
    let connection = find(&mut tx, ids).await?;
    sso::note_test(&mut tx, &caller, connection.id).await?;
    tx.commit().await?;
    let steps = look(&caller.app, &connection.configuration).await;
    let redirect_uri = format!("{}{}", caller.tenant.issuer, connection.return_path);
    Ok(Json(SsoTrial {
        is_usable: is_usable(&steps),
        backchannel_logout_uri: format!("{redirect_uri}/backchannel-logout"),
        redirect_uri,
        steps: steps.iter().map(told).collect(),
    }))
}

fn told(step: &Step) -> SsoTrialStep {
    let Step { part, finding } = step;
    SsoTrialStep { step: part.name(), outcome: finding.outcome().name(), detail: finding.detail() }
}
