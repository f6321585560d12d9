//! The hooks of the point `pre_registration`: asked before anything is written about a person who registers.

use std::sync::Arc;

use svc_core::{OrInternal as _, Result, Scope};
use svc_domain::apps::App;
use svc_domain::hooks::{AboutOrganization, Input, Point, Subject};
use svc_domain::organizations::Organization;
use svc_domain::people::accounts::Email;
use svc_domain::people::guests;
use svc_domain::people::tenant_users::Person;
use svc_http::hooks::{Decided, Question, ask, asked};
use svc_http::{HostCx, StatusCode};

use crate::pages::MessageKey;

/// For what a person registers.
#[derive(Clone, Copy)]
pub struct Registration<'a> {
    /// The application by which the person came.
    pub app: &'a App,
    /// What it asks for.
    pub scope: &'a Scope,
    /// For which API.
    pub audience: &'a str,
}

/// The application by which a guest came, where it is still there.
pub async fn app_of_guest(host: &HostCx, guest: &Person) -> Result<Option<Arc<App>>> {
    let Some(app) = guests::came_by(&mut host.read().await?, guest.id).await? else { return Ok(None) };
    let app = host.app.services.apps.find(host.tenant.id, &app.to_string()).await?;
    Ok(app.filter(|app| app.enabled))
}

/// What the form says where a hook refuses the address. Whether it belongs to an account is not known here.
pub async fn refusal(
    host: &HostCx,
    registration: Registration<'_>,
    email: &Email,
) -> Result<Option<(MessageKey, StatusCode)>> {
    let subject = Subject::Registration { email: Some(email.as_str()), chain_account: None };
    refusal_of(host, registration, subject).await
}

/// The same of a person whom the subject tells of.
pub async fn refusal_of(
    host: &HostCx,
    Registration { app, scope, audience }: Registration<'_>,
    subject: Subject<'_>,
) -> Result<Option<(MessageKey, StatusCode)>> {
    judged(host, (Some(app), scope, audience), (subject, None)).await
}

/// The same of a person whom the provider of an organization knows and no member is, on the way to an application or to a page of ours.
pub async fn refusal_of_newcomer(
    host: &HostCx,
    app: Option<&App>,
    (email, organization): (Option<&str>, &Organization),
) -> Result<Option<(MessageKey, StatusCode)>> {
    let organization = AboutOrganization {
        id: organization.id,
        slug: &organization.slug,
        name: &organization.configuration.name,
        roles: &[],
    };
    let subject = Subject::Registration { email, chain_account: None };
    let (scope, audience) = (Scope::default(), &host.tenant.issuer);
    judged(host, (app, &scope, audience), (subject, Some(organization))).await
}

async fn judged(
    host: &HostCx,
    (app, scope, audience): (Option<&App>, &Scope, &str),
    (subject, organization): (Subject<'_>, Option<AboutOrganization<'_>>),
) -> Result<Option<(MessageKey, StatusCode)>> {
    let (point, application) = (Point::PreRegistration, app.map(|app| app.id));
    let Some(hooks) = asked(&host.app, &host.tenant, (point, application)).await? else { return Ok(None) };
    let input = Input {
        point,
        time: host.cx.now,
        tenant: host.tenant.as_ref().into(),
        application: app.map(Into::into),
        subject,
        organization,
        grant_type: None,
        scope,
        audience,
    };
    let input = serde_json::to_value(input).or_internal()?;
    let question = Question { point, application, input: &input };
    Ok(match ask(&host.app, (&host.tenant, &host.cx), &hooks, &question).await? {
        Decided::Allowed { .. } => None,
        Decided::Denied { .. } => Some((MessageKey::RegistrationRefused, StatusCode::OK)),
        Decided::Failed { .. } => {
            Some((MessageKey::RegistrationUnavailable, StatusCode::SERVICE_UNAVAILABLE))
        }
    })
}
