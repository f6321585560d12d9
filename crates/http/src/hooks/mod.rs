//! Asks the hooks of a tenant: one signed request each, in order, within the time of the configuration for all of them.
//!
//! No transaction may be open where this is called.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderValue, StatusCode};
use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{AppId, Cx, DeliveryKind, HookId, Result, Seconds, Secret};
use svc_domain::delivery::webhooks::MAX_AGE;
use svc_domain::hooks::{self, Added, Answer, Hook, OnFailure, Point, TenantHooks, Verdict};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::tenancy::tenants::Tenant;
use svc_keys::Purpose;
use svc_keys::webhook::Signed;

use crate::app::App;
use crate::outbound::{Fetched, Limits};
use crate::refusals::recorded_count;
use crate::signed::signed_headers;

/// A bound that is never reached, because [`call`] has a shorter one.
const LONGEST: Seconds = Seconds(15);

/// What is asked, and for whom.
pub struct Question<'a> {
    /// Where.
    pub point: Point,
    /// The application that it is about, where there is one.
    pub application: Option<AppId>,
    /// The body of each call.
    pub input: &'a Value,
}

/// What the hooks of a point have decided together.
#[derive(Debug, PartialEq, Eq)]
pub enum Decided {
    /// None refuses.
    Allowed {
        /// These claims are added.
        added: Added,
        /// Whether one of them asks for a second factor.
        asks_factor: bool,
    },
    /// One refuses.
    Denied {
        /// Which.
        hook: HookId,
        /// Why, if it says so.
        message: Option<String>,
    },
    /// One gave no valid answer in time, and that refuses.
    Failed {
        /// Which.
        hook: HookId,
    },
}

/// One call and what came of it.
pub struct Call {
    /// The headers that were sent, by name.
    pub headers: Vec<(String, String)>,
    /// How long it took.
    pub took: Duration,
    /// The status of the answer; nothing where there was none.
    pub status: Option<u16>,
    /// The beginning of the answer, without the secrets of the hook.
    pub answer: String,
    /// What it says, or what is wrong with it.
    pub outcome: Result<Answer, String>,
}

/// The hooks of the tenant, where one of them is asked at this point about this application.
pub async fn asked(
    app: &App,
    tenant: &Tenant,
    (point, application): (Point, Option<AppId>),
) -> Result<Option<Arc<TenantHooks>>> {
    if !tenant.offers(&app.config, &Capability::HOOKS) {
        return Ok(None);
    }
    let hooks = app.services.hooks.of(tenant.id).await?;
    let is_asked = hooks.at(point, application).next().is_some();
    Ok(is_asked.then_some(hooks))
}

/// Asks the hooks of a point in order, until one refuses; that is recorded.
pub async fn ask(
    app: &App,
    (tenant, cx): (&Tenant, &Cx),
    hooks: &TenantHooks,
    question: &Question<'_>,
) -> Result<Decided> {
    let decided = decided(app, (tenant, cx), hooks, question).await?;
    let (hook, reason) = match &decided {
        Decided::Allowed { .. } => return Ok(decided),
        Decided::Denied { hook, .. } => (hook, "verdict"),
        Decided::Failed { hook } => (hook, "fault"),
    };
    let key = format!("hook refused {} {hook} {reason}", tenant.id);
    if let Some(count) = recorded_count(app, &key, cx.now).await {
        let Question { point, application, .. } = question;
        let facts =
            json!({ "point": point, "application_id": application, "reason": reason, "count": count });
        let mut tx = app.db.begin(tenant.id).await?;
        record(&mut tx, cx, Meaning::denied(Action::HookDenied, hook).with(facts));
        tx.commit().await?;
    }
    Ok(decided)
}

