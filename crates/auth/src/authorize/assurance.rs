//! How strong a sign-in an application asks for (`acr_values` and the claim `acr`, OpenID Connect Core §3.1.2.1, §5.5.1.1).

use serde::{Deserialize, Serialize};
use svc_domain::claims::assurance::Level;

/// The levels that are asked for; no sign-in reaches unknown ones, and they are not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assurance {
    /// In order of preference.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    levels: Vec<Level>,
    /// Whether one of them has to be reached.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_essential: bool,
}

impl Assurance {
    /// Reads `acr` values in order of preference; values that are not ours can only make an essential request harder.
    pub fn new<'a>(values: impl IntoIterator<Item = &'a str>, is_essential: bool) -> Self {
        let mut levels = Vec::new();
        for level in values.into_iter().filter_map(Level::of) {
            if !levels.contains(&level) {
                levels.push(level);
            }
        }
        Self { levels, is_essential }
    }

    /// Whether any strength will do.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the application has to be refused.
    pub fn is_essential(&self) -> bool {
        self.is_essential
    }

    /// Whether a sign-in of this strength may be reported to the application; a request that is not essential never forbids it.
    pub fn is_met_by(&self, reached: Option<Level>) -> bool {
        !self.is_essential || self.levels.iter().any(|level| Some(*level) <= reached)
    }

    /// The level to aim at, where people can reach `best`: the most preferred one that is not out of reach.
    pub fn aim(&self, best: Option<Level>) -> Option<Level> {
        self.levels.iter().copied().find(|level| Some(*level) <= best)
    }

    /// The `acr` to report of a sign-in: what was reached, or for an essential request the strongest of the requested values
    /// that it includes (OpenID Connect Core §5.5.1.1).
    pub fn reported<'a>(&self, acr: &'a str) -> &'a str {
        let reached = Level::of(acr);
        if !self.is_essential || reached.is_some_and(|level| self.levels.contains(&level)) {
            return acr;
        }
        let included = self.levels.iter().copied().filter(|level| Some(*level) <= reached).max();
        included.map_or(acr, |level| level.acr())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AAL1: &str = "urn:svc:aal1";
    const AAL2: &str = "urn:svc:aal2";
    const AAL3: &str = "urn:svc:aal3";

    #[test]
    fn an_essential_wish_is_met_by_what_it_names_and_by_more() {
        let request = Assurance::new([AAL2], true);
        assert!(!request.is_met_by(None) && !request.is_met_by(Some(Level::Aal1)));
        assert!(request.is_met_by(Some(Level::Aal2)) && request.is_met_by(Some(Level::Aal3)));
        assert!(
            !Assurance::new(["phr"], true).is_met_by(Some(Level::Aal3)),
            "no sign-in reaches what is unknown"
        );
        assert!(Assurance::new([AAL3], false).is_met_by(None));
    }

    #[test]
    fn the_most_preferred_level_within_reach_is_aimed_at() {
        let request = Assurance::new([AAL3, "phr", AAL1, AAL2, AAL1], false);
        assert_eq!(request.aim(Some(Level::Aal3)), Some(Level::Aal3));
        assert_eq!(request.aim(Some(Level::Aal2)), Some(Level::Aal1));
        assert_eq!(request.aim(None), None);
    }

    #[test]
    fn what_was_reached_is_told_unless_only_less_was_essential() {
        assert_eq!(Assurance::new([AAL1], false).reported(AAL2), AAL2);
        assert_eq!(Assurance::new([AAL1], true).reported(AAL2), AAL1);
        assert_eq!(Assurance::new([AAL1, AAL2], true).reported(AAL3), AAL2);
        assert_eq!(Assurance::new([AAL1, AAL2], true).reported(AAL2), AAL2);
        assert_eq!(Assurance::default().reported(""), "");
    }
}
