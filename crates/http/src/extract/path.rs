//! Path parameters; what cannot be an id is answered like an unknown id.

use axum::extract::{FromRequestParts, Path as AxumPath};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use svc_core::{Error, Result};

use crate::render::Problem;

/// The parameters of the path, parsed.
#[derive(Clone, Debug)]
pub struct Path<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let read = AxumPath::<T>::from_request_parts(parts, state).await;
        let AxumPath(value) = read.map_err(|error| Error::unknown_id().caused_by(error))?;
        Ok(Self(value))
    }
}
