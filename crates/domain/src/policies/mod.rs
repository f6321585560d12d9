//! Policies: documents in the language Cedar that decide who may do what. Every change makes a version.

mod answer;
mod compiled;
mod decisions;
mod language;
mod limits;
mod people;
mod question;
mod sets;
mod store;
mod trial;
mod values;
mod versions;

use serde::{Deserialize, Serialize};
use svc_core::{OrganizationId, PolicyId, Timestamp};
use utoipa::ToSchema;

pub use self::answer::{Answer, Determining, Failed, Outcome};
pub use self::compiled::{Compiled, judge};
pub use self::decisions::{Decisions, KEPT, Recorded, ShadowCounts, list_decisions, shadow_counts};
pub use self::language::check;
pub use self::people::Principal;
pub use self::question::{
    AccessAction, AssumedEntity, CedarQuestion, Question, SubjectOrResource, maybe_object,
};
pub use self::sets::{Policies, TenantPolicies};
pub use self::store::{Change, Filter, create, delete, find, list, list_by, update};
pub use self::trial::{DryRun, Newly, dry_run};
pub use self::versions::{Version, find_version, list_versions};

/// A policy document.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Policy {
    /// Its id.
    #[schema(value_type = String)]
    pub id: PolicyId,
    /// The number of its present version.
    pub version: i64,
    /// Its status.
    pub status: Status,
    /// The organization in which alone it decides; null for all of the tenant.
    #[schema(value_type = Option<String>)]
    pub organization_id: Option<OrganizationId>,
    /// What it says.
    #[serde(flatten)]
    pub configuration: Configuration,
    /// When it was made.
    #[schema(value_type = String, format = "date-time")]
    pub created_at: Timestamp,
    /// When it last changed.
    #[schema(value_type = String, format = "date-time")]
    pub updated_at: Timestamp,
}

/// The status of a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = PolicyStatus)]
pub enum Status {
    /// It is being written.
    #[default]
    Draft,
    /// It is evaluated along with the active ones; the decisions that it would have changed are counted.
    Shadow,
    /// It decides.
    Active,
    /// It decides no more.
    Archived,
}

/// What a policy says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PolicyConfiguration)]
pub struct Configuration {
    /// What administrators call it.
    #[schema(min_length = 1, max_length = 120)]
    pub name: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schema(max_length = 500)]
    pub description: String,
    /// Its statements in Cedar: at most 32 KiB.
    #[schema(min_length = 1)]
    pub text: String,
    /// A Cedar schema against which the text is checked: at most 16 KiB.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub schema: Option<String>,
}

impl Status {
    /// Every status.
    pub const ALL: [Self; 4] = [Self::Draft, Self::Shadow, Self::Active, Self::Archived];

    /// The stored name, which is also the name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Shadow => "shadow",
            Self::Active => "active",
            Self::Archived => "archived",
        }
    }

    /// Whether it is evaluated at all.
    pub fn is_evaluated(self) -> bool {
        matches!(self, Self::Shadow | Self::Active)
    }

    /// What is of a status that this version does not know does not decide.
    fn stored(name: &str) -> Self {
        Self::ALL.into_iter().find(|status| status.name() == name).unwrap_or(Self::Archived)
    }
}
