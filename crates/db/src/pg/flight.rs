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
        let tail = self.tail.map(bare);
        let all: Vec<&Call> = self.head.iter().chain(self.calls).chain(&tail).collect();
        let mut answers = connection.fly(&all).await?;
        answers.truncate(self.head.len() + self.calls.len());
        Ok(answers.split_off(self.head.len().min(answers.len())))
    }
}

/// Begins a transaction and names to row-level security whose rows it may see.
pub(super) fn head(begin: &'static str, scope: &str) -> [Call; 2] {
    let text = "SELECT set_config('svc.tenant_id', $1, true)";
    [bare(begin), Call { text, args: vec![Value::from(scope)] }]
}

pub(super) fn bare(text: &'static str) -> Call {
    Call { text, args: Vec::new() }
}
