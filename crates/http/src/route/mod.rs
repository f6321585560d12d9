//! A route as a value, and none until its guard is named: router entry, OpenAPI operation and a row of the isolation test.

mod api_key;
mod confined;
mod declared;
mod docs;
mod documented;
mod fields;
mod guard;
mod mount;
mod moved;
mod operator;
mod parameter;
mod refusal;
mod routes;
mod scim;
mod shared;
mod step_up;
mod unheard;
mod visitor;

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Method;
use axum::response::Response;
use serde_json::Value;
use svc_config::Config;
use svc_core::Seconds;
use svc_domain::people::operators::Role;
use svc_domain::tokens::access_token::SubjectType;
use utoipa::{IntoParams, ToSchema};

pub use self::api_key::claims_of as api_key_claims;
pub use self::declared::{Declared, Guard, Limit};
pub use self::docs::Docs;
pub(crate) use self::docs::{Answer, Credential, HTML, Header, JSON, SCIM_JSON, SchemaOf};
pub use self::documented::{Answers, Documented, Takes};
pub(crate) use self::fields::{FIELDS, is_taken as takes_fields};
pub(crate) use self::guard::is_service_token;
pub use self::parameter::{FormOf, Parameter};
pub use self::refusal::GRANT;
pub use self::routes::Routes;
pub(crate) use self::shared::Shared;
pub use self::step_up::{StepUp, is_recent};
pub use self::visitor::{Shows, Visitor, is_foreign};
use crate::app::App;
use crate::context::{FirstParam, HostCx, OperatorCx, PlainCx, ScimCx, SessionCaller, TenantCx};
use crate::cors::Cors;

/// A declared route.
pub struct Route {
    pub(crate) declared: Declared,
    endpoint: Endpoint,
}

/// A method and a path, not yet a route: the guard is missing.
pub struct Unguarded {
    method: Method,
    path: &'static str,
}

pub(crate) type Endpoint =
    Arc<dyn Fn(Request, App) -> Pin<Box<dyn Future<Output = Response> + Send>> + Send + Sync>;

/// How long ago a person may have signed in who changes how they sign in.
pub const RECENT_SIGN_IN: Seconds = Seconds(15 * 60);

/// Request bodies are forms and small documents.
const BODY_LIMIT: usize = 64 * 1024;
const IDENTIFIED: &[SubjectType] = &[SubjectType::Human, SubjectType::Agent, SubjectType::System];

macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident $method:ident;)*) => {
        impl Route {$(
            $(#[$doc])*
            pub fn $name(path: &'static str) -> Unguarded {
                Unguarded { method: Method::$method, path }
            }
        )*}
    };
}

methods! {
    /// `GET`, which also answers `HEAD`.
    get GET;
    /// `POST`.
    post POST;
    /// `PUT`.
    put PUT;
    /// `PATCH`.
    patch PATCH;
    /// `DELETE`.
    delete DELETE;
}

