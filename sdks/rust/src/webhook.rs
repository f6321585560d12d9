//! Deliveries of webhooks, signed by the suite `svc-webhook-v1`.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use aws_lc_rs::hmac::{Context, HMAC_SHA256, Key};
use subtle::ConstantTimeEq as _;

use crate::{Error, ReplayStore};

const SUITE: &str = "svc-webhook-v1";

/// Why a delivery is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WebhookRefusal {
    /// The suite is missing or not known.
    Suite,
    /// A header is missing, there twice, or malformed.
    Header,
    /// No signature fits.
    Signature,
    /// It is too old, or of the future.
    Timestamp,
    /// It was accepted before.
    Replay,
    /// The store of deliveries is out of reach.
    Store(Error),
}

impl WebhookRefusal {
    /// The name in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Suite => "suite",
            Self::Header => "header",
            Self::Signature => "signature",
            Self::Timestamp => "timestamp",
            Self::Replay => "replay",
            Self::Store(_) => "store",
        }
    }
}

impl fmt::Display for WebhookRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the delivery is refused: {}", self.name())
    }
}

impl std::error::Error for WebhookRefusal {}

/// A verified delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The type of the event.
    pub event: String,
    /// The delivery, the same in each attempt.
    pub id: String,
}

/// Verifies deliveries of the suite `svc-webhook-v1`.
pub struct WebhookVerifier {
    /// The present secret and, while it is being replaced, the former.
    pub secrets: Vec<String>,
    /// The receiver's own limit, such as 300.
    pub max_age_secs: u64,
    /// Refuses a delivery that was accepted before.
    pub deliveries: Option<Arc<dyn ReplayStore>>,
    /// The clock: seconds since 1970.
    pub now: fn() -> i64,
}

impl fmt::Debug for WebhookVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[webhook verifier]")
    }
}

impl WebhookVerifier {
    /// By these secrets, at most five minutes old.
    pub fn new(secrets: Vec<String>) -> Self {
        Self { secrets, max_age_secs: 300, deliveries: None, now: crate::now }
    }

    /// Judges a delivery: suite, headers, signature, time, replay. Names of headers count in any letter case.
    pub async fn verify<'a>(
        &self,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
        body: &[u8],
    ) -> Result<Delivery, WebhookRefusal> {
        let mut known: HashMap<String, Vec<&str>> = HashMap::new();
        for (name, value) in headers {
            known.entry(name.to_ascii_lowercase()).or_default().push(value);
        }
        let one = |name: &str| match known.get(name).map(Vec::as_slice) {
            Some([value]) if !value.is_empty() => Ok(*value),
            _ => Err(WebhookRefusal::Header),
        };
        if one("x-svc-signature-suite") != Ok(SUITE) {
            return Err(WebhookRefusal::Suite);
        }
        let [timestamp, max_age] = [one("x-svc-timestamp")?, one("x-svc-signature-max-age")?];
        let [event, id, given] = [one("x-svc-event")?, one("x-svc-delivery")?, one("x-svc-signature-256")?];
        let (signed_at, max_secs) =
            number(timestamp, 12).zip(number(max_age, 9)).ok_or(WebhookRefusal::Header)?;
        let head = format!("{SUITE}\n{timestamp}\n{max_age}\n{event}\n{id}\n");
        if !self.is_signed(given, head.as_bytes(), body) {
            return Err(WebhookRefusal::Signature);
        }
        let age = (self.now)().abs_diff(i64::try_from(signed_at).unwrap_or(i64::MAX));
        if age > max_secs.min(self.max_age_secs) {
            return Err(WebhookRefusal::Timestamp);
        }
        self.note(id).await?;
        Ok(Delivery { event: event.to_owned(), id: id.to_owned() })
    }

    /// Compares with every secret and signature in constant time.
    fn is_signed(&self, given: &str, head: &[u8], body: &[u8]) -> bool {
        let mut is_signed = false;
        for secret in self.secrets.iter().filter(|secret| !secret.is_empty()) {
            let mut context = Context::with_key(&Key::new(HMAC_SHA256, secret.as_bytes()));
            context.update(head);
            context.update(body);
            let tag = context.sign();
            let digits: String = tag.as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
            let expected = format!("sha256={digits}");
            for signature in given.split(',').take(4) {
                is_signed |= bool::from(signature.trim().as_bytes().ct_eq(expected.as_bytes()));
            }
        }
        is_signed
    }

    async fn note(&self, id: &str) -> Result<(), WebhookRefusal> {
        let Some(store) = &self.deliveries else { return Ok(()) };
        let until = (self.now)() + 2 * i64::try_from(self.max_age_secs).unwrap_or(i64::MAX / 4);
        match store.note(id, until).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(WebhookRefusal::Replay),
            Err(error) => Err(WebhookRefusal::Store(error)),
        }
    }
}

/// Digits alone, at most so many.
fn number(text: &str, most: usize) -> Option<u64> {
    let is_number = text.len() <= most && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}
