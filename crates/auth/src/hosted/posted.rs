//! What another site may send here by POST, and what a browser says of where a request came from (Fetch standard §3.1).

use svc_core::{Error, Result};
use svc_http::{HeaderMap, Params, header};
use url::Url;

use super::address::with_query;

/// Longest address that a request sent by POST is moved to.
const LONGEST_ADDRESS: usize = 16 * 1024;

/// Whether a browser says that another site made this request. `Origin: null` says nothing: our own pages send it,
/// because they send no referrer (Fetch standard §3.1).
pub fn is_foreign(headers: &HeaderMap, issuer: &str) -> bool {
    let site = text(headers, &header::HeaderName::from_static("sec-fetch-site"));
    let origin = text(headers, &header::ORIGIN);
    let own = Url::parse(issuer).map(|url| url.origin().ascii_serialization()).unwrap_or_default();
    !matches!(site.as_str(), "" | "same-origin" | "none")
        || !matches!(origin.as_str(), "" | "null") && origin != own
}

/// The parameters of query and body together; none may be in both.
pub fn merged(query: Option<&str>, body: Params) -> Result<Params> {
    let Some(query) = query.filter(|query| !query.is_empty()) else { return Ok(body) };
    let query = Params::parse(query)?;
    if query.iter().any(|(name, _)| body.has(name)) {
        return Err(Error::invalid_request("a parameter occurs in both the query and the body"));
    }
    Ok(query.iter().chain(body.iter()).collect())
}

/// The same request as an address of ours, where it is short enough for one.
pub fn as_address(path: &str, params: &Params) -> Option<String> {
    let address = with_query(path, params.iter());
    (address.len() <= LONGEST_ADDRESS).then_some(address)
}

pub(super) fn text(headers: &HeaderMap, name: &header::HeaderName) -> String {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use svc_http::HeaderValue;

    use super::*;

    #[test]
    fn a_parameter_in_query_and_body_is_refused() {
        let body = || Params::parse("client_id=b&state=x").unwrap();
        assert!(merged(Some("client_id=a"), body()).is_err());
        assert!(merged(Some("scope=a&scope=b"), body()).is_err());
        let both = merged(Some("scope=openid"), body()).unwrap();
        assert_eq!((both.one("scope"), both.one("client_id")), (Some("openid"), Some("b")));
        assert_eq!(merged(None, body()).unwrap(), body());
    }

    #[test]
    fn a_posted_request_says_the_same_as_an_address() {
        let params = Params::parse("state=a%20%26b&redirect_uri=https%3A%2F%2Fapp.example%2Fcb%3Fx").unwrap();
        let address = as_address("/oauth/authorize", &params).unwrap();
        assert_eq!(Params::parse(address.split_once('?').unwrap().1).unwrap(), params);
        assert!(
            as_address("/oauth/authorize", &[("state", "x".repeat(20_000))].into_iter().collect()).is_none()
        );
    }

    #[test]
    fn a_form_from_another_site_is_recognised_by_either_header() {
        let foreign = |pairs: &[(&'static str, &'static str)]| {
            let headers =
                pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value)));
            is_foreign(&headers.collect(), "https://id.example")
        };
        for own in [
            &[][..],
            &[("sec-fetch-site", "same-origin"), ("origin", "null")],
            &[("sec-fetch-site", "none")],
            &[("origin", "https://id.example")],
        ] {
            assert!(!foreign(own), "{own:?}");
        }
        for other in [
            &[("sec-fetch-site", "cross-site")][..],
            &[("sec-fetch-site", "same-site"), ("origin", "null")],
            &[("sec-fetch-site", "same-origin"), ("origin", "https://evil.example")],
            &[("origin", "https://id.example.evil")],
            &[("origin", "http://id.example")],
            &[("origin", "https://id.example:8443")],
        ] {
            assert!(foreign(other), "{other:?}");
        }
    }
}
