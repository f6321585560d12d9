//! What a reverse proxy says of the request that it asks about (RFC 7239 §5 names the same facts).
//!
//! Each header counts only from a trusted proxy, and only if it occurs once: what a client sent and the proxy passed on next
//! to its own word would be a second value.

use svc_core::{Error, Result};
use svc_http::{HeaderMap, HostCx, Method, header};
use url::Url;

const HOST: &str = "x-forwarded-host";
const METHOD: &str = "x-forwarded-method";
const PROTO: &str = "x-forwarded-proto";
const URI: &str = "x-forwarded-uri";
/// Longest path with query that a person is returned to; it travels in the `state` of the authorization request.
const LONGEST: usize = 1024;

/// The origin of the host that the browser sees, for example `https://wiki.example.com`.
pub fn origin(host: &HostCx, headers: &HeaderMap) -> Result<String> {
    if !host.arrival.is_proxied {
        return Err(Error::forbidden("this is for the proxies that server.trusted_proxies lists"));
    }
    let [scheme, authority] = [needed(headers, PROTO)?, needed(headers, HOST)?];
    parsed(scheme, authority).ok_or_else(|| {
        Error::bad_request("X-Forwarded-Proto, X-Forwarded-Host: name the scheme and host of the request")
    })
}

/// The path with its query that was asked for; the start of the host where the proxy does not say.
pub fn target(headers: &HeaderMap) -> Result<&str> {
    Ok(local(single(headers, URI)?.unwrap_or_default()))
}

/// A path with its query at the same host, or the host's start where `text` is none.
pub fn local(text: &str) -> &str {
    let is_local = text.starts_with('/')
        && text.len() <= LONGEST
        && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_local { text } else { "/" }
}

/// Whether a browser opens a page, and not a script or an image: only then a redirect leads a person to sign in.
pub fn is_navigation(headers: &HeaderMap) -> Result<bool> {
    let is_safe = single(headers, METHOD)?.is_none_or(|method| {
        [Method::GET, Method::HEAD].iter().any(|safe| safe.as_str().eq_ignore_ascii_case(method))
    });
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let accepts_pages = text(header::ACCEPT.as_str())
        .is_none_or(|accepted| ["text/html", "*/*"].iter().any(|kind| accepted.contains(kind)));
    Ok(is_safe
        && accepts_pages
        && text("sec-fetch-mode").is_none_or(|mode| mode == "navigate")
        && text("x-requested-with").is_none())
}

fn needed<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str> {
    single(headers, name)?
        .ok_or_else(|| Error::bad_request(format!("{name}: the proxy must send this header")))
}

fn single<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<Option<&'a str>> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str());
    let is_alone = values.next().is_none();
    match value {
        None => Ok(None),
        Some(Ok(value)) if is_alone => Ok(Some(value)),
        Some(_) => Err(Error::bad_request(format!(
            "{name}: the proxy must send one readable value, and not add to the client's"
        ))),
    }
}

fn parsed(scheme: &str, authority: &str) -> Option<String> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte);
    if !["http", "https"].contains(&scheme) || authority.is_empty() || !authority.bytes().all(is_plain) {
        return None;
    }
    Some(Url::parse(&format!("{scheme}://{authority}")).ok()?.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use svc_http::HeaderValue;

    use super::*;

    fn headers(fields: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host_and_nothing_else() {
        let origin = |authority| parsed("https", authority);
        assert_eq!(origin("Wiki.example.com:443").as_deref(), Some("https://wiki.example.com"));
        assert_eq!(origin("wiki.example.com:8443").as_deref(), Some("https://wiki.example.com:8443"));
        assert_eq!(origin("[::1]:8443").as_deref(), Some("https://[::1]:8443"));
        assert_eq!(parsed("http", "localhost:80").as_deref(), Some("http://localhost"));
        for bad in ["", "a b", "user@a", "a/b", "a?b", "a#b", "a, b", "a:x", "a\\b", "ä"] {
            assert_eq!(origin(bad), None, "{bad}");
        }
        assert_eq!(parsed("javascript", "a"), None);
        assert_eq!(parsed("HTTPS", "a"), None);
    }

    #[test]
    fn a_header_that_occurs_twice_is_refused() {
        let twice = headers(&[(HOST, "a.example"), (HOST, "b.example")]);
        assert!(needed(&twice, HOST).unwrap_err().detail().starts_with("x-forwarded-host: "));
        assert!(needed(&headers(&[]), HOST).is_err());
        // A list in one field is no host.
        assert_eq!(parsed("https", needed(&headers(&[(HOST, "a.example, b.example")]), HOST).unwrap()), None);
    }

    #[test]
    fn a_person_returns_to_a_path_of_the_same_host() {
        assert_eq!(local("/page?x=1&y=%20"), "/page?x=1&y=%20");
        for other in
            ["", "page", "https://evil.example/", "\\\\evil", "/\\evil.example", "/a b", "/ä", "/a\r\nb"]
        {
            assert_eq!(local(other), "/", "{other}");
        }
        assert_eq!(local(&format!("/{}", "a".repeat(LONGEST))), "/");
    }

    #[test]
    fn only_the_opening_of_a_page_is_a_navigation() {
        let is_page = |fields: &[(&'static str, &'static str)]| is_navigation(&headers(fields)).unwrap();
        assert!(is_page(&[]));
        assert!(is_page(&[
            (METHOD, "GET"),
            ("accept", "text/html,*/*;q=0.8"),
            ("sec-fetch-mode", "navigate")
        ]));
        assert!(is_page(&[(METHOD, "HEAD"), ("accept", "*/*")]));
        for other in [
            [(METHOD, "POST")],
            [("accept", "application/json")],
            [("sec-fetch-mode", "cors")],
            [("x-requested-with", "XMLHttpRequest")],
        ] {
            assert!(!is_page(&other), "{other:?}");
        }
    }
}
