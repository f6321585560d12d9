//! The data of the pages on which a person answers requests from elsewhere (RFC 8628 §3.3, OpenID CIBA §10).
#![expect(clippy::ref_option_ref, reason = "serde's serialize_with passes references")]

use serde::Serialize;
use svc_domain::apis::Sentence;

use super::forms::{App, ScopeText};
use super::gates;
use super::messages::MessageKey;

/// The form for the code of a device: input `user_code`, button `device-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DeviceCode<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state, the hidden input `flow`.
    pub flow: &'a str,
    /// What the code starts with; it is never sent without the person.
    #[serde(serialize_with = "gates::line")]
    pub user_code: &'a str,
    /// What was wrong with the last attempt.
    pub error: Option<MessageKey>,
    /// Who is signed in.
    #[serde(serialize_with = "gates::line")]
    pub account: &'a str,
    /// Sign in as somebody else.
    #[serde(serialize_with = "gates::link_opt")]
    pub switch_url: Option<&'a str>,
}

/// The requests that wait for a person, each with a form of its own: buttons `approval-allow-0` and `approval-deny-0`,
/// both named `decision`, and so on.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Approvals<'a> {
    /// Where the forms are sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// Who is signed in.
    #[serde(serialize_with = "gates::line")]
    pub account: &'a str,
    /// Sign in as somebody else.
    #[serde(serialize_with = "gates::link_opt")]
    pub switch_url: Option<&'a str>,
    /// Where the code of a device is entered.
    #[serde(serialize_with = "gates::link_opt")]
    pub device_url: Option<&'a str>,
    /// The requests.
    pub requests: &'a [Approval<'a>],
}

/// One request of [`Approvals`].
#[derive(Clone, Debug, Default, Serialize)]
pub struct Approval<'a> {
    /// The sealed state, the hidden input `flow`.
    pub flow: &'a str,
    /// Who asks.
    pub app: App<'a>,
    /// The code that the person's device shows.
    #[serde(serialize_with = "gates::line_opt")]
    pub user_code: Option<&'a str>,
    /// What the application shows at the other place.
    #[serde(serialize_with = "gates::line_opt")]
    pub binding_message: Option<&'a str>,
    /// What is asked for.
    pub scopes: &'a [ScopeText<'a>],
    /// What is asked for in detail.
    #[serde(serialize_with = "gates::sentences")]
    pub details: &'a [Sentence],
    /// Minutes until it expires.
    pub minutes: i64,
}
