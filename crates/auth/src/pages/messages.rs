//! The messages that handlers choose: notices of forms, outcomes, sentences for scopes and error codes.

use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};
use svc_core::Seconds;

/// A message beside a form, as an error or as a notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageKey {
    /// The pair of user name and password is wrong; says nothing about which.
    WrongCredentials,
    /// Too many wrong attempts, for this account or from this address.
    TooManyAttempts {
        /// Minutes until another attempt makes sense.
        minutes: u32,
    },
    /// Too many wrong guesses by this name; says how to go on.
    LockedOut {
        /// Minutes until the lock ends.
        minutes: u32,
    },
    /// The user name or e-mail address is missing.
    UsernameMissing,
    /// The password is missing.
    PasswordMissing,
    /// The name is missing.
    NameMissing,
    /// The e-mail address is missing or is not one.
    EmailInvalid,
    /// The new password is too short.
    PasswordTooShort {
        /// Fewest characters.
        least: u32,
    },
    /// The new password is too long.
    PasswordTooLong {
        /// Most characters.
        most: u32,
    },
    /// The new password is easy to guess or known from leaks.
    PasswordTooCommon,
    /// The mailed link has been used or is too old.
    LinkExpired,
    /// The form was open for too long, or was sent from another page.
    FormExpired,
    /// The code of a device is wrong or too old; says nothing about which.
    UserCodeUnknown,
    /// The person has to prove again who they are.
    SignInAgain,
    /// Notice: one proof is not enough here.
    OneMoreStep,
    /// Notice: the password has been changed.
    PasswordChanged,
    /// Notice: the e-mail address has been confirmed.
    EmailVerified,
}

impl MessageKey {
    /// Too many attempts, for so long: whole minutes, rounded up.
    pub fn too_many_attempts(wait: Seconds) -> Self {
        Self::TooManyAttempts { minutes: minutes(wait) }
    }

    /// Locked for so long.
    pub fn locked_out(wait: Seconds) -> Self {
        Self::LockedOut { minutes: minutes(wait) }
    }

    /// One of each, for tests that enumerate.
    pub const ALL: &'static [Self] = &[
        Self::WrongCredentials,
        Self::TooManyAttempts { minutes: 5 },
        Self::LockedOut { minutes: 15 },
        Self::UsernameMissing,
        Self::PasswordMissing,
        Self::NameMissing,
        Self::EmailInvalid,
        Self::PasswordTooShort { least: 12 },
        Self::PasswordTooLong { most: 256 },
        Self::PasswordTooCommon,
        Self::LinkExpired,
        Self::FormExpired,
        Self::UserCodeUnknown,
        Self::SignInAgain,
        Self::OneMoreStep,
        Self::PasswordChanged,
        Self::EmailVerified,
    ];

    /// The id in the catalogues.
    pub fn id(self) -> &'static str {
        match self {
            Self::WrongCredentials => "error-wrong-credentials",
            Self::TooManyAttempts { .. } => "error-too-many-attempts",
            Self::LockedOut { .. } => "error-locked-out",
            Self::UsernameMissing => "error-username-missing",
            Self::PasswordMissing => "error-password-missing",
            Self::NameMissing => "error-name-missing",
            Self::EmailInvalid => "error-email-invalid",
            Self::PasswordTooShort { .. } => "error-password-too-short",
            Self::PasswordTooLong { .. } => "error-password-too-long",
            Self::PasswordTooCommon => "error-password-too-common",
            Self::LinkExpired => "error-link-expired",
            Self::FormExpired => "error-form-expired",
            Self::UserCodeUnknown => "error-user-code",
            Self::SignInAgain => "notice-sign-in-again",
            Self::OneMoreStep => "notice-one-more-step",
            Self::PasswordChanged => "notice-password-changed",
            Self::EmailVerified => "notice-email-verified",
        }
    }

    /// The input that the message is about: `credentials` for user name and password together, nothing for
    /// the whole form.
    fn field(self) -> &'static str {
        match self {
            Self::WrongCredentials => "credentials",
            Self::UsernameMissing => "username",
            Self::NameMissing => "name",
            Self::EmailInvalid => "email",
            Self::UserCodeUnknown => "user_code",
            Self::PasswordMissing
            | Self::PasswordTooShort { .. }
            | Self::PasswordTooLong { .. }
            | Self::PasswordTooCommon => "password",
            _ => "",
        }
    }

    /// The number in the message.
    fn count(self) -> u32 {
        match self {
            Self::TooManyAttempts { minutes: n }
            | Self::LockedOut { minutes: n }
            | Self::PasswordTooShort { least: n }
            | Self::PasswordTooLong { most: n } => n,
            _ => 0,
        }
    }
}

