//! The organization in which the tokens of a request count that is decided elsewhere: a person who belongs to several chooses one with
//! the decision, on the page or through an application of theirs.

use svc_core::{Error, OrganizationId};
use svc_domain::organizations::Place;

use crate::authorize::organization::Whereabouts;

/// What a person answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They allow it, in the organization that they chose, if any.
    Allow(Option<OrganizationId>),
    /// They refuse.
    Deny,
}

impl Answer {
    /// Whether the person allows it.
    pub fn is_allowed(self) -> bool {
        matches!(self, Self::Allow(_))
    }
}

/// The organization for a choice; where the choice does not fit, those that do. What they chose counts and nothing else, so that a page
/// that was shown before a membership ended leads to no other organization.
pub fn chosen(whereabouts: Whereabouts, choice: Option<OrganizationId>) -> Result<Option<Place>, Vec<Place>> {
    match whereabouts {
        Whereabouts::Everywhere if choice.is_none() => Ok(None),
        Whereabouts::In(place) if choice.is_none_or(|choice| choice == place.id) => Ok(Some(place)),
        Whereabouts::In(place) => Err(vec![place]),
        Whereabouts::Open(places) => Err(places),
        Whereabouts::Everywhere | Whereabouts::Nowhere => Err(Vec::new()),
    }
}

/// The refusal of an answer whose choice does not fit.
pub fn refusal(answer: Answer, places: &[Place]) -> Error {
    Error::bad_request(match answer {
        Answer::Allow(Some(_)) if places.is_empty() => {
            "organization_id: these tokens count in no organization; leave it out"
        }
        Answer::Allow(Some(_)) => {
            "organization_id: these tokens cannot count there; take one of the organizations of the request, if any"
        }
        Answer::Allow(None) | Answer::Deny => {
            "organization_id: the person belongs to several organizations; take one of those of the request"
        }
    })
}

#[cfg(test)]
mod tests {
    use svc_domain::organizations::SignInRules;

    use super::*;

    fn place(id: &str) -> Place {
        Place {
            id: id.parse().unwrap(),
            slug: id.to_owned(),
            name: id.to_owned(),
            roles: Vec::new(),
            metadata: serde_json::Map::new(),
            sign_in: SignInRules::default(),
        }
    }

    #[test]
    fn a_choice_stands_only_where_the_tokens_can_count() {
        let (first, second) =
            (place("org_00000000000000000000000001"), place("org_00000000000000000000000002"));
        let both = || vec![first.clone(), second.clone()];
        let alone = || Whereabouts::In(first.clone());
        assert_eq!(chosen(Whereabouts::Everywhere, None), Ok(None));
        assert_eq!(chosen(Whereabouts::Everywhere, Some(first.id)), Err(Vec::new()));
        assert_eq!(chosen(alone(), None), Ok(Some(first.clone())));
        assert_eq!(chosen(alone(), Some(first.id)), Ok(Some(first.clone())));
        assert_eq!(chosen(alone(), Some(second.id)), Err(vec![first.clone()]));
        assert_eq!(chosen(Whereabouts::Open(both()), None), Err(both()));
        assert_eq!(chosen(Whereabouts::Nowhere, None), Err(Vec::new()));
    }
}
