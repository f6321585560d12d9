//! Who may read what no route answers: the edge refuses some requests before there is a route, and gives others up. What the routes at
//! an address say of other origins (Fetch standard §3.2) holds for these answers too, or scripts could not read why they failed.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::header::ORIGIN;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::any;
use tower::ServiceExt as _;

use super::mount::origin_of;
use crate::app::App;
use crate::arrival::Arrival;
use crate::cors::{self, Admitted, Cors};

/// How long an answer waits for that: what was given up because the database does not answer is not kept waiting by it again.
const LONGEST_QUESTION: Duration = Duration::from_secs(2);

/// What routes say of other origins, by their addresses.
#[derive(Clone)]
pub(crate) struct Shared(Router);

/// What the routes at one address say.
#[derive(Clone)]
struct Rule(Cors);

/// What is said of an origin; it travels in the extensions of the answer to a question.
#[derive(Clone)]
struct Said(Option<Admitted>);

impl Shared {
    pub(super) fn new(app: &App, rules: impl IntoIterator<Item = (&'static str, Cors)>) -> Self {
        let router = rules
            .into_iter()
            .fold(Router::<App>::new(), |router, (path, cors)| router.route(path, any(Rule(cors))));
        Self(router.with_state(app.clone()))
    }

    /// The question that a request from another origin raises.
    pub(crate) fn question(parts: &Parts) -> Option<Box<Request>> {
        let origin = parts.headers.get(ORIGIN)?;
        let mut question = Request::new(Body::empty());
        *question.uri_mut() = parts.uri.clone();
        question.headers_mut().insert(ORIGIN, origin.clone());
        Some(Box::new(question))
    }

    /// Says of an answer who may read it, unless its route has. Without a host no tenant is looked for.
    pub(crate) async fn allow(
        &self,
        response: &mut Response,
        mut question: Request,
        host: Option<&Arc<Arrival>>,
    ) {
        if cors::is_said(response.headers()) {
            return;
        }
        if let Some(arrival) = host {
            question.extensions_mut().insert(Arc::clone(arrival));
        }
        let asked = self.0.clone().oneshot(question);
        let Ok(Ok(answer)) = tokio::time::timeout(LONGEST_QUESTION, asked).await else { return };
        if let Some(Said(admitted)) = answer.extensions().get() {
            cors::allow(response.headers_mut(), admitted.clone());
        }
    }
}

impl Handler<(), App> for Rule {
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, question: Request, app: App) -> Self::Future {
        Box::pin(async move {
            let (parts, _) = question.into_parts();
            let arrival = parts.extensions.get::<Arc<Arrival>>();
            let said = origin_of(&self.0, &app, arrival, &parts.headers).await;
            let mut answer = Response::new(Body::empty());
            answer.extensions_mut().insert(Said(said));
            answer
        })
    }
}
