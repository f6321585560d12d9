//! What the sign-in form says of the last attempt.

use svc_http::{Params, StatusCode};

use crate::pages::MessageKey;

/// What the sign-in form shows besides itself.
#[derive(Default)]
pub struct Attempt<'a> {
    /// What was typed; nothing for what the application hinted.
    pub username: Option<&'a str>,
    /// What was wrong.
    pub error: Option<MessageKey>,
    /// What led here.
    pub notice: Option<MessageKey>,
    /// The status.
    pub status: StatusCode,
}

impl<'a> Attempt<'a> {
    /// The form once more, with what was wrong.
    pub fn again(form: &'a Params, status: StatusCode, error: MessageKey) -> Self {
        Self { username: form.one("username"), error: Some(error), status, ..Self::default() }
    }
}
