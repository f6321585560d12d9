//! Cookies of a request (RFC 6265 §4.2).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use axum::http::request::Parts;

/// The cookies that the browser sent.
#[derive(Clone, Debug, Default)]
pub struct Cookies(Vec<(String, String)>);

impl Cookies {
    /// Reads every `Cookie` header; HTTP/2 may split them.
    pub fn of(headers: &HeaderMap) -> Self {
        let fields = headers.get_all(COOKIE).iter().filter_map(|field| field.to_str().ok());
        let pairs = fields.flat_map(|field| field.split(';')).filter_map(|pair| pair.trim().split_once('='));
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
}
