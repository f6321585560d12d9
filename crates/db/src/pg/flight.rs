//! One flight: everything is sent before the first answer is waited for, and answered together.

use super::connection::{Connection, Failure};
use crate::call::{Answer, Call};
use crate::value::Value;

/// What travels in one flight.
pub(super) struct Flight<'a> {
    /// Begins the transaction.
    pub head: &'a [Call],
    pub calls: &'a [Call],
    /// Ends it.
    pub tail: Option<&'static str>,
}

impl Flight<'_> {
    /// Sends the whole flight; returns the answers to its calls in order, or the first refusal. The server skips what follows a
    /// refusal, a `COMMIT` too.
    pub async fn over(&self, connection: &mut Connection) -> Result<Vec<Answer>, Failure> {
        let depends = self.calls.iter().any(|call| connection.depends_on_arguments(call.text));
        let plans = depends.then(|| bare(FOR_ARGUMENTS));
        let tail = self.tail.map(bare);
        let all: Vec<&Call> = self.head.iter().chain(&plans).chain(self.calls).chain(&tail).collect();
        let before = self.head.len() + usize::from(plans.is_some());
        let mut answers = connection.fly(&all).await?;
        answers.truncate(before + self.calls.len());
        Ok(answers.split_off(before.min(answers.len())))
    }
}

/// Lets the server plan for the arguments, until the transaction ends.
const FOR_ARGUMENTS: &str = "SET LOCAL plan_cache_mode = auto";

/// Whether a plan that is good for all arguments is not good for each: what takes some of what there is takes as many as it is asked for,
/// and a condition may be absent.
pub(super) fn depends_on_arguments(text: &str) -> bool {
    takes_some(text) || [" AS TEXT) IS NULL OR ", " = '' OR "].into_iter().any(|absent| text.contains(absent))
}

/// Whether a statement takes some of what there is, as workers do with what waits.
pub(super) fn takes_some(text: &str) -> bool {
    text.contains(" IN (SELECT ") && text.contains(" LIMIT ")
}

/// Begins a transaction and names to row-level security whose rows it may see.
pub(super) fn head(begin: &'static str, scope: &str) -> [Call; 2] {
    let text = "SELECT set_config('svc.tenant_id', $1, true)";
    [bare(begin), Call { text, args: vec![Value::from(scope)] }]
}

pub(super) fn bare(text: &'static str) -> Call {
    Call { text, args: Vec::new() }
}
