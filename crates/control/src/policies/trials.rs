//! Trials of policies, which change nothing: reading a text, a question to texts that are stored nowhere, and a dry run.

use serde::{Deserialize, Serialize};
use svc_core::{Error, PolicyId};
use svc_domain::policies::{self, Answer, AssumedEntity, Compiled, Determining, DryRun, Question};
use svc_http::{Json, Path, Problem, TenantCx};
use utoipa::ToSchema;

use super::find;
use crate::resource::Resource;

/// Most texts of a simulation.
const MOST_TEXTS: usize = 10;
/// How many decisions are made again.
const REPLAYED: u32 = 200;

/// A text, and the schema against which it is checked.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "text": "permit(principal, action == Action::\"read\", resource is document);" })))]
struct PolicyText {
    /// Statements in Cedar: at most 32 KiB.
    #[schema(min_length = 1)]
    text: String,
    /// A Cedar schema: at most 16 KiB.
    #[serde(default)]
    #[schema(nullable = false)]
    schema: Option<String>,
}

/// A text without fault.
#[derive(Debug, Serialize, ToSchema)]
struct ValidPolicy {
    /// How many statements it has.
    statements: usize,
}

/// A question to policy texts that are not stored.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({
    "question": { "subject": { "type": "user", "id": "usr_01jcqzv7y0e8kstk6yq6k3a4mf" }, "action": { "name": "read" },
        "resource": { "type": "document", "id": "42" } },
    "policies": [{ "text": "permit(principal, action == Action::\"read\", resource is document);" }] })))]
struct PolicySimulation {
    /// What is asked.
    question: Question,
    /// The texts that are asked.
    #[schema(max_items = 10)]
    policies: Vec<PolicyText>,
    /// Whether the active policies are asked too.
    #[serde(default = "yes")]
    #[schema(default = true)]
    with_active: bool,
    /// Entities that are assumed, also in place of those that are known.
    #[serde(default)]
    #[schema(max_items = 100)]
    entities: Vec<AssumedEntity>,
}

fn yes() -> bool {
    true
}

/// What would be decided.
#[derive(Debug, Serialize, ToSchema)]
struct PolicySimulated {
    /// Whether it would be permitted.
    decision: bool,
    /// Why.
    reason: String,
    /// The statements that decide.
    policies: Vec<Determining>,
    /// Statements that could not be evaluated, and so do not count.
    failed: Vec<policies::Failed>,
    /// What the active policies alone say, of the same entities.
    present_decision: bool,
}

/// The policy text with which the last decisions are evaluated again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(examples(json!({ "text": "permit(principal, action == Action::\"read\", resource is document);" })))]
struct PolicyTrial {
    /// A text in place of the stored one.
    #[serde(default)]
    #[schema(nullable = false, min_length = 1)]
    text: Option<String>,
    /// Its schema.
    #[serde(default)]
    #[schema(nullable = false)]
    schema: Option<String>,
}

/// The calls that try something.
pub(super) fn routes(resource: Resource) -> Resource {
    resource
        .post("validate", "Check a policy text, and report each fault with its position", validate)
        .post("simulate", "Evaluate a question against policy texts that are not stored", simulate)
        .post("{id}/dry-run", "Evaluate the last decisions again with a policy, whatever its status", dry_run)
}

async fn validate(
    _: TenantCx,
    Json(PolicyText { text, schema }): Json<PolicyText>,
) -> Result<Json<ValidPolicy>, Problem> {
    let compiled = Compiled::checked(text, schema).await?;
    Ok(Json(ValidPolicy { statements: compiled.statements() }))
}

async fn simulate(
    caller: TenantCx,
    Json(asked): Json<PolicySimulation>,
) -> Result<Json<PolicySimulated>, Problem> {
    let PolicySimulation { question, policies: texts, with_active, entities } = asked;
    if texts.len() > MOST_TEXTS {
        return Err(Error::bad_request(format!("policies: give at most {MOST_TEXTS} texts")).into());
    }
    let mut given = Vec::new();
    for text in texts {
        given.push(Compiled::checked(text.text, text.schema).await?);
    }
    let engine = &caller.app.services.policies;
    let asked = engine.prepare(caller.tenant.id, &caller, &question, &entities).await?;
    let present = engine.of(caller.tenant.id).await?;
    let deciding = present.deciding().filter(|_| with_active);
    let answer = policies::judge(deciding.chain(&given), &asked);
    let present_decision = policies::judge(present.deciding(), &asked).is_permitted();
    let (decision, reason) = (answer.is_permitted(), answer.reason());
    let Answer { determining, failed, .. } = answer;
    Ok(Json(PolicySimulated { decision, reason, policies: determining, failed, present_decision }))
}

async fn dry_run(
    caller: TenantCx,
    Path(id): Path<PolicyId>,
    Json(PolicyTrial { text, schema }): Json<PolicyTrial>,
) -> Result<Json<DryRun>, Problem> {
    let mut tx = caller.read().await?;
    let policy = find(&mut tx, id).await?;
    let recorded = policies::list_decisions(&mut tx, None, (None, REPLAYED)).await?;
    drop(tx);
    let text = match text {
        Some(text) => PolicyText { text, schema },
        None => PolicyText { text: policy.configuration.text, schema: policy.configuration.schema },
    };
    let trial = Compiled::checked(text.text, text.schema).await?.within(policy.organization_id);
    let engine = &caller.app.services.policies;
    let run = policies::dry_run(engine, caller.tenant.id, &caller, ((policy.id, &trial), recorded)).await?;
    Ok(Json(run))
}
