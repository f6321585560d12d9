//! The web kit: declared routes with guards, strict readers, error documents, the edge around them, and the listener.
//!
//! No other crate links the web framework; what planes need of it is exported here.

mod app;
mod arrival;
mod body;
pub mod breached;
mod context;
mod cors;
mod credential;
pub mod domain_proof;
pub mod dpop;
mod edge;
mod errors;
mod extract;
pub mod hooks;
mod idempotency;
mod letters;
mod memory;
mod metrics;
mod openapi;
mod operations;
mod outbound;
mod places;
mod quota;
mod readiness;
mod refusals;
mod render;
mod reply;
mod route;
mod scim_application;
mod scim_tokens;
mod sender;
mod serve;
mod signed;
pub mod sso_trial;
mod telemetry;
#[cfg(test)]
mod tests;
mod throttle;
mod wording;

pub use app::{App, Inner, Parts};
pub use arrival::{Arrival, ArrivalRef};
pub use breached::Breached;
pub use context::{FirstParam, HostCx, OperatorCx, PlainCx, ScimCx, SessionCaller, TenantCx};
pub use cors::{Admission, Cors};
pub use credential::{Credential, Scheme, basic, bearer};
pub use edge::{Edge, HostRules, Peer, REQUESTS, Refusal, X_REQUEST_ID, current_request, during};
pub use errors::advice;
pub use extract::{
    Amendment, Cookies, Everything, Form, FormText, Json, LARGEST_BULK, Lines, Listing, MergePatch, Params,
    Path, Query, QueryParams, ScimBody, ScimBulkBody, SentForm,
};
pub use letters::{
    Letter, LetterAbout, LetterOfRemoval, Letters, NoticeOfLoss, Notices, OrganizationLetter, ToOrganization,
    Writing,
};
pub use metrics::{FAMILIES, Family, FamilyKind, Metrics};
pub use openapi::{About, Describes, Description};
pub use operations::routes as operational_routes;
pub use outbound::names::Names;
pub use outbound::{ChosenBy, Fetched, Limits, Outbound, TlsPeer};
pub use places::Places;
pub use readiness::{Health, Phase, Readiness};
pub use refusals::recorded_count;
pub use render::{BackchannelError, ErrorPages, OauthError, Problem, Refused, scim_error};
pub use reply::{
    Created, Download, IfMatch, List, ListQuery, ListRequest, Narrowed, NoContent, NoStore, PageResponse,
    SetCookie, Source, StaticDocument, Versioned, Whole, form_target, redirect_target, see_other,
};
pub use route::{
    Answers, Declared, Docs, Documented, FormOf, GRANT, Guard, Limit, Parameter, RECENT_SIGN_IN, Route,
    Routes, Shows, StepUp, Takes, Unguarded, Visitor, api_key_claims, is_foreign, is_recent,
};
pub use scim_application::ScimApplication;
pub use scim_tokens::{ScimToken, ScimTokens};
pub use sender::{challenged_scheme, check_token};
pub use serve::{Certificates, Identity, Listener, Tls, ordered_certificate_end};
pub use signed::signed_headers;
pub use telemetry::{Telemetry, export as export_telemetry};

pub use throttle::{count_bearer, count_client};
pub use wording::{Original, Originals, Wording};

pub use axum::body::Body;
pub use axum::extract::{FromRequest, FromRequestParts, Request};
pub use axum::handler::Handler;
pub use axum::http::request::Parts as RequestParts;
pub use axum::http::{Extensions, HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
pub use axum::response::{IntoResponse, IntoResponseParts, Response};
pub use bytes::Bytes;
pub use tower::ServiceExt;
