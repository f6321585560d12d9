//! The query of an API request as a type: unknown parameters are refused by name, because a filter that is ignored
//! answers with what it should have kept out.

use axum::extract::{FromRequestParts, Query as AxumQuery};
use axum::http::Uri;
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use svc_core::{Class, Error, Result};
use url::form_urlencoded;
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{Object, SchemaType, Type};
use utoipa::openapi::{RefOr, Schema};

use super::Params;
use crate::app::App;
use crate::context::TenantCx;
use crate::render::Problem;
use crate::reply::{LIST_PARAMS, ListQuery, ListRequest, Whole, WholeQuery};
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
        Ok(Self(filter_of(&params_of(&parts.uri)?, &[])?))
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
        let params = params_of(&parts.uri)?;
        Ok(Self { filter: filter_of(&params, LIST_PARAMS)?, page: caller.list(&params)? })
    }
}

impl FromRequestParts<App> for Whole {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = TenantCx::from_request_parts(parts, app).await?;
        let params = params_of(&parts.uri)?;
        let Everything {} = filter_of(&params, LIST_PARAMS)?;
        Ok(caller.whole(parts.uri.path(), &params)?)
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

impl Takes for Whole {
    fn document(docs: &mut Docs) {
        docs.asks::<WholeQuery>();
    }
}

/// Refuses every parameter in an address that takes none besides `others`.
pub(crate) fn takes_only(others: &[&str], uri: &Uri) -> Result<()> {
    filter_of::<Everything>(&params_of(uri)?, others).map(|Everything {}| ())
}

fn params_of(uri: &Uri) -> Result<Params> {
    Params::parse(uri.query().unwrap_or_default()).map_err(|error| error.reclass(Class::BadRequest))
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
    // A program that lost an id means what belongs to one record, and would be given what belongs to all, or to none.
    if let Some((name, _)) = params.iter().find(|(name, value)| value.is_empty() && name.ends_with("_id")) {
        return Err(Error::bad_request(format!("{name}: this is empty; give an id")));
    }
    // An empty text counts as absent; an empty number, time or word of a list is a mistake.
    let is_text = |name: &str| known.iter().any(|param| param.name == name && is_plain_text(param));
    let given: Vec<_> = params.iter().filter(|(name, value)| !(value.is_empty() && is_text(name))).collect();
    let misfit = match read::<F>(&given)? {
        Ok(filter) => return Ok(filter),
        Err(misfit) => misfit,
    };
    if known.iter().any(|param| misfit.strip_prefix(&param.name).is_some_and(|rest| rest.starts_with(':'))) {
        return Err(Error::bad_request(misfit));
    }
    // The reader of a flattened type forgets where it was: it is the parameter without which it goes on.
    for (name, _) in given.iter().filter(|(name, _)| !others.contains(name)) {
        let without: Vec<_> = given.iter().copied().filter(|(other, _)| other != name).collect();
        let other = read::<F>(&without)?.err();
        if other.is_none_or(|other| other != misfit && !other.starts_with("missing field")) {
            return Err(Error::bad_request(format!("{name}: {misfit}")));
        }
    }
    Err(Error::bad_request(misfit))
}

/// Reads what was given; what does not fit is said by the framework.
fn read<F: DeserializeOwned>(given: &[(&str, &str)]) -> Result<Result<F, String>> {
    let query = form_urlencoded::Serializer::new("/?".to_owned()).extend_pairs(given).finish();
    // Written out it is longer than it came, where the client escaped less.
    let uri = query.replacen("/?&", "/?", 1).parse::<Uri>();
    let uri = uri.map_err(|_| Error::bad_request("the query of the address is too long"))?;
    let read = AxumQuery::<F>::try_from_uri(&uri);
    Ok(read.map(|AxumQuery(filter)| filter).map_err(|error| misfit(&error.body_text())))
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
    let misfit = text.rsplit_once("query string: ").map_or(text, |(_, misfit)| misfit);
    misfit
        .replace("invalid digit found in string", "expected a whole number")
        .replace("cannot parse integer from empty string", "expected a whole number")
        .replace("number too large to fit in target type", "the number is too large")
        .replace("number too small to fit in target type", "the number is too small")
}

#[cfg(test)]
mod tests {
    use svc_core::{TenantUserId, Timestamp};

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

