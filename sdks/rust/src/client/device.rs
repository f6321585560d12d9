//! Sign-in on a device without a browser (RFC 8628).

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;

use super::{Client, Tokens};
use crate::Error;

/// No code lives longer: what a server says beyond it must not overflow the clock.
const LONGEST_SECS: u64 = 366 * 24 * 60 * 60;

/// Answers, perhaps of a proxy, that decide nothing.
const PASSING: [u16; 4] = [429, 502, 503, 504];

/// A device that waits for its person (RFC 8628 §3.2): show the address and the code.
#[derive(Clone, Deserialize)]
#[expect(missing_docs, reason = "the members are those of RFC 8628 §3.2")]
pub struct Device {
    device_code: String,
    pub user_code: String,
    pub verification_uri: String,
    pub verification_uri_complete: Option<String>,
    pub expires_in: u64,
    #[serde(default = "five")]
    pub interval: u64,
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[device for {} s]", self.expires_in)
    }
}

fn five() -> u64 {
    5
}

impl Client {
    /// Asks for the code that the person types in on another device.
    pub async fn start_device(&self, scope: &str) -> Result<Device, Error> {
        self.start_device_with(scope, &[]).await
    }

    /// The same with further parameters such as `resource`, the API that the token is for, or `organization`.
    pub async fn start_device_with(&self, scope: &str, extra: &[(&str, &str)]) -> Result<Device, Error> {
        let endpoint = self.metadata().await?.device_authorization_endpoint.as_deref();
        let form: Vec<_> = [("scope", scope)].into_iter().chain(extra.iter().copied()).collect();
        self.post(endpoint.ok_or_else(|| self.not_offered())?, &form).await
    }

    /// Polls until the person has decided, or the code has expired (RFC 8628 §3.5).
    pub async fn await_device(&self, device: &Device) -> Result<Tokens, Error> {
        let mut interval = Duration::from_secs(device.interval.clamp(1, LONGEST_SECS));
        let ends = Instant::now() + Duration::from_secs(device.expires_in.min(LONGEST_SECS));
        let form = [("device_code", device.device_code.as_str())];
        let mut wait = interval;
        while Instant::now() + wait <= ends {
            tokio::time::sleep(wait).await;
            let polled = self.grant("urn:ietf:params:oauth:grant-type:device_code", &form).await;
            let asked = polled.as_ref().err().and_then(|error| error.retry_after).unwrap_or_default();
            interval = match &polled {
                Err(error) if error.code == "authorization_pending" => interval,
                Err(error) if error.code == "slow_down" => asked.max(interval + Duration::from_secs(5)),
                Err(error) if error.code == "unanswered" => interval * 2,
                Err(error) if PASSING.contains(&error.status) => interval,
                decided => return decided.clone(),
            };
            // Only one that polls too fast is to go on more slowly.
            wait = asked.max(interval);
        }
        Err(Error::new(400, "expired_token", "the person did not decide in time").of(&self.config.issuer))
    }
}
