//! The signature suite `svc-webhook-v1`: what of a delivery is signed, and the header that says so.

use crate::hex;
use crate::hmac::hmac_sha256_of;

/// The name of the suite.
pub const SUITE: &str = "svc-webhook-v1";
/// The header with the signatures.
pub const SIGNATURES: &str = "x-svc-signature-256";

/// What is signed of a delivery.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// When it is signed, in seconds since the epoch.
    pub timestamp: i64,
    /// How many seconds it counts from then.
    pub max_age: i64,
    /// The type of the event.
    pub event: &'a str,
    /// The delivery, the same in each attempt.
    pub delivery: &'a str,
    /// The body, byte for byte.
    pub body: &'a [u8],
}

impl Signed<'_> {
    /// The value of `X-SVC-Signature-256`: one signature for each secret, separated by commas.
    pub fn signatures<'s>(&self, secrets: impl IntoIterator<Item = &'s str>) -> String {
        let Self { timestamp, max_age, event, delivery, body } = self;
        let head = format!("{SUITE}\n{timestamp}\n{max_age}\n{event}\n{delivery}\n");
        let sign = |secret: &str| hex(hmac_sha256_of(secret.as_bytes(), &[head.as_bytes(), body]));
        let signatures: Vec<_> =
            secrets.into_iter().map(|secret| format!("sha256={}", sign(secret))).collect();
        signatures.join(",")
    }

    /// The headers of a request with these signatures, by name.
    pub fn headers(&self, signatures: String) -> [(&'static str, String); 7] {
        [
            ("content-type", "application/json".to_owned()),
            ("x-svc-signature-suite", SUITE.to_owned()),
            (SIGNATURES, signatures),
            ("x-svc-signature-max-age", self.max_age.to_string()),
            ("x-svc-timestamp", self.timestamp.to_string()),
            ("x-svc-event", self.event.to_owned()),
            ("x-svc-delivery", self.delivery.to_owned()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first test vector of `docs/how-to/webhooks.md`, computed by another implementation.
    #[test]
    fn a_delivery_is_signed_as_the_recipe_says() {
        let signed = Signed {
            timestamp: 1_800_000_000,
            max_age: 300,
            event: "webhook.test",
            delivery: "dlv_01jcqzv7y0e8kstk6yq6k3a4mf",
            body: "{\"name\":\"Zoë\"}".as_bytes(),
        };
        let [one, two] = [
            "svc_whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY",
            "svc_whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA",
        ];
        let both = signed.signatures([one, two]);
        assert_eq!(both, format!("{},{}", signed.signatures([one]), signed.signatures([two])));
        assert_eq!(
            signed.signatures([one]),
            "sha256=631d5da8ee91e6d97863c23e138738f4600b158f2d303bf7791f18401ad21d06"
        );
        let empty = Signed { body: b"", ..signed };
        assert_eq!(
            empty.signatures([one]),
            "sha256=1fcbed1f71584da93de7115f1f90f47afa4518c27bec1c6e19430f5b3c50ec94"
        );
    }
}
