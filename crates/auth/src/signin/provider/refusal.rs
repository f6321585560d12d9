//! A provider that gives no word of a person: what its errors mean (RFC 6749 §4.1.2.1, §5.2, OpenID Connect Core §3.1.2.6), and what the
//! person reads of them.

use serde_json::Value;
use svc_core::{Class, Error};

use super::reach;
use crate::pages::MessageKey;

/// Longest code of an error that is recorded.
const LONGEST: usize = 100;

/// An error with which the browser comes back.
#[track_caller]
pub fn refused(error: &str) -> Error {
    let known = code(error);
    let class = match known.as_str() {
        // The second is Apple's; the third LinkedIn's.
        "access_denied" | "user_cancelled_authorize" | "user_cancelled_login" => Class::AccessDenied,
        "login_required" | "interaction_required" | "consent_required" | "account_selection_required" => {
            Class::InteractionRequired
        }
        "temporarily_unavailable" | "server_error" => Class::TemporarilyUnavailable,
        _ => Class::Conflict,
    };
    Error::new(class, format!("the provider refused: {known}"))
}

/// An error of the token endpoint: its status, with the code that says why, where there is one.
#[track_caller]
pub fn not_exchanged(status: u16, body: &[u8]) -> Error {
    let said: Option<Value> = serde_json::from_slice(body).ok();
    let known = said.as_ref().and_then(|said| said.get("error")?.as_str()).map(code);
    let why = known.map(|known| format!(", {known}")).unwrap_or_default();
    Error::new(reach::class_of(status), format!("the provider's token endpoint: status {status}{why}"))
}

/// What the person reads of a failure; `other` where it has no text of its own.
pub fn message(error: &Error, other: MessageKey) -> MessageKey {
    match error.class() {
        Class::LoginRequired => MessageKey::ProviderNotFresh,
        Class::AccessDenied => MessageKey::ProviderDeclined,
        Class::InteractionRequired => MessageKey::ProviderUnfinished,
        Class::TemporarilyUnavailable => MessageKey::ProviderUnavailable,
        _ => other,
    }
}

/// What is shown of a code that a stranger may have written.
fn code(error: &str) -> String {
    error.chars().filter(char::is_ascii_graphic).take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_token_endpoint_says_by_which_code_where_there_is_one() {
        let of = |body: &str| not_exchanged(401, body.as_bytes()).detail().to_owned();
        let status = "the provider's token endpoint: status 401";
        assert_eq!(of("{\"error\":\"invalid_client\"}"), format!("{status}, invalid_client"));
        assert_eq!(of("{\"error\":\"a\\nb c\"}"), format!("{status}, abc"));
        for body in ["", "<html>", "[]", "{\"error\":{\"code\":1}}", "{\"message\":\"x\"}"] {
            assert_eq!(of(body), status, "{body}");
        }
        for (status, class) in [(400, Class::Conflict), (503, Class::TemporarilyUnavailable)] {
            assert_eq!(not_exchanged(status, b"").class(), class, "{status}");
        }
    }
}
