//! What goes wrong, with what finds it in the server's log and without any secret.

use std::fmt;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::form_encoded;

/// A refusal of this package, whose `status` says what to answer, or of the server. It never holds a token, secret or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The machine-readable name, such as `invalid_token` or `rate_limited`. This package's own are `unanswered` (whether the request took
    /// effect is not known), `invalid_answer`, `invalid_discovery`, `unsupported` (by this issuer) and `client_error` (the call is at
    /// fault).
    pub code: String,
    /// For the developer.
    pub description: String,
    /// The HTTP status; 0 where there was no answer.
    pub status: u16,
    /// Finds the request in the server's log, where the server answered.
    pub request_id: Option<String>,
    /// The tenant or issuer that was asked.
    pub tenant: String,
    /// How long the server asks to wait.
    pub retry_after: Option<Duration>,
}

impl Error {
    /// A refusal with its status, code and description.
    pub fn new(status: u16, code: &str, description: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            description: description.into(),
            status,
            request_id: None,
            tenant: String::new(),
            retry_after: None,
        }
    }

    pub(crate) fn invalid_token(description: &str) -> Self {
        Self::new(401, "invalid_token", description)
    }

    pub(crate) fn invalid_proof(description: &str) -> Self {
        Self::new(401, "invalid_dpop_proof", description)
    }

    pub(crate) fn forbidden(description: &str) -> Self {
        Self::new(403, "forbidden", description)
    }

    /// The issuer's keys are out of reach. Of the reason callers see its code, which leads to what is wrong.
    pub(crate) fn without_keys(reason: Self) -> Self {
        let description = format!("the issuer's keys are out of reach ({})", reason.code);
        Self { request_id: reason.request_id, ..Self::new(503, "temporarily_unavailable", description) }
    }

    /// The call is at fault.
    pub(crate) fn local(description: &str) -> Self {
        Self::new(0, "client_error", description)
    }

    /// The server's answer is not what was asked for.
    pub(crate) fn invalid_answer(description: &str) -> Self {
        Self::new(0, "invalid_answer", description)
    }

    /// Names the tenant or issuer that was asked, unless one is named already.
    pub(crate) fn of(mut self, tenant: &str) -> Self {
        if self.tenant.is_empty() {
            tenant.clone_into(&mut self.tenant);
        }
        self
    }

    /// Names the answer that is at fault.
    pub(crate) fn in_answer(mut self, status: u16, headers: &reqwest::header::HeaderMap) -> Self {
        self.status = status;
        self.request_id = request_id(headers);
        self
    }

    /// No answer: whether the request took effect is not known. The address is left out, for it may have a query.
    pub(crate) fn unanswered(cause: reqwest::Error) -> Self {
        Self::new(0, "unanswered", cause.without_url().to_string())
    }

    pub(crate) fn answered(
        status: u16,
        headers: &reqwest::header::HeaderMap,
        body: &[u8],
        tenant: &str,
    ) -> Self {
        let problem: Value = serde_json::from_slice(body).unwrap_or_default();
        let text = |name: &str| problem.get(name).and_then(Value::as_str).map(plain);
        Self {
            code: text("error").or_else(|| challenged(headers)).unwrap_or_else(|| format!("http_{status}")),
            // SCIM has `detail` alone (RFC 7644 §3.12).
            description: text("error_description").or_else(|| text("detail")).unwrap_or_default(),
            status,
            request_id: request_id(headers).or_else(|| text("request_id")),
            tenant: tenant.to_owned(),
            retry_after: header(headers, "retry-after").and_then(retry_after),
        }
    }

    /// Takes what was sent in confidence out of what the server says, should it repeat that, also as it stands in a form.
    pub(crate) fn without(mut self, secrets: &[&str]) -> Self {
        let secrets = secrets.iter().filter(|secret| secret.len() >= 8);
        for said in secrets.flat_map(|secret| [(*secret).to_owned(), form_encoded(secret)]) {
            let hidden = |text: &str| text.replace(&said, "[redacted]");
            self.code = hidden(&self.code);
            self.description = hidden(&self.description);
            self.request_id = self.request_id.as_deref().map(hidden);
        }
        self
    }
}

/// A text of the server's without control characters: a line of a log stays one line whatever a server says.
pub(crate) fn plain(text: &str) -> String {
    text.split(char::is_control).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn header<'a>(headers: &'a reqwest::header::HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// The code that a challenge has, for a resource server whose body has none (RFC 6750 §3, RFC 9449 §9).
fn challenged(headers: &reqwest::header::HeaderMap) -> Option<String> {
    let (_, rest) = header(headers, "www-authenticate")?.split_once("error=\"")?;
    let (code, _) = rest.split_once('"')?;
    let is_plain = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_plain && (1..=64).contains(&code.len())).then(|| code.to_owned())
}

fn request_id(headers: &reqwest::header::HeaderMap) -> Option<String> {
    header(headers, "x-request-id").map(str::to_owned)
}

/// Both forms of the header (RFC 9110 §10.2.3). What is longer than any wait stays so: it must neither become none nor overflow a clock.
fn retry_after(value: &str) -> Option<Duration> {
    const LONGEST_SECS: u64 = 366 * 24 * 60 * 60;
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let seconds = is_number.then(|| value.parse::<u64>().map_or(LONGEST_SECS, |secs| secs.min(LONGEST_SECS)));
    let wait = || httpdate::parse_http_date(value).ok()?.duration_since(SystemTime::now()).ok();
    seconds.map(Duration::from_secs).or_else(wait)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.description)?;
        match &self.request_id {
            Some(id) => write!(f, " (status {}, request {id}, tenant {})", self.status, self.tenant),
            None if !self.tenant.is_empty() => write!(f, " (tenant {})", self.tenant),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
