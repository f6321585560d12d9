//! The query of an API request as a type: unknown parameters are refused by name, because a filter that is ignored
//! answers with what it should have kept out.

use axum::extract::{FromRequestParts, Query as AxumQuery};
use axum::http::Uri;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use svc_core::{Class, Error, OrInternal as _, Result};
use url::form_urlencoded;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};

use super::Params;
use crate::app::App;
use crate::context::TenantCx;
use crate::render::Problem;
use crate::reply::{LIST_PARAMS, ListQuery, ListRequest};
use crate::route::{Docs, Takes};

/// The parameters of a query.
#[derive(Clone, Debug)]
pub struct Query<F>(pub F);

/// What a list is asked for: a filter `F`, how many records, and after which position `P`.
#[derive(Clone, Debug)]
pub struct Listing<P, F = Everything> {
    /// Which records.
    pub filter: F,
    /// How many of them, after which.
    pub page: ListRequest<P>,
}

/// No filter.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
pub struct Everything {}

impl<S: Sync, F: DeserializeOwned + IntoParams> FromRequestParts<S> for Query<F> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self(filter_of(&params_of(parts)?, &[])?))
    }
}

impl<P, F> FromRequestParts<App> for Listing<P, F>
where
    P: DeserializeOwned,
    F: DeserializeOwned + IntoParams,
{
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = TenantCx::from_request_parts(parts, app).await?;
        let params = params_of(parts)?;
        Ok(Self { filter: filter_of(&params, LIST_PARAMS)?, page: caller.list(&params)? })
    }
}

impl<F: IntoParams> Takes for Query<F> {
    fn document(docs: &mut Docs) {
        docs.asks::<F>();
    }
}

impl<P, F: IntoParams> Takes for Listing<P, F> {
    fn document(docs: &mut Docs) {
        docs.asks::<F>();
        docs.asks::<ListQuery>();
    }
}

fn params_of(parts: &Parts) -> Result<Params> {
    Params::parse(parts.uri.query().unwrap_or_default()).map_err(|error| error.reclass(Class::BadRequest))
}

fn filter_of<F: DeserializeOwned + IntoParams>(params: &Params, others: &[&str]) -> Result<F> {
    let known = F::into_params(|| Some(ParameterIn::Query));
    let is_known = |name: &str| others.contains(&name) || known.iter().any(|param| param.name == name);
    if let Some((unknown, _)) = params.iter().find(|(name, _)| !is_known(name)) {
        let shown: String = unknown.chars().take(40).collect();
        let names: Vec<_> =
            known.iter().map(|param| param.name.as_str()).chain(others.iter().copied()).collect();
        return Err(Error::bad_request(format!(
            "unknown query parameter `{shown}`; this address takes {}",
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        )));
    }
    let mut query = form_urlencoded::Serializer::new("/?".to_owned());
    // An empty text counts as absent; an empty number, time or word of a list is a mistake.
    let is_text = |name: &str| known.iter().any(|param| param.name == name && is_plain_text(param));
    query.extend_pairs(params.iter().filter(|(name, value)| !(value.is_empty() && is_text(name))));
    let uri: Uri = query.finish().replacen("/?&", "/?", 1).parse().or_internal()?;
    let read = AxumQuery::<F>::try_from_uri(&uri);
    read.map(|AxumQuery(filter)| filter).map_err(|error| Error::bad_request(misfit(&error.body_text())))
}

/// Whether the parameter takes any text.
fn is_plain_text(param: &Parameter) -> bool {
    match &param.schema {
        Some(RefOr::T(Schema::Object(Object { schema_type, format: None, enum_values: None, .. }))) => {
            match schema_type {
                SchemaType::Type(kind) => *kind == Type::String,
                SchemaType::Array(kinds) => kinds.contains(&Type::String),
                SchemaType::AnyValue => false,
            }
        }
        _ => false,
    }
}

/// What the framework says, from the parameter's name on.
fn misfit(text: &str) -> String {
    text.rsplit_once("query string: ").map_or(text, |(_, misfit)| misfit).to_owned()
}

#[cfg(test)]
mod tests {
    use svc_core::Timestamp;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum State {
        Live,
        Ended,
    }

    #[derive(Debug, Deserialize, IntoParams)]
    struct Filter {
        #[param(value_type = Option<String>)]
        state: Option<State>,
        name: Option<String>,
        #[param(value_type = Option<String>, format = "date-time")]
        since: Option<Timestamp>,
    }

    fn read(query: &str) -> Result<Filter> {
        filter_of(&Params::parse(query)?, LIST_PARAMS)
    }

    #[test]
    fn a_query_is_read_and_an_unknown_parameter_is_named_with_those_that_exist() {
        let filter = read("state=ended&name=a%26b&limit=5").unwrap();
        assert!(matches!(filter.state, Some(State::Ended)));
        assert_eq!(filter.name.as_deref(), Some("a&b"));
        assert!(read("name=").unwrap().name.is_none());
        assert_eq!(
            read("stat=live").unwrap_err().detail(),
            "unknown query parameter `stat`; this address takes state, name, since, limit, cursor, fields"
        );
    }

    #[test]
    fn a_value_that_does_not_fit_is_named_with_its_parameter() {
        let error = read("state=gone").unwrap_err();
        assert!(error.detail().starts_with("state: ") && error.detail().contains("`gone`"), "{error}");
        assert!(matches!(read("state=live").unwrap().state, Some(State::Live)));
    }

    #[test]
    fn an_empty_time_is_refused_by_name() {
        let error = read("since=").unwrap_err();
        assert!(error.detail().starts_with("since: "), "{error}");
        assert!(read("since=2026-01-01T00:00:00Z").unwrap().since.is_some());
    }
}
