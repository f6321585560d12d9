//! CAPTCHA providers by their verify call: Cloudflare Turnstile, hCaptcha, Google reCAPTCHA v2. Their protocols are the same.

use serde::Deserialize;
use svc_core::{Error, OrInternal as _, Result, Secret};
use svc_http::{Bytes, HeaderMap, HeaderValue, Limits, Params, StatusCode, header};

use super::finding::Finding;
use super::widgets::Provider;
use crate::hosted::{Visit, with_query};

/// Longest answer of a browser in bytes; reCAPTCHA's have about 2,000.
const LONGEST: usize = 8 * 1024;

/// What a provider answers.
#[derive(Deserialize)]
struct Verified {
    success: bool,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

impl Provider {
    /// Asks the provider about the answer of the browser; it counts there once.
    pub(super) async fn judge(&self, visit: &Visit, form: &Params) -> Result<Finding> {
        let answer = form.one(self.input).unwrap_or_default();
        if answer.is_empty() {
            return Ok(Finding::Missing);
        }
        if answer.len() > LONGEST {
            return Ok(Finding::Wrong);
        }
        let verified = self.ask(visit, answer).await?;
        // A fault of ours, such as a wrong secret, is none of the person's.
        let is_ours =
            |code: &String| code.contains("secret") || code == "bad-request" || code == "internal-error";
        if let Some(code) = verified.error_codes.iter().find(|code| is_ours(code)) {
            return Err(Error::internal(format!("the CAPTCHA provider says {code}")));
        }
        Ok(if verified.success { Finding::Passed } else { Finding::Wrong })
    }

    async fn ask(&self, visit: &Visit, answer: &str) -> Result<Verified> {
        let captcha = &visit.config().captcha;
        let secret = captcha.secret_key.as_ref().map(Secret::expose).unwrap_or_default();
        let address = visit.cx().client_ip.map(|ip| ip.to_string());
        let pairs = [("secret", secret), ("response", answer)].into_iter();
        let pairs = pairs.chain(address.as_deref().map(|address| ("remoteip", address)));
        let pairs = pairs.chain(captcha.site_key.as_deref().map(|key| ("sitekey", key)));
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        let url = captcha.verify_url.as_ref().map_or(self.verify_url, |url| url.as_str());
        let limits = Limits { time: captcha.timeout_secs, ..Limits::default() };
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, form)]);
        let body = with_query("", pairs).trim_start_matches('?').to_owned();
        let outbound = &visit.host.app.outbound_configured;
        let fetched = outbound.post(url, headers, Bytes::from(body), limits).await?;
        if fetched.status != StatusCode::OK {
            return Err(Error::internal(format!("the CAPTCHA provider answered {}", fetched.status)));
        }
        serde_json::from_slice(&fetched.body).or_internal()
    }
}
