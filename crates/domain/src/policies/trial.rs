//! The dry run of a policy: what the last decisions would have been with it.

use serde::Serialize;
use svc_core::{Cx, PolicyId, Result, TenantId};
use utoipa::ToSchema;

use super::answer::Answer;
use super::compiled::{Compiled, judge};
use super::decisions::Recorded;
use super::sets::Policies;

/// Most decisions that are shown of those that would have been others.
const MOST_SHOWN: usize = 50;

/// What the last decisions would have been.
#[derive(Debug, Default, Serialize, ToSchema)]
#[schema(as = PolicyDryRun)]
pub struct DryRun {
    /// How many decisions were made again: with the active policies as they are now, and with the policy in place of itself.
    pub evaluated: u32,
    /// How many would be permitted that are not.
    pub newly_permitted: u32,
    /// How many would not be permitted that are.
    pub newly_denied: u32,
    /// The last of these, at most 50.
    pub changes: Vec<Newly>,
}

/// A decision that would be different.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PolicyDryRunChange)]
pub struct Newly {
    /// The recorded decision.
    pub recorded: Recorded,
    /// What the active policies say now.
    pub decision: bool,
    /// What they would say with the policy.
    pub decision_with: bool,
    /// Why.
    pub reason: String,
}

/// Makes decisions again, with a policy in place of the stored one of its id. People are as they are now.
pub async fn dry_run(
    policies: &Policies,
    tenant: TenantId,
    cx: &Cx,
    ((id, trial), recorded): ((PolicyId, &Compiled), Vec<Recorded>),
) -> Result<DryRun> {
    let present = policies.of(tenant).await?;
    let mut run = DryRun::default();
    for recorded in recorded {
        // At the time of the decision, unless it named one.
        let then = Cx { now: recorded.at, ..cx.clone() };
        let person_now = policies.prepare_at(tenant, (cx, &then), &recorded.question).await;
        // What a newer version has taken this one may refuse.
        let Ok(asked) = person_now else { continue };
        let others = present.deciding().filter(|policy| policy.source.is_none_or(|(other, _)| other != id));
        let (now, with): (Answer, Answer) =
            (judge(present.deciding(), &asked), judge(others.chain([trial]), &asked));
        run.evaluated += 1;
        let (decision, decision_with) = (now.is_permitted(), with.is_permitted());
        if decision == decision_with {
            continue;
        }
        run.newly_permitted += u32::from(decision_with);
        run.newly_denied += u32::from(decision);
        if run.changes.len() < MOST_SHOWN {
            run.changes.push(Newly { recorded, decision, decision_with, reason: with.reason() });
        }
    }
    Ok(run)
}
