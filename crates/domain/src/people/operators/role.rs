//! How far an operator may go: each role opens all that the ones before it open.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The role of an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OperatorRole)]
pub enum Role {
    /// Sees how the deployment is operated, and changes nothing.
    Viewer,
    /// Makes, changes, suspends and deletes tenants and plans, too.
    TenantManager,
    /// Everything, other operators and the signing keys among it.
    #[default]
    Administrator,
}

impl Role {
    /// Every role, the least first.
    pub const ALL: [Self; 3] = [Self::Viewer, Self::TenantManager, Self::Administrator];

    /// Its name, stored and on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::TenantManager => "tenant_manager",
            Self::Administrator => "administrator",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Role {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|role| role.name() == name);
        found.ok_or_else(|| format!("expected one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}
