//! How people of a tenant recover their accounts by guardians.

use serde::{Deserialize, Serialize};
use svc_config::Config;
use svc_core::{Error, Result, Seconds};
use utoipa::ToSchema;

/// The longest time of waiting, in hours.
pub const LONGEST_WAIT_HOURS: u32 = 720;

/// Recovery by guardians, where the deployment offers it; members that are left out take the deployment's values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SocialRecovery {
    /// Whether the tenant goes without.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub disabled: bool,
    /// Fewest hours from the last confirmation that is needed to the new password; the longer time counts, the deployment's or
    /// the tenant's.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 720)]
    pub min_wait_hours: Option<u32>,
}

impl SocialRecovery {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether people have guardians here.
    pub fn is_offered(&self, config: &Config) -> bool {
        config.user_self_service.social_recovery_enabled && !self.disabled
    }

    /// The shortest time of waiting.
    pub fn least_wait(&self, config: &Config) -> Seconds {
        let least = config.user_self_service.social_recovery_min_wait_hours;
        Seconds::from_hours(self.min_wait_hours.map_or(least, |own| own.max(least)))
    }

    /// The time of waiting that people begin with.
    pub fn usual_wait(&self, config: &Config) -> Seconds {
        Seconds::from_hours(config.user_self_service.social_recovery_wait_hours).max(self.least_wait(config))
    }

    /// Refuses a time of waiting that no deployment can have.
    pub(super) fn check(&self) -> Result<()> {
        match self.min_wait_hours {
            Some(hours) if !(1..=LONGEST_WAIT_HOURS).contains(&hours) => Err(Error::bad_request(format!(
                "social_recovery.min_wait_hours: use 1 to {LONGEST_WAIT_HOURS}"
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_waits_longer_and_not_shorter_than_the_deployment() {
        let mut config = Config::default();
        config.user_self_service.social_recovery_enabled = true;
        let with = |min_wait_hours| SocialRecovery { disabled: false, min_wait_hours };
        assert_eq!(with(None).least_wait(&config), Seconds::from_hours(24));
        assert_eq!(with(Some(1)).least_wait(&config), Seconds::from_hours(24));
        assert_eq!(with(Some(96)).least_wait(&config), Seconds::from_hours(96));
        assert_eq!(with(None).usual_wait(&config), Seconds::from_hours(48));
        assert_eq!(
            with(Some(96)).usual_wait(&config),
            Seconds::from_hours(96),
            "nothing to begin with is too short"
        );
        config.user_self_service.social_recovery_wait_hours = 72;
        assert_eq!(with(None).usual_wait(&config), Seconds::from_hours(72));
        assert!(with(Some(0)).check().is_err() && with(Some(721)).check().is_err());
        assert!(with(None).is_offered(&config) && !with(None).is_offered(&Config::default()));
        assert!(!SocialRecovery { disabled: true, min_wait_hours: None }.is_offered(&config));
    }
}
