//! Tokens of applications that give them for client credentials (RFC 6749 §4.4): fetched when one is needed, and kept while it is valid.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderValue, Method, header};
use serde::Deserialize;
use svc_core::{OrInternal as _, Result, ScimTargetId, Seconds, Secret, Timestamp};
use svc_domain::delivery::scim_targets::{Access, ClientCredentials};

use crate::app::App;
use crate::scim_application::limits;

/// How long before its end a token is no longer used, and the longest that one is kept.
const MARGIN: Seconds = Seconds(30);
const LONGEST: Seconds = Seconds(3_600);
/// Most tokens that are kept.
const MOST: usize = 1_000;
/// Longest token.
const LONGEST_TOKEN: usize = 16 * 1024;

/// The tokens that a process has.
#[derive(Default)]
pub struct ScimTokens {
    kept: Mutex<BTreeMap<(ScimTargetId, i64), Kept>>,
}

#[derive(Clone)]
struct Kept {
    token: Secret,
    until: Timestamp,
}

/// A token, or why there is none.
#[derive(Debug)]
pub enum ScimToken {
    /// This one; whether it was kept from an earlier time.
    Given(Secret, bool),
    /// The client is refused.
    Refused(String),
    /// There was no usable answer.
    Unanswered(String),
}

/// What a token endpoint answers (RFC 6749 §5.1).
#[derive(Deserialize)]
struct Answer {
    access_token: String,
    token_type: String,
    #[serde(default)]
    expires_in: Option<i64>,
}

impl ScimTokens {
    /// The token with which the application is called: the secret itself, or one that the token endpoint gives for it.
    pub async fn token(&self, app: &App, access: &Access) -> Result<ScimToken> {
        let Some(client) = &access.configuration.client_credentials else {
            return Ok(ScimToken::Given(access.secret.clone(), false));
        };
        let now = app.clock.now();
        let kept = self.lock().get(&access.target).filter(|kept| now < kept.until).cloned();
        if let Some(Kept { token, .. }) = kept {
            return Ok(ScimToken::Given(token, true));
        }
        let (token, lifetime) = match fetched(app, access, client).await? {
            Ok(given) => given,
            Err(none) => return Ok(none),
        };
        let mut all = self.lock();
        all.retain(|_, kept| now < kept.until);
        if all.len() < MOST {
            all.insert(access.target, Kept { token: token.clone(), until: now + lifetime });
        }
        Ok(ScimToken::Given(token, false))
    }

    /// Forgets a token that the application does not take.
    pub fn forget(&self, target: (ScimTargetId, i64)) {
        self.lock().remove(&target);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<(ScimTargetId, i64), Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Fetch = std::result::Result<(Secret, Seconds), ScimToken>;

async fn fetched(app: &App, access: &Access, client: &ClientCredentials) -> Result<Fetch> {
    let content = (headers(client, &access.secret)?, Some(form(client).into()));
    let outbound = app.outbound.to_receivers(&app.config);
    let answer = outbound.send_reading_beginning(Method::POST, &client.token_url, content, limits(app)).await;
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Ok(Err(ScimToken::Unanswered(format!("token_url: {}", error.detail())))),
    };
    let status = answer.status;
    let why = format!("token_url: answered {}", status.as_u16());
    if matches!(status.as_u16(), 400 | 401 | 403) {
        return Ok(Err(ScimToken::Refused(why)));
    }
    let read = serde_json::from_slice::<Answer>(&answer.body).ok().filter(|_| status.is_success());
    Ok(read.and_then(usable).ok_or(ScimToken::Unanswered(why)))
}

/// What is asked for (RFC 6749 §4.4.2).
fn form(client: &ClientCredentials) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    if let Some(scope) = &client.scope {
        form.append_pair("scope", scope);
    }
    form.finish()
}

/// A bearer token that a header can carry (RFC 6750 §2.1), and how long it is kept.
fn usable(Answer { access_token, token_type, expires_in }: Answer) -> Option<(Secret, Seconds)> {
    let is_plain = (1..=LONGEST_TOKEN).contains(&access_token.len())
        && access_token.bytes().all(|byte| byte.is_ascii_graphic());
    let lifetime = Seconds(expires_in.unwrap_or_default().clamp(0, LONGEST.0) - MARGIN.0);
    (is_plain && token_type.eq_ignore_ascii_case("bearer")).then(|| (Secret::new(access_token), lifetime))
}

/// The client proves itself with HTTP Basic (RFC 6749 §2.3.1).
fn headers(client: &ClientCredentials, secret: &Secret) -> Result<HeaderMap> {
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let pair = format!("{}:{}", encoded(&client.client_id), encoded(secret.expose()));
    let mut basic = HeaderValue::try_from(format!("Basic {}", svc_keys::base64(pair))).or_internal()?;
    basic.set_sensitive(true);
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    let json = HeaderValue::from_static("application/json");
    Ok(HeaderMap::from_iter([
        (header::AUTHORIZATION, basic),
        (header::CONTENT_TYPE, form),
        (header::ACCEPT, json),
    ]))
}
