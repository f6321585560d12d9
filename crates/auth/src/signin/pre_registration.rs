//! The hooks of the point `pre_registration`: asked before anything is written about a person who registers.

use svc_core::{OrInternal as _, Result};
use svc_domain::hooks::{Input, Point, Subject};
use svc_domain::people::accounts::Email;
use svc_http::StatusCode;
use svc_http::hooks::{Decided, Question, ask, asked};

use super::journey::Journey;
use crate::pages::MessageKey;

/// What the form says where a hook refuses the address. Whether it belongs to an account is not known here.
pub async fn refusal(journey: &Journey<'_>, email: &Email) -> Result<Option<(MessageKey, StatusCode)>> {
    let (host, app, point) = (&journey.visit.host, &journey.app, Point::PreRegistration);
    let Some(hooks) = asked(&host.app, &host.tenant, (point, Some(app.id))).await? else { return Ok(None) };
    let input = Input {
        point,
        time: host.cx.now,
        tenant: host.tenant.as_ref().into(),
        application: Some(app.as_ref().into()),
        subject: Subject::Registration { email: email.as_str() },
        organization: None,
        grant_type: None,
        scope: &journey.flow.request.scope,
        audience: &journey.flow.request.audience,
    };
    let input = serde_json::to_value(input).or_internal()?;
    let question = Question { point, application: Some(app.id), input: &input };
    Ok(match ask(&host.app, (&host.tenant, &host.cx), &hooks, &question).await? {
        Decided::Allowed { .. } => None,
        Decided::Denied { .. } => Some((MessageKey::RegistrationRefused, StatusCode::OK)),
        Decided::Failed { .. } => {
            Some((MessageKey::RegistrationUnavailable, StatusCode::SERVICE_UNAVAILABLE))
        }
    })
}
