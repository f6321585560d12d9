//! Addresses that an application sent and that are not the expected ones: the log has both, and outside production the
//! answer too.

use svc_core::Error;
use svc_http::HostCx;

/// A parameter of a request with what was sent, and what would have been right.
pub struct WrongAddress<'a> {
    /// Its name.
    pub parameter: &'static str,
    /// What was sent; empty where it was left out.
    pub sent: &'a str,
    /// What is registered, or was granted.
    pub expected: &'a [String],
}

/// Most characters of one address in an answer.
const SHOWN: usize = 200;

impl WrongAddress<'_> {
    /// Logs both, and tells developers in the answer.
    pub fn explain(&self, host: &HostCx, error: Error) -> Error {
        let Self { parameter, sent, expected } = self;
        tracing::info!(
            request_id = host.cx.request_id,
            parameter,
            sent,
            ?expected,
            "not the expected address"
        );
        if host.app.config.security.production {
            return error;
        }
        let expected: Vec<_> = self.expected.iter().map(|address| shown(address)).collect();
        let (sent, expected) = (shown(self.sent), expected.join(" "));
        Error::new(error.class(), format!("{}; sent: {sent}; expected: {expected}", error.detail()))
    }
}

/// What may stand in an `error_description` (RFC 6749 §5.2).
fn shown(address: &str) -> String {
    address
        .chars()
        .filter(|char| char.is_ascii_graphic() && !['"', '\\'].contains(char))
        .take(SHOWN)
        .collect()
}
