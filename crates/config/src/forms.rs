//! The forms of texts: host names and labels (RFC 1123 §2.1), names of cookies and headers, language tags (RFC 5646 §2.1), ids of apps.

/// Whether a text is a host in the form that it has in addresses: a name in lower case, or an address.
pub fn is_host(text: &str) -> bool {
    let is_v6 = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    is_v6.map_or_else(
        || text.len() <= 253 && text.split('.').all(is_label),
        |address| address.parse::<std::net::Ipv6Addr>().is_ok(),
    )
}

pub(super) fn is_label(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=63).contains(&text.len())
        && text.bytes().all(allowed)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

pub(super) fn is_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// A header for the subject: CGI and its heirs take `_` for `-`, so that a name with it could be written in two ways.
pub(super) fn is_free_header(text: &str) -> bool {
    const TAKEN: &[&str] = &[
        "accept",
        "age",
        "allow",
        "authorization",
        "connection",
        "cookie",
        "date",
        "etag",
        "expect",
        "forwarded",
        "from",
        "host",
        "location",
        "origin",
        "pragma",
        "range",
        "referer",
        "server",
        "set-cookie",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "vary",
        "via",
        "www-authenticate",
        "client-cert",
        "x-request-id",
        "x-real-ip",
    ];
    const TAKEN_BEGINNINGS: &[&str] =
        &["accept-", "access-control-", "content-", "if-", "proxy-", "sec-", "x-forwarded-", "x-original-"];
    let name = text.to_ascii_lowercase();
    let is_written_right = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_written_right
        && !name.is_empty()
        && !TAKEN.contains(&name.as_str())
        && !TAKEN_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

pub(super) fn is_locale(text: &str) -> bool {
    let is_part =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.split('-').all(is_part) && text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic())
}

/// A package name, and the SHA-256 fingerprint of a certificate as `keytool` prints it.
pub(super) fn is_android_app(text: &str) -> bool {
    let is_byte = |pair: &str| pair.len() == 2 && pair.bytes().all(|byte| byte.is_ascii_hexdigit());
    text.split_once('=').is_some_and(|(package, fingerprint)| {
        is_bundle(package) && fingerprint.split(':').count() == 32 && fingerprint.split(':').all(is_byte)
    })
}

pub(super) fn is_apple_app(text: &str) -> bool {
    let is_team = |team: &str| team.len() == 10 && team.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.split_once('.').is_some_and(|(team, bundle)| is_team(team) && is_bundle(bundle))
}

fn is_bundle(text: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    text.contains('.') && text.split('.').all(is_part)
}
