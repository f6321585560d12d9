//! Cookies of a response (RFC 6265bis §4.1): host-only, out of reach of scripts, first-party by prefix.

use axum::http::HeaderValue;
use axum::http::header::SET_COOKIE;
use axum::response::{IntoResponseParts, ResponseParts};
use svc_core::{Error, OrInternal as _, Result, Seconds};

use crate::render::Problem;

/// A cookie to set or to remove.
#[derive(Debug)]
pub struct SetCookie(HeaderValue);

impl SetCookie {
    /// The name that a cookie has on the wire: `__Host-` needs https, so that plain `http` keeps the bare name.
    pub fn wire_name(name: &str, is_secure: bool) -> String {
        if is_secure { format!("__Host-{name}") } else { name.to_owned() }
    }

    /// A cookie for `max_age`, or for the browser session. The value is made by us: base64url or an id.
    pub fn set(name: &str, value: &str, max_age: Option<Seconds>, is_secure: bool) -> Result<Self> {
        let name = Self::wire_name(name, is_secure);
        let age = max_age.map(|age| format!("; Max-Age={}", age.0)).unwrap_or_default();
        let secure = if is_secure { "; Secure" } else { "" };
        let is_harmless = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b',' | b';' | b'\\');
        if !value.bytes().all(is_harmless) {
            return Err(Error::internal("a cookie value of forbidden characters"));
        }
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{age}{secure}");
        HeaderValue::try_from(text).map(Self).or_internal()
    }

    /// Removes a cookie.
    pub fn clear(name: &str, is_secure: bool) -> Result<Self> {
        Self::set(name, "", Some(Seconds(0)), is_secure)
    }
}

impl IntoResponseParts for SetCookie {
    type Error = Problem;

    fn into_response_parts(self, mut response: ResponseParts) -> Result<ResponseParts, Problem> {
        response.headers_mut().append(SET_COOKIE, self.0);
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_bound_to_its_host_and_out_of_reach_of_scripts() {
        let cookie = SetCookie::set("sid", "abc", Some(Seconds(60)), true).unwrap().0;
        assert_eq!(cookie, "__Host-sid=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure");
        let plain = SetCookie::set("sid", "abc", None, false).unwrap().0;
        assert_eq!(plain, "sid=abc; Path=/; HttpOnly; SameSite=Lax");
        assert_eq!(
            SetCookie::clear("sid", true).unwrap().0,
            "__Host-sid=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure"
        );
    }

    #[test]
    fn a_value_cannot_bring_attributes_of_its_own() {
        for bad in ["a; Domain=evil", "a\r\nSet-Cookie: b", "a b", "ä"] {
            assert!(SetCookie::set("sid", bad, None, true).is_err(), "{bad}");
        }
    }
}
