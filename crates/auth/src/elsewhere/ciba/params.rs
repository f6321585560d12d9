//! The parameters of a backchannel authentication request (OpenID CIBA §7.1): what is read, and what is refused by name.

use svc_core::{Error, Result, Seconds};
use svc_http::Params;

use svc_core::text::is_shown;

/// What belongs to push and ping delivery, to other hints, and to codes that people would have to tell applications.
const UNSUPPORTED: &[&str] = &[
    "login_hint_token",
    "id_token_hint",
    "client_notification_token",
    "client_notification_endpoint",
    "user_code",
    "acr_values",
    "request_uri",
];
/// Longest message in characters: it has to be read and compared.
const LONGEST_MESSAGE: usize = 100;
const SHORTEST_LIFE: i64 = 10;
const LONGEST_LIFE: i64 = 600;

/// Refuses parameters that would change what the request means, were they ignored.
pub(super) fn refuse_unsupported(params: &Params) -> Result<()> {
    match UNSUPPORTED.iter().find(|name| params.one(name).is_some()) {
        Some(name) => {
            Err(Error::invalid_request(format!("{name}: this is not supported; send login_hint alone")))
        }
        None => Ok(()),
    }
}

/// How long the request lives.
pub(super) fn requested_expiry(text: &str) -> Result<Seconds> {
    let is_number = !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let seconds =
        text.parse().ok().filter(|seconds| is_number && (SHORTEST_LIFE..=LONGEST_LIFE).contains(seconds));
    seconds
        .map(Seconds)
        .ok_or_else(|| Error::invalid_request("requested_expiry: give a number from 10 to 600"))
}

/// A message that a person can read on both screens.
pub(super) fn binding_message(text: &str) -> Result<&str> {
    let is_short = text.chars().count() <= LONGEST_MESSAGE;
    if is_short && text.chars().all(is_printable) && !text.trim().is_empty() {
        Ok(text)
    } else {
        Err(Error::invalid_binding_message("binding_message: use 1 to 100 printable characters"))
    }
}

/// Neither invisible nor reordering, nor of a look that depends on the device.
fn is_printable(c: char) -> bool {
    is_shown(c)
        && !matches!(c, '\u{AD}' | '\u{180E}' | '\u{200C}' | '\u{200D}' | '\u{2028}' | '\u{2029}')
        && !matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{FE00}'..='\u{FE0F}' | '\u{FFF0}'..='\u{FFFF}')
        && c < '\u{E0000}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expiry_is_a_number_of_seconds_within_bounds() {
        assert_eq!(requested_expiry("10").unwrap(), Seconds(10));
        assert_eq!(requested_expiry("600").unwrap(), Seconds(600));
        for bad in ["9", "601", "0", "-30", "+30", "30.5", "3e1", "", "x", "99999999999999999999", " 30"] {
            assert!(requested_expiry(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_binding_message_is_short_and_can_be_read() {
        for good in ["W4SCT", "Überweisung 1.000 €", "取引 42", "שלום", &"x".repeat(100)] {
            assert!(binding_message(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            " ",
            "a\nb",
            "a\tb",
            "a\u{202E}b",
            "a\u{200B}b",
            "a\u{2066}b",
            "a\u{7f}b",
            "a\u{E0041}b",
            &"x".repeat(101),
        ] {
            assert_eq!(
                binding_message(bad).unwrap_err().class().code(),
                "invalid_binding_message",
                "{bad:?}"
            );
        }
    }
}
