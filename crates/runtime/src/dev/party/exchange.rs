//! From code to verified claims: token endpoint, key set and `UserInfo`, each called like any application calls them.

use http_body_util::BodyExt as _;
use minijinja::{Value as Shown, context};
use serde_json::{Map, Value};
use svc_core::{OrInternal as _, Result};
use svc_http::{Body, HostCx, Method, Request, header};
use url::Url;
use url::form_urlencoded::Serializer;

use super::transaction::Transaction;
use super::verify::{self, wrong};
use super::{Party, Trouble};

/// A finished sign-in.
pub struct SignedIn {
    id_token: String,
    client_id: String,
    app_name: String,
    id_claims: Map<String, Value>,
    userinfo: Map<String, Value>,
    access_claims: Map<String, Value>,
}

/// Exchanges the code and verifies what comes back.
pub async fn exchange(
    party: &Party,
    host: &HostCx,
    transaction: &Transaction,
    code: &str,
) -> Result<SignedIn, Trouble> {
    let client = party.client(&transaction.handle).ok_or_else(|| wrong("the application is gone"))?;
    let form = Serializer::new(String::new())
        .append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &party.redirect_uri())
        .append_pair("client_id", &client.id)
        .append_pair("code_verifier", &transaction.verifier)
        .finish();
    let tokens = call(party, post_form("/oauth/token", form)).await?;
    let jwks = call(party, get("/.well-known/jwks.json", None)).await?;
    let text = |name: &str| {
        let token = tokens.get(name).and_then(Value::as_str);
        token.map(str::to_owned).ok_or_else(|| wrong(&format!("the token response has no {name}")))
    };
    let (id_token, access_token) = (text("id_token")?, text("access_token")?);
    let expected = verify::Expected {
        issuer: &party.issuer,
        client_id: &client.id,
        nonce: &transaction.nonce,
        now: host.cx.now,
    };
    let id_claims = verify::id_token(&jwks, &id_token, &expected)?;
    let access_claims = verify::access_token(&jwks, &access_token, &expected)?;
    let userinfo = call(party, get("/userinfo", Some(&access_token))).await?;
    if userinfo.get("sub") != id_claims.get("sub") {
        return Err(wrong("UserInfo has another subject than the ID token"));
    }
    Ok(SignedIn {
        id_token,
        client_id: client.id.clone(),
        app_name: client.name.clone(),
        id_claims,
        userinfo: userinfo.as_object().cloned().unwrap_or_default(),
        access_claims,
    })
}

impl SignedIn {
    /// What the page shows.
    pub fn shown(&self) -> Shown {
        let name = ["name", "preferred_username", "email", "sub"]
            .into_iter()
            .find_map(|claim| self.userinfo.get(claim).and_then(Value::as_str));
        context! {
            name,
            app_name => &self.app_name,
            id_claims => rows(&self.id_claims),
            userinfo => rows(&self.userinfo),
            access_claims => rows(&self.access_claims),
        }
    }

    /// Where the browser goes to be signed out everywhere (OpenID Connect RP-Initiated Logout §2).
    pub fn end_session_url(&self, issuer: &str) -> Result<String> {
        let mut url = Url::parse(&format!("{issuer}/oauth/end-session")).or_internal()?;
        url.query_pairs_mut()
            .append_pair("id_token_hint", &self.id_token)
            .append_pair("client_id", &self.client_id)
            .append_pair("post_logout_redirect_uri", &format!("{issuer}/dev"));
        Ok(url.into())
    }
}

fn rows(claims: &Map<String, Value>) -> Vec<(String, String)> {
    let shown = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => serde_json::to_string_pretty(value).unwrap_or_default(),
        other => other.to_string(),
    };
    claims.iter().map(|(name, value)| (name.clone(), shown(value))).collect()
}

type Prepared = (Method, &'static str, Vec<(header::HeaderName, String)>, String);

fn get(path: &'static str, bearer: Option<&str>) -> Prepared {
    let headers = bearer.map(|token| (header::AUTHORIZATION, format!("Bearer {token}")));
    (Method::GET, path, headers.into_iter().collect(), String::new())
}

fn post_form(path: &'static str, form: String) -> Prepared {
    let kind = (header::CONTENT_TYPE, "application/x-www-form-urlencoded".to_owned());
    (Method::POST, path, vec![kind], form)
}

/// Calls our own service as an application would, only without a socket.
async fn call(party: &Party, (method, path, headers, body): Prepared) -> Result<Value, Trouble> {
    let opened = party.opened.get().ok_or_else(|| wrong("the service is still starting"))?;
    let authority = party.issuer.split_once("://").map_or("", |(_, authority)| authority);
    let mut request = Request::builder().method(method).uri(path).header(header::HOST, authority);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let request = request.body(Body::from(body)).map_err(|error| wrong(&error.to_string()))?;
    let response = opened.service.clone().serve(request).await;
    let status = response.status();
    let bytes = response.into_body().collect().await.map_err(|error| wrong(&error.to_string()))?.to_bytes();
    let document: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    if status.is_success() {
        return Ok(document);
    }
    let member = |name: &str| document.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let code = Some(member("error")).filter(|code| !code.is_empty()).unwrap_or_else(|| status.to_string());
    Err((code, format!("{path}: {}", member("error_description"))))
}
