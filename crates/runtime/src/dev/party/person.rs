//! A person of the demo, signed in by one click: the forms of the real pages are filled as a browser would.

use http_body_util::BodyExt as _;
use svc_core::{Error, OrInternal as _, Result};
use svc_http::{Body, HeaderMap, IntoResponse as _, Method, Request, Response, header, see_other};
use url::form_urlencoded::Serializer;

use super::Party;

/// A person whose password the demo knows.
pub struct Person {
    /// The user name.
    pub username: &'static str,
    /// What people read.
    pub name: &'static str,
    /// The password.
    pub password: String,
}

impl Person {
    /// Answers the sign-in page of an authorization request; the browser gets the cookies and goes on where that leads.
    pub async fn sign_in(&self, party: &Party, authorization_url: &str) -> Result<Response> {
        let path = authorization_url.strip_prefix(&party.issuer).unwrap_or(authorization_url);
        let (page, headers) = call(party, Method::GET, path, (String::new(), String::new())).await?;
        let flow = page.split_once("name=\"flow\" value=\"").and_then(|(_, rest)| rest.split_once('"'));
        let (flow, _) = flow.ok_or_else(|| Error::internal("the sign-in page has no form"))?;
        let form = Serializer::new(String::new())
            .append_pair("flow", flow)
            .append_pair("username", self.username)
            .append_pair("password", &self.password)
            .finish();
        let cookies: Vec<_> = cookies(&headers).filter_map(|line| line.split(';').next()).collect();
        let (_, headers) = call(party, Method::POST, "/auth/sign-in", (cookies.join("; "), form)).await?;
        let location = headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
        let mut response = see_other(location.unwrap_or("/dev")).into_response();
        for cookie in headers.get_all(header::SET_COOKIE) {
            response.headers_mut().append(header::SET_COOKIE, cookie.clone());
        }
        Ok(response)
    }
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers.get_all(header::SET_COOKIE).iter().filter_map(|line| line.to_str().ok())
}

/// Calls our own pages as a browser would, only without a socket.
async fn call(
    party: &Party,
    method: Method,
    path: &str,
    (cookies, form): (String, String),
) -> Result<(String, HeaderMap)> {
    let opened =
        party.opened.get().ok_or_else(|| Error::temporarily_unavailable("the service is starting"))?;
    let authority = party.issuer.split_once("://").map_or("", |(_, authority)| authority);
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, authority)
        .header(header::COOKIE, cookies)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(Body::from(form))
        .or_internal()?;
    let (head, body) = opened.service.clone().serve(request).await.into_parts();
    let bytes = body.collect().await.or_internal()?.to_bytes();
    Ok((String::from_utf8_lossy(&bytes).into_owned(), head.headers))
}
