//! How long an answer may be kept (RFC 9111 §4.2.1, §5.2.2).

use reqwest::header::{AGE, CACHE_CONTROL, HeaderMap};
use svc_core::Seconds;

/// The remaining life of an answer, 0 where it must not be kept; nothing where it does not say.
pub(super) fn of(headers: &HeaderMap) -> Option<Seconds> {
    let fields = headers.get_all(CACHE_CONTROL).iter().filter_map(|value| value.to_str().ok());
    let directives: Vec<_> = fields.flat_map(|field| field.split(',')).map(str::trim).collect();
    let is = |name: &str| directives.iter().any(|directive| directive.eq_ignore_ascii_case(name));
    if is("no-store") || is("no-cache") {
        return Some(Seconds(0));
    }
    let life = directives.iter().find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        let seconds: i64 = value.trim_matches('"').parse().ok()?;
        (name.eq_ignore_ascii_case("max-age") && seconds >= 0).then_some(seconds)
    })?;
    let age = headers.get(AGE).and_then(|value| value.to_str().ok()?.parse::<i64>().ok()).unwrap_or_default();
    Some(Seconds(life.saturating_sub(age.max(0)).max(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_how_long_it_may_be_kept() {
        let of = |cache: &str, age: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CACHE_CONTROL, cache.parse().unwrap());
            headers.insert(AGE, age.parse().unwrap());
            of(&headers).map(|seconds| seconds.0)
        };
        assert_eq!(of("public, max-age=300", "0"), Some(300));
        assert_eq!(of("Max-Age=\"300\"", "100"), Some(200));
        assert_eq!(of("max-age=300", "9999999999999"), Some(0));
        assert_eq!(of("max-age=300, no-store", "0"), Some(0));
        assert_eq!(of("no-cache", "0"), Some(0));
        for silent in ["public", "max-age=-1", "max-age=x", "s-maxage=5"] {
            assert_eq!(of(silent, "-5"), None, "{silent}");
        }
    }
}
