//! The place of a request in a trace (W3C Trace Context §3.2): read strictly, passed on with a span of our own.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use svc_core::Entropy;
use svc_keys::hex;

/// The header's name.
pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Length of version 00; a later version may go on after a further hyphen.
const LENGTH: usize = 55;
const SAMPLED: u8 = 1;

/// A span of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceContext {
    pub(super) trace_id: [u8; 16],
    pub(super) span_id: [u8; 8],
    pub(super) is_sampled: bool,
}

impl TraceContext {
    /// What a request brings along; nothing where the header is missing, doubled or malformed (§3.2.2).
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let mut given = headers.get_all(TRACEPARENT).iter();
        let text = given.next()?.to_str().ok().filter(|_| given.next().is_none())?;
        let (version, rest) = text.split_once('-')?;
        let is_whole = match version {
            "00" => text.len() == LENGTH,
            _ => text.len() == LENGTH || text.as_bytes().get(LENGTH) == Some(&b'-'),
        };
        let [version] = bytes(version)?;
        let mut parts = rest.split('-');
        let trace_id: [u8; 16] = bytes(parts.next()?)?;
        let span_id: [u8; 8] = bytes(parts.next()?)?;
        let [flags] = bytes(parts.next()?)?;
        let is_valid = is_whole && version != 0xff && trace_id != [0; 16] && span_id != [0; 8];
        is_valid.then_some(Self { trace_id, span_id, is_sampled: flags & SAMPLED == SAMPLED })
    }

    /// The first span of a new trace, of which `percent` in a hundred are kept.
    pub(super) fn root(entropy: &dyn Entropy, percent: u32) -> Self {
        let mut trace_id = [0; 16];
        entropy.fill(&mut trace_id);
        let chance = trace_id.iter().rev().take(4).fold(0, |chance, byte| (chance << 8) | u32::from(*byte));
        Self { trace_id, span_id: fresh(entropy), is_sampled: chance % 100 < percent }
    }

    /// A further span of the same trace.
    pub(super) fn child(self, entropy: &dyn Entropy) -> Self {
        Self { span_id: fresh(entropy), ..self }
    }

    /// The header for a request that this span makes.
    pub(crate) fn header(self) -> Option<HeaderValue> {
        let flags = u8::from(self.is_sampled);
        HeaderValue::try_from(format!("00-{}-{}-{flags:02x}", hex(self.trace_id), hex(self.span_id))).ok()
    }

    /// The trace, as logs name it.
    pub(crate) fn trace(self) -> String {
        hex(self.trace_id)
    }
}

fn fresh(entropy: &dyn Entropy) -> [u8; 8] {
    let mut id = [0; 8];
    entropy.fill(&mut id);
    id
}

/// Exactly `N` bytes in lower-case hexadecimal.
fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    if text.len() != 2 * N || !text.as_bytes().iter().all(is_digit) {
        return None;
    }
    let mut bytes = [0; N];
    for (byte, at) in bytes.iter_mut().zip((0..text.len()).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use svc_core::SeededEntropy;

    use super::*;

    const EXAMPLE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn read(text: &str) -> Option<TraceContext> {
        TraceContext::of(&HeaderMap::from_iter([(TRACEPARENT, HeaderValue::from_str(text).unwrap())]))
    }

    #[test]
    fn the_example_of_the_standard_is_read_and_written() {
        let context = read(EXAMPLE).unwrap();
        assert_eq!(context.header().unwrap(), EXAMPLE);
        assert_eq!(context.trace(), "4bf92f3577b34da6a3ce929d0e0e4736");
        assert!(context.is_sampled && !read(&EXAMPLE.replace("-01", "-00")).unwrap().is_sampled);
        assert_eq!(read(&format!("{}-later", EXAMPLE.replacen("00", "01", 1))), Some(context));
    }

    #[test]
    fn whatever_the_standard_calls_invalid_starts_a_trace_of_its_own() {
        for bad in [
            "",
            &EXAMPLE.replacen("00", "ff", 1),
            &EXAMPLE.to_uppercase(),
            &EXAMPLE.replace("4bf92f3577b34da6a3ce929d0e0e4736", "00000000000000000000000000000000"),
            &EXAMPLE.replace("00f067aa0ba902b7", "0000000000000000"),
            &format!("{EXAMPLE}-more"),
            &format!("{}x", EXAMPLE.replacen("00", "01", 1)),
            &EXAMPLE[..50],
            &EXAMPLE.replace('b', "g"),
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
        let mut doubled = HeaderMap::new();
        doubled.append(TRACEPARENT, HeaderValue::from_static(EXAMPLE));
        doubled.append(TRACEPARENT, HeaderValue::from_static(EXAMPLE));
        assert_eq!(TraceContext::of(&doubled), None);
    }

    #[test]
    fn as_many_traces_are_kept_as_was_asked_for() {
        let entropy = SeededEntropy::new(7);
        let kept = |percent| (0..1000).filter(|_| TraceContext::root(&entropy, percent).is_sampled).count();
        assert_eq!((kept(0), kept(100)), (0, 1000));
        assert!((200..300).contains(&kept(25)));
        let root = TraceContext::root(&entropy, 100);
        let child = root.child(&entropy);
        assert!(child.trace_id == root.trace_id && child.span_id != root.span_id && child.is_sampled);
    }
}
