//! Web addresses: an absolute `http(s)` URL kept byte for byte, and an origin (RFC 6454).

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use toml::Value;
use url::Url;

use super::setting::{Setting, text};

/// An `http` or `https` address without user info, query and fragment. Reads as the text that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpUrl(Cow<'static, str>);

impl HttpUrl {
    /// Parses an address; `Err` completes the sentence "`text` …".
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text).map_err(|_| "is not an absolute URL".to_owned())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("is not an http or https URL".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("has a user name or password".to_owned());
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err("has a query or a fragment".to_owned());
        }
        Ok(Self(Cow::Owned(text.to_owned())))
    }

    /// A default, written in this source.
    pub(crate) const fn built_in(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }

    /// A default that was put together from other keys.
    pub(crate) const fn derived(text: String) -> Self {
        Self(Cow::Owned(text))
    }

    /// The address as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host, without port; IPv6 addresses in brackets.
    pub fn host(&self) -> String {
        Url::parse(&self.0).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Scheme, host and port, without a trailing slash.
    pub fn origin(&self) -> String {
        Url::parse(&self.0).map(|url| url.origin().ascii_serialization()).unwrap_or_default()
    }

    /// Whether it leads below the root of its host.
    pub fn has_path(&self) -> bool {
        Url::parse(&self.0).is_ok_and(|url| !url.path().trim_matches('/').is_empty())
    }

    /// Whether it is `https`.
    pub fn is_https(&self) -> bool {
        self.origin().starts_with("https:")
    }
}

impl Deref for HttpUrl {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for HttpUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Setting for HttpUrl {
    fn read(value: &Value) -> Result<Self, String> {
        Self::parse(text(value)?)
    }

    fn show(&self) -> Option<Value> {
        Some(Value::String(self.0.to_string()))
    }

    fn expects() -> String {
        "an http or https URL without query and fragment".to_owned()
    }

    fn sample() -> Value {
        Value::String("https://id.example.com".to_owned())
    }
}

/// The origin of a web application: scheme, host and port in the form in which browsers send it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebOrigin(HttpUrl);

impl WebOrigin {
    /// The serialized origin.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The host, without port.
    pub fn host(&self) -> String {
        self.0.host()
    }
}

impl Setting for WebOrigin {
    fn read(value: &Value) -> Result<Self, String> {
        let url = HttpUrl::parse(text(value)?)?;
        if url.origin() == url.as_str() {
            Ok(Self(url))
        } else {
            Err("is not an origin in its plain form".to_owned())
        }
    }

    fn show(&self) -> Option<Value> {
        self.0.show()
    }

    fn expects() -> String {
        "an origin like \"https://app.example.com\" in lower case, without default port and path".to_owned()
    }

    fn sample() -> Value {
        Value::String("https://app.example.com".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_kept_byte_for_byte() {
        let url = HttpUrl::parse("https://ID.example.com:443/a").unwrap();
        assert_eq!(
            (url.as_str(), url.origin().as_str()),
            ("https://ID.example.com:443/a", "https://id.example.com")
        );
    }

    #[test]
    fn what_could_mislead_is_refused() {
        for bad in [
            "id.example.com",
            "ftp://a",
            "https://u:p@a",
            "https://u@a",
            "https://a/?q",
            "https://a/#f",
            "https://",
        ] {
            assert!(HttpUrl::parse(bad).is_err(), "{bad}");
        }
        for bad in ["https://a/", "https://a:443", "https://A", "https://a/b"] {
            assert!(WebOrigin::read(&Value::String(bad.to_owned())).is_err(), "{bad}");
        }
        assert!(WebOrigin::read(&Value::String("http://localhost:5173".to_owned())).is_ok());
    }
}
