//! The range API of Have I Been Pwned: all digests that begin with five characters, of which ours is one or is not.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use svc_config::Config;
use svc_core::{Error, OrInternal as _, Result};
use svc_keys::hex;

use super::Sha1;
use crate::outbound::{Limits, Outbound};

/// Characters of the digest that the API learns.
const LEARNT: usize = 5;
/// Longest answer in bytes; those of the public service have about 80,000 with their padding.
const LONGEST: usize = 1 << 20;

/// The API under one address.
pub(super) struct Range {
    outbound: Outbound,
    address: String,
    limits: Limits,
}

impl Range {
    pub(super) fn new(config: &Config, outbound: Outbound) -> Self {
        let address = config.hibp.api_url.as_str().trim_end_matches('/').to_owned();
        let limits = Limits { time: config.hibp.timeout_secs, bytes: LONGEST };
        Self { outbound, address, limits }
    }

    pub(super) async fn has(&self, wanted: &Sha1) -> Result<bool> {
        let digest = hex(wanted).to_ascii_uppercase();
        let (learnt, rest) = digest.split_at(LEARNT);
        // So that the length of an answer does not tell which one it is.
        let padded = (HeaderName::from_static("add-padding"), HeaderValue::from_static("true"));
        let url = format!("{}/range/{learnt}", self.address);
        let answer = self.outbound.get_with(&url, HeaderMap::from_iter([padded]), self.limits).await?;
        if answer.status != StatusCode::OK {
            return Err(Error::internal(format!("the range API answered {}", answer.status)));
        }
        let text = std::str::from_utf8(&answer.body).or_internal()?;
        Ok(text.lines().any(|line| is_of(line, rest)))
    }
}

/// Whether a line `SUFFIX:COUNT` is about `rest`; padding has the count 0.
fn is_of(line: &str, rest: &str) -> bool {
    let Some((suffix, count)) = line.trim_end().split_once(':') else { return false };
    suffix.eq_ignore_ascii_case(rest) && count.trim() != "0"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_about_its_own_digest_and_padding_about_none() {
        assert!(is_of("00D4F6E8FA6EECAD2A3AA415EEC418D38EC:2\r", "00D4F6E8FA6EECAD2A3AA415EEC418D38EC"));
        assert!(is_of("00d4f6e8fa6eecad2a3aa415eec418d38ec:10", "00D4F6E8FA6EECAD2A3AA415EEC418D38EC"));
        for other in ["00D4F6E8FA6EECAD2A3AA415EEC418D38EC:0", "00D4F6E8FA6EECAD2A3AA415EEC418D38EC", ""] {
            assert!(!is_of(other, "00D4F6E8FA6EECAD2A3AA415EEC418D38EC"), "{other}");
        }
        assert!(!is_of("0018A45C4D1DEF81644B54AB7F969B88D65:1", "00D4F6E8FA6EECAD2A3AA415EEC418D38EC"));
    }
}