impl Unguarded {
    /// For bearers of an access token with `scope`; the handler's types document it.
    pub fn tenant<H, T>(self, scope: &'static str, handler: H) -> Route
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = TenantCx> + 'static,
    {
        let mut route = self.guarded(Guard::Tenant { scope }, handler);
        if !route.declared.method.is_safe() {
            route.endpoint = refusal::recorded_by(route.endpoint);
        }
        H::document(&mut route.declared.docs);
        route.cors(Cors::own_applications())
    }

    /// For operators of the deployment from this role on; the handler's types document it.
    pub fn operator<H, T>(self, role: Role, handler: H) -> Route
    where
        H: Handler<T, App> + Documented<T>,
        T: FirstParam<First = OperatorCx> + 'static,
    {
        let mut route = self.guarded(Guard::Operator(role), handler);
        H::document(&mut route.declared.docs);
        route
    }

    /// For directories of organizations, with a SCIM token.
    pub fn scim<H, T>(self, handler: H) -> Route
    where
        H: Handler<T, App>,
        T: FirstParam<First = ScimCx> + 'static,
    {
        self.guarded(Guard::Scim, handler)
    }

    /// For applications; the handler begins by authenticating them, because their credentials may be in the body.
    pub fn client<H, T>(self, handler: H) -> Route
    where
        H: Handler<T, App>,
        T: FirstParam<First = HostCx> + 'static,
    {
        self.guarded(Guard::Client, handler)
    }

    /// For people with a browser session, which the plane's own extractor proves.
    pub fn session<H, T>(self, handler: H) -> Route
    where
        H: Handler<T, App>,
        T: FirstParam<First: SessionCaller> + 'static,
    {
        self.guarded(Guard::Session, handler)
    }

    /// For every caller at a tenant's host; `why` that is harmless.
    pub fn public<H, T>(self, why: &'static str, handler: H) -> Route
    where
        H: Handler<T, App>,
        T: FirstParam<First = HostCx> + 'static,
    {
        self.guarded(Guard::Public(why), handler)
    }

    /// For every caller at any of our hosts; `why` that is harmless.
    pub fn deployment<H, T>(self, why: &'static str, handler: H) -> Route
    where
        H: Handler<T, App>,
        T: FirstParam<First = PlainCx> + 'static,
    {
        self.guarded(Guard::Deployment(why), handler)
    }

    /// For browsers: a page; `why` it may be shown to every browser. It is no part of the API document.
    pub fn page<V: Visitor, H>(self, why: &'static str, handler: H) -> Route
    where
        H: for<'a> Shows<'a, V> + Copy + Send + Sync + 'static,
    {
        let endpoint: Endpoint =
            Arc::new(move |request, _| Box::pin(visitor::answer::<V, H>(request, handler, false)));
        self.declared(Guard::Page(why), endpoint).undocumented()
    }

    /// For the forms of our own pages; `why` every browser may send one. What another site sends is refused before the
    /// handler.
    pub fn form<V: Visitor, H>(self, why: &'static str, handler: H) -> Route
    where
        H: for<'a> Shows<'a, V> + Copy + Send + Sync + 'static,
    {
        let endpoint: Endpoint =
            Arc::new(move |request, _| Box::pin(visitor::answer::<V, H>(request, handler, true)));
        self.declared(Guard::Form(why), endpoint).undocumented()
    }

    fn guarded<H: Handler<T, App>, T: 'static>(self, guard: Guard, handler: H) -> Route {
        self.declared(guard, Arc::new(move |request, app| Box::pin(handler.clone().call(request, app))))
    }

    fn declared(self, guard: Guard, endpoint: Endpoint) -> Route {
        let declared = Declared {
            method: self.method,
            path: self.path,
            guard,
            former_scope: None,
            subject_types: IDENTIFIED,
            accepts_delegation: false,
            oldest_sign_in: None,
            is_idempotent: false,
            body_limit: BODY_LIMIT,
            counts_refusals: false,
            is_unlimited: false,
            is_at_issuer: matches!(guard, Guard::Page(_)),
            limit: None,
            cors: None,
            docs: Docs::default(),
        };
        Route { declared, endpoint }
    }
}

impl Route {
    /// What it does, in one sentence; a page that says so is part of the API document.
    #[must_use]
    pub fn summary(mut self, summary: &'static str) -> Self {
        self.declared.docs.summary = summary;
        self.declared.docs.is_hidden = false;
        self
    }

    /// The group that it belongs to in the documentation.
    #[must_use]
    pub fn tag(mut self, tag: &'static str) -> Self {
        self.declared.docs.tag = tag;
        self
    }

    /// What there is to know besides, in `CommonMark`.
    #[must_use]
    pub fn describe(mut self, description: &'static str) -> Self {
        self.declared.docs.description = description;
        self
    }

    /// The JSON document that it takes, where its handler's types do not say so.
    #[must_use]
    pub fn body<T: ToSchema>(mut self) -> Self {
        self.declared.docs.takes::<T>(JSON);
        self
    }

    /// The SCIM message or resource that it takes.
    #[must_use]
    pub fn scim_body<T: ToSchema>(mut self) -> Self {
        self.declared.docs.takes::<T>(SCIM_JSON);
        self
    }

    /// The forms of which it takes one.
    #[must_use]
    pub fn forms(mut self, forms: fn() -> Vec<FormOf>) -> Self {
        self.declared.docs.forms = Some(forms);
        self
    }

    /// The parameters that it takes in the query.
    #[must_use]
    pub fn parameters(mut self, parameters: fn() -> Vec<Parameter>) -> Self {
        self.declared.docs.parameters = Some(parameters);
        self
    }

    /// A body that it takes, for instance.
    #[must_use]
    pub fn example(mut self, example: fn() -> Value) -> Self {
        self.declared.docs.example = Some(example);
        self
    }

    /// A JSON document that it answers with, where its handler's types do not say so.
    #[must_use]
    pub fn returns<T: ToSchema>(mut self, status: u16) -> Self {
        self.declared.docs.answers::<T>(status, JSON, &[]);
        self
    }

    /// A document of another media type that it answers with.
    #[must_use]
    pub fn returns_as<T: ToSchema>(mut self, status: u16, media_type: &'static str) -> Self {
        self.declared.docs.answers::<T>(status, media_type, &[]);
        self
    }

    /// A hosted page that it answers with.
    #[must_use]
    pub fn returns_page(mut self, status: u16) -> Self {
        self.declared.docs.answers_plainly(status, Some(HTML), &[]);
        self
    }

    /// Text of another media type that it answers with.
    #[must_use]
    pub fn returns_text(mut self, status: u16, media_type: &'static str) -> Self {
        self.declared.docs.answers_plainly(status, Some(media_type), &[]);
        self
    }

    /// A redirect that it answers with; `description` says where to.
    #[must_use]
    pub fn redirects(mut self, description: &'static str) -> Self {
        self.declared.docs.answers_plainly(303, None, &[Header { name: "location", description }]);
        self
    }

    /// A status that it answers without a document.
    #[must_use]
    pub fn returns_nothing(mut self, status: u16) -> Self {
        self.declared.docs.answers_plainly(status, None, &[]);
        self
    }

    /// The query parameters that it takes, where its handler's types do not say so.
    #[must_use]
    pub fn query<T: IntoParams>(mut self) -> Self {
        self.declared.docs.asks::<T>();
        self
    }

    /// Documents that it is called with a bearer token, which its handler verifies.
    #[must_use]
    pub fn bearer(mut self) -> Self {
        self.declared.docs.credential = Credential::Bearer;
        self
    }

    /// Accepts the scope's former name too.
    #[must_use]
    pub fn formerly(mut self, scope: &'static str) -> Self {
        self.declared.former_scope = Some(scope);
        self
    }

    /// Keeps it out of the OpenAPI document: pages and assets.
    #[must_use]
    pub fn undocumented(mut self) -> Self {
        self.declared.docs.is_hidden = true;
        self
    }

    /// Honours `idempotency-key`: a retry gets the first response again.
    #[must_use]
    pub fn idempotent(mut self) -> Self {
        self.declared.is_idempotent = true;
        self
    }

    /// Takes bodies of up to this many bytes instead of 64 KiB.
    #[must_use]
    pub fn body_limit(mut self, bytes: usize) -> Self {
        self.declared.body_limit = bytes;
        self
    }

    /// Accepts only a person who signed in within [`RECENT_SIGN_IN`]; any other is asked to sign in again (RFC 9470 §3).
    #[must_use]
    pub fn recent_sign_in(mut self) -> Self {
        self.declared.oldest_sign_in = Some(RECENT_SIGN_IN);
        self.describe(
            "The person must have signed in during the last 15 minutes, not by the word of an organization's provider alone, \
             and with a second factor where one was added since in another session. Others are answered with 401 and `insufficient_user_authentication`; send them through an authorization request with `max_age=900`. Where the organization accepts its provider alone, that would not help: the answer is 403.",
        )
    }

    /// Accepts only these kinds of caller.
    #[must_use]
    pub fn subject_types(mut self, types: &'static [SubjectType]) -> Self {
        self.declared.subject_types = types;
        self
    }

    /// Accepts tokens that carry a delegation (`act`).
    #[must_use]
    pub fn delegable(mut self) -> Self {
        self.declared.accepts_delegation = true;
        self
    }

    /// Counts a request for the limit of its address only if it does not succeed, and for none of its tenant.
    #[must_use]
    pub fn counting_refusals(mut self) -> Self {
        self.declared.counts_refusals = true;
        self
    }

    /// Counts its requests for no limit: what decides whether the process gets traffic, or goes on living, is never refused an answer.
    #[must_use]
    pub(crate) fn unlimited(mut self) -> Self {
        self.declared.is_unlimited = true;
        self
    }

    /// Sends browsers that come to a former host of the tenant to the issuer's.
    #[must_use]
    pub fn at_issuer(mut self) -> Self {
        self.declared.is_at_issuer = true;
        if !self.declared.method.is_safe() {
            let location =
                Header { name: "location", description: "The same address at the tenant's own domain" };
            self.declared.docs.answers_plainly(307, None, &[location]);
        }
        self
    }

    /// Limits calls per client address as the configuration says, counted for all nodes together.
    #[must_use]
    pub fn limit(mut self, chosen: fn(&Config) -> Limit) -> Self {
        self.declared.limit = Some(chosen);
        self
    }

    /// Lets browser applications of some origins call it (CORS).
    #[must_use]
    pub fn cors(mut self, cors: Cors) -> Self {
        self.declared.cors = Some(cors);
        self
    }
}
