//! `/access/v1`: decisions for applications (OpenID `AuthZEN` Authorization API 1.0).

mod evaluations;
mod metadata;
mod search;

use serde::Serialize;
use svc_domain::policies::{Answer, Determining, Failed, Question};
use svc_http::{Json, Problem, Route, Routes, TenantCx};
use utoipa::ToSchema;

/// What opens the decision API.
const SCOPE: &str = "access:evaluate";

/// The scope with its sentence.
pub(crate) const EVALUATE: (&str, &str) = (SCOPE, "Ask what the policies of this organisation permit");

const EVALUATION: &str = "/access/v1/evaluation";

/// A decision (§6.2).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccessDecision)]
struct Evaluation {
    /// Whether it is permitted.
    decision: bool,
    /// The reasons for it.
    context: DecisionContext,
}

/// The reasons for a decision.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = AccessDecisionContext)]
struct DecisionContext {
    /// The reason, for administrators.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason_admin: Option<Reason>,
    /// The reason, for the person: the `@reason` of a statement.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason_user: Option<Reason>,
    /// The statements that decided.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    policies: Vec<Determining>,
    /// Statements that could not be evaluated, and so did not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failed: Vec<Failed>,
    /// Why this question could not be evaluated; it counts as denied.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<DecisionError>,
}

/// A reason by language.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccessReason)]
struct Reason {
    /// In English, or in the words of the policy.
    en: String,
}

/// Why one of several questions could not be decided.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccessDecisionError)]
struct DecisionError {
    /// The HTTP status.
    status: u16,
    /// What is wrong.
    message: String,
}

/// The routes of the decision API.
pub(crate) fn routes() -> Routes {
    let evaluation =
        Route::post(EVALUATION).tenant(SCOPE, evaluate).summary("Ask whether a subject may do something");
    let all = [evaluation, evaluations::route()].into_iter().chain(search::routes());
    let all = all.map(|route| route.tag("Access decisions"));
    Routes::new(all).merge(Routes::new([metadata::route()]))
}

async fn evaluate(caller: TenantCx, Json(question): Json<Question>) -> Result<Json<Evaluation>, Problem> {
    let engine = &caller.app.services.policies;
    Ok(Json(engine.decide(caller.tenant.id, &caller, &question).await?.into()))
}

impl From<Answer> for Evaluation {
    fn from(answer: Answer) -> Self {
        let decision = answer.is_permitted();
        let said = answer.said_reason().map(str::to_owned);
        let for_people = said.or_else(|| (!decision).then(|| "You are not allowed to do this.".to_owned()));
        let context = DecisionContext {
            reason_admin: Some(Reason { en: answer.reason() }),
            reason_user: for_people.map(|en| Reason { en }),
            policies: answer.determining,
            failed: answer.failed,
            error: None,
        };
        Self { decision, context }
    }
}

impl From<svc_core::Error> for Evaluation {
    fn from(error: svc_core::Error) -> Self {
        let error = DecisionError { status: error.class().status(), message: error.detail().to_owned() };
        Self {
            decision: false,
            context: DecisionContext { error: Some(error), ..DecisionContext::default() },
        }
    }
}