async fn decided(
    app: &App,
    (tenant, cx): (&Tenant, &Cx),
    hooks: &TenantHooks,
    question: &Question<'_>,
) -> Result<Decided> {
    let end = Instant::now() + most(app);
    let (mut added, mut asks_factor) = (Added::default(), false);
    for hook in hooks.at(question.point, question.application) {
        let left = end.saturating_duration_since(Instant::now());
        let call = call(app, (tenant, cx), hook, (question.point, question.input), left).await?;
        let answer = match call.outcome {
            Ok(answer) => answer,
            Err(fault) => {
                tracing::warn!(request_id = cx.request_id, hook = %hook.id, fault, "a hook gave no valid answer");
                match hook.configuration.on_failure {
                    OnFailure::Allow => continue,
                    OnFailure::Deny => return Ok(Decided::Failed { hook: hook.id }),
                }
            }
        };
        match answer.verdict {
            Verdict::Allow => added.merge(answer.claims),
            Verdict::RequireFactor => asks_factor = true,
            Verdict::Deny => return Ok(Decided::Denied { hook: hook.id, message: answer.message }),
        }
    }
    Ok(Decided::Allowed { added, asks_factor })
}

/// Asks one hook, within its own time and what is left of that of all.
pub async fn call(
    app: &App,
    (tenant, cx): (&Tenant, &Cx),
    hook: &Hook,
    (point, input): (Point, &Value),
    left: Duration,
) -> Result<Call> {
    let sealer = app.services.sealers.of(tenant.id, Purpose::Credentials, cx).await?;
    let secrets = hooks::secrets(hook, tenant.id.reference(), &sealer, cx.now)?;
    let body = input.to_string();
    let headers = headers(app, cx, (point, &body), &secrets)?;
    let said = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let sent = headers.iter().map(|(name, value)| (name.to_string(), said(value))).collect();
    let limits = Limits { time: LONGEST, bytes: hooks::MOST_ANSWER };
    let outbound = app.outbound.to_receivers(&app.config);
    let posting = outbound.post(&hook.configuration.url, headers, body.into(), limits);
    let own = hook.configuration.timeout_millis.map_or(left, |own| Duration::from_millis(own.into()));
    let began = Instant::now();
    // A timeout of nothing would still give a receiver nearby the rest of a tick of the timer.
    let answered = match own.min(left) {
        Duration::ZERO => None,
        time => Some(tokio::time::timeout(time, posting).await),
    };
    let took = began.elapsed();
    let answered = match answered {
        Some(Ok(answered)) => answered.map_err(|error| error.detail().to_owned()),
        Some(Err(_)) => Err("there was no whole answer in time".to_owned()),
        None => Err("the hooks before it used all the time".to_owned()),
    };
    let status = answered.as_ref().ok().map(|fetched| fetched.status.as_u16());
    let text = answered.as_ref().map(|fetched| String::from_utf8_lossy(&fetched.body).into_owned());
    let hidden = |text: String, secret: &Secret| text.replace(secret.expose(), "***");
    let answer = secrets.iter().fold(text.unwrap_or_default(), hidden);
    let outcome = answered.and_then(|fetched| judged(point, &fetched));
    count(app, point, &outcome);
    Ok(Call { headers: sent, took, status, answer, outcome })
}

fn headers(app: &App, cx: &Cx, (point, body): (Point, &str), secrets: &[Secret]) -> Result<HeaderMap> {
    let delivery = cx.id::<DeliveryKind>().to_string();
    let signed = Signed {
        timestamp: app.clock.now().as_secs(),
        max_age: MAX_AGE.0,
        event: point.event(),
        delivery: &delivery,
        body: body.as_bytes(),
    };
    signed_headers(&signed, secrets)
}

fn judged(point: Point, fetched: &Fetched) -> Result<Answer, String> {
    match fetched.status {
        StatusCode::OK => hooks::read(point, &fetched.body),
        other => Err(format!("the status {} is not 200", other.as_u16())),
    }
}

/// The time of all hooks of a point together.
pub fn most(app: &App) -> Duration {
    Duration::from_millis(app.config.hooks.timeout_millis.into())
}

fn count(app: &App, point: Point, outcome: &Result<Answer, String>) {
    let outcome = match outcome.as_ref().map(|answer| answer.verdict) {
        Ok(Verdict::Allow) => "allow",
        Ok(Verdict::Deny) => "deny",
        Ok(Verdict::RequireFactor) => "require_factor",
        Err(_) => "fault",
    };
    app.metrics.count_one("hook_calls_total", &[("point", point.name()), ("outcome", outcome)]);
}
