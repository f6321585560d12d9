//! The hooks of the point `post_first_factor`: asked once a first proof was given, while no transaction is open.

use svc_core::{OrInternal as _, Result, Scope};
use svc_domain::claims::assurance::Level;
use svc_domain::hooks::{AboutSignIn, Input, Point, Subject};
use svc_domain::people::changes::{self, Candidate};
use svc_http::StatusCode;
use svc_http::hooks::{Decided, Question, ask, asked};

use super::ceremony::{SignIn, Way};
use super::held::Held;
use super::progress::{Factor, Progress};
use crate::hosted::Visit;
use crate::pages::MessageKey;

const POINT: Point = Point::PostFirstFactor;

/// What the hooks let happen.
#[derive(Clone, Copy)]
pub enum Gate {
    /// The sign-in goes on.
    Open,
    /// It goes on with a second factor.
    AsksFactor,
    /// It ends, and the page says so.
    Closed(MessageKey, StatusCode),
}

/// Asks the hooks of the tenant about a sign-in whose first proof `progress` is.
pub async fn asked_about(signin: &SignIn<'_>, progress: &Progress) -> Result<Gate> {
    let visit = signin.visit();
    let (host, application) = (&visit.host, signin.way.app().map(|app| app.id));
    let hooks = asked(&host.app, &host.tenant, (POINT, application)).await?;
    let (Some(hooks), Some(account)) = (hooks, progress.account()) else { return Ok(Gate::Open) };
    let mut tx = host.read().await?;
    let Some(candidate) = changes::candidate(&mut tx, account).await? else { return Ok(Gate::Open) };
    let whose = (account, candidate.account.password.is_some());
    let held = Held::read(&mut tx, visit, whose, progress).await?;
    drop(tx);
    let input = input(&signin.way, (&candidate, &held), progress)?;
    let question = Question { point: POINT, application, input: &input };
    let gate = match ask(&host.app, (&host.tenant, &host.cx), &hooks, &question).await? {
        Decided::Allowed { asks_factor: false, .. } => return Ok(Gate::Open),
        // A guest has no factor to be asked for.
        Decided::Allowed { asks_factor: true, .. } if progress.first() == Some(Factor::Nothing) => {
            Gate::Closed(MessageKey::SignInRefused, StatusCode::FORBIDDEN)
        }
        Decided::Allowed { asks_factor: true, .. } => return Ok(Gate::AsksFactor),
        Decided::Denied { .. } => Gate::Closed(MessageKey::SignInRefused, StatusCode::FORBIDDEN),
        Decided::Failed { .. } => {
            Gate::Closed(MessageKey::SignInUnavailable, StatusCode::SERVICE_UNAVAILABLE)
        }
    };
    count(visit, progress);
    Ok(gate)
}

fn input(
    way: &Way<'_>,
    (candidate, held): (&Candidate, &Held),
    progress: &Progress,
) -> Result<serde_json::Value> {
    let (host, member, amr) = (&way.visit().host, candidate.member.as_ref(), progress.amr());
    let none = Scope::default();
    let (scope, audience) = match way {
        Way::Flow(journey) => (&journey.flow.request.scope, &journey.flow.request.audience),
        Way::Errand(..) => (&none, &host.tenant.issuer),
    };
    let subject = Subject::SignIn(Box::new(AboutSignIn {
        id: member.map(|member| member.id),
        username: member.and_then(|member| member.username.as_deref()),
        email: candidate.account.email.as_deref(),
        email_verified: candidate.account.email_verified,
        roles: member.map_or(&[], |member| &member.roles),
        groups: member.map_or(&[], |member| &member.groups),
        public_metadata: member.map(|member| &member.metadata.public),
        acr: progress.level().map(Level::acr).unwrap_or_default(),
        amr: &amr,
        has_second_factor: held.has_second_factor(),
        client_ip: host.cx.client_ip,
    }));
    let input = Input {
        point: POINT,
        time: host.cx.now,
        tenant: host.tenant.as_ref().into(),
        application: way.app().map(Into::into),
        subject,
        organization: None,
        grant_type: None,
        scope,
        audience,
    };
    serde_json::to_value(input).or_internal()
}

fn count(visit: &Visit, progress: &Progress) {
    let factor = progress.first().map_or("none", Factor::label);
    visit.host.app.metrics.count_one("sign_ins_total", &[("factor", factor), ("outcome", "hook")]);
}
