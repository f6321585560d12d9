//! What a form brought in answer to a challenge.

use crate::pages::MessageKey;

/// What a form brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Nothing has to be shown, or what was shown is right.
    Passed,
    /// No answer to a challenge.
    Missing,
    /// An answer that is wrong, too old, or was used before.
    Wrong,
    /// The provider cannot be asked, and the configuration fails closed.
    Unknown,
}

impl Finding {
    /// What to tell the person.
    pub fn fault(self) -> Option<MessageKey> {
        match self {
            Self::Passed => None,
            Self::Missing => Some(MessageKey::CaptchaMissing),
            Self::Wrong => Some(MessageKey::CaptchaWrong),
            Self::Unknown => Some(MessageKey::CaptchaUnknown),
        }
    }
}
