//! Asks the hooks of a tenant in order, within the time of the configuration for all of them: each by a signed request or a run of its
//! module.
//!
//! No transaction may be open where this is called.

mod module;
mod request;

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use svc_core::capability::Capability;
use svc_core::{AppId, Cx, HookId, Result};
use svc_domain::hooks::{self, Added, Answer, Answerer, Hook, OnFailure, Point, TenantHooks, Verdict};
use svc_domain::log::{Action, Meaning, record};
use svc_domain::tenancy::tenants::Tenant;

use crate::app::App;
use crate::refusals::recorded_count;

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

/// One call with its answer.
pub struct Call {
    /// The headers that were sent, by name; none to a module.
    pub headers: Vec<(String, String)>,
    /// How long it took.
    pub took: Duration,
    /// The status of the answer; a module gives none.
    pub status: Option<u16>,
    /// The beginning of the answer, without the secrets of the hook; nothing where there was none in time.
    pub answer: Option<String>,
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
    let own = hook.configuration.timeout_millis.map_or(left, |own| Duration::from_millis(own.into()));
    let asking = Asking { app, tenant, cx, hook, point, question: input.to_string(), time: own.min(left) };
    let began = Instant::now();
    let replied = match hook.configuration.answerer()? {
        _ if asking.time.is_zero() => Replied::nothing("the hooks before it used all the time"),
        Answerer::Address(url) => request::ask(&asking, url).await?,
        Answerer::Module(module) => module::ask(asking, module).await?,
    };
    let took = began.elapsed();
    let outcome = replied.body.and_then(|body| hooks::read(point, &body));
    count(app, point, &outcome);
    let Replied { headers, status, answer, .. } = replied;
    Ok(Call { headers, took, status, answer, outcome })
}

/// A question on its way to one hook.
struct Asking<'a> {
    app: &'a App,
    tenant: &'a Tenant,
    cx: &'a Cx,
    hook: &'a Hook,
    point: Point,
    question: String,
    time: Duration,
}

/// What came back.
struct Replied {
    headers: Vec<(String, String)>,
    status: Option<u16>,
    answer: Option<String>,
    /// The body of an answer, or why there is none that counts.
    body: Result<Vec<u8>, String>,
}

impl Replied {
    fn nothing(why: &str) -> Self {
        Self { headers: Vec::new(), status: None, answer: None, body: Err(why.to_owned()) }
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
