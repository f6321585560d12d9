//! The list of declared routes: the service, its OpenAPI document and every enumerating test read it.

use std::collections::BTreeMap;

use axum::Router;
use axum::http::{HeaderValue, Method};
use axum::routing::{MethodFilter, on};
use svc_core::Error;

use super::mount::{Mounted, Preflight, not_allowed, unmatched};
use super::{Declared, Route, Shared};
use crate::app::App;
use crate::cors::Cors;
use crate::edge::Edge;

/// Declared routes, in order.
#[derive(Default)]
pub struct Routes(Vec<Route>);

impl Routes {
    /// A list of routes.
    pub fn new(routes: impl IntoIterator<Item = Route>) -> Self {
        Self(routes.into_iter().collect())
    }

    /// Both lists.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The same routes, those without a group of their own in this group of the documentation.
    #[must_use]
    pub fn tagged(mut self, tag: &'static str) -> Self {
        for route in self.0.iter_mut().filter(|route| route.declared.docs.tag.is_empty()) {
            route.declared.docs.tag = tag;
        }
        self
    }

    /// What every route declares, for tests and documents that enumerate.
    pub fn iter(&self) -> impl Iterator<Item = &Declared> {
        self.0.iter().map(|route| &route.declared)
    }

    /// The whole service: these routes behind the edge.
    pub fn service(self, app: &App) -> Edge {
        let shared = Shared::new(app, self.shared());
        Edge::new(app.clone(), self.router(app), shared)
    }

    /// What is said of other origins at each address that they may call.
    fn shared(&self) -> BTreeMap<&'static str, Cors> {
        let mut shared = BTreeMap::new();
        for Declared { path, cors, .. } in self.iter() {
            if let Some(cors) = cors {
                shared.entry(*path).or_insert_with(|| cors.clone());
            }
        }
        shared
    }

    /// The routes alone. Two routes with one method and path are a fault of the programmer and end the process.
    pub fn router(self, app: &App) -> Router {
        let mut shared: BTreeMap<&'static str, (Cors, Vec<Method>)> = BTreeMap::new();
        let mut router = Router::new();
        for route in self.0 {
            let Declared { path, cors, method, .. } = &route.declared;
            if let Some(cors) = cors {
                shared.entry(path).or_insert_with(|| (cors.clone(), Vec::new())).1.push(method.clone());
            }
            router = router.route(path, on(filter(method), Mounted::new(route, app)));
        }
        for (path, (cors, methods)) in shared {
            let methods: Vec<_> = methods.iter().map(Method::as_str).collect();
            if let Ok(methods) = HeaderValue::try_from(methods.join(", ")) {
                router = router.route(path, on(MethodFilter::OPTIONS, Preflight::new(cors, path, methods)));
            }
        }
        router
            .fallback(|app, request| unmatched(app, request, Error::not_found("nothing is at this address")))
            .method_not_allowed_fallback(not_allowed)
            .with_state(app.clone())
    }
}

fn filter(method: &Method) -> MethodFilter {
    MethodFilter::try_from(method.clone()).unwrap_or(MethodFilter::GET)
}
