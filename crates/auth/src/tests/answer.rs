//! What came back, with the assertions that every page and redirect must pass.

use std::collections::BTreeMap;

use svc_http::{HeaderMap, StatusCode, header};

use crate::fixtures::REDIRECT_URI;

/// An answer, read to its end.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The value of the hidden input `flow`.
    #[track_caller]
    pub fn flow(&self) -> &str {
        let after = self.body.split_once("name=\"flow\" value=\"").map(|(_, after)| after);
        after.and_then(|after| after.split_once('"')).map_or_else(|| panic!("{self:?}"), |(value, _)| value)
    }

    /// The first address in the page that starts with `path`, as a browser reads it.
    #[track_caller]
    pub fn link(&self, path: &str) -> String {
        let after = self.body.split_once(&format!("href=\"{path}")).map(|(_, after)| after);
        let rest = after.and_then(|after| after.split_once('"')).unwrap_or_else(|| panic!("{self:?}")).0;
        format!("{path}{rest}").replace("&amp;", "&").replace("&#x3d;", "=")
    }

    /// Asserts a page of ours with this element, under the policy that every page has.
    #[track_caller]
    pub fn is_page(&self, status: u16, id: &str) {
        assert_eq!(self.status.as_u16(), status, "{self:?}");
        assert!(self.body.contains(&format!("id=\"{id}\"")), "no {id}: {self:?}");
        assert!(self.header(header::CONTENT_TYPE).starts_with("text/html"));
        assert_eq!(self.header(header::LOCATION), "");
        assert_eq!(self.header(header::CACHE_CONTROL), "no-store");
        assert_eq!(self.header(header::REFERRER_POLICY), "no-referrer");
        assert_eq!(self.header(header::X_FRAME_OPTIONS), "DENY");
        assert_eq!(self.header(header::ACCESS_CONTROL_ALLOW_ORIGIN), "");
        assert!(self.header(header::CONTENT_SECURITY_POLICY).contains("frame-ancestors 'none'"));
    }

    /// Asserts the end of an errand whose next step is this address.
    #[track_caller]
    pub fn leads_on_to(&self, path: &str) {
        let next = format!("id=\"continue-link\" href=\"{path}\"");
        assert!(self.body.contains(&next), "{next}: {self:?}");
    }

    /// Asserts an error page with this code.
    #[track_caller]
    pub fn is_error(&self, status: u16, code: &str) {
        self.is_page(status, "error-code");
        assert!(self.body.contains(&format!("id=\"error-code\">{code}<")), "{self:?}");
    }

    /// Asserts a redirect to the application and returns what it carries.
    #[track_caller]
    pub fn carried(&self) -> BTreeMap<String, String> {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{self:?}");
        let location = self.header(header::LOCATION);
        assert!(location.starts_with(&format!("{REDIRECT_URI}?")), "{location}");
        let location = url::Url::parse(location).unwrap();
        location.query_pairs().into_owned().collect()
    }

    /// Asserts a redirect with a code and returns the code.
    #[track_caller]
    pub fn code(&self) -> String {
        let carried = self.carried();
        let names: Vec<_> = carried.keys().map(String::as_str).collect();
        assert_eq!(names, ["code", "iss", "state"]);
        assert_eq!((carried["iss"].as_str(), carried["state"].as_str()), ("http://localhost:8080", "xyz"));
        assert_eq!(carried["code"].len(), 43);
        carried["code"].clone()
    }

    /// Asserts a redirect with this error.
    #[track_caller]
    pub fn is_refusal(&self, code: &str) {
        let carried = self.carried();
        let names: Vec<_> = carried.keys().map(String::as_str).collect();
        assert_eq!(names, ["error", "error_description", "iss", "state"], "{carried:?}");
        assert_eq!(carried["error"], code, "{carried:?}");
    }
}
