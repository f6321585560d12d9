//! Handlers whose types say what they take and answer, so that the OpenAPI document repeats nothing by hand.

use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use super::docs::{Docs, Header, JSON};
use crate::context::{OperatorCx, TenantCx};
use crate::extract::{JSON_LINES, Json, Lines, Path, QueryParams};
use crate::reply::{Created, IfMatch, NoContent, NoStore, Versioned};

/// A parameter of a handler.
pub trait Takes {
    /// Adds what it reads.
    fn document(_: &mut Docs) {}
}

/// What a handler answers with.
pub trait Answers {
    /// Adds its status, its headers and its document.
    fn document(docs: &mut Docs);
}

/// A handler whose parameters and answer are documented.
pub trait Documented<T> {
    /// Adds what it takes and answers.
    fn document(docs: &mut Docs);
}

const ETAG: Header =
    Header { name: "etag", description: "The version; send it as `If-Match` with a change." };
const LOCATION: Header = Header { name: "location", description: "The address of the new record." };

impl<T: ToSchema> Takes for Json<T> {
    fn document(docs: &mut Docs) {
        docs.takes::<T>(JSON);
    }
}

/// A body that may be left out.
impl<T: ToSchema> Takes for Option<Json<T>> {
    fn document(docs: &mut Docs) {
        <Json<T> as Takes>::document(docs);
        docs.may_lack_body = true;
    }
}

impl<T: ToSchema> Takes for Lines<T> {
    fn document(docs: &mut Docs) {
        for media_type in JSON_LINES {
            docs.takes::<T>(media_type);
        }
    }
}

impl<T: Takes, E> Takes for Result<T, E> {
    fn document(docs: &mut Docs) {
        T::document(docs);
    }
}

impl Takes for IfMatch {
    fn document(docs: &mut Docs) {
        let description =
            "The `ETag` that the change is meant for; 409 when the record has changed since it was read.";
        docs.headers.push(Header { name: "if-match", description });
    }
}

impl<T> Takes for Path<T> {}
impl Takes for QueryParams {}
impl Takes for TenantCx {}
impl Takes for OperatorCx {}

impl<T: ToSchema> Answers for Json<T> {
    fn document(docs: &mut Docs) {
        docs.answers::<T>(200, JSON, &[]);
    }
}

impl<T: ToSchema> Answers for NoStore<T> {
    fn document(docs: &mut Docs) {
        docs.answers::<T>(200, JSON, &[]);
    }
}

impl<T: ToSchema> Answers for Versioned<T> {
    fn document(docs: &mut Docs) {
        docs.answers::<T>(200, JSON, &[ETAG]);
    }
}

impl<T: ToSchema + Serialize> Answers for Created<T> {
    fn document(docs: &mut Docs) {
        docs.answers::<T>(201, JSON, &[LOCATION, ETAG]);
    }
}

impl Answers for NoContent {
    fn document(docs: &mut Docs) {
        docs.answers_plainly(204, None, &[]);
    }
}

impl Answers for String {
    fn document(docs: &mut Docs) {
        docs.answers_plainly(200, Some("text/plain"), &[]);
    }
}

/// What it is, its route says.
impl Answers for Response {
    fn document(_: &mut Docs) {}
}

impl<T: Answers, E> Answers for Result<T, E> {
    fn document(docs: &mut Docs) {
        T::document(docs);
    }
}

macro_rules! handlers {
    ($($rest:ident)*) => {
        handlers!(@each [] $($rest)*);
    };
    (@each [$($seen:ident)*]) => { handlers!(@impl $($seen)*); };
    (@each [$($seen:ident)*] $next:ident $($rest:ident)*) => {
        handlers!(@impl $($seen)*);
        handlers!(@each [$($seen)* $next] $($rest)*);
    };
    (@impl $($param:ident)*) => {
        impl<H, M, C, O, R, $($param),*> Documented<(M, C, $($param,)*)> for H
        where
            H: FnOnce(C, $($param),*) -> O,
            O: Future<Output = R>,
            C: Takes,
            R: Answers,
            $($param: Takes),*
        {
            fn document(docs: &mut Docs) {
                C::document(docs);
                $($param::document(docs);)*
                R::document(docs);
            }
        }
    };
}

handlers! { A B D E F G }
