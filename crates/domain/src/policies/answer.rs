//! What policies say to a question: permitted or not, and why.

use serde::Serialize;
use svc_core::PolicyId;
use utoipa::ToSchema;

/// What one policy, or several together, say. What forbids wins over what permits, and what says nothing permits nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Nothing is said.
    #[default]
    Nothing,
    /// A statement permits it.
    Permitted,
    /// A statement forbids it.
    Forbidden,
}

/// An answer with its reasons.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// What is said.
    pub outcome: Outcome,
    /// The statements that decided.
    pub determining: Vec<Determining>,
    /// Statements that could not be evaluated, and so did not count.
    pub failed: Vec<Failed>,
    /// Why no policy was asked.
    pub refused: Option<&'static str>,
}

/// A statement that decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = DeterminingPolicy)]
pub struct Determining {
    /// The policy; null for a text that is stored nowhere.
    #[schema(value_type = Option<String>)]
    pub policy_id: Option<PolicyId>,
    /// Its version.
    pub version: Option<i64>,
    /// The `@id` of the statement, or its number in the text, from 0.
    pub statement: String,
    /// What its `@reason` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A statement that could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = FailedPolicy)]
pub struct Failed {
    /// The statement.
    #[serde(flatten)]
    pub statement: Determining,
    /// What was wrong.
    pub error: String,
}

impl Answer {
    /// Whether it is permitted: it is not, unless a statement says so.
    pub fn is_permitted(&self) -> bool {
        self.refused.is_none() && self.outcome == Outcome::Permitted
    }

    /// Adds what another policy says.
    pub(super) fn add(&mut self, other: Self) {
        self.failed.extend(other.failed);
        if other.outcome > self.outcome {
            (self.outcome, self.determining) = (other.outcome, other.determining);
        } else if other.outcome == self.outcome {
            self.determining.extend(other.determining);
        }
    }

    /// The reason that administrators read.
    pub fn reason(&self) -> String {
        if let Some(refused) = self.refused {
            return refused.to_owned();
        }
        match self.outcome {
            Outcome::Nothing => "no active policy permits it".to_owned(),
            Outcome::Permitted => format!("permitted by {}", self.named()),
            Outcome::Forbidden => format!("forbidden by {}", self.named()),
        }
    }

    /// The reason that people may read: what the statement says of itself.
    pub fn said_reason(&self) -> Option<&str> {
        self.determining.iter().find_map(|statement| statement.reason.as_deref())
    }

    fn named(&self) -> String {
        let named: Vec<_> = self.determining.iter().map(Determining::name).collect();
        named.join(", ")
    }
}

impl Determining {
    /// The policy with its version and the statement in it.
    pub fn name(&self) -> String {
        match (self.policy_id, self.version) {
            (Some(id), Some(version)) => format!("{id} version {version}, statement {}", self.statement),
            _ => format!("the given text, statement {}", self.statement),
        }
    }
}
