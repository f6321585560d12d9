//! Cookies of a request (RFC 6265 §4.2).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header::COOKIE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};

/// The cookies that the browser sent.
#[derive(Clone, Debug, Default)]
pub struct Cookies(Vec<(String, String)>);

impl Cookies {
    /// Reads every `Cookie` header; HTTP/2 may split them. Another site of the same domain may have set one that is not in ASCII: it
    /// takes none of the others away, and no blank before its name makes that one of ours.
    pub fn of(headers: &HeaderMap) -> Self {
        let fields = headers.get_all(COOKIE).iter().map(HeaderValue::as_bytes);
        let sent = fields.flat_map(|field| field.split(|byte| *byte == b';'));
        let in_ascii = sent.filter(|pair| pair.is_ascii()).filter_map(|pair| std::str::from_utf8(pair).ok());
        let pairs = in_ascii.filter_map(|pair| pair.trim().split_once('='));
        Self(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// The value of a cookie; none if two have that name, because then one was planted.
    pub fn one(&self, name: &str) -> Option<&str> {
        let mut found = self.0.iter().filter(|(known, _)| known == name);
        let value = found.next().map(|(_, value)| value.as_str());
        if found.next().is_some() { None } else { value }
    }
}

impl<S: Sync> FromRequestParts<S> for Cookies {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doubled_cookie_counts_as_none() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, "__Host-sid=abc; theme=dark".parse().unwrap());
        headers.append(COOKIE, "theme=light".parse().unwrap());
        let cookies = Cookies::of(&headers);
        assert_eq!(cookies.one("__Host-sid"), Some("abc"));
        assert_eq!(cookies.one("theme"), None);
        assert_eq!(cookies.one("sid"), None);
    }

    #[test]
    fn a_cookie_that_is_not_in_ascii_takes_no_other_away() {
        let of = |field: &[u8]| {
            Cookies::of(&HeaderMap::from_iter([(COOKIE, HeaderValue::from_bytes(field).unwrap())]))
        };
        for field in
            ["name=Zo\u{eb}; __Host-sid=abc".as_bytes(), b"__Host-sid=abc; x=\xff", b"\xff; __Host-sid=abc"]
        {
            let cookies = of(field);
            assert_eq!(cookies.one("__Host-sid"), Some("abc"));
            assert_eq!((cookies.one("name"), cookies.one("x")), (None, None));
        }
    }

    #[test]
    fn a_blank_that_is_not_of_ascii_makes_no_name_one_of_ours() {
        let planted =
            HeaderValue::from_bytes("\u{2000}__Host-sid=planted; \u{a0}__Host-sid=planted".as_bytes())
                .unwrap();
        assert_eq!(Cookies::of(&HeaderMap::from_iter([(COOKIE, planted)])).one("__Host-sid"), None);
        let next_to_it =
            HeaderValue::from_bytes("__Host-sid=abc; \u{2000}__Host-sid=planted".as_bytes()).unwrap();
        assert_eq!(Cookies::of(&HeaderMap::from_iter([(COOKIE, next_to_it)])).one("__Host-sid"), Some("abc"));
    }
}
