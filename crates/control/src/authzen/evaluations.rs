//! Several questions in one call (`AuthZEN` 1.0 §7): what they have in common is said once.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use svc_core::{Error, Result};
use svc_domain::policies::{AccessAction, Question, SubjectOrResource, maybe_object};
use svc_http::{Json, Problem, Route, TenantCx};
use utoipa::ToSchema;

use super::{DecisionContext, Evaluation, SCOPE};

/// Most questions of a call.
const MOST: usize = 100;
const PATH: &str = "/access/v1/evaluations";

/// Questions.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AccessQuestions, examples(json!({
    "subject": { "type": "user", "id": "usr_01jcqzv7y0e8kstk6yq6k3a4mf" }, "action": { "name": "read" },
    "evaluations": [{ "resource": { "type": "document", "id": "1" } }, { "resource": { "type": "document", "id": "2" } }]
})))]
struct Questions {
    #[serde(flatten)]
    common: Part,
    /// The questions, at most 100. A member that a question leaves out has the value given next to this list.
    #[serde(default)]
    #[schema(max_items = 100)]
    evaluations: Vec<Part>,
    /// `evaluations_semantic` says where it ends: `execute_all`, `deny_on_first_deny` or `permit_on_first_permit`. Others mean
    /// nothing here.
    #[serde(default, deserialize_with = "maybe_object")]
    #[schema(value_type = Option<Object>)]
    options: Map<String, Value>,
}

/// A part of a question.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AccessQuestionPart)]
struct Part {
    /// The subject.
    #[serde(default)]
    #[schema(nullable = false)]
    subject: Option<SubjectOrResource>,
    /// The action.
    #[serde(default)]
    #[schema(nullable = false)]
    action: Option<AccessAction>,
    /// The resource.
    #[serde(default)]
    #[schema(nullable = false)]
    resource: Option<SubjectOrResource>,
    /// The circumstances.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    context: Option<Map<String, Value>>,
}

/// Where it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Semantic {
    /// With the last question.
    #[default]
    ExecuteAll,
    /// With the first that is denied.
    DenyOnFirstDeny,
    /// With the first that is permitted.
    PermitOnFirstPermit,
}

/// The decisions: one for each question that was evaluated; for a call without `evaluations`, `decision` and `context`.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = AccessDecisions)]
struct Answered {
    /// In the order of the questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    evaluations: Option<Vec<Evaluation>>,
    /// Whether the only question is permitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    decision: Option<bool>,
    /// The reasons for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    context: Option<DecisionContext>,
}

pub(super) fn route() -> Route {
    Route::post(PATH).tenant(SCOPE, evaluate).summary("Ask several questions at once")
}

async fn evaluate(
    caller: TenantCx,
    Json(Questions { common, evaluations, options }): Json<Questions>,
) -> Result<Json<Answered>, Problem> {
    let semantic = Semantic::of(&options)?;
    if evaluations.is_empty() {
        let Evaluation { decision, context } = one(&caller, common.whole(&Part::default())?).await?;
        return Ok(Json(Answered { decision: Some(decision), context: Some(context), evaluations: None }));
    }
    if evaluations.len() > MOST {
        return Err(Error::bad_request(format!("evaluations: ask at most {MOST} questions")).into());
    }
    let mut decisions = Vec::with_capacity(evaluations.len());
    for part in evaluations {
        let decision = match part.whole(&common) {
            Ok(question) => one(&caller, question).await,
            Err(error) => Err(error),
        };
        // A question that is none is denied; what is wrong with us fails the call.
        let decision = match decision {
            Err(error) if error.class().status() < 500 => Evaluation::from(error),
            decision => decision?,
        };
        let is_last = semantic.ends_with(decision.decision);
        decisions.push(decision);
        if is_last {
            break;
        }
    }
    Ok(Json(Answered { evaluations: Some(decisions), ..Answered::default() }))
}

async fn one(caller: &TenantCx, question: Question) -> Result<Evaluation> {
    let engine = &caller.app.services.policies;
    Ok(engine.decide(caller.tenant.id, caller, &question).await?.into())
}

impl Part {
    /// The question, with what is said once for all.
    fn whole(self, common: &Self) -> Result<Question> {
        let missing = |member: &str| {
            Error::bad_request(format!("{member}: missing; give it here or for all questions"))
        };
        Ok(Question {
            subject: self.subject.or_else(|| common.subject.clone()).ok_or_else(|| missing("subject"))?,
            action: self.action.or_else(|| common.action.clone()).ok_or_else(|| missing("action"))?,
            resource: self.resource.or_else(|| common.resource.clone()).ok_or_else(|| missing("resource"))?,
            context: self.context.or_else(|| common.context.clone()).unwrap_or_default(),
        })
    }
}

impl Semantic {
    fn of(options: &Map<String, Value>) -> Result<Self> {
        let Some(chosen) = options.get("evaluations_semantic") else { return Ok(Self::default()) };
        let wrong =
            "options.evaluations_semantic: use execute_all, deny_on_first_deny or permit_on_first_permit";
        Self::deserialize(chosen).map_err(|_| Error::bad_request(wrong))
    }

    fn ends_with(self, is_permitted: bool) -> bool {
        match self {
            Self::ExecuteAll => false,
            Self::DenyOnFirstDeny => !is_permitted,
            Self::PermitOnFirstPermit => is_permitted,
        }
    }
}
