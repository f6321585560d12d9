//! What follows from unusual sign-ins at a tenant.

use serde::{Deserialize, Serialize};
use svc_config::Config;
use svc_core::{Error, Result};
use utoipa::ToSchema;

/// The highest score of a sign-in.
pub const HIGHEST_SCORE: u32 = 100;

/// What happens at unusual sign-ins; members that are left out take the deployment's values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AdaptiveMfa {
    /// The score from which a second factor is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 100)]
    pub step_up_score: Option<u32>,
    /// The score from which a sign-in is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 100)]
    pub block_score: Option<u32>,
    /// Whether people are only notified: no second factor is asked for, and no sign-in is refused.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_tell: bool,
}

/// What follows from a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequence {
    /// Nothing.
    Nothing,
    /// The person gets a mail.
    Tell,
    /// A second factor is asked for.
    Ask,
    /// The sign-in is refused.
    Refuse,
}

impl AdaptiveMfa {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// What follows from a score here.
    pub fn consequence(&self, config: &Config, score: u32) -> Consequence {
        let usual = &config.adaptive_mfa;
        let step_up = self.step_up_score.unwrap_or(usual.step_up_score);
        // Where a tenant asks later than the deployment refuses, it refuses no earlier than it asks.
        let block = self.block_score.unwrap_or(usual.block_score).max(step_up);
        if score < step_up {
            Consequence::Nothing
        } else if self.only_tell {
            Consequence::Tell
        } else if score < block {
            Consequence::Ask
        } else {
            Consequence::Refuse
        }
    }

    /// Refuses thresholds that no score reaches, and refusing before asking.
    pub(super) fn check(&self) -> Result<()> {
        let within = |name: &str, score: Option<u32>| match score {
            Some(score) if !(1..=HIGHEST_SCORE).contains(&score) => Err(Error::bad_request(format!(
                "adaptive_mfa.{name}: give a number from 1 to {HIGHEST_SCORE}"
            ))),
            _ => Ok(()),
        };
        let order = match (self.step_up_score, self.block_score) {
            (Some(step_up), Some(block)) if block < step_up => {
                Err(Error::bad_request("adaptive_mfa.block_score: must be at least step_up_score"))
            }
            _ => Ok(()),
        };
        Error::every([
            within("step_up_score", self.step_up_score),
            within("block_score", self.block_score),
            order,
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenant_asks_refuses_and_only_tells_by_its_own_scores() {
        use Consequence::{Ask, Nothing, Refuse, Tell};
        let config = Config::default();
        let of = |settings: &AdaptiveMfa| [10, 50, 90].map(|score| settings.consequence(&config, score));
        assert_eq!(of(&AdaptiveMfa::default()), [Nothing, Ask, Refuse]);
        let strict = AdaptiveMfa { step_up_score: Some(10), block_score: Some(50), only_tell: false };
        assert_eq!(of(&strict), [Ask, Refuse, Refuse]);
        assert_eq!(of(&AdaptiveMfa { only_tell: true, ..strict }), [Tell; 3]);
        let late = AdaptiveMfa { step_up_score: Some(95), ..AdaptiveMfa::default() };
        assert_eq!(of(&late), [Nothing; 3]);
    }

    #[test]
    fn a_tenant_that_chooses_nothing_has_the_scores_of_the_deployment() {
        use Consequence::{Ask, Nothing, Refuse};
        let mut config = Config::default();
        (config.adaptive_mfa.step_up_score, config.adaptive_mfa.block_score) = (20, 40);
        let of = |score| AdaptiveMfa::default().consequence(&config, score);
        assert_eq!([19, 20, 39, 40].map(of), [Nothing, Ask, Ask, Refuse]);
    }

    #[test]
    fn scores_out_of_range_or_order_are_refused() {
        let of = |step_up_score, block_score| AdaptiveMfa { step_up_score, block_score, only_tell: false };
        assert!(of(Some(1), Some(100)).check().is_ok() && of(None, Some(1)).check().is_ok());
        for bad in [of(Some(0), None), of(None, Some(101)), of(Some(60), Some(59))] {
            assert!(bad.check().is_err(), "{bad:?}");
        }
    }
}
