//! Parameters of queries and forms (`application/x-www-form-urlencoded`): each name once, valid UTF-8, bounded.

use std::borrow::Cow;

use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use bytes::Bytes;
use percent_encoding::percent_decode_str;
use svc_core::{Class, Error, Id, Kind, Result};

use super::expect_type;
use crate::body::{self, Overlong};
use crate::render::{OauthError, Problem};

/// The parameters of a request in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

/// More parameters than any honest request has.
const MOST: usize = 100;

impl Params {
    /// Parses `a=1&b=2`. A repeated name, a broken escape, invalid UTF-8 or NUL is refused (RFC 6749 §3.1).
    pub fn parse(text: &str) -> Result<Self> {
        let mut params: Vec<(String, String)> = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name)?;
            if params.iter().any(|(known, _)| *known == name) {
                return Err(Error::invalid_request(format!("the parameter {} occurs twice", shown(&name))));
            }
            if params.len() == MOST {
                return Err(Error::invalid_request("there are more than 100 parameters"));
            }
            let value = decode(value).map_err(|error| named(&name, &error))?;
            params.push((name, value));
        }
        Ok(Self(params))
    }

    /// Parses the bytes of a form.
    pub fn parse_form(bytes: &[u8]) -> Result<Self> {
        Self::parse(form_text(bytes)?)
    }

    /// The value of a parameter. An empty one counts as absent (RFC 6749 §3.1).
    pub fn one(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }

    /// The value of a parameter that must be there.
    pub fn required(&self, name: &str) -> Result<&str> {
        self.one(name).ok_or_else(|| Error::invalid_request(format!("the parameter {name} is missing")))
    }

    /// The id that a parameter must name.
    pub fn id<K: Kind>(&self, name: &str) -> Result<Id<K>> {
        self.required(name)?.parse().map_err(|_| Error::invalid_request(format!("{name}: give an id")))
    }

    /// Whether the parameter occurs, if only empty.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// All of them in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Params {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// The form in a request body.
#[derive(Clone, Debug)]
pub struct Form(pub Params);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = OauthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, OauthError> {
        let SentForm { params, .. } = SentForm::read(request).await?;
        Ok(Self(params))
    }
}

/// The form in a request body as it came, for an endpoint that reads it by a rule of its own.
#[derive(Clone, Debug)]
pub struct FormText(pub String);

impl<S: Send + Sync> FromRequest<S> for FormText {
    type Rejection = OauthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, OauthError> {
        let (_, bytes) = sent(request).await?;
        Ok(Self(form_text(&bytes)?.to_owned()))
    }
}

/// The form in a request body, and the headers that it came with.
#[derive(Clone, Debug)]
pub struct SentForm {
    /// The headers.
    pub headers: HeaderMap,
    /// The form.
    pub params: Params,
}

impl SentForm {
    async fn read(request: Request) -> Result<Self, OauthError> {
        let (headers, bytes) = sent(request).await?;
        Ok(Self { headers, params: Params::parse_form(&bytes)? })
    }
}

impl<S: Send + Sync> FromRequest<S> for SentForm {
    type Rejection = OauthError;

    async fn from_request(request: Request, _: &S) -> Result<Self, OauthError> {
        Self::read(request).await
    }
}

impl<S: Send + Sync> OptionalFromRequest<S> for Form {
    type Rejection = OauthError;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, OauthError> {
        if request.headers().contains_key(CONTENT_TYPE) || request.extensions().get::<Overlong>().is_some() {
            return <Self as FromRequest<S>>::from_request(request, state).await.map(Some);
        }
        let bytes = body::read(request.into_body()).await?;
        if bytes.is_empty() {
            Ok(None)
        } else {
            Err(Error::unsupported_media_type("the body has no type").into())
        }
    }
}

