//! By which name a client finds its call again, in the answer and in our log (FAPI 1.0 Baseline §6.2.1, on which FAPI-CIBA rests).

use svc_http::{HeaderMap, HeaderName, HeaderValue, HostCx};

/// The header of the name.
const NAME: HeaderName = HeaderName::from_static("x-fapi-interaction-id");
/// The bits of a UUID that say of what kind it is, and what they say of one that is random (RFC 9562 §5.4).
const KIND: u128 = (0xF << 76) | (0x3 << 62);
const RANDOM: u128 = (0x4 << 76) | (0x2 << 62);
/// The groups of digits in which one is written.
const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

/// The header of an answer.
pub(super) type Named = Option<[(HeaderName, HeaderValue); 1]>;

/// The name that the client gave its call, where that is a UUID, or one of ours.
pub(super) fn named(host: &HostCx, headers: &HeaderMap) -> Named {
    let given = headers.get(NAME).and_then(|value| value.to_str().ok()).filter(|text| is_uuid(text));
    if let Some(given) = given {
        tracing::debug!(request_id = host.cx.request_id, interaction_id = given, "the client names its call");
    }
    let name = given.map_or_else(|| made(host), str::to_owned);
    HeaderValue::try_from(name).ok().map(|name| [(NAME, name)])
}

fn is_uuid(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit();
    let groups = text.split('-').map(|group| (group.len(), group.bytes().all(is_digit)));
    groups.eq(GROUPS.map(|length| (length, true)))
}

fn made(host: &HostCx) -> String {
    let mut random = [0; 16];
    host.cx.entropy.fill(&mut random);
    let digits = format!("{:032x}", (u128::from_be_bytes(random) & !KIND) | RANDOM);
    let mut rest = digits.as_str();
    let groups = GROUPS.map(|length| {
        let (group, after) = rest.split_at_checked(length).unwrap_or_default();
        rest = after;
        group
    });
    groups.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_is_written_in_five_groups_of_digits() {
        for good in ["c770aef3-6784-41f7-8e0e-ff5f97bddb3a", "C770AEF3-6784-41F7-8E0E-FF5F97BDDB3A"] {
            assert!(is_uuid(good), "{good}");
        }
        for bad in [
            "",
            "c770aef3678441f78e0eff5f97bddb3a",
            "c770aef3-6784-41f7-8e0e-ff5f97bddb3",
            "c770aef3-6784-41f7-8e0e-ff5f97bddb3g",
            "c770aef3-6784-41f7-8e0e-ff5f97bddb3a-",
            "c770aef-36784-41f7-8e0e-ff5f97bddb3a",
        ] {
            assert!(!is_uuid(bad), "{bad}");
        }
    }
}
