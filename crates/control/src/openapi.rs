//! `/openapi.json` and, at the root, an interactive page for it: embedded, with nothing from elsewhere.

use std::borrow::Cow;
use std::sync::Arc;

use svc_core::capability::Capability;
use svc_core::{Error, OrInternal as _};
use svc_http::{
    About, Bytes, Description, HeaderValue, HostCx, IntoResponse as _, PlainCx, Problem, Response, Route,
    Routes, StaticDocument, header,
};
use utoipa_swagger_ui::Config;

const DOCUMENT: &str = "/openapi.json";
const WHY: &str = "the description of the API, which the operator chose to publish";

/// The files of the page and where they are.
const ASSETS: [(&str, &str); 6] = [
    ("/openapi/swagger-ui.css", "swagger-ui.css"),
    ("/openapi/index.css", "index.css"),
    ("/openapi/swagger-ui-bundle.js", "swagger-ui-bundle.js"),
    ("/openapi/swagger-ui-standalone-preset.js", "swagger-ui-standalone-preset.js"),
    ("/openapi/swagger-initializer.js", "swagger-initializer.js"),
    ("/openapi/favicon.png", "favicon-32x32.png"),
];

const DESCRIPTION: &str = include_str!("openapi.md");

/// The groups of operations, by task.
const TAGS: &[(&str, &str)] = &[
    ("Applications", "OAuth clients: what each may do, and how it proves itself."),
    ("APIs", "The audiences that tokens are for, and their scopes."),
    ("Tenant users", "People's memberships in the tenant."),
    ("Sessions", "Where people are signed in."),
    ("Consents", "What people have allowed applications."),
    ("Delegations", "Which applications act for whom."),
    ("Approvals", "What waits for the decision of the person who calls."),
    ("Trusted issuers", "Whose assertions about people are believed."),
    ("Registration tokens", "With what applications register themselves."),
    ("Shared signals", "Events about people for applications (OpenID SSF 1.0)."),
    ("Audit", "What happened in the tenant."),
    ("Sign-in", "The endpoints that a browser is sent to (OAuth 2.0, OpenID Connect)."),
    ("Tokens", "The endpoints that applications call for tokens and about them."),
    ("Registration", "Applications that register themselves (RFC 7591, RFC 7592)."),
    ("Metadata", "What is published about the tenant's authorization server."),
    ("Operations", "Probes and metrics."),
];

const PAGE: &str = include_str!("openapi.html");

/// Scripts come from here alone. The page sets styles on its elements, which only inline styles can do.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// What the document says of itself.
pub fn about<'a>(version: &'a str, scopes: &'a [(&'static str, &'static str)]) -> About<'a> {
    About { title: "Identity and access service", version, description: DESCRIPTION, tags: TAGS, scopes }
}

/// The routes that publish `description`; to be merged only when `openapi.enabled`.
pub fn routes(description: Description) -> Routes {
    let description = Arc::new(description);
    let document = async move |host: HostCx| {
        let offers = |path: &str| Capability::of_path(path).is_none_or(|capability| host.offers(capability));
        let document = description.at(&host.tenant.issuer, offers).to_string();
        StaticDocument { cache_control: NO_CACHE, ..StaticDocument::json(document, 0) }
    };
    let config = Arc::new(Config::from(DOCUMENT).display_request_duration(true).try_it_out_enabled(true));
    let assets = ASSETS.iter().map(|(path, file)| asset(path, file, Arc::clone(&config)));
    let fixed = [Route::get(DOCUMENT).public(WHY, document), Route::get("/").deployment(WHY, page)];
    Routes::new(fixed.into_iter().chain(assets).map(Route::undocumented))
}

/// A new version of the service brings new documents at the same addresses.
const NO_CACHE: HeaderValue = HeaderValue::from_static("no-cache");

async fn page(_: PlainCx) -> Response {
    let content_type = HeaderValue::from_static("text/html; charset=utf-8");
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, NO_CACHE),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    (headers, PAGE).into_response()
}

fn asset(path: &'static str, file: &'static str, config: Arc<Config<'static>>) -> Route {
    Route::get(path).deployment(WHY, async move |_: PlainCx| served(file, config))
}

fn served(file: &str, config: Arc<Config<'static>>) -> Result<StaticDocument, Problem> {
    let found = utoipa_swagger_ui::serve(file, config).map_err(|error| error.to_string()).or_internal()?;
    let found = found.ok_or_else(|| Error::internal(format!("{file} is not embedded")))?;
    let bytes = match found.bytes {
        Cow::Borrowed(bytes) => Bytes::from_static(bytes),
        Cow::Owned(bytes) => bytes.into(),
    };
    let content_type = HeaderValue::try_from(found.content_type).or_internal()?;
    Ok(StaticDocument { bytes, content_type, cache_control: NO_CACHE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_embedded_and_the_page_names_no_other() {
        let config = Arc::new(Config::from(DOCUMENT));
        for (path, file) in ASSETS {
            let document = served(file, Arc::clone(&config)).unwrap_or_else(|_| panic!("{file}"));
            assert!(!document.bytes.is_empty() && PAGE.contains(path), "{path}");
        }
        assert_eq!(PAGE.matches("=\"/openapi/").count(), ASSETS.len());
        assert!(!PAGE.contains("://"));
    }

    #[test]
    fn the_page_opens_our_document() {
        let start =
            served("swagger-initializer.js", Arc::new(Config::from(DOCUMENT))).unwrap_or_else(|_| panic!());
        let text = String::from_utf8(start.bytes.to_vec()).unwrap();
        assert!(text.contains("\"/openapi.json\"") && !text.contains("petstore"), "{text}");
    }
}
