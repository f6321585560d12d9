//! What a test of an organization's provider finds, in the words of its page.

use svc_http::sso_trial::{Finding, Outcome, Part, Step};

use super::declare::page;
use super::values::Line;

page! {
    /// One step of a test.
    pub struct SsoStep {
        /// What was looked at, as the id of a message.
        pub title: &'static str,
        /// The result: `passed`, `warning` or `failed`.
        pub outcome: &'static str,
        /// The same as the id of a message.
        pub mark: &'static str,
        /// What was found and what to do about it, as the id of a message.
        pub text: &'static str,
        /// What the message names.
        pub value: Line,
        /// The technical reason, in English.
        pub why: Option<Line>,
    }
}

impl SsoStep {
    /// A step in words.
    pub fn of(Step { part, finding }: &Step) -> Self {
        let outcome = finding.outcome();
        let (text, value, why) = words(*part, finding);
        Self {
            title: title(*part),
            outcome: outcome.name(),
            mark: mark(outcome),
            text,
            value: value.into(),
            why: why.map(Into::into),
        }
    }
}

fn title(part: Part) -> &'static str {
    match part {
        Part::Discovery => "sso-step-discovery",
        Part::Issuer => "sso-step-issuer",
        Part::Endpoints => "sso-step-endpoints",
        Part::Keys => "sso-step-keys",
        Part::ClientAuth => "sso-step-client-auth",
        Part::IdToken => "sso-step-id-token",
        Part::Pkce => "sso-step-pkce",
    }
}

fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "sso-outcome-passed",
        Outcome::Warning => "sso-outcome-warning",
        Outcome::Failed => "sso-outcome-failed",
    }
}

/// The id of the message, what it names, and the technical reason.
fn words(part: Part, finding: &Finding) -> (&'static str, &str, Option<&str>) {
    match finding {
        Finding::Described { url } => ("sso-found-described", url, None),
        // The issuer is right: what is wrong with keys, those who run the provider mend.
        Finding::Unreachable { url, why: reason } | Finding::Refused { url, status: reason }
            if part == Part::Keys =>
        {
            ("sso-found-no-keys", url, Some(reason))
        }
        Finding::NoKeys { url, why } => ("sso-found-no-keys", url, Some(why)),
        Finding::Unreachable { url, why } => ("sso-found-unreachable", url, Some(why)),
        Finding::Refused { url, status } => ("sso-found-refused", url, Some(status)),
        Finding::NoDocument { url, why } => ("sso-found-no-document", url, Some(why)),
        Finding::SameIssuer => ("sso-found-same-issuer", "", None),
        Finding::OtherIssuer { issuer } => ("sso-found-other-issuer", issuer, None),
        Finding::Endpoints => ("sso-found-endpoints", "", None),
        Finding::EndpointMissing { name } => ("sso-found-endpoint-missing", name, None),
        Finding::EndpointOutOfReach { name, why } => ("sso-found-endpoint-out-of-reach", name, Some(why)),
        Finding::Keys { url } => ("sso-found-keys", url, None),
        Finding::ClientAuth { method } => ("sso-found-client-auth", method, None),
        Finding::OtherClientAuth { methods } => ("sso-found-other-client-auth", methods, None),
        Finding::IdTokens { algorithms } => ("sso-found-id-tokens", algorithms, None),
        Finding::OtherIdTokens { accepted } => ("sso-found-other-id-tokens", accepted, None),
        Finding::Pkce => ("sso-found-pkce", "", None),
        Finding::PkceUnsaid => ("sso-found-pkce-unsaid", "", None),
    }
}

/// Each thing that a test can find, with `text` wherever another's words may stand.
#[cfg(test)]
pub(super) fn every_step(text: &str) -> Vec<Step> {
    let own = || text.to_owned();
    let found = [
        (Part::Discovery, Finding::Described { url: own() }),
        (Part::Discovery, Finding::Unreachable { url: own(), why: own() }),
        (Part::Discovery, Finding::Refused { url: own(), status: own() }),
        (Part::Discovery, Finding::NoDocument { url: own(), why: own() }),
        (Part::Issuer, Finding::SameIssuer),
        (Part::Issuer, Finding::OtherIssuer { issuer: own() }),
        (Part::Endpoints, Finding::Endpoints),
        (Part::Endpoints, Finding::EndpointMissing { name: "jwks_uri" }),
        (Part::Endpoints, Finding::EndpointOutOfReach { name: "jwks_uri", why: own() }),
        (Part::Keys, Finding::Keys { url: own() }),
        (Part::Keys, Finding::Refused { url: own(), status: own() }),
        (Part::Keys, Finding::NoKeys { url: own(), why: own() }),
        (Part::ClientAuth, Finding::ClientAuth { method: "private_key_jwt" }),
        (Part::ClientAuth, Finding::OtherClientAuth { methods: own() }),
        (Part::IdToken, Finding::IdTokens { algorithms: own() }),
        (Part::IdToken, Finding::OtherIdTokens { accepted: own() }),
        (Part::Pkce, Finding::Pkce),
        (Part::Pkce, Finding::PkceUnsaid),
    ];
    found.into_iter().map(|(part, finding)| Step { part, finding }).collect()
}

/// Every id that is chosen here rather than named in a template.
#[cfg(test)]
pub(super) fn ids() -> impl Iterator<Item = &'static str> {
    every_step("").into_iter().flat_map(|step| {
        let SsoStep { title, mark, text, .. } = SsoStep::of(&step);
        [title, mark, text]
    })
}
