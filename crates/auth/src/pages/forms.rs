//! The data of the hosted forms; `flow` is always the sealed state that also proves the form was ours.
#![expect(clippy::ref_option_ref, reason = "serde's serialize_with passes references")]

use serde::{Serialize, Serializer};
use serde_json::Value;
use svc_domain::apis::Sentence;

use super::messages::MessageKey;
use super::mismatch::Mismatch;
use super::{gates, messages};

/// The sign-in form: inputs `username` and `password`, button `login-submit`, and what other methods add.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SignIn<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// What the user name starts with.
    #[serde(serialize_with = "gates::line")]
    pub username: &'a str,
    /// What was wrong with the last attempt.
    pub error: Option<MessageKey>,
    /// What led here.
    pub notice: Option<MessageKey>,
    /// The application that the person is on the way to.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
    /// Self-registration, where it is open.
    #[serde(serialize_with = "gates::link_opt")]
    pub register_url: Option<&'a str>,
    /// Forgotten password.
    #[serde(serialize_with = "gates::link_opt")]
    pub forgot_url: Option<&'a str>,
    /// The ways to sign in, each with the template of its part.
    pub methods: &'a [MethodPart<'a>],
}

/// The part of the sign-in page that one method fills.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MethodPart<'a> {
    /// The value of the hidden input `method`.
    pub id: &'a str,
    /// The template of the part.
    pub partial: &'a str,
    /// The link that begins a method of two steps.
    pub begin_url: Option<String>,
    /// What the second step shows, such as a challenge.
    pub shown: Option<&'a Value>,
}

/// The registration form: input `email`, button `register-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Register<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// What the address starts with.
    #[serde(serialize_with = "gates::line")]
    pub email: &'a str,
    /// What was wrong with the last attempt.
    pub error: Option<MessageKey>,
    /// The application that the person is on the way to.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
    /// Back to sign-in.
    #[serde(serialize_with = "gates::link_opt")]
    pub signin_url: Option<&'a str>,
    /// The privacy policy.
    #[serde(serialize_with = "gates::foreign_link")]
    pub policy_url: Option<&'a str>,
    /// The terms of service.
    #[serde(serialize_with = "gates::foreign_link")]
    pub tos_url: Option<&'a str>,
}

/// The page behind the link of a registration mail: inputs `name` and `password` where they are chosen now, button
/// `verify-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct VerifyEmail<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// The address to confirm.
    #[serde(serialize_with = "gates::line")]
    pub email: &'a str,
    /// Whether the person says their name: there is no account yet.
    pub asks_name: bool,
    /// Whether the person chooses a password.
    pub asks_password: bool,
    /// What the name starts with.
    #[serde(serialize_with = "gates::line")]
    pub name: &'a str,
    /// What was wrong with the last attempt.
    pub error: Option<MessageKey>,
    /// Fewest characters of a password.
    pub min_length: u32,
}

/// The question to a person whose account is no member of the tenant yet: button `join-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Join<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the sign-in, the hidden input `flow`.
    pub flow: &'a str,
    /// The account.
    #[serde(serialize_with = "gates::line")]
    pub account: &'a str,
    /// The application that the person is on the way to.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
}

/// The form for a forgotten password: input `username`, button `forgot-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Forgot<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// What the user name starts with.
    #[serde(serialize_with = "gates::line")]
    pub username: &'a str,
    /// What was wrong with the last attempt.
    pub error: Option<MessageKey>,
    /// Back to sign-in.
    #[serde(serialize_with = "gates::link_opt")]
    pub signin_url: Option<&'a str>,
}

/// The form for a new password: input `password`, button `reset-submit`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ResetPassword<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// Whose password it is, also for password managers.
    #[serde(serialize_with = "gates::line")]
    pub username: &'a str,
    /// What was wrong with the last attempt.
    pub error: Option<MessageKey>,
    /// Fewest characters of a password.
    pub min_length: u32,
}

/// The consent form: buttons `consent-allow` and `consent-deny`, both named `decision`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Consent<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// Who asks.
    pub app: App<'a>,
    /// Who is signed in: an e-mail address or a name.
    #[serde(serialize_with = "gates::line")]
    pub account: &'a str,
    /// Sign in as somebody else.
    #[serde(serialize_with = "gates::link_opt")]
    pub switch_url: Option<&'a str>,
    /// What is asked for.
    pub scopes: &'a [ScopeText<'a>],
    /// What is asked for in detail.
    #[serde(serialize_with = "gates::sentences")]
    pub details: &'a [Sentence],
}

/// An application as it presents itself; links that are not web addresses are left out.
#[derive(Clone, Debug, Default, Serialize)]
pub struct App<'a> {
    /// Its name.
    #[serde(serialize_with = "gates::name")]
    pub name: &'a str,
    /// Its picture.
    #[serde(serialize_with = "gates::foreign_image")]
    pub logo_url: Option<&'a str>,
    /// Its home page.
    #[serde(serialize_with = "gates::foreign_link")]
    pub home_url: Option<&'a str>,
    /// Its privacy policy.
    #[serde(serialize_with = "gates::foreign_link")]
    pub policy_url: Option<&'a str>,
    /// Its terms of service.
    #[serde(serialize_with = "gates::foreign_link")]
    pub tos_url: Option<&'a str>,
}

/// One scope of a consent: the standard ones have sentences of ours, others bring a description.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScopeText<'a> {
    /// The scope token.
    pub name: &'a str,
    /// What it means, as the API's owner wrote it; unused for standard scopes.
    pub description: Option<&'a str>,
}

impl Serialize for ScopeText<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown<'a> {
            #[serde(serialize_with = "gates::line")]
            name: &'a str,
            id: Option<&'static str>,
            #[serde(serialize_with = "gates::line_opt")]
            description: Option<&'a str>,
        }
        let Self { name, description } = *self;
        Shown { name, id: messages::scope(name), description }.serialize(to)
    }
}

/// The account chooser: buttons named `account`, the value `other` for somebody else.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SelectAccount<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// The application that the person is on the way to.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
    /// The accounts signed in.
    pub accounts: &'a [Account<'a>],
}

/// One account of [`SelectAccount`].
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Account<'a> {
    /// The value that the button sends.
    pub value: &'a str,
    /// The person's name.
    #[serde(serialize_with = "gates::name")]
    pub name: &'a str,
    /// The e-mail address or user name.
    #[serde(serialize_with = "gates::line")]
    pub detail: &'a str,
}

/// The form that confirms signing out: button `logout-confirm`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SignOut<'a> {
    /// Where the form is sent.
    #[serde(serialize_with = "gates::link")]
    pub action: &'a str,
    /// The sealed state of the flow, the hidden input `flow`.
    pub flow: &'a str,
    /// The application that asks, when it is known.
    #[serde(serialize_with = "gates::name_opt")]
    pub app_name: Option<&'a str>,
    /// Who is signed in.
    #[serde(serialize_with = "gates::line_opt")]
    pub account: Option<&'a str>,
    /// Whether the application wanted to go on with an address that is not registered.
    pub is_unregistered: bool,
    /// What it was, and what is registered instead: for developers, outside production.
    pub mismatch: Option<Mismatch<'a>>,
}
