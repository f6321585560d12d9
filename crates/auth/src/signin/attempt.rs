//! What the sign-in form says of the last attempt.

use svc_http::{Params, StatusCode};

use crate::pages::MessageKey;

/// What the sign-in form shows besides itself.
#[derive(Default)]
pub struct Attempt<'a> {
    /// What was typed; nothing for what the application hinted.
    pub username: Option<&'a str>,
    /// The phone number that was typed.
    pub phone: Option<&'a str>,
    /// The method that was tried, by its id: its part of the page says what was wrong.
    pub method: Option<&'static str>,
    /// What was wrong.
    pub error: Option<MessageKey>,
    /// What led here.
    pub notice: Option<MessageKey>,
    /// The status.
    pub status: StatusCode,
}

impl<'a> Attempt<'a> {
    /// The form once more, with what was wrong.
    pub fn again((form, method): (&'a Params, &'static str), status: StatusCode, error: MessageKey) -> Self {
        let (username, phone) = (form.one("username"), form.one("phone"));
        Self { username, phone, method: Some(method), error: Some(error), status, ..Self::default() }
    }
}