/// Whole minutes, rounded up.
fn minutes(wait: Seconds) -> u32 {
    u32::try_from(wait.0.max(1).saturating_add(59) / 60).unwrap_or(u32::MAX)
}

impl Serialize for MessageKey {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut message = to.serialize_struct("MessageKey", 3)?;
        message.serialize_field("id", self.id())?;
        message.serialize_field("field", self.field())?;
        message.serialize_field("count", &self.count())?;
        message.end()
    }
}

/// What a [`super::Done`] page reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The e-mail address has been confirmed.
    EmailVerified,
    /// The password has been changed.
    PasswordChanged,
    /// The mailed link has been used or is too old.
    LinkExpired,
    /// The person refused, and there is no application to go back to.
    Refused,
    /// The person allowed what was asked for elsewhere.
    Approved,
}

impl Outcome {
    /// One of each, for tests that enumerate.
    pub const ALL: &'static [Self] =
        &[Self::EmailVerified, Self::PasswordChanged, Self::LinkExpired, Self::Refused, Self::Approved];

    /// The ids of title and text.
    fn ids(self) -> [&'static str; 2] {
        match self {
            Self::EmailVerified => ["done-email-verified-title", "done-email-verified-text"],
            Self::PasswordChanged => ["done-password-changed-title", "done-password-changed-text"],
            Self::LinkExpired => ["done-link-expired-title", "done-link-expired-text"],
            Self::Refused => ["done-refused-title", "done-refused-text"],
            Self::Approved => ["done-approved-title", "done-approved-text"],
        }
    }
}

impl Serialize for Outcome {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let [title, text] = self.ids();
        let mut outcome = to.serialize_struct("Outcome", 3)?;
        outcome.serialize_field("title", title)?;
        outcome.serialize_field("text", text)?;
        outcome.serialize_field(
            "is_good",
            &matches!(self, Self::EmailVerified | Self::PasswordChanged | Self::Approved),
        )?;
        outcome.end()
    }
}

/// The standard scopes (OpenID Connect Core §5.4, §11) and the ids of their sentences.
const SCOPES: &[(&str, &str)] = &[
    ("openid", "scope-openid"),
    ("profile", "scope-profile"),
    ("email", "scope-email"),
    ("address", "scope-address"),
    ("phone", "scope-phone"),
    ("offline_access", "scope-offline-access"),
    // Claims that are asked for by name, as consents call them.
    ("claim:name", "claim-name"),
    ("claim:given_name", "claim-given-name"),
    ("claim:family_name", "claim-family-name"),
    ("claim:middle_name", "claim-middle-name"),
    ("claim:nickname", "claim-nickname"),
    ("claim:preferred_username", "claim-preferred-username"),
    ("claim:profile", "claim-profile"),
    ("claim:picture", "claim-picture"),
    ("claim:website", "claim-website"),
    ("claim:gender", "claim-gender"),
    ("claim:birthdate", "claim-birthdate"),
    ("claim:zoneinfo", "claim-zoneinfo"),
    ("claim:locale", "claim-locale"),
    ("claim:updated_at", "claim-updated-at"),
    ("claim:email", "scope-email"),
    ("claim:email_verified", "claim-email-verified"),
    ("claim:address", "scope-address"),
    ("claim:phone_number", "scope-phone"),
    ("claim:phone_number_verified", "claim-phone-number-verified"),
];

/// The id of the sentence for a standard scope or claim.
pub(super) fn scope(name: &str) -> Option<&'static str> {
    SCOPES.iter().find(|(scope, _)| *scope == name).map(|(_, id)| *id)
}

/// What went wrong, as far as it makes a difference to the person: title and explanation.
pub(super) fn error(code: &str) -> [&'static str; 2] {
    match code {
        "not_found" => ["problem-not-found-title", "problem-not-found-text"],
        "rate_limited" | "slow_down" => ["problem-rate-title", "problem-rate-text"],
        "expired_token" => ["problem-expired-title", "problem-expired-text"],
        "access_denied" | "forbidden" | "insufficient_scope" => {
            ["problem-denied-title", "problem-denied-text"]
        }
        "server_error" => ["problem-server-title", "problem-server-text"],
        "temporarily_unavailable" => ["problem-unavailable-title", "problem-unavailable-text"],
        _ => ["problem-request-title", "problem-request-text"],
    }
}

/// Every id that is chosen here rather than named in a template.
#[cfg(test)]
pub(super) fn ids() -> impl Iterator<Item = String> {
    let errors = svc_core::Class::ALL.iter().flat_map(|class| error(class.code()));
    MessageKey::ALL
        .iter()
        .map(|key| key.id())
        .chain(Outcome::ALL.iter().flat_map(|outcome| outcome.ids()))
        .chain(SCOPES.iter().map(|(_, id)| *id))
        .chain(errors)
        .map(str::to_owned)
}
