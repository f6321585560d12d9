//! Whether support staff act for people of a tenant, and how.

use serde::{Deserialize, Serialize};
use svc_config::Config;
use svc_core::{Error, Result};
use utoipa::ToSchema;

/// The longest time, in minutes, that any deployment allows.
pub(crate) const LONGEST_MINUTES: u32 = 60;

/// Support staff who act for people; off unless the tenant wants it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = ImpersonationSettings)]
pub struct Impersonation {
    /// Whether support staff may act for people.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub enabled: bool,
    /// Whether the person must approve it each time.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub approval_required: bool,
    /// Whether the staff member must have signed in with a second factor.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub second_factor_required: bool,
    /// The longest time; the shorter one counts, the deployment's or the tenant's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 60)]
    pub max_minutes: Option<u32>,
    /// When the person is notified by mail.
    #[serde(skip_serializing_if = "Notice::is_usual")]
    pub notice: Notice,
}

/// When the person is notified by mail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ImpersonationNotice)]
pub enum Notice {
    /// When it begins.
    #[default]
    Start,
    /// When it has ended.
    End,
    /// Not by mail; the account centre still shows it.
    Never,
}

impl Notice {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

impl Impersonation {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The longest time, in minutes.
    pub fn longest(&self, config: &Config) -> u32 {
        let longest = config.impersonation.max_minutes;
        self.max_minutes.map_or(longest, |own| own.min(longest))
    }

    /// Refuses a time that no deployment allows.
    pub(super) fn check(&self) -> Result<()> {
        match self.max_minutes {
            Some(minutes) if !(1..=LONGEST_MINUTES).contains(&minutes) => {
                Err(Error::bad_request(format!("impersonation.max_minutes: use 1 to {LONGEST_MINUTES}")))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_allows_less_time_and_not_more_than_the_deployment() {
        let mut config = Config::default();
        let with = |max_minutes| Impersonation { max_minutes, ..Impersonation::default() };
        assert_eq!(with(None).longest(&config), 60);
        assert_eq!(with(Some(15)).longest(&config), 15);
        config.impersonation.max_minutes = 10;
        assert_eq!(with(Some(15)).longest(&config), 10);
        assert!(with(Some(0)).check().is_err() && with(Some(61)).check().is_err());
        assert!(with(Some(60)).check().is_ok());
    }
}
