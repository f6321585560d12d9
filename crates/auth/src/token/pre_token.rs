//! The hooks of the point `pre_token`: asked about what a request would get, while no transaction is open.

use std::sync::Arc;

use serde_json::Value;
use svc_core::{Error, OrInternal as _};
use svc_domain::hooks::{Added, Input, Point, Subject as Whom, TenantHooks};
use svc_http::hooks::{Decided, Question, ask, asked};

use super::approval::{Approval, Subject};
use super::grant::Request;

/// The hooks of the tenant, where one of them is asked about the application.
pub(super) async fn hooks(request: &Request<'_>) -> Result<Option<Arc<TenantHooks>>, Error> {
    let host = request.host;
    asked(&host.app, &host.tenant, (Point::PreToken, Some(request.app.id))).await
}

/// What hooks receive about tokens that are about to be issued.
pub(super) fn input(request: &Request<'_>, approval: &Approval) -> Result<Value, Error> {
    let input = Input {
        point: Point::PreToken,
        time: request.host.cx.now,
        tenant: request.host.tenant.as_ref().into(),
        application: Some(request.app.as_ref().into()),
        subject: match &approval.subject {
            Subject::Person(person, authentication) => {
                // One that was made up would be another one each time that the request is decided.
                let session = Some(authentication.session).filter(|_| !approval.bounds.is_sessionless);
                Whom::person(person, authentication, session)
            }
            Subject::App | Subject::Key(_) => Whom::Application,
        },
        organization: approval.organization.as_ref().map(Into::into),
        grant_type: request.params.one("grant_type"),
        scope: &approval.scope,
        audience: &approval.audience,
    };
    serde_json::to_value(input).or_internal()
}

/// The claims that hooks add, unless one of them refuses.
pub(super) async fn added(request: &Request<'_>, hooks: &TenantHooks, input: &Value) -> Result<Added, Error> {
    let (host, app) = (request.host, request.app);
    let question = Question { point: Point::PreToken, application: Some(app.id), input };
    match ask(&host.app, (&host.tenant, &host.cx), hooks, &question).await? {
        Decided::Allowed { added, .. } => Ok(added),
        Decided::Denied { message, .. } => {
            let message = message.unwrap_or_else(|| "a hook of the tenant refuses these tokens".to_owned());
            Err(Error::access_denied(message))
        }
        Decided::Failed { .. } => Err(Error::temporarily_unavailable(
            "a hook of the tenant, without which no tokens are issued, does not answer; try again",
        )
        .retry_after(1)),
    }
}
