//! An authorization request on its way through the pages: sealed into each of them, stored nowhere.

use serde::{Deserialize, Deserializer, Serialize};
use svc_core::{AppId, OrganizationId, Scope, Seconds, SessionId, TenantUserId, Timestamp};

use super::social::Linking;
use crate::authorize::AuthorizationRequest;
use crate::hosted::Carried;

/// An authorization request on its way through the pages.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flow {
    /// What the application asks for, checked.
    pub request: AuthorizationRequest,
    /// When the person last came a step further.
    pub since: Timestamp,
    /// The session that the person began within this flow: only that satisfies a request for a fresh sign-in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_in: Option<SessionId>,
    /// For whom its pages are: they act for that person and no other, even if another one acts in the browser by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<TenantUserId>,
    /// What the person has typed on the page before, which the next one asks for too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub typed: Option<String>,
    /// Whether the person has chosen the account.
    #[serde(default)]
    pub selected: bool,
    /// Whether the person who is signed in gives way to another one, who signs in.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_another: bool,
    /// The organization that the person has chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization: Option<OrganizationId>,
    /// The organization whose rules the sign-in is held to, where the request names none: that to which the typed address leads, or
    /// in which the tokens of a person who has signed in are to count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub led: Option<OrganizationId>,
    /// Whether the organization demands a second factor.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub second_factor: bool,
    /// What the consent page showed, and to whom: an answer allows that and no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
    /// The identity at another provider that the account is to be opened by from now on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linking: Option<Linking>,
}

/// What a consent page showed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offer {
    /// Who was asked.
    pub person: TenantUserId,
    /// For what: the scopes, and the claims that none of them covers.
    #[serde(deserialize_with = "restored")]
    pub scope: Scope,
    /// What it said of the authorization details, as a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<String>,
    /// What an application that registered itself said of itself, as a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
}

fn restored<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Scope, D::Error> {
    String::deserialize(deserializer).map(|text| Scope::restored(&text))
}

impl Flow {
    /// A flow that begins.
    pub fn new(request: AuthorizationRequest, now: Timestamp) -> Self {
        Self {
            request,
            since: now,
            signed_in: None,
            person: None,
            typed: None,
            selected: false,
            for_another: false,
            organization: None,
            led: None,
            second_factor: false,
            offer: None,
            linking: None,
        }
    }

    /// What the organization is called in which the tokens are to count, as far as request and person have said.
    pub fn organization(&self) -> Option<String> {
        self.organization.map(|chosen| chosen.to_string()).or_else(|| self.request.organization.clone())
    }

    /// What the organization is called to whose rules the sign-in is held.
    pub fn held_to(&self) -> Option<String> {
        self.organization().or_else(|| self.led.map(|led| led.to_string()))
    }

    /// The flow after its person signed in.
    #[must_use]
    pub fn signed_in(self, (session, person): (SessionId, TenantUserId), now: Timestamp) -> Self {
        Self { signed_in: Some(session), person: Some(person), for_another: false, since: now, ..self }
    }
}

impl Carried for Flow {
    const LABEL: &'static str = "hosted flow";

    fn expires_at(&self, _: Timestamp, login: Seconds) -> Timestamp {
        self.since + login
    }

    fn app(&self) -> Option<AppId> {
        Some(self.request.client)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{NOW, authorization_request};

    #[test]
    fn a_flow_ends_so_long_after_its_last_step() {
        let flow = Flow::new(authorization_request(), NOW);
        assert_eq!(flow.expires_at(NOW + Seconds(60), Seconds(900)), NOW + Seconds(900));
    }
}
