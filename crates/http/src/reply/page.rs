//! Hosted pages: HTML under a strict content security policy (CSP level 3), and redirects after forms.

use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use svc_core::Error;

use crate::render::Problem;

/// A hosted page. Whatever is inline carries `nonce`; nothing comes from elsewhere but logos over https.
#[derive(Debug)]
pub struct PageResponse {
    /// The status: an error page has the error's.
    pub status: StatusCode,
    /// The document.
    pub html: String,
    /// The nonce of its inline style and script.
    pub nonce: String,
    /// Where its forms may lead besides here, as `form_target` or `redirect_target` makes them.
    pub form_action: Vec<String>,
    /// Where else its scripts, frames and styles come from.
    pub sources: &'static [&'static str],
}

impl IntoResponse for PageResponse {
    fn into_response(self) -> Response {
        let Ok(policy) = HeaderValue::try_from(policy(&self.nonce, &self.form_action, self.sources)) else {
            return Problem::from(Error::internal("a content security policy of forbidden characters"))
                .into_response();
        };
        let headers = [
            (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (CONTENT_SECURITY_POLICY, policy),
        ];
        (self.status, headers, self.html).into_response()
    }
}

/// A redirect that turns a POST into a GET: credentials of a form never travel on (RFC 9700 §4.12).
pub fn see_other(url: &str) -> Response {
    match HeaderValue::try_from(url) {
        Ok(location) if url.is_ascii() => (
            StatusCode::SEE_OTHER,
            [(LOCATION, location), (CACHE_CONTROL, HeaderValue::from_static("no-store"))],
        )
            .into_response(),
        _ => {
            Problem::from(Error::internal("a redirect to an address that is no header value")).into_response()
        }
    }
}

/// The CSP source of the address to which a form is posted: an origin, or the scheme of a native application's address.
pub fn form_target(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok()?;
    match url.scheme() {
        "http" | "https" => Some(url.origin().ascii_serialization()),
        "javascript" | "data" | "vbscript" | "blob" | "file" => None,
        scheme => Some(format!("{scheme}:")),
    }
}

/// The CSP source of a form whose answer redirects to `url`: its scheme. Browsers hold every redirect that follows against the
/// source, and an application may lead on to another site at once, as a broker does. `http:` covers `https:` too.
pub fn redirect_target(url: &str) -> Option<String> {
    form_target(url)?;
    let (scheme, _) = url.split_once(':')?;
    Some(format!("{}:", scheme.to_ascii_lowercase()))
}

fn policy(nonce: &str, form_action: &[String], sources: &[&str]) -> String {
    let is_source = |source: &&String| !source.contains([';', ',', ' ', '\'', '"']) && source.is_ascii();
    let targets =
        form_action.iter().filter(is_source).fold(String::new(), |list, source| list + " " + source);
    let others = sources.iter().fold(String::new(), |list, source| list + " " + source);
    let frames = if sources.is_empty() { String::new() } else { format!(" frame-src{others};") };
    format!(
        "default-src 'none'; style-src 'self' 'nonce-{nonce}'{others}; script-src 'self' 'nonce-{nonce}'{others};{frames} \
         img-src 'self' https: data:; font-src 'self'; connect-src 'self'{others}; form-action 'self'{targets}; \
         frame-ancestors 'none'; base-uri 'none'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_may_lead_to_the_targets_origin_or_scheme_only() {
        assert_eq!(
            form_target("https://app.example:8443/cb?x=1").as_deref(),
            Some("https://app.example:8443")
        );
        assert_eq!(form_target("com.example.app:/cb").as_deref(), Some("com.example.app:"));
        assert_eq!(form_target("javascript:alert(1)"), None);
        assert_eq!(form_target("/relative"), None);
    }

    #[test]
    fn an_answer_that_redirects_may_lead_on_to_any_site_over_the_targets_scheme() {
        assert_eq!(redirect_target("HTTPS://app.example:8443/cb?x=1").as_deref(), Some("https:"));
        assert_eq!(redirect_target("http://127.0.0.1:3000/cb").as_deref(), Some("http:"));
        assert_eq!(redirect_target("com.example.app:/cb").as_deref(), Some("com.example.app:"));
        assert_eq!(redirect_target("javascript:alert(1)"), None);
        assert_eq!(redirect_target("/relative"), None);
    }

    #[test]
    fn a_target_cannot_add_directives() {
        let policy = policy(
            "abc",
            &["https://a.example; script-src *".to_owned(), "https://b.example".to_owned()],
            &[],
        );
        assert!(policy.contains("form-action 'self' https://b.example;"), "{policy}");
        assert!(!policy.contains("script-src *"), "{policy}");
    }

    #[test]
    fn a_redirect_after_a_form_is_303_and_not_stored() {
        let response = see_other("https://app.example/cb?code=x");
        assert_eq!(response.status(), StatusCode::SEE_OTHER);
        assert_eq!(response.headers()[LOCATION], "https://app.example/cb?code=x");
        assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        assert_eq!(see_other("https://a\r\nX: y").status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