/// The headers and the body of a form.
async fn sent(request: Request) -> Result<(HeaderMap, Bytes)> {
    let (Parts { headers, extensions, .. }, body) = request.into_parts();
    if extensions.get::<Overlong>().is_some() {
        return Err(body::too_large());
    }
    expect_type(&headers, "application/x-www-form-urlencoded")?;
    Ok((headers, body::read(body).await?))
}

/// The query of an API request.
#[derive(Clone, Debug)]
pub struct QueryParams(pub Params);

impl<S: Send + Sync> FromRequestParts<S> for QueryParams {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let params = Params::parse(parts.uri.query().unwrap_or_default());
        Ok(Self(params.map_err(|error| error.reclass(Class::BadRequest))?))
    }
}

fn form_text(bytes: &[u8]) -> Result<&str> {
    std::str::from_utf8(bytes).map_err(|_| Error::invalid_request("the form is not UTF-8"))
}

/// What is wrong with a value, after the name of its parameter.
fn named(name: &str, error: &Error) -> Error {
    let misfit = error.detail().trim_start_matches("a parameter ");
    Error::invalid_request(format!("the parameter {} {misfit}", shown(name)))
}

/// One name or value in form encoding.
pub(crate) fn decode(text: &str) -> Result<String> {
    if !escapes_are_whole(text.as_bytes()) {
        return Err(Error::invalid_request("a parameter has a broken percent escape"));
    }
    let spaced = if text.contains('+') { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    let decoded = percent_decode_str(&spaced).decode_utf8();
    let decoded = decoded.map_err(|_| Error::invalid_request("a parameter is not UTF-8"))?;
    if decoded.contains('\0') {
        return Err(Error::invalid_request("a parameter has a NUL character"));
    }
    Ok(decoded.into_owned())
}

fn escapes_are_whole(mut bytes: &[u8]) -> bool {
    while let Some(at) = bytes.iter().position(|byte| *byte == b'%') {
        match bytes.get(at + 1..at + 3) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => {
                bytes = bytes.get(at + 3..).unwrap_or_default();
            }
            _ => return false,
        }
    }
    true
}

fn shown(name: &str) -> String {
    name.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_in_their_order() {
        let params =
            Params::parse("scope=openid+profile&redirect_uri=https%3A%2F%2Fa.example%2F&empty=&flag")
                .unwrap();
        assert_eq!(params.one("scope"), Some("openid profile"));
        assert_eq!(params.one("redirect_uri"), Some("https://a.example/"));
        assert!(params.has("empty") && params.one("empty").is_none() && params.has("flag"));
        assert_eq!(
            params.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            ["scope", "redirect_uri", "empty", "flag"]
        );
    }

    #[test]
    fn a_repeated_parameter_is_refused_however_it_is_written() {
        for bad in ["code=1&code=2", "code=1&code=1", "code=1&c%6fde=2", "code&code"] {
            assert!(Params::parse(bad).unwrap_err().detail().contains("code occurs twice"), "{bad}");
        }
    }

    #[test]
    fn broken_escapes_invalid_utf8_and_nul_are_refused() {
        for bad in ["a=%", "a=%4", "a=%zz", "%=1", "a=%ff", "a=%c3%28", "a=%00", "a%00=1"] {
            assert!(Params::parse(bad).is_err(), "{bad}");
        }
        assert!(Params::parse_form(b"a=\xff").is_err());
    }

    #[test]
    fn a_value_that_cannot_be_read_is_refused_with_its_name() {
        for (bad, told) in [
            ("a=1&state=%00", "the parameter state has a NUL character"),
            ("state=%zz", "the parameter state has a broken percent escape"),
            ("state=%ff", "the parameter state is not UTF-8"),
        ] {
            assert_eq!(Params::parse(bad).unwrap_err().detail(), told);
        }
    }

    #[test]
    fn the_number_of_parameters_is_bounded() {
        let many = |count: usize| (0..count).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join("&");
        assert!(Params::parse(&many(MOST)).is_ok());
        assert!(Params::parse(&many(MOST + 1)).is_err());
    }
}
