//! The secrets in our cookies, one or several joined (RFC 6265bis §4.1.1).

use svc_keys::from_base64url;

/// Most secrets of one cookie that are looked at, whatever it lists.
pub const MOST: usize = 16;
/// Stands between the secrets of one cookie; base64url has no such character.
pub const SEPARATOR: &str = ".";

/// The secrets that a cookie lists, if all of them are of the form that ours have and there are no more than so many.
pub fn listed(value: &str, most: usize) -> Option<Vec<String>> {
    let secrets: Vec<_> = value.split(SEPARATOR).map(str::to_owned).collect();
    (secrets.len() <= most && secrets.iter().all(|secret| is_token(secret))).then_some(secrets)
}

/// Whether a cookie's value is of the form that ours have.
pub fn is_token(value: &str) -> bool {
    from_base64url(value).is_some_and(|bytes| bytes.len() == 32)
}