    fn of(query: &str) -> Result<Filter> {
        filter_of(&Params::parse(query)?, LIST_PARAMS)
    }

    #[test]
    fn a_number_without_bounds_is_refused_without_the_words_of_a_type() {
        let told =
            misfit("Failed to deserialize query string: limit: number too large to fit in target type");
        assert_eq!(told, "limit: the number is too large");
        let told =
            misfit("Failed to deserialize query string: limit: cannot parse integer from empty string");
        assert_eq!(told, "limit: expected a whole number");
    }

    #[test]
    fn a_query_is_read_and_an_unknown_parameter_is_named_with_those_that_exist() {
        let filter = of("state=ended&name=a%26b&limit=5").unwrap();
        assert!(matches!(filter.state, Some(State::Ended)));
        assert_eq!(filter.name.as_deref(), Some("a&b"));
        assert!(of("name=").unwrap().name.is_none());
        assert_eq!(
            of("stat=live").unwrap_err().detail(),
            "unknown query parameter `stat`; this address takes state, name, since, limit, cursor, fields"
        );
    }

    #[test]
    fn a_value_that_does_not_fit_is_named_with_its_parameter() {
        let error = of("state=gone").unwrap_err();
        assert!(error.detail().starts_with("state: ") && error.detail().contains("`gone`"), "{error}");
        assert!(matches!(of("state=live").unwrap().state, Some(State::Live)));
    }

    #[derive(Debug, Deserialize, IntoParams)]
    #[expect(dead_code, reason = "only its reading is tested")]
    struct Form {
        #[param(value_type = Option<String>)]
        format: Option<State>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its reading is tested")]
    struct Download {
        #[serde(flatten)]
        form: Form,
        #[serde(flatten)]
        filter: Filter,
    }

    impl IntoParams for Download {
        fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
            [Form::into_params(&place), Filter::into_params(&place)].concat()
        }
    }

    #[test]
    fn a_parameter_of_a_flattened_part_is_named_too() {
        let told = |query: &str| {
            let params = Params::parse(query).unwrap();
            filter_of::<Download>(&params, &[]).unwrap_err().detail().to_owned()
        };
        assert!(told("format=gone").starts_with("format: "), "{}", told("format=gone"));
        assert!(told("name=a&state=gone").starts_with("state: "), "{}", told("name=a&state=gone"));
        assert!(told("name=a&since=").starts_with("since: "), "{}", told("name=a&since="));
    }

    #[test]
    fn a_query_that_grows_beyond_any_address_is_refused() {
        let error = of(&format!("name={}", "~".repeat(22_000))).unwrap_err();
        assert_eq!(
            (error.class(), error.detail()),
            (Class::BadRequest, "the query of the address is too long")
        );
    }

    #[derive(Debug, Deserialize, IntoParams)]
    struct Owned {
        #[param(value_type = Option<String>)]
        owner_id: Option<TenantUserId>,
        request_id: Option<String>,
    }

    #[test]
    fn an_empty_id_is_refused_by_name() {
        let of = |query: &str| filter_of::<Owned>(&Params::parse(query).unwrap(), LIST_PARAMS);
        for name in ["owner_id", "request_id"] {
            let error = of(&format!("{name}=&limit=5")).unwrap_err();
            assert!(error.detail().starts_with(&format!("{name}: ")), "{error}");
        }
        let Owned { owner_id, request_id } = of("limit=5").unwrap();
        assert!(owner_id.is_none() && request_id.is_none());
    }

    #[test]
    fn an_empty_time_is_refused_by_name() {
        let error = of("since=").unwrap_err();
        assert!(error.detail().starts_with("since: "), "{error}");
        assert!(of("since=2026-01-01T00:00:00Z").unwrap().since.is_some());
    }
}
